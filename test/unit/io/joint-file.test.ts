import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type JointEntry, type JointFile, readJointFile, writeJointFile } from '../../../src/io/joint-file.js';
import { JOINTS } from '../../fuzz/seed-files.js';
import { ROOT } from '../../support/source-rules.js';
import { name, number, region } from './arbitraries.js';

const vector = fc.tuple(number, number, number);
const axis = fc
  .tuple(...[0, 1, 2].map(() => fc.double({ min: -1e3, max: 1e3, noNaN: true })))
  .map((v) => v as [number, number, number])
  .filter((v) => Math.hypot(...v) > 1e-6);
const angle = fc.double({ min: -6, max: 6, noNaN: true });
const range = fc.tuple(angle, angle).map(([a, b]): [number, number] => (a < b ? [a, b] : [b, a]));
const option = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const defined = <T extends object>(object: T): T =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;

function joint(jointName: string, bones: readonly string[]): fc.Arbitrary<JointEntry> {
  const common = { name: fc.constant(jointName), bones: fc.subarray([...bones], { minLength: 1 }), anchor: vector };
  return fc
    .oneof(
      fc.record({ ...common, type: fc.constant('fixed' as const) }),
      fc.record({ ...common, type: fc.constant('hinge' as const), axis: option(axis), limit: option(range) }),
      fc.record({
        ...common,
        type: fc.constant('ball' as const),
        axis: option(axis),
        cone: option(fc.double({ min: 0, max: 3, noNaN: true })),
        twist: option(range),
      }),
      fc.record({
        ...common,
        type: fc.constant('universal' as const),
        axis: option(axis),
        secondAxis: option(axis),
        limit: option(range),
        secondLimit: option(range),
      }),
    )
    .map(defined);
}

const file: fc.Arbitrary<JointFile> = fc
  .tuple(fc.uniqueArray(name, { minLength: 1, maxLength: 5 }), fc.uniqueArray(name, { maxLength: 4 }))
  .chain(([bones, joints]) =>
    fc.record({
      regions: fc.uniqueArray(fc.record({ region, name }), { maxLength: 3, selector: (entry) => entry.region }),
      bones: fc.tuple(
        ...bones.map((bone) =>
          fc
            .record({
              name: fc.constant(bone),
              regions: fc.array(region, { maxLength: 3 }),
              group: option(name),
              kinematic: option(fc.constant(true)),
            })
            .map(defined),
        ),
      ),
      joints: fc.tuple(...joints.map((jointName) => joint(jointName, bones))),
    }),
  );

describe('writeJointFile and readJointFile', () => {
  it('give the same data again (property)', () => {
    fc.assert(
      fc.property(file, (data) => {
        expect(readJointFile(writeJointFile(data))).toEqual(data);
      }),
    );
  });

  it('keep names that look like words of the format', () => {
    const data = {
      regions: [],
      bones: [
        { name: 'anchor', regions: [] },
        { name: '"7\\', regions: [7] },
      ],
      joints: [],
    };
    expect(readJointFile(writeJointFile(data))).toEqual(data);
  });
});

describe('readJointFile', () => {
  it('reads every kind of statement', () => {
    const { regions, bones, joints } = readJointFile(JOINTS);
    expect(regions).toEqual([{ region: 1, name: 'flesh' }]);
    expect(bones[1]).toEqual({ name: 'upper arm', regions: [3, 4], group: 'Upper Arm', kinematic: true });
    expect(joints.map(({ type }) => type)).toEqual(['fixed', 'ball', 'hinge', 'universal']);
    expect(joints[1].cone).toBeCloseTo((80 * Math.PI) / 180, 12);
    expect(joints[2]).toMatchObject({ bones: ['upper arm', 'forearm'], anchor: [2, 0, 0], axis: [0, 0, 1] });
    expect(joints[2].limit![1]).toBeCloseTo((150 * Math.PI) / 180, 12);
    expect(joints[3].secondLimit![0]).toBeCloseTo((-80 * Math.PI) / 180, 12);
    expect(readJointFile(JOINTS.replaceAll('\n', '\r\n'))).toEqual({ regions, bones, joints });
  });

  it('reads the example of the documentation', () => {
    const page = readFileSync(join(ROOT, 'docs/formats.md'), 'utf8');
    const example = page.slice(
      page.indexOf('tendon-joints 1\n'),
      page.indexOf('\n```\n', page.indexOf('tendon-joints 1\n')),
    );
    const { bones, joints } = readJointFile(example);
    expect([bones.length, joints.length]).toEqual([4, 4]);
  });

  const extended = (line: string) => `tendon-joints 1\nbone a\nbone b\n${line}`;
  it.each([
    ['an empty file', '', 'E_FORMAT', 0],
    ['another version', 'tendon-joints 2', 'E_FORMAT', 1],
    ['an unknown statement', extended('bones c'), 'E_FORMAT', 4],
    ['a bone twice', extended('bone a'), 'E_DUPLICATE', 4],
    ['a region twice', extended('region 1 x\nregion 1 y'), 'E_DUPLICATE', 5],
    ['a region that is no number', extended('bone c region x'), 'E_FORMAT', 4],
    ['an unknown type', extended('joint j slider a b anchor 0 0 0'), 'E_FORMAT', 4],
    ['an unknown bone', extended('joint j ball a c anchor 0 0 0'), 'E_UNKNOWN', 4],
    ['a bone joined to itself', extended('joint j ball a a anchor 0 0 0'), 'E_JOINT', 4],
    ['no bone', extended('joint j ball anchor 0 0 0'), 'E_JOINT', 4],
    ['no anchor', extended('joint j ball a b'), 'E_JOINT', 4],
    ['a short anchor', extended('joint j ball a b anchor 0 0'), 'E_FORMAT', 4],
    ['an axis without length', extended('joint j hinge a b anchor 0 0 0 axis 0 0 0'), 'E_RANGE', 4],
    ['limits the wrong way round', extended('joint j hinge a b anchor 0 0 0 limit 1 0'), 'E_RANGE', 4],
    ['degrees taken for radians', extended('joint j hinge a b anchor 0 0 0 limit 0 90'), 'E_RANGE', 4],
    ['a limit of another type', extended('joint j ball a b anchor 0 0 0 limit 0 1'), 'E_FORMAT', 4],
    ['something said twice', extended('joint j hinge a b anchor 0 0 0 anchor 0 0 0'), 'E_DUPLICATE', 4],
    ['nan', extended('joint j ball a b anchor 0 nan 0'), 'E_FORMAT', 4],
    ['a quote that does not end', extended('bone "c'), 'E_FORMAT', 4],
    ['a line that goes on', extended('region 1 a b'), 'E_FORMAT', 4],
  ])('rejects %s', (_, text, code, line) => {
    expect(() => readJointFile(text)).toThrow(expect.objectContaining({ code, place: `.joint line ${line}` }));
  });
});

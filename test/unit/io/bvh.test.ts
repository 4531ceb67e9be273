import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BvhChannel,
  type BvhData,
  type BvhJoint,
  bvhChannelCount,
  readBvh,
  writeBvh,
} from '../../../src/io/bvh.js';
import { number } from './arbitraries.js';

const FILE = `HIERARCHY
ROOT Hips
{
  OFFSET 0 0 0
  CHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation
  JOINT Left Leg {
    OFFSET 1 -5.2 0
    CHANNELS 3 Zrotation Xrotation Yrotation
    End Site
    {
      OFFSET 0 -4 0
    }
  }
  JOINT Chest
  {
    OFFSET 0 5 0
    CHANNELS 1 zrotation
  }
}
MOTION
Frames: 2
Frame Time: 0.033333
0 1 2 3 4 5 6 7 8 9
0 1 2 3 4 5 6 7 8 10
`;
const CHANNELS: BvhChannel[] = ['Xposition', 'Yposition', 'Zposition', 'Xrotation', 'Yrotation', 'Zrotation'];

const vector = fc.tuple(number, number, number);
/** Skeletons as they are written: each joint hangs on the one before it or on one of that one's ancestors. */
const bvh: fc.Arbitrary<BvhData> = fc
  .array(
    fc.record({
      up: fc.nat(3),
      offset: vector,
      channels: fc.shuffledSubarray(CHANNELS),
      end: fc.option(vector, { nil: undefined }),
      name: fc.stringMatching(/^[A-Za-z_:0-9]{1,9}$/),
    }),
    { minLength: 1, maxLength: 8 },
  )
  .chain((entries) => {
    const joints: BvhJoint[] = [];
    for (const { up, offset, channels, end, name } of entries) {
      let parent = joints.length - 1;
      for (let i = 0; i < up && parent > 0; i++) parent = joints[parent].parent;
      joints.push({ name, parent, offset, channels, ...(end && { end }) });
    }
    const size = bvhChannelCount(joints);
    return fc
      .tuple(fc.nat(size === 0 ? 0 : 3), fc.double({ min: 1e-3, max: 1, noNaN: true }))
      .chain(([frameCount, frameTime]) =>
        fc
          .float64Array({
            minLength: frameCount * size,
            maxLength: frameCount * size,
            noNaN: true,
            noDefaultInfinity: true,
          })
          .map((frames) => ({ joints, frameTime, frames })),
      );
  });

describe('writeBvh and readBvh', () => {
  it('give the same data again (property)', () => {
    fc.assert(
      fc.property(bvh, (data) => {
        expect(readBvh(writeBvh(data))).toEqual(data);
      }),
    );
  });
});

describe('readBvh', () => {
  it.each([FILE, FILE.replaceAll('\n', '\r\n')])('reads a skeleton and its motion', (file) => {
    const { joints, frameTime, frames } = readBvh(file);
    expect(joints.map(({ name, parent }) => [name, parent])).toEqual([
      ['Hips', -1],
      ['Left Leg', 0],
      ['Chest', 0],
    ]);
    expect(joints[1].end).toEqual([0, -4, 0]);
    expect(joints[2].channels).toEqual(['Zrotation']);
    expect(frameTime).toBe(0.033333);
    expect(frames.length).toBe(20);
  });

  it.each([
    ['another file', 'x', 'E_FORMAT', 1],
    ['no skeleton', 'HIERARCHY\nMOTION', 'E_EMPTY', 2],
    ['an unknown channel', FILE.replace('1 zrotation', '1 wrotation'), 'E_FORMAT', 17],
    ['a channel twice', FILE.replace('3 Zrotation Xrotation', '3 Xrotation Xrotation'), 'E_FORMAT', 8],
    ['seven channels', FILE.replace('CHANNELS 6', 'CHANNELS 7'), 'E_FORMAT', 5],
    ['a missing brace', FILE.replace('}\nMOTION', 'MOTION'), 'E_FORMAT', 19],
    ['a time of zero', FILE.replace('0.033333', '0'), 'E_RANGE', 22],
    ['fewer frames than announced', FILE.replace('Frames: 2', 'Frames: 3'), 'E_FORMAT', 25],
    ['more frames than announced', FILE.replace('Frames: 2', 'Frames: 1'), 'E_FORMAT', 24],
    ['a huge number of frames', FILE.replace('Frames: 2', 'Frames: 19999999'), 'E_RANGE', 22],
    ['nan', FILE.replace('8 10', '8 nan'), 'E_FORMAT', 24],
  ])('rejects %s', (_, file, code, line) => {
    expect(() => readBvh(file)).toThrow(expect.objectContaining({ code, place: `.bvh line ${line}` }));
  });

  it('rejects chains deeper than the limit', () => {
    const deep = `HIERARCHY\nROOT a {\nOFFSET 0 0 0\n${'JOINT a {\nOFFSET 0 0 0\n'.repeat(64)}`;
    expect(() => readBvh(deep)).toThrow(expect.objectContaining({ code: 'E_RANGE' }));
    expect(() => readBvh(deep, { maxDepth: 70 })).toThrow(expect.objectContaining({ code: 'E_FORMAT' }));
  });
});

/** Joints that are hard: stars, loops, redundant and contradictory ones. All stay closed after every step, or say so. */
import { describe, expect, it } from 'vitest';
import type { BodyDef, JointDef, JointType, Vec3 } from '../../../src/body/body-def.js';
import { buildModel } from '../../../src/body/model.js';
import { TendonError } from '../../../src/errors.js';
import { worstJoint } from '../../support/checks/joint-check.js';
import { measured, single } from '../../support/checks/measure.js';
import { type BoxDef, buildBoxes, buildFleshBar, STIFF } from '../../support/models/bodies.js';

const GRAVITY = [0, -9.81, 0] as const;

/** Boxes along the sides of a regular polygon in the xy plane, joined at its corners. */
function ring(count: number, type: JointType, pinned = true): BodyDef {
  const corner = (i: number): Vec3 => [Math.cos((2 * Math.PI * i) / count), Math.sin((2 * Math.PI * i) / count), 0];
  const boxes: BoxDef[] = [];
  const joints: JointDef[] = [];
  for (let i = 0; i < count; i++) {
    const a = corner(i);
    const b = corner(i + 1);
    boxes.push({ name: `b${i}`, centre: [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, 0], sides: [0.3, 0.2, 0.25] });
    joints.push({ name: `j${i}`, type, bones: [`b${i}`, `b${(i + 1) % count}`], anchor: b });
  }
  if (pinned) joints.push({ name: 'pin', type: 'ball', bones: ['b0'], anchor: boxes[0].centre });
  return buildBoxes(boxes, joints);
}

/** `count` boxes around a point, all joined there. */
function star(count: number): BodyDef {
  const boxes = Array.from({ length: count }, (_, i) => ({
    name: `b${i}`,
    centre: [Math.cos(2.4 * i), Math.sin(2.4 * i), 0.3 * i] as Vec3,
    sides: [0.5, 0.3, 0.2] as Vec3,
  }));
  const bones = boxes.map(({ name }) => name);
  return buildBoxes(boxes, [
    { name: 'star', type: 'ball', bones, anchor: [0, 0, 0.5] },
    { name: 'pin', type: 'ball', bones: ['b0'], anchor: boxes[0].centre },
  ]);
}

/** A pair joined by joints of which each alone would do less. */
function pair(...joints: Omit<JointDef, 'name' | 'bones'>[]): BodyDef {
  return buildBoxes(
    [
      { name: 'a', centre: [0, 0, 0], sides: [0.8, 0.3, 0.2] },
      { name: 'b', centre: [1, 0, 0], sides: [0.8, 0.2, 0.3] },
    ],
    [
      { name: 'pin', type: 'ball', bones: ['a'], anchor: [-0.5, 0.1, 0] },
      ...joints.map((joint, i) => ({ ...joint, name: `j${i}`, bones: ['a', 'b'] })),
    ],
  );
}

const middle: Vec3 = [0.5, 0, 0];
const SCENES: Record<string, BodyDef> = {
  'star of 3': star(3),
  'star of 5': star(5),
  'four-bar loop of ball joints': ring(4, 'ball'),
  'four-bar loop of hinges, 3 rows redundant': ring(4, 'hinge'),
  'ring of 6 ball joints': ring(6, 'ball'),
  'ring of 6 hinges': ring(6, 'hinge'),
  'ring of 6 fixed joints, 6 rows redundant': ring(6, 'fixed'),
  'free ring of 6 universal joints': ring(6, 'universal', false),
  'ball joint': pair({ type: 'ball', anchor: middle }),
  hinge: pair({ type: 'hinge', anchor: middle, axis: [1, 2, 3] }),
  universal: pair({ type: 'universal', anchor: middle, axis: [0, 1, 0], secondAxis: [0, 0, 1] }),
  fixed: pair({ type: 'fixed', anchor: middle }),
  'two ball joints on one pair': pair({ type: 'ball', anchor: middle }, { type: 'ball', anchor: [0.5, 0, 0.4] }),
  'the same ball joint twice': pair({ type: 'ball', anchor: middle }, { type: 'ball', anchor: middle }),
  'three ball joints on one pair: fixed': pair(
    { type: 'ball', anchor: middle },
    { type: 'ball', anchor: [0.5, 0, 0.4] },
    { type: 'ball', anchor: [0.5, 0.4, 0] },
  ),
  'fixed and hinge on one pair': pair({ type: 'fixed', anchor: middle }, { type: 'hinge', anchor: [0.2, 0.3, 0] }),
};

/** Universal joints need the second axis written out for the check. */
function withAxes(def: BodyDef): BodyDef {
  const joints = def.joints?.map((joint) => ({ axis: [0, 0, 1] as Vec3, secondAxis: [0, 1, 0] as Vec3, ...joint }));
  return { ...def, joints };
}

describe('joints are closed to 1e-9 of the body size after every step, whatever the iterations', () => {
  it.each(Object.keys(SCENES))('%s', async (name) => {
    const def = withAxes(SCENES[name]);
    const worst = { gap: 0, angle: 0 };
    for (const iterations of [0, 1, 2, 5, 20]) {
      const placement = { angularVelocity: [0.5, -1, 2] as Vec3 };
      const s = await single(def, { dt: 1 / 60, iterations, gravity: GRAVITY, placement });
      for (let n = 0; n < 120; n++) {
        s.step();
        const { gap, angle } = worstJoint(def, s.model, s.state);
        worst.gap = Math.max(worst.gap, gap / s.model.size);
        worst.angle = Math.max(worst.angle, angle);
        expect(gap).toBeLessThan(1e-9 * s.model.size);
        expect(angle).toBeLessThan(1e-9);
        // what the certificate says agrees with what is measured here
        expect(s.world.certificate.jointGap).toBeLessThan(1e-10 * s.model.size);
        expect(s.world.certificate.rigidity).toBeLessThan(1e-12);
      }
    }
    measured(`joints: ${name}`, worst);
  });

  it.each(['ball', 'hinge', 'universal', 'fixed'] as const)('%s between bones in flesh', async (joint) => {
    const def = withAxes(buildFleshBar({ cells: [5, 1, 1], cell: 0.2, layers: 2, material: STIFF, joint }));
    for (const iterations of [0, 1, 2, 5, 20]) {
      const placement = { angularVelocity: [1, -4, 2] as Vec3 };
      const s = await single(def, { dt: 1 / 60, iterations, gravity: GRAVITY, placement });
      for (let n = 0; n < 60; n++) {
        s.step();
        const { gap, angle } = worstJoint(def, s.model, s.state);
        expect(gap).toBeLessThan(1e-9 * s.model.size);
        expect(angle).toBeLessThan(1e-9);
      }
    }
  });
});

describe('redundant rows are counted', () => {
  it.each([
    ['two ball joints on one pair', 1],
    ['the same ball joint twice', 3],
    ['ring of 6 fixed joints, 6 rows redundant', 6],
    ['fixed and hinge on one pair', 5],
    ['hinge', 0],
  ])('%s: %i', async (name, count) => {
    const s = await single(SCENES[name], { dt: 1 / 60, gravity: GRAVITY });
    s.step(5);
    expect(s.world.certificate.redundantRows).toBe(count);
  });
});

describe('two ball joints on one pair are a hinge', () => {
  it('swings as the hinge does, within 1e-8 m after 100 steps (independent description of one motion)', async () => {
    const options = { dt: 0.01, iterations: 20, gravity: GRAVITY } as const;
    const one = await single(SCENES['two ball joints on one pair'], options);
    const two = await single(pair({ type: 'hinge', anchor: middle, axis: [0, 0, 1] }), options);
    one.step(100);
    two.step(100);
    let worst = 0;
    for (let i = 0; i < one.state.positions.length; i++) {
      worst = Math.max(worst, Math.abs(one.state.positions[i] - two.state.positions[i]));
    }
    measured('two balls as hinge', worst);
    expect(worst).toBeLessThan(1e-8);
  });
});

describe('contradictory joints', () => {
  it('a chain whose ends are driven too far apart: finite, the gap is reported, and it closes again', async () => {
    const def = buildBoxes(
      [0, 1, 2].map((i) => ({ name: `b${i}`, centre: [i, 0, 0] as Vec3, sides: [0.8, 0.3, 0.2] as Vec3 })),
      [0, 1].map((i) => ({ name: `j${i}`, type: 'ball', bones: [`b${i}`, `b${i + 1}`], anchor: [i + 0.5, 0, 0] })),
    );
    const s = await single(def, { dt: 1 / 60, iterations: 5, gravity: GRAVITY });
    s.state.kinematic[0] = s.state.kinematic[2] = 1;
    for (let n = 1; n <= 60; n++) {
      s.state.boneTargets[2 * 7 + 4] = 2 + (0.5 * n) / 60;
      s.step();
      for (const x of s.state.positions) expect(Math.abs(x)).toBeLessThan(10);
    }
    // half a metre too long, over two joints
    expect(s.world.certificate.jointGap).toBeGreaterThan(0.2);
    expect(s.world.certificate.jointGap).toBeLessThan(0.6);
    for (let n = 59; n >= 0; n--) {
      s.state.boneTargets[2 * 7 + 4] = 2 + (0.5 * n) / 60;
      s.step();
    }
    s.step(10);
    expect(s.world.certificate.jointGap).toBeLessThan(1e-10 * s.model.size);
  });
});

describe('joints that cannot be meant are refused', () => {
  const boxes: BoxDef[] = [{ name: 'a', centre: [0, 0, 0], sides: [1, 1, 1] }];
  const code = (joint: unknown) => {
    try {
      buildModel(
        buildBoxes(boxes, [{ name: 'j', type: 'ball', bones: ['a'], anchor: [0, 0, 0], ...(joint as object) }]),
      );
    } catch (error) {
      return error instanceof TendonError ? error.code : String(error);
    }
    return 'built';
  };
  it.each([
    [{ bones: ['a', 'a'] }, 'E_JOINT'],
    [{ bones: [] }, 'E_JOINT'],
    [{ bones: ['nobody'] }, 'E_JOINT'],
    [{ type: 'weld' }, 'E_UNKNOWN'],
    [{ type: 'hinge', axis: [0, 0, 0] }, 'E_JOINT'],
    [{ type: 'hinge', axis: [0, Number.NaN, 0] }, 'E_NOT_FINITE'],
    [{ anchor: [0, Number.POSITIVE_INFINITY, 0] }, 'E_NOT_FINITE'],
    [{ type: 'universal', axis: [0, 0, 1], secondAxis: [0, 1, 1] }, 'E_JOINT'],
    [{}, 'built'],
  ])('%o: %s', (joint, expected) => {
    expect(code(joint)).toBe(expected);
  });
});

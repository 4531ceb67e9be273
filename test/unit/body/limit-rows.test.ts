/** Values of joint limits against angles put in by hand, and their slopes and bends against differences. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JointDef, JointLimitsDef, Vec3 } from '../../../src/body/body-def.js';
import { BonePoses } from '../../../src/body/bone-poses.js';
import { LIMIT_ROWS } from '../../../src/body/joints/joint-limits.js';
import { LimitRows } from '../../../src/body/joints/limit-rows.js';
import { buildModel } from '../../../src/body/model.js';
import { multiplyQuat, normaliseQuat } from '../../../src/math/quat.js';
import { axisAngleQuat, turnQuat } from '../../../src/math/rotation.js';
import { quatToRotationVector } from '../../../src/math/rotation-vector.js';
import { buildBoxes } from '../../support/models/bodies.js';

function joined(type: JointDef['type'], limits: JointLimitsDef, middle?: JointLimitsDef['middle']) {
  const boxes = [0, 1].map((i) => ({ name: `b${i}`, centre: [i, 0, 0] as Vec3, sides: [1, 0.4, 0.3] as Vec3 }));
  const joint: JointDef = {
    name: 'joint',
    type,
    bones: ['b0', 'b1'],
    anchor: [0.5, 0, 0],
    axis: [1, 0, 0],
    ...(type !== 'hinge' && { secondAxis: [0, 1, 0] }),
    limits: { ...limits, ...(middle && { middle }) },
  };
  const { joints } = buildModel(buildBoxes(boxes, [joint]));
  const poses = new BonePoses(3);
  for (let bone = 0; bone < 3; bone++) poses.quats[bone * 4 + 3] = 1;
  for (let bone = 0; bone < 3; bone++) poses.updateRotation(bone);
  return { rows: new LimitRows(joints, 2), poses, joints };
}

function setTurn(poses: BonePoses, bone: number, quat: ArrayLike<number>): void {
  normaliseQuat(poses.quats, bone * 4, quat, 0);
  poses.updateRotation(bone);
}

function about(axis: Vec3, angle: number): Float64Array {
  const quat = new Float64Array(4);
  axisAngleQuat(quat, 0, axis, 0, angle);
  return quat;
}

describe('values at angles put in by hand', () => {
  it.each([-2.4, -1, -0.2, 0, 0.3, 1.1, 2.9])(
    'hinge at %f rad between -1 and 0.7: 2 tan of half the way left',
    (angle) => {
      const { rows, poses } = joined('hinge', { range: [-1, 0.7] });
      setTurn(poses, 1, about([1, 0, 0], angle));
      rows.measure(poses);
      const turned = angle > Math.PI - 0.15 ? angle - 2 * Math.PI : angle;
      const left = turned > -0.15 ? 0.7 - turned : turned + 1;
      expect(rows.value[0]).toBeCloseTo(Math.max(-8, 2 * Math.tan(left / 2)), 10);
    },
  );

  it('universal joint: both angles', () => {
    const { rows, poses } = joined('universal', { range: [-0.5, 0.5], secondRange: [-0.9, 0.9] });
    const quat = new Float64Array(4);
    multiplyQuat(quat, 0, about([1, 0, 0], 0.3), 0, about([0, 1, 0], -0.7), 0);
    setTurn(poses, 1, quat);
    rows.measure(poses);
    expect(rows.value[0]).toBeCloseTo(2 * Math.tan(0.1), 12);
    expect(rows.value[1]).toBeCloseTo(2 * Math.tan(0.1), 12);
  });

  it.each([0.2, 0.8, 2])('round cone of 0.8 rad at a lean of %f: 2 (sin ½α − sin ½θ)/cos ½θ', (lean) => {
    const { rows, poses } = joined('ball', { cone: 0.8 });
    setTurn(poses, 1, about([0, 0.6, 0.8], lean));
    rows.measure(poses);
    expect(rows.value[0]).toBeCloseTo((2 * (Math.sin(0.4) - Math.sin(lean / 2))) / Math.cos(lean / 2), 10);
  });

  it('elliptic cone: each angle about its own direction', () => {
    const { rows, poses } = joined('ball', { cone: [0.3, 1] });
    setTurn(poses, 1, about([0, 1, 0], 0.3));
    rows.measure(poses);
    expect(rows.value[0]).toBeCloseTo(0, 12);
    setTurn(poses, 1, about([0, 0, 1], 1));
    rows.measure(poses);
    expect(rows.value[0]).toBeCloseTo(0, 12);
  });

  it('twist after a lean is counted about the child', () => {
    const { rows, poses } = joined('ball', { twist: [-0.5, 0.5] });
    const quat = new Float64Array(4);
    multiplyQuat(quat, 0, about([0, 0.8, 0.6], 1.2), 0, about([1, 0, 0], 0.4), 0);
    setTurn(poses, 1, quat);
    rows.measure(poses);
    expect(rows.value[0]).toBeCloseTo(2 * Math.tan(0.05), 12);
  });

  it('cone and twist count from the middle', () => {
    const middle = about([0.3, 0.5, -0.2], 0.9);
    const { rows, poses } = joined('ball', { cone: 0.5, twist: [-0.2, 0.2] }, [...middle] as never);
    setTurn(poses, 1, middle);
    rows.measure(poses);
    // the twist is in the middle of its range, the lean in the middle of its cone
    expect(rows.value[0]).toBeCloseTo(2 * Math.tan(0.1), 12);
    expect(rows.value[1]).toBeGreaterThan(1);
  });
});

const [TWIST, CONE, LEAN] = ['twist', 'cone', 'lean'].map((kind) => LIMIT_ROWS.indexOf(kind as never));

describe('slopes', () => {
  const kinds: readonly [JointDef['type'], JointLimitsDef][] = [
    ['ball', { cone: 0.7 }],
    ['ball', { cone: [0.3, 1.1] }],
    ['ball', { twist: [-0.4, 0.4] }],
  ];
  it.each(kinds)('of a %s with %o are the differences of its values', (type, limits) => {
    const { rows, poses, joints } = joined(type, limits);
    let checked = 0;
    const number = fc.integer({ min: -1000, max: 1000 }).map((n) => n / 1000);
    const property = fc.property(fc.array(number, { minLength: 8, maxLength: 8 }), (q) => {
      if (Math.abs(q[3]) < 0.3 || Math.abs(q[7]) < 0.3) return;
      setTurn(poses, 0, q.slice(0, 4));
      setTurn(poses, 1, q.slice(4));
      for (let row = 0; row < joints.limits.count; row++) {
        const isCone = joints.limits.kind[row] === CONE;
        if (isCone && !rows.isCone(row)) continue;
        // the value of a cone is (1 − f) over its steepness: its slope is meant for f = 1, so go there first, by Newton's method
        for (let n = 0; isCone && n < 30; n++) {
          rows.measure(poses);
          const way = Float64Array.from(rows.slope.slice(row * 3, row * 3 + 3), (g) => -0.7 * rows.value[row] * g);
          turnQuat(poses.quats, 4, way, 0);
          poses.updateRotation(1);
        }
        rows.measure(poses);
        const base = poses.quats.slice();
        const [value, slope] = [rows.value[row], rows.slope.slice(row * 3, row * 3 + 3)];
        if (Math.abs(value) > (isCone ? 1e-6 : 3)) continue;
        checked++;
        const at = (turn: ArrayLike<number>, size: number) => {
          poses.quats.set(base);
          turnQuat(
            poses.quats,
            4,
            Float64Array.from(turn, (t) => t * size),
            0,
          );
          poses.updateRotation(1);
          rows.measure(poses);
          return rows.value[row];
        };
        // ranges are measured by 2 tan(½ way), whose slope is 1 + ¼ of its square
        const scale = joints.limits.kind[row] === TWIST ? 1 + (value * value) / 4 : 1;
        for (let k = 0; k < 3 && joints.limits.kind[row] !== LEAN; k++) {
          const turn = [0, 1, 2].map((i) => (i === k ? 1 : 0));
          const difference = (at(turn, 1e-5) - at(turn, -1e-5)) / 2e-5;
          expect(Math.abs(difference - scale * slope[k])).toBeLessThan(1e-5);
        }
        setTurn(poses, 1, base.slice(4, 8));
      }
    });
    fc.assert(property, { numRuns: 300, seed: 3 });
    expect(checked).toBeGreaterThan(50);
  });
});

describe('rotation vectors', () => {
  it('are axis times angle to 1e-13 rad, up to half a turn', () => {
    const out = new Float64Array(3);
    for (let angle = 0; angle < Math.PI; angle += 0.01) {
      quatToRotationVector(out, 0, about([2, -1, 2], angle), 0);
      expect(Math.abs(Math.hypot(...out) - angle)).toBeLessThan(1e-13);
      expect(Math.abs(out[0] - (angle * 2) / 3)).toBeLessThan(1e-13);
    }
  });
});

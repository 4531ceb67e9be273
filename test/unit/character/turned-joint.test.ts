/** A joint told from its other bone: the same turnings are allowed, by angles measured here from quaternions. */
import { describe, expect, it } from 'vitest';
import type { JointDef, Vec3 } from '../../../src/body/body-def.js';
import { turnJoint } from '../../../src/character/build/kinds/turned-joint.js';

type Quat = readonly [number, number, number, number];

const JOINT = { name: 'j', bones: ['a', 'b'], anchor: [0, 0, 0] } as const;

function about([x, y, z]: Vec3, angle: number): Quat {
  const s = Math.sin(angle / 2) / Math.hypot(x, y, z);
  return [s * x, s * y, s * z, Math.cos(angle / 2)];
}

function times([ax, ay, az, aw]: Quat, [bx, by, bz, bw]: Quat): Quat {
  return [
    aw * bx + ax * bw + ay * bz - az * by,
    aw * by - ax * bz + ay * bw + az * bx,
    aw * bz + ax * by - ay * bx + az * bw,
    aw * bw - ax * bx - ay * by - az * bz,
  ];
}

function back([x, y, z, w]: Quat): Quat {
  return [-x, -y, -z, w];
}

/** Lean from the middle, and twist about the axis [rad]: q = middle lean twist. */
function leanAndTwist(joint: JointDef, q: Quat): [number, number] {
  const [x, y, z, w] = times(back(joint.limits?.middle ?? [0, 0, 0, 1]), q);
  const [ax, ay, az] = joint.axis as Vec3;
  const along = x * ax + y * ay + z * az;
  const sign = w < 0 ? -1 : 1;
  return [2 * Math.acos(Math.min(1, Math.hypot(along, w))), 2 * Math.atan2(sign * along, sign * w)];
}

describe('a joint told from its second bone', () => {
  it('is a hinge that turns the other way, motor and all', () => {
    const limits = { range: [-0.2, 1.1] } as const;
    const motor = { target: 0.4, speed: 2, torque: -3, stiffness: 5, damping: 6, maxTorque: 7 };
    expect(turnJoint({ ...JOINT, type: 'hinge', axis: [1, 0, 0], limits, motor })).toMatchObject({
      bones: ['b', 'a'],
      axis: [1, 0, 0],
      limits: { range: [-1.1, 0.2] },
      motor: { target: -0.4, speed: -2, torque: 3, stiffness: 5, damping: 6, maxTorque: 7 },
    });
  });

  it('has the axes of a universal joint in the other order', () => {
    const limits = { range: [-0.2, 1.1], secondRange: [-0.5, 0.3] } as const;
    const given = { ...JOINT, type: 'universal', axis: [1, 0, 0], secondAxis: [0, 1, 0], limits } as const;
    const turned = turnJoint(given);
    expect(turned).toMatchObject({ axis: [0, 1, 0], secondAxis: [1, 0, 0] });
    expect(turned.limits).toEqual({ range: [-0.3, 0.5], secondRange: [-1.1, 0.2] });
    // about x by 0.7 in the first bone, then about y by −0.4 in the second: seen from there, about y by 0.4, then about x by −0.7
    const q = times(about([1, 0, 0], 0.7), about([0, 1, 0], -0.4));
    expect(back(q)).toEqual(times(about([0, 1, 0], 0.4), about([1, 0, 0], -0.7)));
    expect(turnJoint({ ...JOINT, type: 'universal', axis: [0, 0, 1] }).secondAxis).toEqual([0, 0, 1]);
  });

  it('leans as far and twists the other way, about any middle', () => {
    const axis: Vec3 = [0.6, 0, 0.8];
    for (let n = 0; n < 50; n++) {
      const middle = about([Math.sin(n), Math.cos(3 * n), 0.3], 1.5 * Math.sin(5 * n));
      const limits = { cone: 0.9, twist: [-0.4, 0.7], middle } as const;
      const given: JointDef = { ...JOINT, type: 'ball', axis, secondAxis: [0, 1, 0], limits };
      const turned = turnJoint(given);
      const lean = about([0.8 * Math.cos(n), Math.sin(n), -0.6 * Math.cos(n)], 0.9 * Math.cos(2 * n));
      const twist = 1.2 * Math.sin(7 * n);
      const q = times(middle, times(lean, about(axis, twist)));
      const [leanGiven, twistGiven] = leanAndTwist(given, q);
      const [leanTurned, twistTurned] = leanAndTwist(turned, back(q));
      expect(twistGiven).toBeCloseTo(twist, 10);
      expect(leanTurned).toBeCloseTo(leanGiven, 7);
      expect(twistTurned).toBeCloseTo(-twist, 10);
      expect(turned.limits).toMatchObject({ cone: 0.9, twist: [-0.7, 0.4] });
    }
  });
});

/** Limits fitted to a motion: put in by hand, they must come out; and they must hold every pose of the motion. */
import { describe, expect, it } from 'vitest';
import type { JointDef, Vec3 } from '../../../src/body/body-def.js';
import { BonePoses } from '../../../src/body/bone-poses.js';
import { LimitRows } from '../../../src/body/joints/limit-rows.js';
import { buildModel } from '../../../src/body/model.js';
import { fitLeanEllipse } from '../../../src/character/rig/lean-ellipse.js';
import { axisAngleQuat } from '../../../src/math/rotation.js';
import { buildBoxes } from '../../support/models/bodies.js';

const ALONG: Vec3 = [1, 0, 0];

/** Rotation vectors of a motion that leans 0.5 rad about y and 0.2 about z, around a middle of 0.8 rad about z. */
function motion(): number[] {
  const turns: number[] = [];
  for (let i = 0; i < 60; i++) {
    const phase = (2 * Math.PI * i) / 60;
    turns.push(0.15 * Math.sin(3 * phase), 0.5 * Math.cos(phase), 0.8 + 0.2 * Math.sin(phase));
  }
  return turns;
}

describe('limits fitted to a motion', () => {
  it('are those of a motion about one axis', () => {
    const turns = [-0.3, -0.1, 0.1, 0.3].flatMap((angle) => [0, angle, 0]);
    const { swing, swingAside, twist, middle } = fitLeanEllipse(turns, ALONG, 0.1);
    expect(Math.max(swing, swingAside)).toBeCloseTo(0.4, 6);
    expect(Math.min(swing, swingAside)).toBeLessThan(0.11);
    expect(twist[1]).toBeCloseTo(0.1, 6);
    expect(middle[3]).toBeCloseTo(1, 6);
  });

  it('hold every pose of the motion and the rest pose, with the room that was asked for', () => {
    const turns = motion();
    const { swing, swingAside, twist, middle, secondAxis } = fitLeanEllipse(turns, ALONG, 0.2);
    const limits = { cone: [swing, swingAside] as const, twist, middle };
    const joint: JointDef = {
      name: 'j',
      type: 'ball',
      bones: ['a', 'b'],
      anchor: [0.5, 0, 0],
      axis: ALONG,
      secondAxis,
      limits,
    };
    const boxes = ['a', 'b'].map((name, i) => ({ name, centre: [i, 0, 0] as Vec3, sides: [1, 0.3, 0.3] as Vec3 }));
    const { joints } = buildModel(buildBoxes(boxes, [joint]));
    const rows = new LimitRows(joints, 2);
    const poses = new BonePoses(3);
    for (let bone = 0; bone < 3; bone++) poses.quats[bone * 4 + 3] = 1;
    for (let bone = 0; bone < 3; bone++) poses.updateRotation(bone);
    for (let i = -3; i < turns.length; i += 3) {
      const turn = i < 0 ? [0, 0, 0] : turns.slice(i, i + 3);
      axisAngleQuat(poses.quats, 4, turn, 0, Math.sqrt(turn.reduce((sum, x) => sum + x * x, 0)));
      poses.updateRotation(1);
      rows.measure(poses);
      expect(Math.min(...rows.value)).toBeGreaterThan(0.05);
    }
    // as narrow as the motion allows: far less than a round cone about the rest pose, 1 rad and the room
    expect(swing * swingAside).toBeLessThan(0.8 * 1.2 * 1.2);
  });
});

/** Limits and motors that make no sense are refused by code and place, when a body is built and while a world runs, and leave what was there. */
import { describe, expect, it } from 'vitest';
import type { JointDef } from '../../../src/body/body-def.js';
import { buildModel } from '../../../src/body/model.js';
import { createWorld, disposeWorld, hashWorld, setActivation, setJointMotor } from '../../../src/index.js';
import { buildBoxes, lumpedSides } from '../../support/models/bodies.js';

const NAN = Number.NaN;
const BALL: JointDef = { name: 'j', type: 'ball', bones: ['a', 'b'], anchor: [0.1, 0, 0] };
const HINGE: JointDef = { ...BALL, type: 'hinge', axis: [0, 0, 1] };

function pair(joint: JointDef) {
  const sides = lumpedSides([0.2, 0.1, 0.1]);
  return buildBoxes(
    [
      { name: 'a', centre: [0, 0, 0], sides },
      { name: 'b', centre: [0.2, 0, 0], sides },
    ],
    [joint],
  );
}

describe('limits of a joint', () => {
  it.each([
    ['an empty range', HINGE, { range: [0.5, -0.5] }, 'E_RANGE', 'limits/range'],
    ['a range beyond a turn', HINGE, { range: [-9, 9] }, 'E_RANGE', 'limits/range'],
    ['a range that is no number', HINGE, { range: [NAN, 1] }, 'E_NOT_FINITE', 'limits/range'],
    ['an empty cone', BALL, { cone: -0.1 }, 'E_RANGE', 'limits/cone'],
    ['a cone empty one way', BALL, { cone: [0.5, -0.5] }, 'E_RANGE', 'limits/cone'],
    ['a cone wider than all', BALL, { cone: 4 }, 'E_RANGE', 'limits/cone'],
    ['a cone that is no number', BALL, { cone: NAN }, 'E_NOT_FINITE', 'limits/cone'],
    ['an empty twist', BALL, { twist: [1, 0] }, 'E_RANGE', 'limits/twist'],
    ['a middle without length', BALL, { middle: [0, 0, 0, 0] }, 'E_RANGE', 'limits/middle'],
    ['a cone of a hinge', HINGE, { cone: 1 }, 'E_JOINT', 'limits/cone'],
  ] as const)('%s is refused', (_, joint, limits, code, place) => {
    const build = () => buildModel(pair({ ...joint, limits } as JointDef));
    expect(build).toThrow(expect.objectContaining({ code, place: expect.stringContaining(place) }));
  });
});

describe('motors of a joint', () => {
  const cases = [
    ['negative stiffness', { stiffness: -1 }, 'E_RANGE', 'stiffness'],
    ['negative damping', { damping: -1 }, 'E_RANGE', 'damping'],
    ['a stiffness that is no number', { stiffness: NAN }, 'E_NOT_FINITE', 'stiffness'],
    ['a negative largest torque', { maxTorque: -1 }, 'E_RANGE', 'maxTorque'],
    ['a target that is no number', { target: [NAN, 0, 0, 1] }, 'E_NOT_FINITE', 'target'],
    ['a target without length', { target: [0, 0, 0, 0] }, 'E_RANGE', 'target'],
    ['the angle of a ball', { target: 1 }, 'E_JOINT', 'target'],
    ['an endless speed', { speed: [Number.POSITIVE_INFINITY, 0, 0] }, 'E_NOT_FINITE', 'speed'],
    ['a torque of two numbers', { torque: [1, 2] }, 'E_RANGE', 'torque'],
  ] as const;

  it.each(cases)('%s is refused when the body is built', (_, motor, code, place) => {
    const build = () => buildModel(pair({ ...BALL, motor } as unknown as JointDef));
    expect(build).toThrow(expect.objectContaining({ code, place: expect.stringContaining(place) }));
  });

  it('is refused while the world runs, and the motor stays as it was', async () => {
    const scene = { name: 'test', description: '', bodies: [{ body: pair({ ...BALL, motor: { stiffness: 3 } }) }] };
    const world = await createWorld(scene);
    const [body] = world.bodies;
    const before = hashWorld(world);
    for (const [, motor, code] of cases) {
      expect(() => setJointMotor(body, 'j', motor as never)).toThrow(expect.objectContaining({ code }));
    }
    expect(() => setJointMotor(body, 'nobody', {})).toThrow(expect.objectContaining({ code: 'E_UNKNOWN' }));
    expect(() => setActivation(body, 'nobody', 1)).toThrow(expect.objectContaining({ code: 'E_UNKNOWN' }));
    expect(hashWorld(world)).toBe(before);
    disposeWorld(world);
  });
});

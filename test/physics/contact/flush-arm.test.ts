/**
 * Rigid arms that are pinned to the world and lie flush on the floor, rolled and pressed down by a motor: what pushes near the pin is answered by the pin alone, so that its
 * size is nobody's business, and friction grows with it. Against statics: nothing moves, and about the pin all moments add up to nothing.
 */
import { describe, expect, it } from 'vitest';
import type { RigidBodyDef } from '../../../src/body/kinds/rigid-def.js';
import {
  contactPoint,
  createWorld,
  disposeWorld,
  readJointTorque,
  type SceneDef,
  stepWorld,
} from '../../../src/index.js';
import { measured } from '../../support/checks/measure.js';

const [HALF, LENGTH, MASS, G] = [[0.15, 0.02, 0.03] as const, 0.31, 0.5, 9.81];
const motor = { stiffness: 20, damping: 1 } as const;

function arm(parts: number, roll: number, press: number): RigidBodyDef {
  const names = ['upper', 'lower'].slice(0, parts);
  const [x, z] = [Math.sin(roll / 2), Math.sin(-press / 2)];
  const target = [x, 0, z, Math.sqrt(1 - x * x - z * z)] as const;
  return {
    kind: 'rigid',
    name: 'arm',
    parts: names.map((name, i) => ({
      name,
      shape: { kind: 'box', halfExtents: HALF },
      position: [HALF[0] + i * LENGTH, HALF[1], 0],
      mass: MASS,
    })),
    joints: [
      { name: 'shoulder', type: 'ball', bones: ['upper'], anchor: [0, HALF[1], 0], motor: { ...motor, target } },
      ...(parts > 1
        ? ([
            { name: 'elbow', type: 'hinge', bones: names, anchor: [0.305, HALF[1], 0], axis: [0, 1, 0], motor },
          ] as const)
        : []),
    ],
  };
}

describe('a pinned arm that lies flush on the floor', () => {
  it.each([
    [1, 0.05, 0.3, 0.5],
    [1, 1, 0.3, 0.5],
    [1, 0.5, 0.3, 0.9],
    [2, -0.2, 0.5, 0.5],
    [2, 0.3, 0.5, 0.9],
    [2, 0.8, 0.5, 0.2],
    // the pin is 1.5 times as far aside as above the corners beside it: a force along that line does nothing
    [1, -0.2, 0.3, 1.5],
    [2, 0.3, 0.5, 1.5],
    [2, 0.5, 0.1, 1.5],
    [2, 0.8, 0.1, 2],
    [2, 0.2, 0.3, 4],
  ])(
    'of %d parts, rolled by %f and pressed by %f rad, friction %f, stays where it is',
    async (parts, roll, press, friction) => {
      const scene = {
        name: 'flush',
        description: '',
        bodies: [{ body: arm(parts, roll, press) }],
        obstacles: [{ name: 'floor', shape: { kind: 'plane' }, friction }],
      } as unknown as SceneDef;
      const world = await createWorld(scene, { dt: 1 / 60, iterations: 10, selfContact: false });
      const [body] = world.bodies;
      const { positions } = body.state;
      let [deepest, inParts] = [0, 0];
      for (let n = 0; n < 60; n++) {
        expect(stepWorld(world)).toBe(true);
        if (world.certificate.substeps > 1) inParts++;
        for (let i = 1; i < positions.length; i += 3) deepest = Math.max(deepest, -positions[i]);
      }
      const moment = [...readJointTorque(body, 'shoulder').motor];
      const { translations } = body.state.poses;
      for (let i = 0; i < parts; i++) {
        moment[0] += MASS * G * translations[i * 3 + 2];
        moment[2] -= MASS * G * translations[i * 3];
      }
      for (let c = 0; c < world.contacts.count; c++) {
        const [x, y, z] = contactPoint(world, c);
        const [fx, fy, fz] = world.contacts.force.subarray(c * 3, c * 3 + 3);
        const arm = [x, y - HALF[1], z];
        moment[0] += arm[1] * fz - arm[2] * fy;
        moment[1] += arm[2] * fx - arm[0] * fz;
        moment[2] += arm[0] * fy - arm[1] * fx;
      }
      measured('flush arm', { parts, roll, press, friction, deepest, inParts, moment });
      expect(deepest).toBeLessThan(1e-3);
      expect(inParts).toBe(0);
      // sweeps end where forces change by less than 1e-5; these are moments of up to 10 N m
      for (const about of moment) expect(Math.abs(about)).toBeLessThan(1e-4);
      disposeWorld(world);
    },
  );
});

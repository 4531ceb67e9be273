/** Bones between driven ones are driven along while a clip is played, and limp again after it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BoneDriver } from '../../../host/world/bone-driver.js';
import { buildRigged } from '../../../src/character/build/rigged.js';
import {
  createWorld,
  disposeWorld,
  readJointTorque,
  resetWorld,
  setBoneKinematic,
  stepWorld,
  type World,
} from '../../../src/index.js';
import { armModel } from '../../support/models/rigged-model.js';

const character = buildRigged(armModel({ names: ['base', 'shoulder', 'elbow'], swing: 1 }), { tets: 400 });
const [BASE, SHOULDER, ELBOW] = [0, 1, 2];
let world: World;
let driver: BoneDriver;

beforeAll(async () => {
  world = await createWorld({ name: 'arm', description: '', bodies: [{ body: character.body }] });
});
afterAll(() => disposeWorld(world));
beforeEach(() => {
  resetWorld(world);
  for (const bone of [BASE, SHOULDER, ELBOW]) setBoneKinematic(world.bodies[0], bone, bone !== SHOULDER);
  driver = new BoneDriver(world, character, world.bodies[0]);
});

const kinematic = () => Array.from(world.bodies[0].state.kinematic);

describe('BoneDriver', () => {
  it('drives what lies between driven bones, and lets it go with the clip', () => {
    driver.play('swing', 1);
    expect(kinematic()).toEqual([1, 1, 1]);
    for (let i = 0; i < 30; i++) {
      driver.beforeStep(world.dt);
      expect(stepWorld(world)).toBe(true);
      expect(world.certificate.clampedBones).toBe(0);
      expect(world.certificate.jointGap).toBeLessThan(1e-9 * world.certificate.bodySize);
    }
    driver.play('swing', 2);
    expect(kinematic()).toEqual([1, 1, 1]);
    driver.stop();
    expect(kinematic()).toEqual([1, 0, 1]);
  });

  it('keeps to what the user makes kinematic while a clip is played', () => {
    driver.play('swing', 1);
    driver.setKinematic(ELBOW, false);
    expect(kinematic()).toEqual([1, 0, 0]);
    driver.setKinematic(ELBOW, true);
    expect(kinematic()).toEqual([1, 1, 1]);
    driver.setKinematic(SHOULDER, true);
    driver.stop();
    expect(kinematic()).toEqual([1, 1, 1]);
  });

  it('leads bones that are not kinematic by their motors, and lets them hang again', () => {
    setBoneKinematic(world.bodies[0], ELBOW, false);
    const worst: number[] = [];
    for (const strength of [4, 16]) {
      driver.strength = strength;
      driver.play('swing', 1);
      expect(kinematic()).toEqual([1, 0, 0]);
      worst.push(0);
      for (let i = 0; i < 45; i++) {
        driver.beforeStep(world.dt);
        expect(stepWorld(world)).toBe(true);
        if (i > 30) worst[worst.length - 1] = Math.max(worst[worst.length - 1], world.certificate.trackingError);
      }
    }
    // gains go with the square of the frequency, and the flesh around the joint resists: at least a third
    expect(worst[1]).toBeLessThan(worst[0] / 3);
    driver.setBone(ELBOW, 'limp');
    for (let i = 0; i < 30; i++) {
      driver.beforeStep(world.dt);
      stepWorld(world);
    }
    expect(readJointTorque(world.bodies[0], world.bodies[0].model.joints.names[1]).motor.every((x) => x === 0)).toBe(
      true,
    );
    driver.letGo();
    driver.beforeStep(world.dt);
    stepWorld(world);
    expect(world.certificate.trackingError).toBe(0);
  });
});

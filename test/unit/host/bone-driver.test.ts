/** Bones between driven ones are driven along while a clip is played, and limp again after it. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { BoneDriver } from '../../../host/world/bone-driver.js';
import { buildRigged } from '../../../src/character/build/rigged.js';
import { createWorld, disposeWorld, resetWorld, setBoneKinematic, stepWorld, type World } from '../../../src/index.js';
import { armModel } from '../../support/rigged-model.js';

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
  driver = new BoneDriver(character, world.bodies[0]);
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
});

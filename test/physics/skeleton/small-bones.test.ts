/**
 * Bones of one to three vertices: a point has no moment of inertia and a line none about itself. They have that of the flesh their vertices stand
 * for; as grains of a millimetre they were whirled about by joints beside them, which opened by up to the length of the body.
 */
import { expect, it } from 'vitest';
import { runRandomWorld } from '../../../bench/worlds/random-worlds.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import { createWorld } from '../../../src/world/create-world.js';
import { stepWorld } from '../../../src/world/step.js';
import { measured } from '../../support/checks/measure.js';

const TYPES = ['ball', 'hinge', 'universal', 'fixed'] as const;
const MODELS = ['corotated', 'stableNeoHookean', 'arap'] as const;
const mesh = buildLattice({ cells: [6, 1, 1], cellSize: 0.1, origin: [0, 0.3, 0] });

/** A bar with a small bone at each end and one in the middle, joined half way between them, all of random kinds. */
function buildSmallBones(random: () => number, model: (typeof MODELS)[number]) {
  const pick = (i: number) => {
    const layer = [...Array(mesh.positions.length / 3).keys()].filter(
      (v) => Math.abs(mesh.positions[v * 3] - 0.1 * i) < 1e-9,
    );
    return layer.slice(0, 1 + Math.floor(random() * 3));
  };
  const type = () => TYPES[Math.floor(random() * 4)];
  const youngModulus = [1e4, 1e5, 1e6, 1e7][Math.floor(random() * 4)];
  const materials = [{ model, youngModulus, poissonRatio: model === 'arap' ? 0 : 0.45 * random(), density: 1000 }];
  return {
    name: 'bar',
    ...mesh,
    bones: [
      { name: 'a', vertices: pick(0) },
      { name: 'b', vertices: pick(6) },
      { name: 'c', vertices: pick(3) },
    ],
    joints: [
      { name: 'j', type: type(), bones: ['a', 'c'], anchor: [0.15, 0.35, 0.05] },
      { name: 'k', type: type(), bones: ['c', 'b'], anchor: [0.45, 0.35, 0.05] },
    ] as const,
    materials,
  };
}

it('keep their joints closed, thrown about and falling on a floor', async () => {
  let bits = 5;
  const random = () => {
    bits = (Math.imul(bits, 1664525) + 1013904223) >>> 0;
    return bits / 2 ** 32;
  };
  let widest = 0;
  for (let trial = 0; trial < 12; trial++) {
    const body = buildSmallBones(random, MODELS[trial % 3]);
    const obstacles = trial % 2 ? [{ name: 'floor', shape: { kind: 'plane' } as const }] : [];
    const world = await createWorld(
      { name: 'small', description: '', bodies: [{ body, angularVelocity: [3, 2, 5] }], obstacles },
      { integrator: trial % 5 === 0 ? 'bdf2' : 'backwardEuler', iterations: [1, 3, 10][trial % 3] },
    );
    for (let n = 0; n < 60; n++) {
      expect(stepWorld(world), String(world.fault)).toBe(true);
      widest = Math.max(widest, world.certificate.jointGap);
    }
  }
  measured('joints of small bones', widest);
  expect(widest).toBeLessThan(1e-8);
});

// Such a bone turns about itself by radians under a blow, which moves nothing. Against conservation of energy, and depth as measured after each step
it('a body on a bone that is a line is held by the floor and gains no energy', async () => {
  // 61 % of its size deep, and 0.57 of its first energy gained, while what a line turns about itself cut contact forces short
  const { depth, gain, gap } = await runRandomWorld(2101, 60);
  measured('bone of two vertices', { depth, gain });
  expect(depth).toBeLessThan(0.01);
  expect(gain).toBeLessThan(0.05);
  expect(gap).toBeLessThan(1e-9);
});

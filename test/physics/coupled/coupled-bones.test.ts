/**
 * Bones in flesh in the coupled solver: a bar with bones falls as everything does and keeps its momentum, its vertices stay on the bones, and a
 * bar between a bone that is held and a heavy one is stretched by F L/(E A).
 */
import { describe, expect, it } from 'vitest';
import type { BodyDef } from '../../../src/body/body-def.js';
import { createWorld, stepWorld, type World } from '../../../src/index.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';

const g = 9.81;
const CELLS = 10;
const SIDE = 0.1;

/** A bar of ten cubes along y from the origin on, with a bone of the vertices in each end's cube. */
function bar(youngModulus: number, kinematic: boolean): BodyDef {
  const mesh = buildLattice({ cells: [1, CELLS, 1], cellSize: SIDE, origin: [0, 0, 0] });
  const within = (low: number, high: number) =>
    Array.from({ length: mesh.positions.length / 3 }, (_, v) => v).filter((v) => {
      const y = mesh.positions[v * 3 + 1];
      return y > low - 1e-9 && y < high + 1e-9;
    });
  return {
    name: 'bar',
    ...mesh,
    bones: [
      { name: 'low', vertices: within(0, SIDE) },
      { name: 'high', vertices: within(SIDE * (CELLS - 1), SIDE * CELLS), kinematic },
    ],
    materials: [{ model: 'corotated', youngModulus, poissonRatio: 0, density: 1000 }],
  };
}

/** Largest distance between a bone's vertices in the core and where its pose has them; read from velocities too. */
function openest({ bodies: [{ model, state }] }: World): number {
  const { bones, positions } = model;
  let worst = 0;
  for (let bone = 0; bone < bones.count; bone++) {
    for (let n = bones.vertexStart[bone]; n < bones.vertexStart[bone + 1]; n++) {
      const v = bones.vertices[n] * 3;
      for (let k = 0; k < 3; k++) {
        let at = state.poses.translations[bone * 3 + k];
        for (let m = 0; m < 3; m++) {
          at += state.poses.rotations[bone * 9 + k * 3 + m] * (positions[v + m] - bones.centre[bone * 3 + m]);
        }
        worst = Math.max(worst, Math.abs(at - state.positions[v + k]));
      }
    }
  }
  return worst;
}

describe('a bar of flesh with two bones', () => {
  // the centre of mass of anything falls by g t²/2, and turning in the air changes no momentum
  it('falls as everything does while it turns, in one piece', async () => {
    const world = await createWorld({
      name: 'fall',
      description: '',
      solver: { kind: 'coupled', substeps: 2 },
      bodies: [{ body: bar(1e5, false), angularVelocity: [2, 1, 5], velocity: [1, 0, 0] }],
    });
    const { state, model } = world.bodies[0];
    const mean = (k: number) => {
      let sum = 0;
      for (let v = 0; v < model.vertexCount; v++)
        sum += (model.masses[v] * state.positions[v * 3 + k]) / model.totalMass;
      return sum;
    };
    const [x0, y0] = [mean(0), mean(1)];
    for (let n = 1; n <= 60; n++) {
      expect(stepWorld(world)).toBe(true);
      expect(world.certificate.momentumDrift).toBeLessThan(1e-9);
    }
    // rows hold the vertices to a hundredth of a millimetre; the poses shown are those of the bones
    expect(Math.abs(mean(0) - x0 - 1)).toBeLessThan(1e-5);
    expect(Math.abs(mean(1) - y0 + 0.5 * g)).toBeLessThan(1e-5);
    expect(openest(world)).toBeLessThan(1e-12);
  });

  // beside the lowest cube, which is rigid, a cut at height y carries the mass below it: the sum over the nine cubes between the bones
  it('is stretched by what hangs on it', async () => {
    const E = 1e5;
    const world = await createWorld({
      name: 'hang',
      description: '',
      solver: { kind: 'coupled', substeps: 2 },
      bodies: [{ body: bar(E, true), position: [0, 1, 0] }],
    });
    for (let n = 0; n < 600; n++) stepWorld(world);
    const { translations } = world.bodies[0].state.poses;
    const { centre } = world.bodies[0].model.bones;
    const longer = translations[4] - translations[1] - (centre[4] - centre[1]);
    // σ(y) = ρ g y for y from 0.1 to 0.9, over E
    const expected = (1000 * g * (0.9 ** 2 - 0.1 ** 2)) / (2 * E);
    expect(Math.abs(longer / expected - 1)).toBeLessThan(0.01);
    expect(Math.abs(translations[4] - centre[4] - 1)).toBeLessThan(1e-12);
  });

  // the frame of the world's joints is at the body's origin, in the middle of it: a place, not a thing to touch
  it('does not touch the end that a joint has in the world', async () => {
    const pivot = {
      name: 'pivot',
      type: 'hinge',
      bones: ['low'],
      anchor: [0.05, 0.05, 0.05],
      axis: [1, 0, 0],
    } as const;
    const body = { ...bar(1e5, true), joints: [pivot] };
    const solver = { kind: 'coupled' };
    const world = await createWorld({ name: 'pivot', description: '', solver, bodies: [{ body }], gravity: [0, 0, 0] });
    for (let n = 0; n < 5; n++) stepWorld(world);
    expect(world.certificate.contacts).toBe(0);
    const { positions } = world.bodies[0].state;
    const moved = positions.map((value, i) => Math.abs(value - world.bodies[0].model.positions[i]));
    // kernels work in f32: forces of 1e5 Pa on a metre are nothing to some 1e-8 m
    expect(Math.max(...moved)).toBeLessThan(1e-6);
  });
});

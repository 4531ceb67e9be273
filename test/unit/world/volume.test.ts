/** How much of its rest volume flesh has: determinants of the maps that bodies are put through, in closed form. */
import { describe, expect, it } from 'vitest';
import { buildScene } from '../../../scenes/index.js';
import { fleshVolume } from '../../../src/body/flesh-volume.js';
import { buildModel } from '../../../src/body/model.js';
import type { BodyState } from '../../../src/body/state.js';
import { createWorld, stepWorld } from '../../../src/index.js';
import { latticeBody } from '../../support/checks/penetration.js';

const BOX = latticeBody({ cells: [4, 2, 2], cellSize: 0.1 });

/** Volume once every coordinate of the box is mapped. */
function mapped(def: typeof BOX, map: (x: number, y: number, z: number) => readonly number[]): number {
  const model = buildModel(def);
  const positions = new Float64Array(model.positions.length);
  for (let i = 0; i < positions.length; i += 3) {
    positions.set(map(model.positions[i], model.positions[i + 1], model.positions[i + 2]), i);
  }
  return fleshVolume(model, { positions } as BodyState);
}

describe('the volume of flesh', () => {
  it('is the determinant of the map it went through', () => {
    expect(mapped(BOX, (x, y, z) => [x, y, z])).toBeCloseTo(1, 12);
    expect(mapped(BOX, (x, y, z) => [0.5 * x, y, z])).toBeCloseTo(0.5, 12);
    expect(mapped(BOX, (x, y, z) => [1.2 * x + 3, 1.2 * y, 1.2 * z])).toBeCloseTo(1.2 ** 3, 12);
    // a shear and a turn by a right angle keep it, a mirror turns it inside out
    expect(mapped(BOX, (x, y, z) => [x + 2 * y, y, z])).toBeCloseTo(1, 12);
    expect(mapped(BOX, (x, y, z) => [-y, x, z])).toBeCloseTo(1, 12);
    expect(mapped(BOX, (x, y, z) => [-x, y, z])).toBeCloseTo(-1, 12);
  });

  it('leaves out the tets of a single bone', () => {
    const positions = Float64Array.from(BOX.positions);
    const vertices = Array.from(positions.keys()).filter((i) => i % 3 === 0 && positions[i] < 0.15);
    const boned = { ...BOX, bones: [{ name: 'bone', vertices: vertices.map((i) => i / 3) }] };
    // a quarter of the box is bone; the next layer is squeezed to 0.6 of its length, the last two are as they were
    const squeezed = mapped(boned, (x, y, z) => [x < 0.15 ? x : x - 0.04, y, z]);
    expect(squeezed).toBeCloseTo((0.6 + 2) / 3, 12);
  });

  it('is that of the body that has least, and is in its report', async () => {
    const bodies = [{ body: BOX }, { body: BOX, position: [0, 1, 0] as const }];
    const world = await createWorld({ name: 'two', description: '', bodies, gravity: [0, 0, 0] });
    const { positions } = world.bodies[1].state;
    for (let i = 0; i < positions.length; i += 3) positions[i] *= 0.8;
    // too short a step to come back in
    expect(stepWorld(world, 1e-6)).toBe(true);
    expect(world.bodies[0].report.volume).toBeCloseTo(1, 6);
    expect(world.bodies[1].report.volume).toBeCloseTo(0.8, 4);
    expect(world.certificate.volume).toBe(world.bodies[1].report.volume);
  });

  it('is 1 where there is no flesh, and that of its cells in a lattice', async () => {
    const chain = await createWorld(buildScene('chain'));
    stepWorld(chain);
    expect(chain.certificate.volume).toBe(1);
    const lattice = await createWorld(buildScene('stretch'));
    stepWorld(lattice);
    expect(lattice.certificate.volume).toBe(lattice.bodies[0].report.cells?.meanVolume);
  });
});

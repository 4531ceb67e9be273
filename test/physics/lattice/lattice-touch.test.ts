/** Lattices that touch other bodies of their world: pushed by as much as they weigh (closed form), from where the scene places them. */
import { describe, expect, it } from 'vitest';
import { createWorld, disposeWorld, stepWorld } from '../../../src/index.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';

const JELLY = { model: 'corotated', youngModulus: 4e4, poissonRatio: 0.3, density: 1000 } as const;

const heightsOf = (positions: Float64Array): Float64Array => positions.filter((_, i) => i % 3 === 1);

describe('lattices in contact', () => {
  it('carry each other: the lower of two blocks the upper one, the ground both', async () => {
    const cube = { ...buildLattice({ cells: [3, 3, 3], cellSize: 0.1 }), materials: [JELLY] };
    const world = await createWorld({
      name: 'two',
      description: '',
      bodies: [
        { body: { name: 'lower', ...cube } },
        { body: { name: 'upper', ...cube }, position: [0.02, 0.302, 0.01] },
      ],
      obstacles: [{ name: 'ground', shape: { kind: 'plane' }, position: [0, -0.002, 0] }],
      dt: 1 / 60,
      solver: { kind: 'lattice', cells: 300 },
    } as never);
    // the upper one begins where it was placed
    expect(Math.min(...heightsOf(world.bodies[1].state.positions))).toBeCloseTo(0.302, 6);
    let [between, ground] = [0, 0];
    const mean = 60;
    for (let n = 0; n < 180; n++) {
      expect(stepWorld(world)).toBe(true);
      if (n < 180 - mean) continue;
      for (let c = 0; c < world.contacts.count; c++) {
        const push = world.contacts.force[3 * c + 1] / mean;
        const [a, b] = [world.contacts.body[2 * c], world.contacts.body[2 * c + 1]];
        if (b < 0) ground += push;
        else between += a === 1 ? push : -push;
      }
    }
    // 27 litres of water each; the two sides of a contact are solved one after the other, and the blocks still creep by half a millimetre a second
    expect(Math.abs(between / (27 * 9.81) - 1)).toBeLessThan(0.05);
    expect(Math.abs(ground / (54 * 9.81) - 1)).toBeLessThan(0.02);
    expect(world.certificate.penetration).toBeLessThan(0.01);
    disposeWorld(world);
  });
});

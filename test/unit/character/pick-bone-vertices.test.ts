import { describe, expect, it } from 'vitest';
import { flatness, pickBoneVertices } from '../../../src/character/build/bones/pick-bone-vertices.js';
import { roundCone, sphere } from '../../../src/character/shapes/sdf.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';

const { positions } = buildLattice({ cells: [10, 4, 4], cellSize: 0.1 });

describe('pickBoneVertices', () => {
  it('takes what is inside the shape and free, and marks it', () => {
    const taken = new Uint8Array(positions.length / 3);
    const shape = sphere([0.5, 0.2, 0.2], 0.15);
    const first = pickBoneVertices(positions, shape, taken, 0.1);
    const expected = [...taken.keys()].filter(
      (i) => shape.distance(positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]) < 0,
    );
    expect([...first]).toEqual(expected);
    const second = pickBoneVertices(positions, shape, taken, 0.1);
    expect([...second].some((vertex) => expected.includes(vertex))).toBe(false);
  });

  it('grows a bone that would be a line of vertices until it is solid', () => {
    const taken = new Uint8Array(positions.length / 3);
    const picked = pickBoneVertices(positions, roundCone([0.2, 0.2, 0.2], [0.8, 0.2, 0.2], 0.02), taken, 0.1);
    expect(picked.length).toBeGreaterThan(7);
    expect(flatness(positions, picked)).toBeGreaterThan(1e-4);
  });

  it('gives up when nothing is near', () => {
    const taken = new Uint8Array(positions.length / 3);
    const found = expect.objectContaining({ code: 'E_EMPTY_BONE' });
    expect(() => pickBoneVertices(positions, sphere([50, 0, 0], 0.1), taken, 0.1)).toThrow(found);
    expect(Math.max(...taken)).toBe(0);
  });
});

describe('flatness', () => {
  it('is 1 for a round cloud and 0 for a line or a plane', () => {
    const cloud = Float64Array.of(1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 0, 1, 0, 0, -1);
    expect(flatness(cloud, [0, 1, 2, 3, 4, 5])).toBeCloseTo(1, 14);
    expect(flatness(cloud, [0, 1, 2, 3])).toBe(0);
    expect(flatness(cloud, [0, 1])).toBe(0);
    expect(flatness(cloud, [0])).toBe(0);
  });
});

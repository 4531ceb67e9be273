import { describe, expect, it } from 'vitest';
import { keepLargestComponent, labelComponents } from '../../../src/mesh/components.js';
import {
  computeVertexNormals,
  extractSurface,
  gatherSurfacePositions,
  surfaceArea,
  surfaceVolume,
} from '../../../src/mesh/surface/surface.js';
import { describeSurface } from '../../../src/mesh/surface/surface-topology.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';

const cube = buildLattice({ cells: [3, 3, 3], cellSize: 1 });

describe('extractSurface', () => {
  it('leaves inner vertices out and maps the rest in order', () => {
    const { triangles, vertices } = extractSurface(cube);
    expect(triangles).toHaveLength(3 * 2 * 9 * 6);
    expect(vertices).toHaveLength(64 - 8);
    expect([...vertices]).toEqual([...vertices].sort((a, b) => a - b));
    const positions = new Float32Array(3 * vertices.length);
    gatherSurfacePositions({ triangles, vertices }, cube.positions, positions);
    expect(surfaceArea(triangles, positions)).toBeCloseTo(54, 10);
    expect(surfaceVolume(triangles, positions)).toBeCloseTo(27, 10);
  });

  it('turns the surface inside out when the tetrahedra are inverted', () => {
    const inverted = { ...cube, tets: Int32Array.from(cube.tets, (_, i) => cube.tets[i % 4 < 2 ? i ^ 1 : i]) };
    const { triangles, vertices } = extractSurface(inverted);
    const positions = new Float64Array(3 * vertices.length);
    gatherSurfacePositions({ triangles, vertices }, cube.positions, positions);
    expect(surfaceVolume(triangles, positions)).toBeCloseTo(-27, 10);
  });
});

describe('computeVertexNormals', () => {
  const { triangles, vertices } = extractSurface(cube);
  const positions = new Float64Array(3 * vertices.length);
  gatherSurfacePositions({ triangles, vertices }, cube.positions, positions);

  it('gives the face normal inside a face and unit length everywhere', () => {
    const normals = new Float32Array(positions.length);
    computeVertexNormals(triangles, positions, normals);
    let inFace = 0;
    for (let i = 0; i < positions.length; i += 3) {
      const [x, y, z] = normals.subarray(i, i + 3);
      expect(Math.sqrt(x * x + y * y + z * z)).toBeCloseTo(1, 6);
      const inner = (k: number): boolean => positions[i + k] > 0 && positions[i + k] < 3;
      if (!inner(0) || !inner(1)) continue;
      inFace++;
      expect([x, y, z]).toEqual([0, 0, positions[i + 2] === 3 ? 1 : -1]);
    }
    expect(inFace).toBe(8);
  });

  it('forgets what was in the array before and gives zero to a vertex without triangles', () => {
    const normals = new Float64Array(12).fill(5);
    computeVertexNormals([0, 1, 2], [0, 0, 0, 1, 0, 0, 0, 1, 0, 9, 9, 9], normals);
    expect([...normals]).toEqual([0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 0]);
  });
});

describe('describeSurface', () => {
  it('finds the open edges of a lone triangle', () => {
    expect(describeSurface([0, 1, 2], 3)).toEqual({
      openEdgeCount: 3,
      pinchedVertexCount: 0,
      eulerCharacteristic: 1,
    });
  });

  it('finds the point where two cubes touch', () => {
    const inside = (x: number, y: number, z: number): boolean => x < 1 === y < 1 && y < 1 === z < 1;
    const { triangles, vertices } = extractSurface(buildLattice({ cells: [2, 2, 2], cellSize: 1, inside }));
    const { openEdgeCount, pinchedVertexCount } = describeSurface(triangles, vertices.length);
    expect({ openEdgeCount, pinchedVertexCount }).toEqual({ openEdgeCount: 0, pinchedVertexCount: 1 });
  });

  it('finds the edge where two cubes touch', () => {
    const inside = (x: number, y: number): boolean => x < 1 === y < 1;
    const { triangles, vertices } = extractSurface(buildLattice({ cells: [2, 2, 1], cellSize: 1, inside }));
    expect(describeSurface(triangles, vertices.length).openEdgeCount).toBe(2);
  });
});

describe('components', () => {
  const inside = (x: number): boolean => x < 1 || x > 2;
  const apart = buildLattice({ cells: [4, 1, 1], cellSize: 1, inside });

  it('labels the pieces from the lowest vertex', () => {
    const { count, labels } = labelComponents(apart);
    expect(count).toBe(2);
    expect(labels[0]).toBe(0);
    expect([...labels].filter((label) => label === 0)).toHaveLength(8);
  });

  it('keeps the piece with the most tetrahedra, and a whole mesh as it is', () => {
    const kept = keepLargestComponent(apart);
    expect(kept.tets).toHaveLength(4 * 10);
    expect(labelComponents(kept).count).toBe(1);
    expect(Math.min(...kept.positions.filter((_, i) => i % 3 === 0))).toBe(2);
    expect(keepLargestComponent(cube)).toBe(cube);
  });
});

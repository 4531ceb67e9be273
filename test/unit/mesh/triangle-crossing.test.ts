import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/math/random.js';
import { refineSurface } from '../../../src/mesh/surface/refine-surface.js';
import { surfaceArea, surfaceVolume } from '../../../src/mesh/surface/surface.js';
import { findSurfaceFaults } from '../../../src/mesh/surface/surface-faults.js';
import { trianglesCross } from '../../../src/mesh/surface/triangle-crossing.js';
import { weldVertices } from '../../../src/mesh/surface/triangle-mesh.js';
import { visitNearPairs } from '../../../src/mesh/surface/triangle-tree.js';
import { ballSurface, boxSurface, mergeSurfaces } from '../../support/models/surfaces.js';

const TOLERANCE = 1e-9;
const A = [0, 1, 2];
const B = [3, 4, 5];

/** Two triangles that share no corner. */
function cross(a: readonly number[], b: readonly number[]): boolean {
  return trianglesCross([...a, ...b], A, B, TOLERANCE);
}

const FLAT = [0, 0, 0, 1, 0, 0, 0, 1, 0];

describe('trianglesCross', () => {
  it.each([
    ['through the middle', [0.2, 0.2, -1, 0.2, 0.2, 1, 5, 5, 1], true],
    ['beside', [2, 2, -1, 2, 2, 1, 5, 5, 1], false],
    ['above', [0, 0, 0.1, 1, 0, 0.1, 0, 1, 0.1], false],
    ['a corner on the face', [0.2, 0.2, 0, 0.2, 0.2, 1, 1, 1, 1], true],
    ['a corner just above the face', [0.2, 0.2, 1e-6, 0.2, 0.2, 1, 1, 1, 1], false],
    ['a corner nearer than the tolerance', [0.2, 0.2, 1e-10, 0.2, 0.2, 1, 1, 1, 1], true],
    ['edges that cross', [0.5, -1, -1, 0.5, 1, 1, 0.5, -3, 3], true],
    ['the same one twice', FLAT, true],
    ['in the plane, inside', [0.1, 0.1, 0, 0.2, 0.1, 0, 0.1, 0.2, 0], true],
    ['in the plane, around', [-5, -5, 0, 10, -5, 0, -5, 10, 0], true],
    ['in the plane, beside', [1, 1, 0, 2, 1, 0, 1, 2, 0], false],
    ['in the plane, a corner on an edge', [0.5, 0, 0, 1, -1, 0, 0, -1, 0], true],
  ])('sees a triangle %s', (_name, other, expected) => {
    expect(cross(FLAT, other)).toBe(expected);
    expect(cross(other, FLAT)).toBe(expected);
    // As a number of a coordinate far away, and the other way round.
    const far = (p: readonly number[]): number[] => p.map((x) => x + 64);
    if (!_name.includes('nearer')) expect(cross(far(FLAT), far(other))).toBe(expected);
    const reversed = [...other.slice(3, 6), ...other.slice(0, 3), ...other.slice(6)];
    expect(cross(FLAT, reversed)).toBe(expected);
  });

  it('lets neighbours share a corner or an edge, and nothing more', () => {
    const p = [...FLAT, 1, 1, 0, 0.2, 0.2, 1, 0.2, 0.2, -1, 0.3, 0.1, 0, 0, 0, 1];
    expect(trianglesCross(p, [0, 1, 2], [1, 3, 2], TOLERANCE)).toBe(false);
    expect(trianglesCross(p, [0, 1, 2], [0, 1, 7], TOLERANCE)).toBe(false);
    expect(trianglesCross(p, [0, 1, 2], [0, 1, 6], TOLERANCE)).toBe(true);
    expect(trianglesCross(p, [0, 1, 2], [0, 3, 7], TOLERANCE)).toBe(true);
    expect(trianglesCross(p, [0, 1, 2], [1, 3, 7], TOLERANCE)).toBe(false);
    expect(trianglesCross(p, [0, 1, 2], [0, 4, 5], TOLERANCE)).toBe(true);
    expect(trianglesCross(p, [0, 1, 2], [2, 1, 0], TOLERANCE)).toBe(true);
  });

  it('agrees with points of one that lie on both sides of the other', () => {
    const random = createRandom(7);
    let crossing = 0;
    for (let n = 0; n < 3000; n++) {
      const p = Array.from({ length: 18 }, () => random.range(-1, 1));
      const found = trianglesCross(p, A, B, TOLERANCE);
      // Independently: some edge of one, cut into the point of the other's plane, has its barycentric weights all positive.
      const expected = [
        [A, B],
        [B, A],
      ].some(([one, other]) => [0, 1, 2].some((k) => pierces(p, one[k], one[(k + 1) % 3], other)));
      expect(found).toBe(expected);
      if (found) crossing++;
    }
    expect(crossing).toBeGreaterThan(200);
    expect(crossing).toBeLessThan(2800);
  });
});

/** Solves for the weights of the point where a segment meets a triangle's plane, by Cramer's rule. */
function pierces(p: readonly number[], i: number, j: number, t: readonly number[]): boolean {
  const at = (v: number): number[] => p.slice(3 * v, 3 * v + 3);
  const minus = (a: number[], b: number[]): number[] => a.map((x, k) => x - b[k]);
  const [e, u, v, r] = [
    minus(at(i), at(j)),
    minus(at(t[1]), at(t[0])),
    minus(at(t[2]), at(t[0])),
    minus(at(i), at(t[0])),
  ];
  const det = (a: number[], b: number[], c: number[]): number =>
    a[0] * (b[1] * c[2] - b[2] * c[1]) - b[0] * (a[1] * c[2] - a[2] * c[1]) + c[0] * (a[1] * b[2] - a[2] * b[1]);
  const whole = det(e, u, v);
  const [s, m, n] = [det(r, u, v) / whole, det(e, r, v) / whole, det(e, u, r) / whole];
  return s >= 0 && s <= 1 && m >= 0 && n >= 0 && m + n <= 1;
}

describe('visitNearPairs', () => {
  it('visits every pair whose boxes overlap, once', () => {
    const random = createRandom(3);
    const positions = Float64Array.from({ length: 9 * 150 }, (_, i) => (i % 9 < 3 ? random.range(0, 4) : 0));
    for (let i = 0; i < positions.length; i += 9) {
      for (let k = 3; k < 9; k++) positions[i + k] = positions[i + (k % 3)] + random.range(-0.5, 0.5);
    }
    const triangles = Int32Array.from({ length: 450 }, (_, i) => i);
    const box = (t: number, k: number): number[] => [0, 1, 2].map((c) => positions[9 * t + 3 * c + k]);
    const expected: string[] = [];
    for (let a = 0; a < 150; a++) {
      for (let b = a + 1; b < 150; b++) {
        const overlap = [0, 1, 2].every(
          (k) => Math.max(...box(a, k)) >= Math.min(...box(b, k)) && Math.max(...box(b, k)) >= Math.min(...box(a, k)),
        );
        if (overlap) expected.push(`${a},${b}`);
      }
    }
    const found: string[] = [];
    visitNearPairs({ positions, triangles }, 0, (a, b) => found.push(`${a},${b}`) > 0);
    expect(found.sort()).toEqual(expected.sort());
    expect(found.length).toBeGreaterThan(50);
    let visits = 0;
    visitNearPairs({ positions, triangles }, 0, () => ++visits < 5);
    expect(visits).toBe(5);
  });
});

describe('findSurfaceFaults', () => {
  const weld = (mesh: ReturnType<typeof boxSurface>) => weldVertices(mesh.positions, mesh.triangles);
  const none = { flat: [], repeated: [], open: [], crowded: [], flipped: [] };

  it('finds none in closed surfaces, of several pieces and facing inward', () => {
    const ball = weld(ballSurface([5, 0, 0], 1, 6));
    expect(findSurfaceFaults(weld(mergeSurfaces(boxSurface([0, 0, 0], [1, 1, 1], 3), ball)))).toEqual(none);
    expect(findSurfaceFaults({ ...ball, triangles: ball.triangles.slice().reverse() })).toEqual(none);
  });

  it('names the triangles at a hole, turned, repeated, flat, or at an edge of three', () => {
    const { positions, triangles } = weld(boxSurface([0, 0, 0], [1, 1, 1], 2));
    const missing = { positions, triangles: triangles.filter((_, i) => Math.floor(i / 3) !== 20) };
    expect(findSurfaceFaults(missing)).toMatchObject({ ...none, open: expect.any(Array) });
    expect(findSurfaceFaults(missing).open).toHaveLength(3);
    const turned = triangles.slice();
    for (const t of [7, 30]) turned.set([triangles[3 * t + 1], triangles[3 * t], triangles[3 * t + 2]], 3 * t);
    expect(findSurfaceFaults({ positions, triangles: turned })).toEqual({ ...none, flipped: [7, 30] });
    const copied = Int32Array.from([...triangles, triangles[13], triangles[12], triangles[14]]);
    expect(findSurfaceFaults({ positions, triangles: copied })).toEqual({ ...none, repeated: [48] });
    const fin = Int32Array.from([...triangles, triangles[0], triangles[1], positions.length / 3]);
    const faults = findSurfaceFaults({ positions: Float64Array.from([...positions, 3, 3, 3]), triangles: fin });
    expect(faults.crowded).toContain(0);
    expect(faults.crowded).toContain(48);
    expect(faults.open).toEqual([48]);
    const squashed = positions.slice();
    const [a, b, c] = triangles.subarray(0, 3);
    for (let k = 0; k < 3; k++) squashed[3 * a + k] = (positions[3 * b + k] + positions[3 * c + k]) / 2;
    expect(findSurfaceFaults({ positions: squashed, triangles }).flat).toContain(0);
  });
});

describe('refineSurface', () => {
  it('leaves no long edge, keeps shape, closedness and origin', () => {
    const box = boxSurface([0, 0, 0], [3, 1, 0.4]);
    const { positions, triangles } = weldVertices(box.positions, box.triangles);
    const fine = refineSurface({ positions, triangles }, 0.3);
    let longest = 0;
    for (let i = 0; i < fine.triangles.length; i++) {
      const [a, b] = [fine.triangles[i], fine.triangles[i % 3 === 2 ? i - 2 : i + 1]];
      longest = Math.max(
        longest,
        Math.hypot(...[0, 1, 2].map((k) => fine.positions[3 * a + k] - fine.positions[3 * b + k])),
      );
    }
    expect(longest).toBeLessThanOrEqual(0.3);
    expect(surfaceVolume(fine.triangles, fine.positions)).toBeCloseTo(1.2, 12);
    expect(surfaceArea(fine.triangles, fine.positions)).toBeCloseTo(2 * (3 + 0.4 + 1.2), 12);
    expect(Object.values(findSurfaceFaults(fine)).flat()).toEqual([]);
    const areas = new Float64Array(12);
    fine.sources.forEach((source, t) => {
      areas[source] += surfaceArea(fine.triangles.subarray(3 * t, 3 * t + 3), fine.positions);
    });
    areas.forEach((area, t) => {
      expect(area).toBeCloseTo(surfaceArea(triangles.subarray(3 * t, 3 * t + 3), positions), 12);
    });
    expect(refineSurface({ positions, triangles }, Infinity).triangles).toEqual(triangles);
  });
});

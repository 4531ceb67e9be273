import { describe, expect, it } from 'vitest';
import { distanceToSurface } from '../../../src/mesh/surface/triangle-distance.js';
import { countOpenEdges, turnOutward, weldVertices } from '../../../src/mesh/surface/triangle-mesh.js';
import { boxSurface, mergeSurfaces } from '../../support/models/surfaces.js';

describe('weldVertices', () => {
  it('closes a box whose sides have their own corners, also where they differ by rounding', () => {
    const box = boxSurface([0, 0, 0], [1, 2, 3]);
    expect(countOpenEdges(box)).toBeGreaterThan(0);
    const noisy = box.positions.map((x, i) => x + (i % 2 === 0 ? 1e-7 : -1e-7));
    for (const positions of [box.positions, noisy]) {
      const welded = weldVertices(positions, box.triangles);
      expect(welded.positions.length / 3).toBe(8);
      expect(countOpenEdges(welded)).toBe(0);
      for (let v = 0; v < welded.vertexOf.length; v++) {
        for (let k = 0; k < 3; k++) {
          expect(welded.positions[3 * welded.vertexOf[v] + k]).toBeCloseTo(box.positions[3 * v + k], 5);
        }
      }
    }
  });

  it('leaves out triangles that lose their area', () => {
    const welded = weldVertices([0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0], [0, 1, 2, 0, 1, 3]);
    expect([...welded.triangles]).toEqual([0, 1, 2]);
  });
});

describe('turnOutward', () => {
  it('turns only the piece that faces inward', () => {
    const inward = boxSurface([5, 0, 0], [6, 1, 1]);
    inward.triangles.reverse();
    const both = mergeSurfaces(boxSurface([0, 0, 0], [1, 1, 1]), inward);
    const welded = weldVertices(both.positions, both.triangles);
    const { mesh, turned } = turnOutward(welded);
    expect(turned).toBe(1);
    expect(turnOutward(mesh).turned).toBe(0);
  });
});

describe('distanceToSurface', () => {
  it('is negative inside and exact beside a face, an edge and a corner', () => {
    const box = boxSurface([0, 0, 0], [1, 1, 1]);
    const distance = distanceToSurface(weldVertices(box.positions, box.triangles));
    expect(distance(0.5, 0.5, 0.3)).toBeCloseTo(-0.3, 12);
    expect(distance(0.5, 0.5, 1.7)).toBeCloseTo(0.7, 12);
    expect(distance(1.3, 1.4, 0.5)).toBeCloseTo(0.5, 12);
    expect(distance(-1, -2, -2)).toBeCloseTo(3, 12);
  });
});

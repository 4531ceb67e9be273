/** Which triangles are walls to a vertex: two boxes above each other, gaps and times by hand. */
import { beforeAll, describe, expect, it } from 'vitest';
import { FaceCandidates } from '../../../src/collision/search/face-candidates.js';
import { deepest, ledOut, WallSearch } from '../../../src/collision/search/wall-search.js';
import { type PlacedSurface, twoBoxes } from '../../support/models/two-surfaces.js';

const H = 0.01;

describe('a wall', () => {
  let lower: PlacedSurface;
  let upper: PlacedSurface;
  /** The middle of the upper box's underside. */
  let vertex: number;
  let margin: number;

  beforeAll(async () => {
    [lower, upper] = await twoBoxes();
    vertex = upper.near(0, 0, 0);
    margin = lower.motion.margin;
  });

  /** What is found for the vertex with the upper box this far above the lower one and moving so. */
  function search(gap: number, velocity: [number, number, number]): FaceCandidates {
    const out = new FaceCandidates(upper.motion.surface.vertices.length);
    lower.put([0, 0, 0], [0, 0, 0]);
    upper.put([0.013, 1 + gap, 0.017], velocity);
    const walls = new WallSearch();
    walls.begin(upper.motion, lower.motion, H, 0);
    const triangles = lower.motion.surface.triangles.length / 3;
    for (let t = 0; t < triangles; t++) walls.offer(upper.motion, lower.motion, vertex, t, out);
    return out;
  }

  it('is a face within the margin: its normal, the gap, and the weights of the foot', () => {
    const gap = 0.5 * margin;
    const found = search(gap, [0, 0, 0]);
    expect(found.counts[vertex]).toBe(1);
    const slot = found.slotOf(vertex);
    expect(found.kind[slot]).toBe(2);
    expect(Array.from(found.normal.subarray(slot * 3, slot * 3 + 3))).toEqual([0, 1, 0]);
    expect(found.distance[slot]).toBeCloseTo(gap, 12);
    const { corners } = lower.motion.surface;
    const foot = [0, 1, 2].map((k) =>
      [0, 1, 2].reduce(
        (sum, c) =>
          sum + found.weights[slot * 3 + c] * lower.motion.points[corners[found.triangle[slot] * 3 + c] * 3 + k],
        0,
      ),
    );
    const point = upper.motion.points.subarray(vertex * 3, vertex * 3 + 3);
    expect(foot[0]).toBeCloseTo(point[0], 12);
    expect(foot[1]).toBeCloseTo(1, 12);
    expect(foot[2]).toBeCloseTo(point[2], 12);
  });

  it('is none where the gap is wider than the margin and nothing moves', () => {
    expect(search(3 * margin, [0, 0, 0]).counts[vertex]).toBe(0);
  });

  it('is one where the vertex would be through it at the end of the step, and not where it falls short', () => {
    // the way of one step is h v: 3 margins are crossed at more than 3 margins / h
    const speed = (3 * margin) / H;
    const through = search(3 * margin, [0, -1.5 * speed, 0]);
    expect(through.counts[vertex]).toBeGreaterThan(0);
    expect(through.distance[through.slotOf(vertex)]).toBeCloseTo(3 * margin, 12);
    expect(search(3 * margin, [0, -0.5 * speed, 0]).counts[vertex]).toBe(0);
    expect(search(3 * margin, [0, 1.5 * speed, 0]).counts[vertex]).toBe(0);
  });

  it('is remembered as behind where the vertex has come in, and only down to the depth looked at', () => {
    const depth = deepest(upper.motion, lower.motion);
    const shallow = search(-0.5 * depth, [0, 0, 0]);
    expect(shallow.behind[vertex]).toBeGreaterThanOrEqual(0);
    expect(
      Array.from(lower.motion.normals.subarray(shallow.behind[vertex] * 3, shallow.behind[vertex] * 3 + 3)),
    ).toEqual([0, 1, 0]);
    expect(search(-1.5 * depth, [0, 0, 0]).behind[vertex]).toBe(-1);
  });
});

describe('ledOut', () => {
  it('asks for no gap from outside, for half the depth from inside, and for half a margin at least', () => {
    expect(ledOut(0.2, 0.1)).toBe(0);
    expect(ledOut(-0.4, 0.1)).toBeCloseTo(-0.2, 15);
    // half of 0.06 is less than half the margin of 0.1
    expect(ledOut(-0.06, 0.1)).toBeCloseTo(-0.01, 15);
    expect(ledOut(-0.04, 0.1)).toBe(0);
  });

  it('makes no haste where a whole body is inside', () => {
    expect(ledOut(-6, 0.1)).toBeCloseTo(-5.95, 12);
  });
});

/** Whether a vertex and a triangle meet within a step: straight ways, by hand. */
import { beforeAll, describe, expect, it } from 'vitest';
import { MeetingSearch, mayHit } from '../../../src/collision/search/meeting-search.js';
import { type PlacedSurface, twoBoxes } from '../../support/models/two-surfaces.js';

const H = 0.01;
const MARGIN = 0.001;
const GAP = 0.05;

describe('a vertex and a triangle', () => {
  let lower: PlacedSurface;
  let upper: PlacedSurface;
  let vertex: number;

  beforeAll(async () => {
    [lower, upper] = await twoBoxes();
    vertex = upper.near(0, 0, 0);
  });

  /** The triangle of the lower box's top that lies under a point. */
  function below(x: number, z: number): number {
    const { corners } = lower.motion.surface;
    const { points, normals } = lower.motion;
    for (let t = 0; t < corners.length / 3; t++) {
      if (normals[t * 3 + 1] < 0.9) continue;
      const at = (c: number, k: number): number => points[corners[t * 3 + c] * 3 + k];
      const side = (a: number, b: number): number =>
        (at(b, 0) - at(a, 0)) * (z - at(a, 2)) - (at(b, 2) - at(a, 2)) * (x - at(a, 0));
      const sides = [side(0, 1), side(1, 2), side(2, 0)];
      if (sides.every((s) => s <= 0) || sides.every((s) => s >= 0)) return t;
    }
    throw new Error('no triangle there');
  }

  function meet(velocity: [number, number, number], of: [number, number, number] = [0, 0, 0]) {
    lower.put([0, 0, 0], of);
    upper.put([0.113, 1 + GAP, 0.017], velocity);
    const search = new MeetingSearch();
    search.begin(H, MARGIN);
    search.height[0] = GAP;
    const x = upper.motion.points[vertex * 3];
    const z = upper.motion.points[vertex * 3 + 2];
    const t = below(x, z);
    return { meeting: search.find(upper.motion, lower.motion, vertex, t), hit: search.hit, t, x, z };
  }

  it('meet where the way of the step is longer than the gap, at the point right below', () => {
    const { meeting, hit, t, x, z } = meet([0, -1.2 * (GAP / H), 0]);
    expect(meeting).toBe('through');
    const { corners } = lower.motion.surface;
    const foot = (k: number): number =>
      [0, 1, 2].reduce((sum, c) => sum + hit[c] * lower.motion.points[corners[t * 3 + c] * 3 + k], 0);
    expect(foot(0)).toBeCloseTo(x, 12);
    expect(foot(2)).toBeCloseTo(z, 12);
    expect(hit[0] + hit[1] + hit[2]).toBeCloseTo(1, 12);
  });

  it('are near at the end where only a margin is left between them', () => {
    expect(meet([0, -(GAP - 0.5 * MARGIN) / H, 0]).meeting).toBe('near');
    expect(meet([0, -(GAP - 2 * MARGIN) / H, 0]).meeting).toBe('none');
  });

  it('meet as well where the triangle comes up, and not where both go the same way', () => {
    const speed = 1.2 * (GAP / H);
    expect(meet([0, 0, 0], [0, speed, 0]).meeting).toBe('through');
    expect(meet([0, -speed, 0], [0, -speed, 0]).meeting).toBe('none');
  });

  it('do not meet where the vertex passes by on the way down', () => {
    // a metre to the side in the time of the fall: the top of the box is one metre wide
    expect(meet([120, -1.2 * (GAP / H), 0]).meeting).toBe('none');
  });

  it('can only hit face to face', () => {
    meet([0, 0, 0]);
    const up = Float64Array.of(0, 0, 0, 0, 1, 0);
    expect(mayHit(upper.motion, vertex, up, 3)).toBe(true);
    expect(mayHit(upper.motion, vertex, Float64Array.of(0, -1, 0), 0)).toBe(false);
    expect(mayHit(upper.motion, vertex, Float64Array.of(1, 0, 0), 0)).toBe(false);
  });
});

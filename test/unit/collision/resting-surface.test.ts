/**
 * What a body knows of itself from step to step, against a search over all pairs of vertex and triangle: the same pairs come to be tried
 * whatever has moved since they were listed, and only known ones while nothing has.
 */
import { beforeEach, describe, expect, it } from 'vitest';
import { RestingSurface } from '../../../src/collision/search/resting-surface.js';
import { SweptBoxes } from '../../../src/collision/search/swept-boxes.js';
import type { SurfaceMotion } from '../../../src/collision/surface/surface-motion.js';
import { createRandom } from '../../../src/math/random.js';
import { type PlacedSurface, twoBoxes } from '../../support/models/two-surfaces.js';

const H = 0.01;
const FACING = -0.2;

describe('what a body knows of itself', () => {
  let placed: PlacedSurface;
  let motion: SurfaceMotion;
  let resting: RestingSurface;
  let boxes: SweptBoxes;
  let rest: Float64Array;

  beforeEach(async () => {
    [placed] = await twoBoxes();
    motion = placed.motion;
    boxes = new SweptBoxes();
    boxes.prepare(motion.surface.vertices.length);
    resting = new RestingSurface(motion);
    placed.put([0, 0, 0], [0, 0, 0]);
    rest = motion.positions.slice();
  });

  /** Pairs that are tried in a step, as vertex and triangle. */
  function tried(): string[] {
    motion.update();
    motion.sort();
    boxes.fill(motion, motion, H, 0);
    resting.begin(H, Number.MAX_SAFE_INTEGER);
    const { corners } = motion.surface;
    const pairs: string[] = [];
    for (let n = 0; n < resting.count; n++) {
      const t = resting.at(n);
      const noted = resting.search(boxes, n);
      boxes.measure(corners[t * 3], corners[t * 3 + 1], corners[t * 3 + 2]);
      const found = motion.facing.within(boxes.box, noted);
      for (let k = 0; k < found; k++) pairs.push(`${motion.facing.answer[k]} ${t}`);
    }
    return pairs.sort();
  }

  /** The same over all pairs. */
  function wanted(): string[] {
    const { normals, vertexNormals: m, points, crumpled } = motion;
    const { corners } = motion.surface;
    const pairs: string[] = [];
    for (let t = 0; t < corners.length / 3; t++) {
      boxes.measure(corners[t * 3], corners[t * 3 + 1], corners[t * 3 + 2]);
      const { box } = boxes;
      for (let i = 0; i < crumpled.length; i++) {
        const o = t * 3;
        const cosine = m[i * 3] * normals[o] + m[i * 3 + 1] * normals[o + 1] + m[i * 3 + 2] * normals[o + 2];
        if (crumpled[i] === 1 || cosine > FACING) continue;
        const isInBox = [0, 1, 2].every((k) => points[i * 3 + k] >= box[k] && points[i * 3 + k] <= box[3 + k]);
        if (isInBox) pairs.push(`${i} ${t}`);
      }
    }
    return pairs.sort();
  }

  /** Moves one surface vertex to a place. */
  function move(i: number, x: number, y: number, z: number): void {
    motion.positions.set([x, y, z], motion.surface.vertices[i] * 3);
  }

  const isKnown = () => resting.isResting;

  it('is listed in one step and tried in the next, wherever the body as a whole goes', () => {
    expect(tried()).toEqual(wanted());
    expect(isKnown()).toBe(false);
    placed.put([3, -40, 7], [0, 5, 0]);
    expect(tried()).toEqual(wanted());
    expect(isKnown()).toBe(true);
  });

  it('ends where a vertex comes from afar into reach in one step', () => {
    tried();
    tried();
    expect(isKnown()).toBe(true);
    const top = placed.near(0, 1, 0);
    const side = placed.near(0.5, 0.5, 0);
    for (const depth of [0.02, 0.3, 0.9]) {
      motion.positions.set(rest);
      move(top, 0, 1 - depth, 0);
      expect(tried(), `${depth}`).toEqual(wanted());
      move(top, 0, 1, 0);
      move(side, 0.5 - depth, 0.98, 0);
      expect(tried(), `side ${depth}`).toEqual(wanted());
    }
  });

  it('ends where a place is no number, and holds nothing of it afterwards', () => {
    tried();
    move(placed.near(0, 1, 0), Number.NaN, 1, 0);
    tried();
    expect(isKnown()).toBe(false);
    motion.positions.set(rest);
    expect(tried()).toEqual(wanted());
  });

  it('is not used where vertices are fast against each other, nor so far away that rounding counts', () => {
    tried();
    const v = motion.surface.vertices[placed.near(0, 1, 0)] * 3;
    motion.velocities[v] = motion.surface.edgeLength / H;
    expect(tried()).toEqual(wanted());
    expect(isKnown()).toBe(false);
    motion.velocities[v] = 0;
    for (let n = 0; n < 40; n++) tried();
    expect(isKnown()).toBe(true);
    placed.put([1e12, 0, 0], [0, 0, 0]);
    tried();
    expect(isKnown()).toBe(false);
  });

  it('leaves nothing out while vertices wander, each at random', () => {
    const random = createRandom(3);
    let known = 0;
    const step = 0.005 * motion.surface.edgeLength;
    // thin as a leaf, so that both sides are in reach of each other
    for (let o = 1; o < rest.length; o += 3) motion.positions[o] = 0.5 + 0.3 * (rest[o] - 0.5);
    for (let n = 0; n < 30; n++) {
      for (let o = 0; o < rest.length; o++) motion.positions[o] += step * random.range(-1, 1);
      expect(tried()).toEqual(wanted());
      if (isKnown()) known++;
    }
    expect(known).toBeGreaterThan(5);
  });
});

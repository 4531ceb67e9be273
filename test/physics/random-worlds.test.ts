/** Worlds of `tendon bench worlds` that once broke: nothing brings energy in, so none may gain it, and no step may fail. */
import { describe, expect, it } from 'vitest';
import { runRandomWorld } from '../../bench/worlds/random-worlds.js';
import { measured } from '../support/checks/measure.js';

describe('random worlds', () => {
  it.each([
    [4, 'bones of one vertex, whose joint opened'],
    [41, 'three bodies in a heap, one of which failed a step although it only jittered'],
    [101, 'a small hard body on the floor that did'],
  ])('%d keeps its energy and its joints: %s', async (seed) => {
    const row = await runRandomWorld(seed, 100);
    measured(`world ${seed}`, row);
    expect(row.faults).toBe(0);
    // conservation of energy: what is gained beyond the least there was, as a share of the first
    expect(row.gain).toBeLessThan(0.1);
    expect(row.gap).toBeLessThan(1e-9);
  });
});

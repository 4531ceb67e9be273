/** Snapshots: bit-exact, and refused whole when anything about them is wrong. */
import { describe, expect, it } from 'vitest';
import { buildBarScene } from '../../scenes/bar.js';
import { buildPendulumScene } from '../../scenes/pendulum.js';
import {
  createWorld,
  hashWorld,
  resetWorld,
  restoreSnapshot,
  stepWorld,
  TendonError,
  takeSnapshot,
} from '../../src/index.js';

const steps = (world: Awaited<ReturnType<typeof createWorld>>, count: number) => {
  for (let i = 0; i < count; i++) expect(stepWorld(world)).toBe(true);
};

describe('snapshots', () => {
  it('lead to the same bits at every later step', async () => {
    const world = await createWorld(buildBarScene(), { iterations: 5 });
    steps(world, 7);
    const saved = takeSnapshot(world);
    const hashes = Array.from({ length: 20 }, () => {
      steps(world, 1);
      return hashWorld(world);
    });
    restoreSnapshot(world, saved);
    expect(takeSnapshot(world)).toEqual(saved);
    for (const hash of hashes) {
      steps(world, 1);
      expect(hashWorld(world)).toBe(hash);
    }
  });

  it('go over to another world of the same scene', async () => {
    const first = await createWorld(buildPendulumScene());
    const second = await createWorld(buildPendulumScene());
    steps(first, 5);
    restoreSnapshot(second, takeSnapshot(first));
    expect(hashWorld(second)).toBe(hashWorld(first));
    expect(second.time).toBe(first.time);
    steps(first, 3);
    steps(second, 3);
    expect(hashWorld(second)).toBe(hashWorld(first));
  });

  it('are refused with any byte flipped and at any shorter length, and nothing changes', async () => {
    const world = await createWorld(buildPendulumScene());
    steps(world, 3);
    const saved = takeSnapshot(world);
    steps(world, 2);
    const hash = hashWorld(world);
    for (let i = 0; i < saved.length; i++) {
      const damaged = saved.slice();
      damaged[i] ^= 1 << (i & 7);
      expect(() => restoreSnapshot(world, damaged), `byte ${i}`).toThrow(TendonError);
    }
    for (let length = 0; length < saved.length; length += 1 + (length >> 3)) {
      expect(() => restoreSnapshot(world, saved.subarray(0, length)), `length ${length}`).toThrow(TendonError);
    }
    expect(hashWorld(world)).toBe(hash);
  });

  it('may come as a Node Buffer, part of a larger pool', async () => {
    const world = await createWorld(buildPendulumScene());
    steps(world, 3);
    const hash = hashWorld(world);
    const pooled = Buffer.concat([Buffer.alloc(13), takeSnapshot(world)]).subarray(13);
    steps(world, 3);
    restoreSnapshot(world, pooled);
    expect(hashWorld(world)).toBe(hash);
  });

  it('are refused by another world', async () => {
    const bar = await createWorld(buildBarScene());
    const pendulum = await createWorld(buildPendulumScene());
    expect(() => restoreSnapshot(bar, takeSnapshot(pendulum))).toThrow(/E_SNAPSHOT/);
  });

  it('reset gives the first hash again', async () => {
    const world = await createWorld(buildBarScene(), { iterations: 3 });
    const first = hashWorld(world);
    steps(world, 4);
    const later = hashWorld(world);
    resetWorld(world);
    expect(hashWorld(world)).toBe(first);
    steps(world, 4);
    expect(hashWorld(world)).toBe(later);
    expect(later).not.toBe(first);
  });
});

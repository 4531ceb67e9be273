/** The long chains of the benchmark: what they are, and that their joints close. Times are not tested here. */
import { describe, expect, it } from 'vitest';
import { findNative } from '../../bench/native.js';
import { buildFleshChainScene, measureChain } from '../../bench/skeleton/chain.js';
import { buildChainScene } from '../../scenes/chain.js';

describe('chains', () => {
  it.each([
    [100, 'alone', buildChainScene(100), 0],
    [45, 'inside flesh', buildFleshChainScene(45), 2000],
  ])('of %i bones, %s: joints closed to 1e-9 of the size', async (bones, _, scene, flesh) => {
    const row = await measureChain(scene, 5);
    expect(row).toMatchObject({ bones, joints: bones, iterations: 10 });
    expect(row.gap).toBeLessThan(1e-9);
    expect(row.bonesMs.min).toBeGreaterThan(0);
    expect(row.bonesMs.min).toBeLessThan(row.totalMs.min);
    const [{ body }] = scene.bodies;
    const inBones = (body.bones ?? []).reduce((sum, bone) => sum + bone.vertices.length, 0);
    expect(body.positions.length / 3 - inBones).toBeGreaterThanOrEqual(flesh);
  });
});

describe('the native comparator', () => {
  it('is asked for by name where it is missing', () => {
    expect(() => findNative('/nowhere')).toThrow(/E_UNKNOWN at --native.*\/nowhere\/run/);
  });
});

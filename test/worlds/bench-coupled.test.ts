/** The coupled benchmark: the names in its lines, and the ruler that the pile of every engine is measured by, against distances that are known. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { benchCoupled } from '../../bench/coupled.js';
import { goToFrame } from '../../bench/coupled-start.js';
import { buildHeap, HeapRuler, ringPieces } from '../../bench/peers/heap/heap.js';
import { fleshEdges, fleshStart, measureFlesh } from '../../bench/peers/heap/heap-flesh.js';
import { buildScene } from '../../scenes/index.js';
import { createWorld, disposeWorld, hashWorld, stepWorld } from '../../src/index.js';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('tendon bench coupled --json', () => {
  it('has these names and no others', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {});
    await benchCoupled({ json: true, frames: '2', scene: 'incline', each: '1', from: '0', threads: '1' });
    const row = JSON.parse(log.mock.calls[0][0]);
    const names = 'scene bodies rigid soft cloth contacts dt substeps frameMs penetration momentumDrift';
    expect(Object.keys(row).join(' ')).toBe(names);
    expect(row).toMatchObject({ scene: 'incline', bodies: 4, rigid: 3, soft: 1, cloth: 0, dt: 1 / 60, substeps: 2 });
  });
});

describe('a scene measured from a later frame on', () => {
  it('is where its steps lead, the first time and by what was kept of it; what was kept of another world is not used', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tendon-bench-'));
    try {
      const at = async (frame: number) => {
        const world = await createWorld(buildScene('incline'));
        goToFrame(world, 'incline', frame, folder);
        const hash = hashWorld(world);
        disposeWorld(world);
        return hash;
      };
      const world = await createWorld(buildScene('incline'));
      for (let n = 0; n < 5; n++) stepWorld(world);
      const wanted = hashWorld(world);
      disposeWorld(world);
      expect(await at(5)).toBe(wanted);
      expect(readdirSync(folder)).toEqual(['incline-5.snapshot']);
      expect(await at(5)).toBe(wanted);
      writeFileSync(join(folder, 'incline-5.snapshot'), 'no snapshot');
      expect(await at(5)).toBe(wanted);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the pile as all engines get it', () => {
  const heap = buildHeap(2);
  const poses = () => ({
    positions: Float64Array.from(heap.parts.flatMap(({ position }) => position)),
    rotations: Float64Array.from(heap.parts.flatMap(({ rotation }) => rotation)),
  });

  it('has balls, loops of six and rings, closed and apart at the start', () => {
    expect(heap.parts.map(({ shape }) => shape.kind).filter((kind) => kind === 'capsule')).toHaveLength(12);
    expect(heap.parts).toHaveLength(16);
    expect(heap.joints).toHaveLength(12);
    expect(heap.pegs).toHaveLength(25);
    const { deepest, gap, lost } = new HeapRuler(heap).measure(poses());
    expect(deepest).toBe(0);
    expect(gap).toBeLessThan(1e-12);
    expect(lost).toBe(0);
  });

  it('is measured by where bodies are: two balls of 0.1 m, 0.15 m from each other, are 50 mm deep; below the floor they are lost', () => {
    const moved = poses();
    const [a, b] = heap.parts.flatMap(({ shape }, i) => (shape.kind === 'sphere' ? [i] : []));
    moved.positions.set([5, 3, 0], a * 3);
    moved.positions.set([5.15, 3, 0], b * 3);
    const ruler = new HeapRuler(heap);
    expect(ruler.measure(moved).deepest).toBeCloseTo(0.05, 12);
    moved.positions.set([5, -3, 0], a * 3);
    expect(ruler.measure(moved).lost).toBe(1);
  });

  it('has rings of capsules that touch end to end', () => {
    const pieces = ringPieces(0.1, 16);
    const ends = pieces.map(({ position, rotation: [x, y, z], halfLength }) => {
      // half a turn about (x, y, z) takes y to 2 y (x, y, z) − y
      const way = [2 * y * x, 2 * y * y - 1, 2 * y * z];
      return [-1, 1].map((end) => position.map((value, k) => value + end * halfLength * way[k]));
    });
    ends.forEach(([start, stop], i) => {
      const next = ends[(i + 1) % ends.length];
      const gaps = [start, stop].flatMap((p) => next.map((q) => Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])));
      expect(Math.min(...gaps)).toBeLessThan(1e-12);
    });
  });
});

describe('the flesh of the pile as all engines get it', () => {
  const heap = buildHeap(2, true);
  const apart = () => ({
    positions: Float64Array.from(heap.parts.flatMap(({ position }) => position)),
    rotations: Float64Array.from(heap.parts.flatMap(({ rotation }) => rotation)),
    // far from everything and from each other
    flesh: heap.flesh.map((flesh, s) => fleshStart(flesh).map((x, i) => (i % 3 === 0 ? x + 10 + 2 * s : x))),
  });
  const shift = (points: Float64Array, by: readonly number[]) => {
    for (let i = 0; i < points.length; i++) points[i] += by[i % 3];
  };

  it('weighs what the scene says, and touches nothing where it starts', () => {
    expect(heap.flesh).toHaveLength(4);
    for (const { model } of heap.flesh) {
      const volume = model.volumes.reduce((sum, v) => sum + v, 0);
      expect(model.masses.reduce((sum, m) => sum + m, 0)).toBeCloseTo(1000 * volume, 9);
      // every tet gives its volume to each of its six edges
      expect(fleshEdges(model).reduce((sum, [, , around]) => sum + around, 0)).toBeCloseTo(6 * volume, 12);
    }
    const starts = heap.flesh.map(fleshStart);
    expect(measureFlesh(heap, { ...apart(), flesh: starts })).toEqual({ rigidInSoft: 0, softInSoft: 0, lost: 0 });
  });

  it('is as deep in the floor as its lowest vertex, and in a ball that has its middle on the surface by the radius', () => {
    const poses = apart();
    const lowest = Math.min(...poses.flesh[0].filter((_, i) => i % 3 === 1));
    shift(poses.flesh[0], [0, -lowest - 0.03, 0]);
    expect(measureFlesh(heap, poses).rigidInSoft).toBeCloseTo(0.03, 12);
    shift(poses.flesh[0], [0, 1, 0]);
    const ball = heap.parts.findIndex(({ shape }) => shape.kind === 'sphere');
    const vertex = heap.flesh[0].model.surface.vertices[0] * 3;
    poses.positions.set(poses.flesh[0].subarray(vertex, vertex + 3), ball * 3);
    expect(measureFlesh(heap, poses).rigidInSoft).toBeCloseTo(0.1, 12);
    shift(poses.flesh[0], [0, -9, 0]);
    expect(measureFlesh(heap, poses).lost).toBe(1);
  });

  it('is as deep in other flesh as its deepest vertex is far from the faces', () => {
    const poses = apart();
    const balls = heap.flesh.flatMap(({ model }, s) => (model === heap.flesh[0].model ? [s] : []));
    const [inner, outer] = balls.map((s) => poses.flesh[s]);
    const { surface } = heap.flesh[balls[0]].model;
    const middle = [0, 1, 2].map(
      (k) => surface.vertices.reduce((sum, v) => sum + outer[v * 3 + k], 0) / surface.vertices.length,
    );
    const v = surface.vertices[0] * 3;
    shift(
      inner,
      [0, 1, 2].map((k) => middle[k] - inner[v + k]),
    );
    // a convex body: the nearest face is that of the nearest plane
    let nearest = Number.POSITIVE_INFINITY;
    for (let t = 0; t < surface.triangles.length; t += 3) {
      const [a, b, c] = [0, 1, 2].map((n) => surface.vertices[surface.triangles[t + n]] * 3);
      const [e, f] = [b, c].map((p) => [0, 1, 2].map((k) => outer[p + k] - outer[a + k]));
      const n = [e[1] * f[2] - e[2] * f[1], e[2] * f[0] - e[0] * f[2], e[0] * f[1] - e[1] * f[0]];
      const away = n.reduce((sum, x, k) => sum + x * (outer[a + k] - middle[k]), 0) / Math.hypot(...n);
      nearest = Math.min(nearest, away);
    }
    expect(nearest).toBeGreaterThan(0.05);
    const { softInSoft } = measureFlesh(heap, poses);
    expect(softInSoft).toBeGreaterThan(nearest - 1e-12);
    // another vertex may be nearer to the middle of the largest ball inside, by little
    expect(softInSoft).toBeLessThan(1.2 * nearest);
  });
});

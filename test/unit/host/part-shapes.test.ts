/** Rigid bodies drawn by their parts: shapes about their centres, shared by bodies of a model, and placed by the poses of a picture. */
import { describe, expect, it } from 'vitest';
import { BodyFrames } from '../../../host/frames/body-frames.js';
import { layOutFrame } from '../../../host/frames/frame-layout.js';
import { buildLoop } from '../../../scenes/cast/coupled-bodies.js';
import { createWorld, stepWorld } from '../../../src/index.js';

describe('a body drawn by its parts', () => {
  it('has no vertices of its own, and its parts go where its surface is', async () => {
    const loop = buildLoop('loop', 6, 0.13, 0.025);
    const bodies = [{ body: loop }, { body: loop, position: [1, 0, 0] as const, angularVelocity: [1, 2, 3] as const }];
    const world = await createWorld({ name: 'loops', description: '', solver: { kind: 'coupled' }, bodies });
    const frames = world.bodies.map((body) => new BodyFrames(body, { parts: true, inside: true }));
    const [first, second] = frames;
    expect(first.info.vertexCount).toBe(0);
    expect(first.info.bones).toBe(second.info.bones);
    expect(first.info.bones.length).toBe(6);
    const layout = layOutFrame(
      frames.map(({ info }) => info),
      0,
    );
    for (let n = 0; n < 5; n++) stepWorld(world);
    const out = new Float32Array(layout.length);
    second.remember();
    second.write(out, layout.bodies[1], 1);
    const { model, state } = world.bodies[1];
    // every drawn point, placed by its pose, is a vertex of the body
    const places = new Set<string>();
    const name = (point: readonly number[]) => point.map((value) => Math.round(value * 1e4)).join(' ');
    for (const v of model.surface.vertices) places.add(name([0, 1, 2].map((k) => state.positions[v * 3 + k])));
    let near = 0;
    let all = 0;
    first.info.bones.forEach(({ positions }, part) => {
      const at = layout.bodies[1].poses + part * 7;
      const [x, y, z, w] = out.subarray(at, at + 4);
      for (let i = 0; i < positions.length; i += 3) {
        const [a, b, c] = positions.subarray(i, i + 3);
        const t = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
        const point = [
          a + w * t[0] + y * t[2] - z * t[1],
          b + w * t[1] + z * t[0] - x * t[2],
          c + w * t[2] + x * t[1] - y * t[0],
        ];
        const placed = point.map((value, k) => value + out[at + 4 + k]);
        all++;
        // within the rounding of the names by one step
        const around = [-1, 0, 1].flatMap((dx) => [-1, 0, 1].flatMap((dy) => [-1, 0, 1].map((dz) => [dx, dy, dz])));
        if (around.some((d) => places.has(name(placed.map((value, k) => value + d[k] * 1e-4))))) near++;
      }
    });
    expect(all).toBeGreaterThan(100);
    expect(near).toBe(all);
  });
});

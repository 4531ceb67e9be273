/** The part of the viewer that runs in the worker, without a worker. */
import { describe, expect, it } from 'vitest';
import { buildScene } from '../../../scenes/index.js';
import { buildModel } from '../../../src/body/model.js';
import { layOutFrame } from '../../../viewer/frame-layout.js';
import { buildRenderMesh } from '../../../viewer/render-mesh.js';
import { Simulation } from '../../../viewer/simulation.js';

const still = { elapsed: 0, exact: true };
const empty = () => new Float32Array(0);

describe('the drawn surface', () => {
  it('is closed, keeps the corners of a bar and parts flesh from bone', () => {
    const model = buildModel(buildScene('bar').bodies[0].body);
    const mesh = buildRenderMesh(model);
    // Every edge of the body's surface is passed once in each direction.
    const edges = new Map<string, number>();
    for (let i = 0; i < mesh.triangles.length; i++) {
      const a = mesh.source[mesh.triangles[i]];
      const b = mesh.source[mesh.triangles[i % 3 === 2 ? i - 2 : i + 1]];
      const key = a < b ? `${a} ${b}` : `${b} ${a}`;
      edges.set(key, (edges.get(key) ?? 0) + (a < b ? 1 : -1));
    }
    expect([...edges.values()].every((sum) => sum === 0)).toBe(true);
    // A corner of the bar has three faces, so three normals.
    const count = (vertex: number) => mesh.source.subarray(0, mesh.smoothCount).filter((one) => one === vertex).length;
    expect(count(0)).toBe(3);
    for (let t = 0; t < mesh.triangles.length; t += 3) {
      const bones = [0, 1, 2].map((k) => mesh.boneOfVertex[mesh.triangles[t + k]]);
      expect(new Set(bones).size).toBe(1);
    }
    expect(new Set(mesh.boneOfVertex)).toEqual(new Set([-1, 0, 1]));
  });
});

describe('the simulation of the viewer', () => {
  it('draws unit normals, steps, and repeats itself after a reset', async () => {
    const simulation = await Simulation.create('pendulum', {});
    const layout = layOutFrame(simulation.info.bodies, 0);
    const [body] = layout.bodies;
    const first = simulation.advance({ ...still, steps: 0, buffer: empty() });
    expect(first.buffer.length).toBe(layout.length);
    for (let i = body.normals; i < body.poses; i += 3) {
      expect(Math.hypot(...first.buffer.subarray(i, i + 3))).toBeCloseTo(1, 5);
    }
    const later = simulation.advance({ ...still, steps: 5, buffer: empty() });
    expect(later).toMatchObject({ steps: 5, stepCount: 5, dropped: 0 });
    expect(later.buffer).not.toEqual(first.buffer);
    simulation.reset();
    expect(simulation.advance({ ...still, steps: 0, buffer: empty() }).buffer).toEqual(first.buffer);
    // A joint with the world stays where it is.
    expect(
      Math.hypot(
        ...later.buffer.subarray(body.joints, body.joints + 3).map((v, k) => v - first.buffer[body.joints + k]),
      ),
    ).toBeLessThan(1e-6);
    simulation.dispose();
  });

  it('lets a point be grabbed, moved and released', async () => {
    const simulation = await Simulation.create('jelly-bar', { gravity: 0 });
    const { positions } = layOutFrame(simulation.info.bodies, 0).bodies[0];
    const { buffer } = simulation.advance({ ...still, steps: 0, buffer: empty() });
    // The vertex farthest along x: the free end.
    let end = positions;
    for (let i = positions; i < positions + simulation.info.bodies[0].vertexCount * 3; i += 3)
      if (buffer[i] > buffer[end]) end = i;
    const [x, y, z] = buffer.subarray(end, end + 3);
    simulation.grab(0, [x, y, z]);
    simulation.moveGrab([x, y + 0.2, z]);
    const held = simulation.advance({ ...still, steps: 60, buffer: empty() });
    expect(held.grabbed?.[1]).toBeGreaterThan(y + 0.1);
    simulation.release();
    expect(simulation.advance({ ...still, steps: 1, buffer: empty() }).grabbed).toBeUndefined();
    simulation.dispose();
  });

  it('says where the floor is, and that there is none where bodies fall', async () => {
    const hanging = (await Simulation.create('chain', {})).info.stage;
    expect(hanging.free).toBe(false);
    expect(hanging.floor).toBeLessThan(hanging.low[1]);
    expect(hanging.low[1]).toBeLessThan(-1.2);
    const landing = (await Simulation.create('jelly-drop', {})).info;
    expect(landing.stage).toMatchObject({ free: false, floor: 0 });
    expect(landing.obstacles).toEqual([{ shape: { kind: 'plane' }, level: true }]);
    const falling = (await Simulation.create('snail', {})).info.stage;
    expect(falling).toMatchObject({ free: true, floor: undefined });
  });
});

/** The part of the viewer that runs in the worker, without a worker. */
import { describe, expect, it } from 'vitest';
import { withoutContact } from '../../bench/contact/without-contact.js';
import { layOutFrame } from '../../host/frames/frame-layout.js';
import { buildRenderMesh } from '../../host/frames/render-mesh.js';
import { buildScene } from '../../scenes/index.js';
import { buildModel } from '../../src/body/model.js';
import { createWorld, disposeWorld } from '../../src/index.js';
import { writeGltf } from '../../src/io/gltf/gltf-write.js';
import { NOTHING_WANTED, type Settings } from '../../viewer/worker/protocol.js';
import type { FrameNews } from '../../viewer/worker/scene-info.js';
import { Simulation } from '../../viewer/worker/simulation.js';
import { describeStage } from '../../viewer/worker/stage/stage-info.js';
import { fleshScene } from '../support/models/bodies.js';
import { armModel } from '../support/models/rigged-model.js';

/** A scene of the gallery with settings of its own. */
const begin = (name: string, settings: Partial<Settings> = {}) =>
  Simulation.create({ source: { kind: 'scene', name }, settings });

/** Takes steps; the picture after them, or between the last two states, and the news. */
function advance(simulation: Simulation, steps: number, phase = 1): FrameNews & { buffer: Float32Array } {
  const buffer = new Float32Array(simulation.length);
  return { ...simulation.advance(steps, phase, buffer), buffer };
}

/** Mean of the surface vertices of the first body [m]. */
function middleOf(simulation: Simulation): [number, number, number] {
  const { buffer } = advance(simulation, 0);
  const count = simulation.info.bodies[0].vertexCount;
  const sum: [number, number, number] = [0, 0, 0];
  for (let i = 0; i < count * 3; i++) sum[i % 3] += buffer[i] / count;
  return sum;
}

function middleHeight(positions: Float32Array): number {
  return positions.filter((_, i) => i % 3 === 1).reduce((sum, y) => sum + y, 0) / (positions.length / 3);
}

describe('the drawn surface', () => {
  it('is closed, keeps the corners of a bar and parts flesh from bone', () => {
    const model = buildModel(fleshScene('bar').bodies[0].body);
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
    const simulation = await begin('pendulum');
    const layout = layOutFrame(simulation.info.bodies, 0);
    const [body] = layout.bodies;
    const first = advance(simulation, 0);
    expect(first.buffer.length).toBe(layout.length);
    for (let i = body.normals; i < body.poses; i += 3) {
      expect(Math.hypot(...first.buffer.subarray(i, i + 3))).toBeCloseTo(1, 5);
    }
    const later = advance(simulation, 5);
    expect(later).toMatchObject({ steps: 5, stepCount: 5 });
    expect(later.buffer).not.toEqual(first.buffer);
    simulation.act({ kind: 'reset' });
    expect(advance(simulation, 0).buffer).toEqual(first.buffer);
    // A joint with the world stays where it is.
    expect(
      Math.hypot(
        ...later.buffer.subarray(body.joints, body.joints + 3).map((v, k) => v - first.buffer[body.joints + k]),
      ),
    ).toBeLessThan(1e-6);
    simulation.dispose();
  });

  it('lets a point be grabbed, moved and released', async () => {
    const simulation = await begin('jelly-bar', { gravity: 0 });
    const { positions } = layOutFrame(simulation.info.bodies, 0).bodies[0];
    const { buffer } = advance(simulation, 0);
    // The vertex farthest along x: the free end.
    let end = positions;
    for (let i = positions; i < positions + simulation.info.bodies[0].vertexCount * 3; i += 3)
      if (buffer[i] > buffer[end]) end = i;
    const [x, y, z] = buffer.subarray(end, end + 3);
    simulation.handling.grab(0, [x, y, z]);
    simulation.handling.move([x, y + 0.2, z]);
    const held = advance(simulation, 60);
    expect(held.grabbed?.[1]).toBeGreaterThan(y + 0.1);
    simulation.handling.release();
    expect(advance(simulation, 1).grabbed).toBeUndefined();
    simulation.dispose();
  });

  it('keeps pins after the pointer has gone, until they are taken out', async () => {
    const simulation = await begin('jelly-bar');
    const { buffer } = advance(simulation, 0);
    const count = simulation.info.bodies[0].vertexCount * 3;
    let end = 0;
    for (let i = 0; i < count; i += 3) if (buffer[i] > buffer[end]) end = i;
    const [x, y, z] = buffer.subarray(end, end + 3);
    simulation.handling.grab(0, [x, y, z]);
    simulation.handling.pin();
    simulation.handling.release();
    const pinned = advance(simulation, 60);
    expect(pinned.grabbed).toBeUndefined();
    expect(pinned.pins.length).toBe(3);
    expect(Math.hypot(pinned.pins[0] - x, pinned.pins[1] - y, pinned.pins[2] - z)).toBeLessThan(0.02);
    simulation.handling.unpin();
    const free = advance(simulation, 60);
    expect(free.pins.length).toBe(0);
    expect(free.buffer[end + 1]).toBeLessThan(y - 0.05);
    simulation.dispose();
  });

  it('pushes a body with the force that was asked for, and stops', async () => {
    const simulation = await begin('bar', { gravity: 0 });
    const middle = (frame: { buffer: Float32Array }) => {
      const count = simulation.info.bodies[0].vertexCount;
      let sum = 0;
      for (let i = 0; i < count; i++) sum += frame.buffer[i * 3 + 1] / count;
      return sum;
    };
    const start = middle(advance(simulation, 0));
    simulation.handling.push({ body: 0, point: middleOf(simulation), force: [0, 9, 0] });
    const pushed = middle(advance(simulation, 30));
    const time = 30 * simulation.info.dt;
    const expected = 0.5 * 9 * time * time;
    expect(Math.abs(pushed - start - expected)).toBeLessThan(0.1 * expected);
    simulation.handling.push(undefined);
    const after = middle(advance(simulation, 30));
    // Goes on as fast as it was.
    expect(Math.abs(after - pushed - 9 * time * time)).toBeLessThan(0.1 * 9 * time * time);
    simulation.dispose();
  });

  it('holds bones and lets them go, also after a reset', async () => {
    const simulation = await begin('bar');
    const { poses } = layOutFrame(simulation.info.bodies, 0).bodies[0];
    simulation.act({ kind: 'reset' });
    simulation.handling.hold(0, 0, true);
    const first = advance(simulation, 0).buffer.slice(poses, poses + 7);
    expect(advance(simulation, 30).buffer.slice(poses, poses + 7)).toEqual(first);
    simulation.act({ kind: 'reset' });
    expect(advance(simulation, 30).buffer.slice(poses, poses + 7)).toEqual(first);
    simulation.handling.hold(0, 0, false);
    const fallen = advance(simulation, 30).buffer;
    expect(fallen[poses + 5]).toBeLessThan(first[5] - 0.3);
    simulation.dispose();
  });

  it('runs three worlds beside each other from the same start, grabbed together', async () => {
    const simulation = await begin('bar', { compare: true, gravity: 0 });
    const { bodies, lanes } = simulation.info;
    expect(lanes.map(({ bones }) => bones)).toEqual(['exact', 'published', 'stiff']);
    expect(lanes.map(({ offset }) => offset[1])).toEqual([0, 0, 0]);
    expect(lanes[2].offset[0]).toBeGreaterThan(lanes[1].offset[0]);
    const layout = layOutFrame(bodies, 3);
    const first = advance(simulation, 0);
    const at = (frame: { buffer: Float32Array }, lane: number) => {
      const { positions } = layout.bodies[lane];
      return frame.buffer.slice(positions, positions + 3 * bodies[lane].vertexCount);
    };
    expect(at(first, 0)).toEqual(at(first, 1));
    const [x, y, z] = middleOf(simulation);
    const grabbed = x + lanes[1].offset[0];
    simulation.handling.grab(1, [grabbed, y, z]);
    simulation.handling.move([grabbed, y + 0.3, z]);
    const later = advance(simulation, 40);
    expect(later.grabbed?.[0]).toBeCloseTo(grabbed, 0);
    for (let lane = 0; lane < 3; lane++)
      expect(middleHeight(at(later, lane))).toBeGreaterThan(middleHeight(at(first, lane)) + 0.15);
    expect(later.lanes[0].certificate.residual).toBeLessThan(later.lanes[1].certificate.residual);
    expect(later.lanes.every(({ kinetic }) => kinetic > 0)).toBe(true);
    simulation.dispose();
  });

  it('takes another material, and keeps bodies up whose bones are imitated', async () => {
    const soft = await begin('jelly-bar', { young: 2e3 });
    const usual = await begin('jelly-bar');
    const lowest = (simulation: Simulation) => {
      const { buffer } = advance(simulation, 40);
      return Math.min(...buffer.subarray(0, simulation.info.bodies[0].vertexCount * 3).filter((_, i) => i % 3 === 1));
    };
    expect(usual.info.usualSettings.young).toBeGreaterThan(2e3);
    expect(soft.info.settings.young).toBe(2e3);
    expect(lowest(soft)).toBeLessThan(lowest(usual));
    // The pendulum hangs on a joint that imitated bones do not have.
    const imitated = await begin('pendulum', { bones: 'stiff' });
    expect(lowest(imitated)).toBeGreaterThan(-3);
    expect(imitated.info.bodies[0].bones).toEqual([]);
  });

  it('moves the bones of a scene that drives them, the same after a reset', async () => {
    const simulation = await begin('fist');
    const { poses } = layOutFrame(simulation.info.bodies, 1).bodies[0];
    const bone = poses + 7 * simulation.info.bodies[0].bones.findIndex(({ name }) => name === 'middleDistal');
    const tip = (steps: number) => advance(simulation, steps).buffer.slice(bone, bone + 7);
    const open = tip(0);
    const bent = tip(30);
    expect(open[5] - bent[5]).toBeGreaterThan(0.005);
    simulation.act({ kind: 'reset' });
    expect(tip(0)).toEqual(open);
    expect(tip(30)).toEqual(bent);
    simulation.dispose();
  });

  it('leaves alone what drives bones where bones are imitated', async () => {
    const simulation = await begin('fist', { bones: 'stiff' });
    expect(advance(simulation, 1)).toMatchObject({ steps: 1 });
    simulation.dispose();
  });

  it('shows strain and contacts only while they are wanted', async () => {
    const simulation = await begin('jelly-drop');
    expect(advance(simulation, 60).contacts).toBeUndefined();
    simulation.act({ kind: 'want', wanted: { ...NOTHING_WANTED, strain: true, contacts: true } });
    const { buffer, contacts } = advance(simulation, 1);
    const { strain } = layOutFrame(simulation.info.bodies, 1).bodies[0];
    const values = buffer.subarray(strain, strain + simulation.info.bodies[0].vertexCount);
    expect(Math.max(...values)).toBeGreaterThan(1e-3);
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(contacts!.length % 6).toBe(0);
    // On the floor the forces point up and, in sum, carry some of the weight.
    let up = 0;
    for (let i = 0; i < contacts!.length; i += 6) up += contacts![i + 4];
    expect(up).toBeGreaterThan(0.2 * 9.81 * simulation.info.totalMass);
    simulation.dispose();
  });

  it('says where the floor is, and that there is none where bodies fall', async () => {
    const hanging = (await begin('chain')).info.stage;
    expect(hanging.free).toBe(false);
    expect(hanging.floor).toBeLessThan(hanging.low[1]);
    expect(hanging.low[1]).toBeLessThan(-1.2);
    const landing = (await begin('jelly-drop')).info;
    expect(landing.stage).toMatchObject({ free: false, floor: 0 });
    expect(landing.obstacles).toEqual([{ lane: 0, shape: { kind: 'plane' }, level: true }]);
    const falling = await createWorld(withoutContact(fleshScene('bar')));
    expect(describeStage(falling)).toMatchObject({ free: true, floor: undefined });
    disposeWorld(falling);
  });

  it('stands a container on the ground, and frames it', async () => {
    const world = await createWorld(buildScene('drum'), { iterations: 1 });
    const { floor, solid, free, low, high } = describeStage(world);
    // 2.2 m wide, 1.5 m long along z, its lowest line at 0
    expect(floor).toBeCloseTo(-0.011, 6);
    expect({ solid, free }).toEqual({ solid: false, free: false });
    expect(high.map((value, k) => value - low[k])).toEqual([2.2, 2.2, 1.5].map((side) => expect.closeTo(side, 6)));
    disposeWorld(world);
  });

  it('knows a bowl from a drum: of a ball no corner is to be shown', async () => {
    for (const name of ['maggots', 'drum']) {
      const world = await createWorld(buildScene(name), { iterations: 1 });
      expect(describeStage(world).round).toBe(name === 'maggots');
      disposeWorld(world);
    }
  });

  it.each([
    // the stack is 0.3 m wide and 2.4 m high and stands at 0; the ball comes from 4.5 m, more than that height away
    ['mixed-stack', 0, 2.4],
    // from the middle of the first of seven balls of 10 cm, 20.5 cm apart, to that of the last; the striker is 1.715 m from the middle, more than the row is long
    ['ball-row', 0.615, 1.43],
  ])('frames %s about what lies still, not about the way of what comes', async (name, middle, half) => {
    const world = await createWorld(buildScene(name), { iterations: 1 });
    const { low, high } = describeStage(world);
    expect(0.5 * (low[0] + high[0])).toBeCloseTo(middle, 2);
    expect(0.5 * (high[0] - low[0])).toBeCloseTo(half, 1);
    disposeWorld(world);
  });

  it('frames a body held at both ends by both of them', async () => {
    const world = await createWorld(buildScene('aerial-silk'), { iterations: 1 });
    const { low, high } = describeStage(world);
    const middle = world.bodies.flatMap(({ state }) => [...state.positions].filter((_, i) => i % 3 === 0));
    const [least, most] = [Math.min, Math.max].map((of) => middle.reduce((a, b) => of(a, b)));
    expect([low[0], high[0]]).toEqual([expect.closeTo(least, 6), expect.closeTo(most, 6)]);
    disposeWorld(world);
  });

  it('deforms a dropped model by a lattice that plays its clip', async () => {
    const bytes = (await writeGltf(armModel({ swing: 1 }))) as Uint8Array<ArrayBuffer>;
    const source = { kind: 'files', id: 1, name: 'arm.glb', files: [{ name: 'arm.glb', bytes }] } as const;
    const simulation = await Simulation.create({ source, settings: { deform: true, quality: 'full' } });
    expect(simulation.info.notes.join()).toContain('deformed by a lattice');
    const rest = advance(simulation, 2).buffer.slice();
    const still = advance(simulation, 2).buffer;
    const count = 3 * simulation.info.bodies[0].vertexCount;
    for (let i = 0; i < count; i++) expect(Math.abs(still[i] - rest[i])).toBeLessThan(1e-5);
    simulation.act({ kind: 'play', clip: simulation.info.clips[0].name });
    const { buffer } = advance(simulation, 45);
    const moved = buffer.subarray(0, count).map((value, i) => Math.abs(value - rest[i]));
    // a swing of one radian at the elbow, half a metre long
    expect(Math.max(...moved)).toBeGreaterThan(0.2);
    expect(Math.max(...moved)).toBeLessThan(0.7);
  });
});

describe('settings that the solver of a scene does not know', () => {
  it('are left out: a link made with one scene and opened with another shows it, once', async () => {
    const settings = { integrator: 'bdf2', bones: 'stiff', damping: 1, iterations: 12, compare: true } as const;
    const simulation = await begin('ball-row', settings);
    expect(simulation.info.bodies.length).toBe(buildScene('ball-row').bodies.length);
    expect(advance(simulation, 2).lanes.length).toBe(1);
    simulation.dispose();
  });

  it.each([
    ['ball-row', ['bones', 'compare', 'iterations', 'integrator']],
    ['bar', []],
  ])('are named, so that the panel of %s offers none that does nothing', async (name, idle) => {
    const simulation = await begin(name);
    expect(simulation.info.idleSettings).toEqual(idle);
    expect(simulation.info.solver).toBe(name === 'bar' ? 'projective' : 'coupled');
    simulation.dispose();
  });
});

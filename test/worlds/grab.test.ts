/** Taking hold of bodies: the gripped point follows its target, forces balance, letting go lets go. */
import { describe, expect, it } from 'vitest';
import { buildBarScene } from '../../scenes/bar.js';
import { buildJellyBarScene } from '../../scenes/flesh/jelly-bar.js';
import { buildJellyDropScene } from '../../scenes/flesh/jelly-drop.js';
import { buildPendulumScene } from '../../scenes/pendulum.js';
import {
  createWorld,
  grabBody,
  hashWorld,
  moveGrab,
  releaseGrab,
  setBoneKinematic,
  stepWorld,
} from '../../src/index.js';

const vertex = (positions: Float64Array, v: number) => positions.slice(v * 3, v * 3 + 3);

describe('a grip', () => {
  it('on flesh brings the gripped point to its target', async () => {
    const world = await createWorld(buildJellyBarScene());
    const { state, model } = world.bodies[0];
    const target = vertex(state.positions, model.vertexCount - 1);
    const grab = grabBody(world, 0, target);
    for (let i = 0; i < 40; i++) {
      if (i < 20) target[1] += 0.01;
      moveGrab(grab, target);
      expect(stepWorld(world)).toBe(true);
    }
    const point = new Float64Array(3);
    grab.point(point);
    // the spring is 20 times as stiff as the body at that point: it gives way by 5 % of the 20 cm at most
    for (let k = 0; k < 3; k++) expect(Math.abs(point[k] - target[k])).toBeLessThan(0.01);
  });

  it('on a bone brings it to its target, with the joints closed', async () => {
    const world = await createWorld({ ...buildBarScene(), gravity: [0, -9.81, 0] });
    const { state, model } = world.bodies[0];
    const target = vertex(state.positions, model.bones.vertices[0]);
    const grab = grabBody(world, 0, target, { radius: 0.01 });
    for (let i = 0; i < 60; i++) {
      moveGrab(grab, target);
      expect(stepWorld(world)).toBe(true);
      expect(world.certificate.jointGap).toBeLessThan(1e-9 * model.size);
    }
    const point = new Float64Array(3);
    grab.point(point);
    for (let k = 0; k < 3; k++) expect(Math.abs(point[k] - target[k])).toBeLessThan(0.01);
  });

  it('that barely touches flesh beside a bone is as good as one on the bone alone', async () => {
    const after = await Promise.all(
      [-1e-7, 1e-7].map(async (more) => {
        const world = await createWorld({ ...buildBarScene(), gravity: [0, 0, 0] });
        const { state, model } = world.bodies[0];
        const held = vertex(state.positions, model.bones.vertices[0]);
        const flesh = [...model.masses.keys()].filter((v) => model.bones.ofVertex[v] < 0);
        const distance = (v: number) => Math.hypot(...vertex(state.positions, v).map((x, k) => x - held[k]));
        const nearest = Math.min(...flesh.map(distance));
        // the nearest flesh has nothing of the grip, or a part in 10¹³
        const grab = grabBody(world, 0, held, { radius: nearest * (1 + more) });
        moveGrab(
          grab,
          held.map((x) => x + 0.3 * model.size),
        );
        setBoneKinematic(world.bodies[0], 1, true);
        for (let i = 0; i < 10; i++) {
          expect(stepWorld(world)).toBe(true);
          expect(world.certificate.jointGap).toBeLessThan(1e-9 * model.size);
        }
        return { positions: state.positions, size: model.size };
      }),
    );
    const [without, barely] = after;
    for (let i = 0; i < barely.positions.length; i++)
      expect(Math.abs(barely.positions[i] - without.positions[i])).toBeLessThan(1e-6 * barely.size);
  });

  it('holds a hanging body against its weight: free fall stops', async () => {
    const world = await createWorld({ ...buildBarScene(), gravity: [0, -9.81, 0] });
    const { state } = world.bodies[0];
    grabBody(world, 0, vertex(state.positions, 800));
    for (let i = 0; i < 60; i++) stepWorld(world);
    // free fall over two seconds would be 19 m
    expect(Math.min(...state.positions.filter((_, i) => i % 3 === 1))).toBeGreaterThan(-2);
  });

  it('that is released leaves no trace: the next steps are those of a world that starts there', async () => {
    const world = await createWorld(buildJellyBarScene());
    const grab = grabBody(world, 0, [1, 0, 0]);
    releaseGrab(world, grab);
    releaseGrab(world, grab);
    const fresh = await createWorld(buildJellyBarScene());
    for (let i = 0; i < 3; i++) {
      stepWorld(world);
      stepWorld(fresh);
    }
    expect(hashWorld(world)).toBe(hashWorld(fresh));
  });

  it('survives a target far away, and a change of time step', async () => {
    const world = await createWorld(buildJellyBarScene());
    const grab = grabBody(world, 0, [1, 0, 0]);
    moveGrab(grab, [1000, 0, 0]);
    for (let i = 0; i < 60; i++) expect(stepWorld(world, i < 50 ? world.dt : 1 / 120)).toBe(true);
    const { positions } = world.bodies[0].state;
    const { size } = world.bodies[0].model;
    // stretched, and not torn: no further than the leash lets it, and back when it is let go
    expect(Math.max(...positions.map(Math.abs))).toBeLessThan(4 * size);
    releaseGrab(world, grab);
    for (let i = 0; i < 120; i++) expect(stepWorld(world)).toBe(true);
    expect(Math.max(...positions.map(Math.abs))).toBeLessThan(1.2 * size);
    expect(world.certificate.inverted).toBe(0);
  });

  it('and a floor share the weight of a body: it comes to rest, gripped where it was lifted to', async () => {
    const world = await createWorld(buildJellyDropScene());
    for (let i = 0; i < 120; i++) stepWorld(world);
    const { contacts } = world;
    const { state } = world.bodies[0];
    const point = Float64Array.of(-0.6, 0.12, 0.1);
    const grab = grabBody(world, 0, point);
    const target = point.slice();
    target[1] += 0.02;
    moveGrab(grab, target);
    for (let i = 0; i < 240; i++) expect(stepWorld(world)).toBe(true);
    grab.point(point);
    for (let k = 0; k < 3; k++) expect(Math.abs(point[k] - target[k])).toBeLessThan(2e-3);
    expect(contacts.count).toBeGreaterThan(0);
    // at rest: nothing is pulled twice, and nothing is pulled for ever
    expect(Math.max(...state.velocities.map(Math.abs))).toBeLessThan(1e-3);
  });

  it('refuses bodies and points that are not there', async () => {
    const world = await createWorld(buildPendulumScene());
    expect(() => grabBody(world, 7, [0, 0, 0])).toThrow(/E_INDEX/);
    expect(() => grabBody(world, 0, [0, Number.NaN, 0])).toThrow(/E_NOT_FINITE/);
    const grab = grabBody(world, 0, [0, 0, 0]);
    expect(() => moveGrab(grab, [Number.POSITIVE_INFINITY, 0, 0])).toThrow(/E_NOT_FINITE/);
  });
});

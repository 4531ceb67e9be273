/** Bones led by the motors of their joints: how near they stay to a motion, what they do when pushed, and that nothing comes from outside. */
import { describe, expect, it } from 'vitest';
import type { JointDef, Vec3 } from '../../../src/body/body-def.js';
import { buildSubtrees } from '../../../src/body/joints/subtrees.js';
import { BoneTracker } from '../../../src/world/tracking/bone-tracker.js';
import { centreOf, measured, momentOf, norm, type Single, single } from '../../support/checks/measure.js';
import { buildBoxes, lumpedSides } from '../../support/models/bodies.js';

const SIZE = 0.3;

/** A trunk with two arms of two bones each, along x; elbows are hinges about z. */
function puppet() {
  const names = ['trunk', 'upper+', 'lower+', 'upper-', 'lower-'];
  const middles = [0, 1, 2, -1, -2];
  const boxes = names.map((name, i) => ({
    name,
    centre: [middles[i] * SIZE, 0, 0] as Vec3,
    sides: lumpedSides([SIZE, 0.3 * SIZE, 0.3 * SIZE]),
  }));
  const joints: JointDef[] = [1, -1].flatMap((side): JointDef[] => {
    const sign = side > 0 ? '+' : '-';
    return [
      {
        name: `shoulder${sign}`,
        type: 'ball',
        bones: ['trunk', `upper${sign}`],
        anchor: [0.5 * side * SIZE, 0, 0],
        axis: [1, 0, 0],
      },
      {
        name: `elbow${sign}`,
        type: 'hinge',
        bones: [`upper${sign}`, `lower${sign}`],
        anchor: [1.5 * side * SIZE, 0, 0],
        axis: [0, 0, 1],
      },
    ];
  });
  return buildBoxes(boxes, joints);
}

/** Poses of the motion at a time: shoulders 0.6 rad at 1 Hz about a slanted axis, elbows about z. */
function poseAt({ model }: Single, time: number): Float64Array {
  const poses = new Float64Array(35);
  const s = Math.sin(2 * Math.PI * time);
  for (let bone = 0; bone < 5; bone++) poses[bone * 7 + 3] = 1;
  for (const [upper, lower, sign] of [
    [1, 2, 1],
    [3, 4, -1],
  ]) {
    const half = 0.3 * s * sign;
    const bend = 0.3 * (1 - Math.cos(2 * Math.PI * time)) * sign;
    const q = [0, Math.sin(half) * 0.6, Math.sin(half) * 0.8, Math.cos(half)];
    poses.set(q, upper * 7);
    // upper times a turn about z by twice `bend`
    const [c, z] = [Math.cos(bend), Math.sin(bend)];
    poses.set([q[0] * c + q[1] * z, q[1] * c - q[0] * z, q[2] * c + q[3] * z, q[3] * c - q[2] * z], lower * 7);
  }
  poses.set(model.bones.centre.subarray(0, 3), 4);
  return poses;
}

async function follow(strength: number, gravity: number, options: { free?: boolean; iterations?: number } = {}) {
  const s = await single(puppet(), { dt: 1 / 60, iterations: options.iterations ?? 10, gravity: [0, -gravity, 0] });
  const tracker = new BoneTracker(s.world, s.world.bodies[0], { strength });
  if (!options.free) tracker.setBone(0, 'kinematic');
  return { ...s, tracker, go: (n: number) => tracker.track(poseAt(s, (n + 1) / 60)) };
}

describe('what hangs on a joint', () => {
  it('has the mass and inertia of its boxes (closed form: m a² and m/12 (3 sides²) of the continuum)', async () => {
    const { model } = await single(puppet());
    const { inertia, axial, mass, parent } = buildSubtrees(model);
    const m = mass[2];
    // about the elbow and z: a box of sides a, b about its end
    expect(axial[2]).toBeCloseTo(m * (SIZE ** 2 / 3 + (0.3 * SIZE) ** 2 / 12), 10);
    expect(inertia[1]).toBeGreaterThan(inertia[2]);
    expect([...parent]).toEqual([-1, 0, 1, 0, 3]);
  });
});

describe('tracking', () => {
  it('stays nearer to a motion the stronger it is: at 8 Hz within 0.01 rad rms, with weight and without', async () => {
    const errors: number[] = [];
    for (const strength of [4, 8, 16]) {
      const { step, go, tracker } = await follow(strength, 9.81);
      let [sum, count] = [0, 0];
      for (let n = 0; n < 120; n++) {
        go(n);
        step();
        if (n < 30) continue;
        sum += tracker.error ** 2;
        count++;
      }
      errors.push(Math.sqrt(sum / count));
    }
    measured('tracking errors', errors);
    expect(errors[1]).toBeLessThan(0.01);
    expect(errors[0]).toBeGreaterThan(errors[1]);
    expect(errors[1]).toBeGreaterThan(errors[2]);
  });

  it('gives way when pushed, and recovers within a second', async () => {
    const { step, go, tracker, state, model } = await follow(8, 9.81);
    const hand = model.bones.vertices[model.bones.vertexStart[3] - 1];
    let [pushed, later] = [0, 0];
    for (let n = 0; n < 150; n++) {
      state.forces[hand * 3 + 1] = n >= 60 && n < 66 ? 200 : 0;
      go(n);
      step();
      if (n >= 60 && n < 80) pushed = Math.max(pushed, tracker.error);
      if (n >= 126) later = Math.max(later, tracker.error);
    }
    measured('push', { pushed, later });
    expect(pushed).toBeGreaterThan(0.05);
    expect(later).toBeLessThan(0.015);
  });

  it('goes from led to limp without a jump', async () => {
    const { step, go, tracker, state } = await follow(6, 9.81);
    let [fastest, before] = [0, state.velocities.slice()];
    for (let n = 0; n < 120; n++) {
      const weight = Math.max(0, 1 - n / 60);
      for (let bone = 1; bone < 5; bone++) tracker.setBone(bone, weight > 0 ? 'tracked' : 'limp', weight);
      go(n);
      step();
      const jump = Math.max(...state.velocities.map((v, i) => Math.abs(v - before[i])));
      if (n > 2) fastest = Math.max(fastest, jump);
      before = state.velocities.slice();
    }
    measured('to limp', fastest);
    expect(fastest).toBeLessThan(1);
  });

  it('takes no momentum from nowhere: a free puppet in empty space stays where it is (conservation laws)', async () => {
    const { step, go, model, state } = await follow(8, 0, { free: true, iterations: 3 });
    const start = centreOf(model, state.positions);
    const h = 1 / 60;
    let [drift, moment] = [0, 0];
    for (let n = 0; n < 1000; n++) {
      go(n);
      const y = state.positions.map((x, i) => x + h * state.velocities[i]);
      step();
      const way = state.positions.map((x, i) => x - y[i]);
      moment = Math.max(moment, norm(momentOf(model, state.positions, way)) / (h * h));
      drift = Math.max(drift, norm(centreOf(model, state.positions).map((x, k) => x - start[k])));
    }
    measured('free puppet', { drift: drift / model.size, moment });
    expect(drift).toBeLessThan(1e-9 * model.size);
    expect(moment).toBeLessThan(1e-6);
  });

  it('refuses what makes no sense', async () => {
    const { world } = await single(puppet());
    const tracker = new BoneTracker(world, world.bodies[0]);
    expect(() => new BoneTracker(world, world.bodies[0], { strength: -1 })).toThrow('E_RANGE');
    expect(() => tracker.setBone(9, 'limp')).toThrow('E_INDEX');
    expect(() => tracker.setBone(0, 'loose' as never)).toThrow('E_UNKNOWN');
    expect(() => tracker.track(new Float64Array(35).fill(Number.NaN))).toThrow('E_NOT_FINITE');
    expect(() => tracker.track(new Float64Array(3))).toThrow('E_RANGE');
  });
});

/** Roots that are led by a force from outside, modes that blend into each other, and a walk that is pushed. */
import { describe, expect, it } from 'vitest';
import { buildTrackedWalkScene, PUSHES } from '../../../scenes/active/tracked-walk.js';
import { buildHuman } from '../../../scenes/cast/human.js';
import { walkDrive } from '../../../scenes/cast/walk.js';
import { MOTOR } from '../../../src/body/joints/motor-state.js';
import {
  createWorld,
  type DriveDef,
  disposeWorld,
  grabBody,
  hashWorld,
  moveGrab,
  releaseGrab,
  resetWorld,
  restoreSnapshot,
  stepWorld,
  takeSnapshot,
} from '../../../src/index.js';
import type { ProjectiveState } from '../../../src/solvers/projective/projective-state.js';
import { BoneTracker } from '../../../src/world/tracking/bone-tracker.js';
import { measured, single } from '../../support/checks/measure.js';
import { buildBoxes, lumpedSides } from '../../support/models/bodies.js';

const HERTZ = 2;
const OMEGA = 2 * Math.PI * HERTZ;
const H = 1 / 60;

function box() {
  return buildBoxes([{ name: 'box', centre: [0, 0, 0], sides: lumpedSides([0.3, 0.2, 0.1]) }]);
}

describe('an assisted root', () => {
  it('falls to g/ω² below its place as the map of backward Euler has it, and carries m g there (closed forms)', async () => {
    const { world, model, state, step } = await single(box(), { dt: H, gravity: [0, -9.81, 0] });
    const tracker = new BoneTracker(world, world.bodies[0], { strength: HERTZ, rootMode: 'assisted' });
    const poses = Float64Array.of(0, 0, 0, 1, ...model.bones.centre);
    // (x − 2x' + x'')/h² = −g − ω² x − 2ω (x − x')/h
    let [now, before, worst] = [0, 0, 0];
    for (let n = 0; n < 120; n++) {
      tracker.track(poses);
      step();
      const next =
        ((2 * now - before) / (H * H) - 9.81 + (2 * OMEGA * now) / H) / (1 / (H * H) + OMEGA ** 2 + (2 * OMEGA) / H);
      [before, now] = [now, next];
      worst = Math.max(worst, Math.abs(state.poses.translations[1] - model.bones.centre[1] - now));
    }
    measured('assisted fall', { worst, force: tracker.assist[4] });
    expect(worst).toBeLessThan(1e-12);
    expect(now).toBeCloseTo(-9.81 / OMEGA ** 2, 6);
    expect(tracker.assist[4]).toBeCloseTo(9.81 * model.totalMass, 4);
    expect(world.certificate.assistForce).toBeCloseTo(9.81 * model.totalMass, 4);
    tracker.setRoot('free');
    tracker.track(poses);
    step();
    expect(world.certificate.assistForce).toBe(0);
    expect(world.certificate.momentumDrift).toBeLessThan(1e-9);
  });
});

describe('from limp to kinematic', () => {
  it('takes the blend time, without a jump: no speed beyond what the way asks for', async () => {
    const { world, model, state, step } = await single(box(), { dt: H });
    const tracker = new BoneTracker(world, world.bodies[0], { strength: 6 });
    const goal = Float64Array.of(0, 0, 0, 1, 0.4, 0, 0);
    tracker.setBone(0, 'limp');
    tracker.track(goal);
    step();
    tracker.setBone(0, 'kinematic', 1, 0.5);
    let [fastest, jump, speed] = [0, 0, 0];
    for (let n = 0; n < 36; n++) {
      tracker.track(goal);
      step();
      jump = Math.max(jump, Math.abs(state.velocities[0] - speed));
      speed = state.velocities[0];
      fastest = Math.max(fastest, speed);
    }
    expect(state.poses.translations[0]).toBeCloseTo(0.4 + 0 * model.size, 12);
    // 0.4 m in 0.5 s along 3t² − 2t³: 1.5 times the mean speed at most, and 6 times the way over the time squared in a step
    expect(fastest).toBeLessThan((1.5 * 0.4) / 0.5 + 1e-3);
    expect(jump).toBeLessThan(((6 * 0.4) / 0.25) * H * 1.01);
  });
});

/** Two boxes on a hinge, led along by data. */
function ledPair(drives: readonly unknown[]) {
  const boxes = [0, 1].map((i) => ({
    name: `b${i}`,
    centre: [0.3 * i, 0, 0] as const,
    sides: lumpedSides([0.28, 0.1, 0.1]),
  }));
  const hinge = { name: 'j', type: 'hinge', bones: ['b0', 'b1'], anchor: [0.15, 0, 0], axis: [0, 0, 1] } as const;
  const body = { ...buildBoxes(boxes, [hinge]), name: 'pair' };
  return { name: 'led', description: '', bodies: [{ body }], drives: drives as DriveDef[] };
}

const swing = { kind: 'wave', from: -0.3, to: 0.6, period: 0.7 };

describe('tracking as data', () => {
  const drive = {
    kind: 'track',
    body: 'pair',
    rootMode: 'assisted',
    shift: [{ kind: 'keys', times: [0, 1], values: [0, 0.5] }, 0, 0],
    joints: [{ joint: 'j', angle: swing }],
  };

  it('goes on from a snapshot to the same bits, in a world that was made anew, and again from the start', async () => {
    const scene = ledPair([drive, { kind: 'push', body: 'pair', bone: 'b1', force: [0, swing, 0] }]);
    const world = await createWorld(scene);
    for (let n = 0; n < 5; n++) stepWorld(world);
    const bytes = takeSnapshot(world);
    for (let n = 0; n < 5; n++) stepWorld(world);
    const other = await createWorld(scene);
    restoreSnapshot(other, bytes);
    for (let n = 0; n < 5; n++) stepWorld(other);
    const hash = hashWorld(world);
    expect(hashWorld(other)).toBe(hash);
    resetWorld(world);
    for (let n = 0; n < 10; n++) stepWorld(world);
    expect(hashWorld(world)).toBe(hash);
    expect(other.certificate.assistForce).toBeGreaterThan(0);
  });

  it('refuses what makes no sense, by place', async () => {
    const fails = (one: object) => expect(createWorld(ledPair([one]))).rejects;
    await fails({ ...drive, rootMode: 'tied' }).toThrow('E_UNKNOWN');
    await fails({ ...drive, strength: -1 }).toThrow('E_RANGE');
    await fails({ ...drive, root: 'nobody' }).toThrow('E_UNKNOWN');
    await fails({ ...drive, joints: [{ joint: 'none', angle: 1 }] }).toThrow('E_UNKNOWN');
    await fails({ ...drive, joints: [{ joint: 'j', angle: Number.NaN }] }).toThrow('E_NOT_FINITE');
    await fails({ ...drive, bones: [{ bone: 'b1', mode: 'tracked', weight: 2 }] }).toThrow('E_RANGE');
    await fails({ kind: 'push', body: 'pair', bone: 'b9', force: [0, 0, 0] }).toThrow('E_UNKNOWN');
    await fails({ kind: 'activation', body: 'pair', muscle: 'm', activation: 1 }).toThrow('E_UNKNOWN');
    await fails({ kind: 'water', body: 'pair', density: -1 }).toThrow('E_RANGE');
  });
});

describe('a walk in the air', () => {
  it('is followed within 0.01 rad rms at 8 Hz, the resistance of the flesh included (angles of the motion itself)', async () => {
    const walk = walkDrive('human', 4, { rootMode: 'kinematic', bones: [] });
    const body = buildHuman({ cell: 0.08, limits: true, feet: true });
    const scene = { name: 'air', description: '', bodies: [{ body, position: [0, 1, 0] as const }], drives: [walk] };
    const world = await createWorld(scene, { dt: H, iterations: 10 });
    let [sum, count] = [0, 0];
    for (let n = 0; n < 180; n++) {
      expect(stepWorld(world)).toBe(true);
      if (n < 60) continue;
      sum += world.certificate.trackingError ** 2;
      count++;
    }
    measured('walk in the air', Math.sqrt(sum / count));
    expect(Math.sqrt(sum / count)).toBeLessThan(0.01);
  });
});

describe('what a joint learns of its resistance', () => {
  /** Two boxes on a hinge, the first held, the second led with a weight; `go` leads it to an angle and returns where it is after some steps. */
  async function lead(weight: number, limits?: { range: readonly [number, number] }) {
    const scene = ledPair([]);
    const [{ body }] = scene.bodies;
    const joints = body.joints?.map((joint) => ({ ...joint, ...(limits && { limits }) }));
    const s = await single({ ...body, ...(joints && { joints }) }, { dt: H, gravity: [0, -9.81, 0] });
    const tracker = new BoneTracker(s.world, s.world.bodies[0], { strength: 4 });
    tracker.setBone(0, 'kinematic');
    tracker.setBone(1, 'tracked', weight);
    const poses = Float64Array.of(0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0);
    poses.set(s.model.bones.centre.subarray(0, 3), 4);
    const push = (force: number) => {
      for (let v = 0; v < s.model.vertexCount; v++) s.state.forces[v * 3 + 1] = force * s.model.masses[v];
    };
    const go = (to: number, steps: number) => {
      poses.set([0, 0, Math.sin(to / 2), Math.cos(to / 2)], 7);
      for (let n = 0; n < steps; n++) {
        tracker.track(poses);
        s.step();
      }
      const [, , z, w] = s.state.poses.quats.subarray(4, 8);
      return 2 * Math.atan2(z, w);
    };
    return { go, push, motors: () => (s.state as ProjectiveState).motors };
  }

  it('takes away the error of a force that stays (statics), and leaves it where the bone is softened', async () => {
    const off: number[] = [];
    for (const weight of [1, 0.5]) {
      const { go, push } = await lead(weight);
      go(0, 60);
      push(-5);
      off.push(Math.abs(go(0, 240)));
    }
    measured('forces that stay', off);
    expect(off[0]).toBeLessThan(1e-6);
    expect(off[1]).toBeGreaterThan(0.01);
  });

  it('does not push against a limit harder than the spring does (statics: k times what is missing)', async () => {
    const { go, motors } = await lead(1, { range: [-0.5, 0.2] });
    expect(go(0.4, 120)).toBeCloseTo(0.2, 6);
    const feed = motors()[MOTOR.feed + 2];
    const spring = motors()[MOTOR.stiffness] * 0.2;
    measured('at a limit', { feed, spring });
    // what is fed is the weight: nothing was learnt from the limit
    expect(go(0.2 - 1e-9, 240)).toBeCloseTo(0.2, 6);
    expect(Math.abs(motors()[MOTOR.feed + 2] - feed)).toBeLessThan(0.02 * spring);
  });
});

describe('a walk on the ground', () => {
  it('is led off its way by 200 N for 0.1 s, and back within a second; the legs carry most of the weight', async () => {
    const ways: Float64Array[] = [];
    let [assist, error, count] = [0, 0, 0];
    const steps = Math.round((PUSHES.times[0] + 1) / H);
    for (const pushed of [true, false]) {
      const world = await createWorld(buildTrackedWalkScene({ pushed }));
      const way = new Float64Array(steps * 3);
      for (let n = 0; n < steps; n++) {
        expect(stepWorld(world)).toBe(true);
        way.set(world.bodies[0].state.poses.translations.subarray(0, 3), n * 3);
        expect(world.certificate.jointGap).toBeLessThan(1e-9 * world.certificate.bodySize);
        expect(world.certificate.limitExcess).toBeLessThan(1e-6);
        if (pushed || n < 60) continue;
        assist += world.certificate.assistForce / (9.81 * world.bodies[0].model.totalMass);
        error += world.certificate.trackingError ** 2;
        count++;
      }
      ways.push(way);
      disposeWorld(world);
    }
    const off = (n: number) => Math.hypot(...[0, 1, 2].map((k) => ways[0][n * 3 + k] - ways[1][n * 3 + k]));
    const first = Math.round(PUSHES.times[0] / H);
    const peak = Math.max(...Array.from({ length: 30 }, (_, n) => off(first + n)));
    measured('walk', { peak, later: off(steps - 1), assist: assist / count, error: Math.sqrt(error / count) });
    expect(peak).toBeGreaterThan(0.005);
    expect(off(steps - 1)).toBeLessThan(0.1 * peak);
    expect(assist / count).toBeLessThan(0.4);
  });

  it.each([
    ['aside', [1, 0, 0]],
    ['forward', [0, 0, 0.6]],
  ] as const)('is dragged %s by a hand for 0.3 s, and back within a second of being let go', async (_, way) => {
    const [before, held, after] = [36, 18, 60];
    const ends: Float64Array[] = [];
    for (const dragged of [false, true]) {
      const world = await createWorld(buildTrackedWalkScene({ pushed: false }));
      const { translations } = world.bodies[0].state.poses;
      for (let n = 0; n < before; n++) stepWorld(world);
      const at = [translations[0] + 0.12, translations[1], translations[2]];
      const grab = dragged ? grabBody(world, 0, at) : undefined;
      for (let n = 0; n < held; n++) {
        if (grab)
          moveGrab(
            grab,
            at.map((x, k) => x + (way[k] * n) / held),
          );
        expect(stepWorld(world)).toBe(true);
      }
      if (grab) releaseGrab(world, grab);
      ends.push(translations.slice());
      for (let n = 0; n < after; n++) expect(stepWorld(world)).toBe(true);
      ends.push(translations.slice());
      disposeWorld(world);
    }
    const off = (a: Float64Array, b: Float64Array, bone: number) =>
      Math.hypot(...[0, 1, 2].map((k) => a[bone * 3 + k] - b[bone * 3 + k]));
    const bones = Array.from({ length: ends[0].length / 3 - 1 }, (_, bone) => bone);
    const dragged = Math.max(...bones.map((bone) => off(ends[0], ends[2], bone)));
    const left = bones.map((bone) => off(ends[1], ends[3], bone));
    measured('dragged by a hand', { way, dragged, trunk: left[0], farthest: Math.max(...left) });
    expect(dragged).toBeGreaterThan(0.04);
    // feet that stand stay where friction has them until they step; what they carry is back
    expect(left[0]).toBeLessThan(0.003);
    expect(Math.max(...left)).toBeLessThan(0.02);
  });
});

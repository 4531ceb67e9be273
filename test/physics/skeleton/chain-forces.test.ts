/** Forces of joints (V15), rotation without locking (V13), and forces given by the user, against closed forms. */
import { describe, expect, it } from 'vitest';
import { BonePoses } from '../../../src/body/bone-poses.js';
import { buildModel } from '../../../src/body/model.js';
import { BoneStep } from '../../../src/solvers/projective/bones/bone-step.js';
import { boneMass } from '../../../src/solvers/projective/system.js';
import { angleAboutZ, measured, single } from '../../support/checks/measure.js';
import { rotationAbout } from '../../support/checks/spin.js';
import { buildBoxes, buildChain } from '../../support/models/bodies.js';

const G = 9.81;

describe('V15 a hanging chain: each joint carries the weight below it (statics)', () => {
  it('five bones, released out of line, at rest: within 1e-6', async () => {
    const def = buildChain(5, { pinned: true, size: 0.3 });
    // gravity along the chain with a kick to the side, then straight until it hangs still
    const s = await single(def, { dt: 1 / 60, iterations: 20, gravity: [G, 0.5, 0], damping: 2 });
    s.step(10);
    s.world.gravity[1] = 0;
    s.step(3000);
    const { joints, bones } = s.model;
    const errors: number[] = [];
    for (let pair = 0; pair < joints.count; pair++) {
      const below = bones.mass.subarray(pair).reduce((sum, m) => sum + m, 0) * G;
      // rows are x, y, z of the world. The force on bone A is minus the multiplier: A is the upper bone, drawn along
      // gravity by what hangs on it; only of the pin, A is the bone below
      const first = joints.rowStart[pair];
      const [x, y, z] = s.world.bodies[0].jointMultipliers.subarray(first, first + 3);
      const carried = joints.boneB[pair] === bones.count ? x : -x;
      errors.push(Math.abs(carried / below - 1), Math.abs(y) / below, Math.abs(z) / below);
    }
    expect(errors).toHaveLength(15);
    expect(Math.max(...errors)).toBeLessThan(1e-6);
    measured('V15 relative error', Math.max(...errors));
  });
});

describe('outside forces', () => {
  it('a force at a vertex of a free bone gives the acceleration of its centre, and the spin of Euler (closed forms)', async () => {
    const h = 1e-4;
    const body = buildBoxes([{ name: 'a', centre: [0, 0, 0], sides: [0.4, 0.2, 0.1] }]);
    const s = await single(body, { dt: h, iterations: 5 });
    // two opposite forces along y at the ends of x: a couple about z, plus one along x through the centre
    const end = (sign: number) => {
      for (let v = 0; v < 8; v++) {
        const [x, y, z] = s.model.positions.subarray(v * 3, v * 3 + 3);
        if (x * sign > 0 && y > 0 && z > 0) return v;
      }
      throw new Error('no such corner');
    };
    const [a, b] = [end(1), end(-1)];
    s.state.forces[a * 3 + 1] = 3;
    s.state.forces[b * 3 + 1] = -3;
    for (let v = 0; v < 8; v++) s.state.forces[v * 3] += 2 * (s.model.masses[v] / s.model.totalMass);
    s.step(10);
    const c = s.model.bones.secondMoment;
    const spin = ((3 * 0.4) / (c[0] + c[4])) * 10 * h;
    // rate about z: the first column of R turns towards y; forces stay along y, so torque changes by O(angle²)
    expect(s.state.boneRates[1] / spin).toBeCloseTo(1, 6);
    expect(s.state.boneRates[9] / ((2 / s.model.totalMass) * 10 * h)).toBeCloseTo(1, 9);
  });
});

describe('V13 rotating a cluster in one go', () => {
  const TARGET = 0.2;
  const h = 1 / 60;
  const body = buildBoxes([{ name: 'a', centre: [0, 0, 0], sides: [0.3, 0.2, 0.1] }]);

  /**
   * Baseline: the same eight points as a projective-dynamics cluster with weight w per unit of mass, all eight pulled to
   * the turned target; returns the share of the turn still missing after k local/global iterations.
   */
  function lagOfCluster(stiffness: number, iterations: number): number {
    const w = stiffness;
    let angle = 0; // of the fitted rotation
    const turn = rotationAbout([0, 0, 1], TARGET);
    // two perpendicular arms stand for the points; x = (target/h² + w R X) / (1/h² + w), in units of m/h² = 1
    for (let k = 0; k < iterations; k++) {
      const c = (turn[0] + w * Math.cos(angle)) / (1 + w);
      const s = (turn[3] + w * Math.sin(angle)) / (1 + w);
      angle = Math.atan2(s, c);
    }
    return (TARGET - angle) / TARGET;
  }

  // ρ = w/(w + m/h²), lag ρᵏ [Li2019 Fig. 6, 7]: 0.149, 0.820, 0.980 at k = 20.
  it.each([
    [10, 0.149],
    [100, 0.82],
    [1000, 0.98],
  ])('baseline: w h²/m = %f lags by %f after 20 iterations', (stiffness, expected) => {
    const lag = lagOfCluster(stiffness, 20);
    expect(Math.abs(lag - (stiffness / (stiffness + 1)) ** 20)).toBeLessThan(0.002);
    expect(Math.abs(lag - expected)).toBeLessThan(0.002);
  });

  it('ours: a bone is there after one iteration, within 1e-10', async () => {
    const s = await single(body, { dt: h, iterations: 1 });
    // velocities such that inertia alone takes every vertex to the turned place
    const turn = rotationAbout([0, 0, 1], TARGET);
    for (let p = 0; p < 3; p++) {
      for (let i = 0; i < 3; i++) s.state.boneRates[p * 3 + i] = (turn[i * 3 + p] - (i === p ? 1 : 0)) / h;
    }
    s.step();
    const lag = (TARGET - angleAboutZ(s.state, 0)) / TARGET;
    measured('V13 lag', lag);
    expect(Math.abs(lag)).toBeLessThan(1e-10);
  });

  it('and from the unturned pose the bone problem needs a handful of Gauss-Newton steps, not hundreds', () => {
    const model = buildModel(body);
    const poses = new BonePoses(2);
    for (let bone = 0; bone < 2; bone++) {
      poses.quats[bone * 4 + 3] = 1;
      poses.updateRotation(bone);
    }
    const metric = Float64Array.from({ length: 16 }, (_, i) => boneMass(model, 0, i >> 2, i & 3));
    const step = new BoneStep(1, model.joints, metric, new Uint8Array(1), 1);
    const turn = rotationAbout([0, 0, 1], TARGET);
    const pull = new Float64Array(12);
    for (let p = 0; p < 3; p++) {
      for (let q = 0; q < 3; q++) {
        for (let i = 0; i < 3; i++) pull[p * 3 + i] += metric[p * 4 + q] * (turn[i * 3 + q] - (i === q ? 1 : 0));
      }
    }
    step.begin(poses);
    const lags: number[] = [];
    for (let n = 0; n < 6; n++) {
      step.stepOnce(poses, pull);
      lags.push(Math.abs(TARGET - Math.atan2(poses.rotations[3], poses.rotations[0])) / TARGET);
    }
    measured('V13 Gauss-Newton lags', lags);
    expect(lags[0]).toBeLessThan(0.01);
    expect(lags[5]).toBeLessThan(1e-10);
  });
});

/**
 * Flesh that is solved with its bones at once: its tables against the inverse of the whole matrix, which is an independent way to them; and what comes of a step against what bindings, joints and motors
 * ask for, which is theirs whatever solves them.
 */
import { describe, expect, it } from 'vitest';
import type { CoreBinding } from '../../../src/solvers/coupled/core-scene.js';
import { CoupledCore } from '../../../src/solvers/coupled/coupled-core.js';
import { FollowModel } from '../../../src/solvers/coupled/creatures/follow-model.js';
import type { CoupledJoint } from '../../../src/solvers/coupled/rigid/coupled-joint.js';
import type { SoftModel } from '../../../src/solvers/coupled/soft/soft-model.js';
import { box } from '../../support/models/coupled.js';
import { placeSoft, softBox } from '../../support/models/coupled-soft.js';

const CELL = 0.1;
const HALF = 0.2;
/** The spine: centres of its bones along x. */
const CENTRES = [-0.4, 0, 0.4];

/** Vertices of the model within a fifth of a bone's half length around its centre, but not those where two bones meet. */
function bind(model: SoftModel, soft: number): CoreBinding[] {
  const { positions } = model.elements;
  return CENTRES.flatMap((centre, rigid) =>
    Array.from({ length: model.size }, (_, v) => v)
      .filter((v) => Math.abs(positions[v * 3] - centre) < 0.11)
      .map((vertex) => {
        const anchor = [0, 1, 2].map((k) => positions[vertex * 3 + k] - (k === 0 ? centre : 0));
        return { soft, vertex, rigid, anchor };
      }),
  );
}

const isNear = (value: number, wanted: number, share: number) => Math.abs(value - wanted) < share;

describe('tables of flesh that follows bones', () => {
  // with T the inverse of the whole matrix: K = (T_BB)⁻¹, W = T_FB K, D = T_FF − T_FB K T_BF
  it('are those that the inverse of the whole matrix has', () => {
    const model = softBox([4, 1, 1], CELL);
    const vertex = Int32Array.from([0, 3, 7, 11]);
    const place = Float64Array.from(
      [...vertex].flatMap((v) => [...model.elements.positions.subarray(v * 3, v * 3 + 3)]),
    );
    const follow = new FollowModel(model, { vertex, bone: Int32Array.from([0, 0, 1, 1]), place, boneCount: 2 });
    const h = 1 / 120;
    model.prepare(h);
    follow.prepare(h);
    const { size } = model;
    [model.first, model.second].forEach(({ table }, track) => {
      const { held, follow: w, stiffness } = follow.tracks[track];
      const scale = table[0];
      for (let v = 0; v < size; v++) {
        for (let l = 0; l < 4; l++) {
          let sum = 0;
          // W T_BB = T_FB, and for the vertices of B the same of K
          for (let k = 0; k < 4; k++) sum += w[v * 4 + k] * table[vertex[k] * size + vertex[l]];
          expect(isNear(sum, table[v * size + vertex[l]], 1e-12 * scale)).toBe(true);
        }
        for (let u = 0; u < size; u++) {
          let answer = table[v * size + u];
          for (let k = 0; k < 4; k++) answer -= w[v * 4 + k] * table[vertex[k] * size + u];
          expect(isNear(held[v * size + u], answer, 1e-12 * scale)).toBe(true);
        }
      }
      for (let k = 0; k < 4; k++) {
        for (let l = 0; l < 4; l++) {
          let sum = 0;
          for (let m = 0; m < 4; m++) sum += stiffness[k * 4 + m] * table[vertex[m] * size + vertex[l]];
          expect(isNear(sum, k === l ? 1 : 0, 1e-11)).toBe(true);
        }
      }
    });
  });
});

/** A bar of flesh with three bones in a row, which turn against each other. */
function creature(type: CoupledJoint['type'], stiffness: number): CoupledCore {
  const model = softBox([12, 1, 1], CELL);
  const rigid = CENTRES.map((x, n) => ({
    ...box([HALF, 0.03, 0.03], 0.5 + n, { position: [x, 0, 0], angularVelocity: [n, 2 - n, 1] }),
    shape: 'none' as const,
  }));
  const joints = [0, 1].map((n): CoupledJoint => {
    const axes = { axisA: [0, 0, 1], axisB: type === 'universal' ? [0, 1, 0] : [0, 0, 1] };
    const anchors = { anchorA: [HALF, 0, 0], anchorB: [-HALF, 0, 0] };
    return { type, a: n, b: n + 1, ...anchors, ...axes, motor: true, stiffness, damping: 0.1 * stiffness };
  });
  return new CoupledCore({
    rigid,
    soft: [placeSoft(model, [0, 0, 0], { spin: [0, 1, 3] })],
    joints,
    bindings: bind(model, 0),
    gravity: [0, -9.81, 0],
  });
}

/** Largest velocity that bound vertices have against their bones [m/s]. */
function slip({ rigid, soft }: CoupledCore): number {
  let worst = 0;
  const omega = new Float64Array(3);
  for (const { vertex, rigid: b, anchor } of bind(soft.models[0], 0)) {
    rigid.spinOf(b, omega);
    const r = rigid.rotation.subarray(b * 9, b * 9 + 9);
    const arm = [0, 1, 2].map((k) => r[k * 3] * anchor[0] + r[k * 3 + 1] * anchor[1] + r[k * 3 + 2] * anchor[2]);
    const turn = [
      omega[1] * arm[2] - omega[2] * arm[1],
      omega[2] * arm[0] - omega[0] * arm[2],
      omega[0] * arm[1] - omega[1] * arm[0],
    ];
    for (let k = 0; k < 3; k++)
      worst = Math.max(worst, Math.abs(soft.v[vertex * 3 + k] - rigid.v[b * 3 + k] - turn[k]));
  }
  return worst;
}

/** Sum of mass times velocity [kg m/s]. */
function momentum({ rigid, soft }: CoupledCore): number[] {
  return [0, 1, 2].map((k) => {
    let sum = 0;
    for (let b = 0; b < rigid.count; b++) sum += rigid.mass[b] * rigid.v[b * 3 + k];
    for (let i = 0; i < soft.vertexCount; i++) sum += soft.mass[i] * soft.v[i * 3 + k];
    return sum;
  });
}

describe('flesh solved with its bones', () => {
  it.each(['ball', 'hinge', 'universal', 'fixed'] as const)(
    'goes with them to rounding, its %s joints stay closed and it gains what gravity gives',
    (type) => {
      const core = creature(type, type === 'fixed' ? 0 : 20);
      const mass = [...core.rigid.mass, ...core.soft.mass].reduce((sum, m) => sum + m, 0);
      for (let n = 0; n < 30; n++) {
        const before = momentum(core);
        // turned from outside, or angular momentum would be given back as a rotation of the whole, by which places that are apart move apart
        core.rigid.outside[3] = 0.1;
        core.step(1 / 120);
        const after = momentum(core);
        expect(slip(core)).toBeLessThan(1e-10);
        expect(core.joints.largestGap(core.rigid)).toBeLessThan(1e-10);
        for (let k = 0; k < 3; k++) {
          expect(isNear(after[k] - before[k], k === 1 ? (-9.81 * mass) / 120 : 0, 1e-11 * mass)).toBe(true);
        }
      }
    },
  );
});

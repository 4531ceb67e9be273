/**
 * The end of a step: positions and velocities from rows and poses, momentum put right to the last bit, and the new state
 * committed only if every number is finite. Also what the certificate says.
 */
import type { Model } from '../../body/model.js';
import type { BodyState } from '../../body/state.js';
import type { KernelTable } from '../../kernels/kernel-table.js';
import type { SolvePlan } from '../../linalg/solve-plan.js';
import type { StepReport } from '../solver.js';
import type { BoneMotion, InertiaWeights } from './bone-motion.js';
import type { FleshRows } from './flesh-rows.js';
import type { Layout } from './layout.js';

/** Residual of the flesh [N] at the start of the last iteration, and of the inverted tets; called before the solve. */
export function measureStep(
  _kernels: KernelTable,
  solve: SolvePlan,
  rows: FleshRows,
  motion: BoneMotion,
  fixed: Uint8Array,
  report: StepReport,
): void {
  const y = solve.y.view;
  let sum = 0;
  for (let i = 0; i < rows.fleshCount * 4; i++) sum += y[i] * y[i];
  for (let bone = 0; bone < motion.count; bone++) {
    for (let k = 0; k < 3 && !fixed[bone]; k++) sum += motion.pull[bone * 12 + 9 + k] * motion.pull[bone * 12 + 9 + k];
  }
  report.residual = Math.sqrt(sum);
}

/** Writes the result of a step to the state; false, with the state untouched, where something is not finite. */
export function commitState(
  model: Model,
  layout: Layout,
  rows: FleshRows,
  motion: BoneMotion,
  state: BodyState,
  weights: InertiaWeights,
  gravity: ArrayLike<number>,
  h: number,
  report: StepReport,
): boolean {
  if (!allFinite(rows, motion)) return false;
  const free = isFree(model, state);
  const shift = [0, 0, 0];
  if (free) momentumShift(model, layout, rows, motion, shift);
  const drift = [0, 0, 0];
  const { positions, velocities, earlierPositions, earlierVelocities, forces } = state;
  // v = (x − x') / h for backward Euler; BDF2: (3x − 4x' + x'') / 2h
  const second = weights.position !== 1;
  const a = second ? 1.5 / h : 1 / h;
  const b = second ? -2 / h : -1 / h;
  const c = second ? 0.5 / h : 0;
  const place = (v: number, k: number, value: number) => {
    const at = v * 3 + k;
    const velocity = a * value + b * positions[at] + c * earlierPositions[at];
    drift[k] += model.masses[v] * (velocity - velocities[at]) - h * (forces[at] + model.masses[v] * gravity[k]);
    earlierPositions[at] = positions[at];
    earlierVelocities[at] = velocities[at];
    positions[at] = value;
    velocities[at] = velocity;
  };
  for (const v of layout.fleshVertices) {
    const row = rows.rowOfVertex[v] * 4;
    for (let k = 0; k < 3; k++) place(v, k, rows.x.view[row + k] + shift[k]);
  }
  commitBones(model, motion, state, shift, place, a, b, c);
  state.clock[0]++;
  state.clock[1] = h;
  const first = !second;
  report.momentumDrift = free && first ? Math.sqrt(drift[0] * drift[0] + drift[1] * drift[1] + drift[2] * drift[2]) : 0;
  report.rigidity = measureRigidity(motion);
  return true;
}

function commitBones(
  model: Model,
  motion: BoneMotion,
  state: BodyState,
  shift: readonly number[],
  place: (v: number, k: number, value: number) => void,
  a: number,
  b: number,
  c: number,
): void {
  const { bones } = model;
  const { poses } = motion;
  const before = new Float64Array(12);
  const after = new Float64Array(12);
  for (let bone = 0; bone < bones.count; bone++) {
    for (let k = 0; k < 3; k++) poses.translations[bone * 3 + k] += state.kinematic[bone] ? 0 : shift[k];
    state.poses.writeAffine(bone, before, 0);
    poses.writeAffine(bone, after, 0);
    for (let k = 0; k < 12; k++) {
      const earlier = bone * 24 + k;
      const rate = a * after[k] + b * before[k] + c * state.earlierBones[earlier];
      state.earlierBones[earlier] = before[k];
      state.earlierBones[earlier + 12] = state.boneRates[bone * 12 + k];
      state.boneRates[bone * 12 + k] = rate;
    }
    for (let n = bones.vertexStart[bone]; n < bones.vertexStart[bone + 1]; n++) {
      const v = bones.vertices[n];
      for (let k = 0; k < 3; k++) {
        let value = after[9 + k];
        for (let p = 0; p < 3; p++)
          value += after[p * 3 + k] * (model.positions[v * 3 + p] - bones.centre[bone * 3 + p]);
        place(v, k, value);
      }
    }
  }
  state.poses.copy(poses);
}

/** True when nothing holds the body: no pin, no kinematic bone, no joint to the world. */
function isFree(model: Model, state: BodyState): boolean {
  for (let v = 0; v < model.vertexCount; v++) if (model.pinned[v]) return false;
  for (let bone = 0; bone < model.bones.count; bone++) if (state.kinematic[bone]) return false;
  for (let pair = 0; pair < model.joints.count; pair++)
    if (model.joints.boneB[pair] === model.bones.count) return false;
  return true;
}

/**
 * Shift that makes Σ m (x − y) vanish. The exact solution has this property for a free body, because elastic and joint
 * forces sum to zero; the f32 solve has it only to f32. A common shift changes nothing else.
 */
function momentumShift(model: Model, layout: Layout, rows: FleshRows, motion: BoneMotion, shift: number[]): void {
  for (let k = 0; k < 3; k++) {
    let sum = 0;
    for (const v of layout.fleshVertices) {
      const at = rows.rowOfVertex[v] * 4 + k;
      sum += model.masses[v] * (rows.target.view[at] - rows.x.view[at]);
    }
    for (let bone = 0; bone < motion.count; bone++) {
      sum += model.bones.mass[bone] * (motion.target[bone * 12 + 9 + k] - motion.poses.translations[bone * 3 + k]);
    }
    shift[k] = sum / model.totalMass;
  }
}

function allFinite(rows: FleshRows, motion: BoneMotion): boolean {
  // x − x is 0 for finite numbers and NaN for all others
  let sum = 0;
  const x = rows.x.view;
  for (let i = 0; i < x.length; i++) sum += x[i] - x[i];
  const { quats, translations } = motion.poses;
  for (let i = 0; i < quats.length; i++) sum += quats[i] - quats[i];
  for (let i = 0; i < translations.length; i++) sum += translations[i] - translations[i];
  return sum === 0;
}

function measureRigidity(motion: BoneMotion): number {
  let worst = 0;
  const r = motion.poses.rotations;
  for (let bone = 0; bone < motion.count; bone++) {
    let sum = 0;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        let dot = i === j ? -1 : 0;
        for (let k = 0; k < 3; k++) dot += r[bone * 9 + k * 3 + i] * r[bone * 9 + k * 3 + j];
        sum += dot * dot;
      }
    }
    worst = Math.max(worst, Math.sqrt(sum));
  }
  return worst;
}

/**
 * A character stepped as printed in [Galoppo2007 §4.2, 5.2, 5.5], for comparison: a skin with inertia, bones from the condensed system
 * with their joints (eq. 10), the skin from theirs (eq. 11), then contacts as equalities (eqs. 12-15) on nodes below a floor. Dense in
 * the bones and factored anew in every step, since R_W turns with them: for small models, in tests and figures only.
 */
import type { SparseMatrix } from '../../../linalg/sparse.js';
import { turnQuat } from '../../../math/rotation.js';
import type { LayerBody } from '../layer-body.js';
import { type PublishedRow, publishedResponse, solveHeld } from './published-contact.js';
import {
  blockSolve,
  condensedBones,
  fullSolve,
  type PublishedMatrices,
  publishedMatrices,
  type SkinSolve,
} from './published-layer.js';

/** How M̃_s is taken out of the bones: its blocks on the diagonal, as printed, or all of it, for which the step is exact. */
export type Condensation = 'block' | 'full';

/** A skin with inertia: its stiffness K (n x n), the mass of each node [kg] and the step [s]. */
export interface PublishedSkin {
  readonly stiffness: SparseMatrix;
  readonly masses: Float64Array;
  readonly h: number;
}

/** A character with what the paper adds to its state. */
export class PublishedStep {
  /** Velocities of the bones, (ċ, ω) each [m/s, rad/s]; dents u in the rest shape [m] and their speeds. */
  readonly bones: Float64Array;
  readonly dents: Float64Array;
  readonly speeds: Float64Array;
  /** Impulse of each contact of the last step [N s], negative where it pulls. */
  impulses: Float64Array = new Float64Array(0);
  /** Momentum of bones and skin together after the last step [kg m/s]. */
  readonly momentum = new Float64Array(3);
  readonly #body: LayerBody;
  readonly #skin: PublishedSkin;
  readonly #condensation: Condensation;

  constructor(body: LayerBody, skin: PublishedSkin, condensation: Condensation) {
    this.#body = body;
    this.#skin = skin;
    this.#condensation = condensation;
    this.bones = new Float64Array(6 * body.model.bones.count);
    this.dents = new Float64Array(3 * body.model.nodeCount);
    this.speeds = new Float64Array(3 * body.model.nodeCount);
  }

  /** One step under gravity [m/s²]; nodes below `floor` [m] that do so now are to stop along y, whichever way they move. */
  step(gravity: readonly number[], floor = Number.NEGATIVE_INFINITY): void {
    const { stiffness, masses, h } = this.#skin;
    const matrices = publishedMatrices(this.#body, stiffness, masses, h);
    const full = fullSolve(matrices);
    const condense = this.#condensation === 'full' ? full : blockSolve(matrices);
    const joints = jointRows(this.#body);
    this.#moveFreely(matrices, condense, full, joints, gravity);
    this.#meetFloor(matrices, condense, joints, floor);
    this.#sumUp(matrices);
    this.#advance();
  }

  /** Where node `p` is. */
  #place(p: number, turns: Float64Array): number[] {
    const { model, state } = this.#body;
    const at = [0, 0, 0];
    for (let i = 4 * p; i < 4 * p + 4; i++) {
      const bone = model.owners[i];
      for (let k = 0; k < 3; k++) {
        let x = state.poses.translations[3 * bone + k];
        for (let j = 0; j < 3; j++) {
          const arm = model.positions[3 * p + j] - model.bones.centre[3 * bone + j];
          x += state.poses.rotations[9 * bone + 3 * k + j] * arm;
        }
        at[k] += model.weights[i] * x;
      }
    }
    for (let k = 0; k < 3; k++) for (let j = 0; j < 3; j++) at[k] += turns[9 * p + 3 * k + j] * this.dents[3 * p + j];
    return at;
  }

  /** Eqs. 10 and 11: M̂_cond Δv = Δt (F̃_b − M̃_bs M̃_s⁻¹ F̃_s) with joints, M̃_s Δs = Δt F̃_s − M̃_bsᵀ Δv. */
  #moveFreely(
    matrices: PublishedMatrices,
    condense: SkinSolve,
    full: SkinSolve,
    joints: readonly Float64Array[],
    gravity: readonly number[],
  ): void {
    const { h } = this.#skin;
    const size = this.bones.length;
    const n = this.speeds.length;
    const force = this.#skinForce(matrices, gravity);
    const moved = new Float64Array(n);
    full(force, moved);
    const right = new Float64Array(size);
    for (let a = 0; a < size; a++) {
      let sum = this.#weight(matrices, gravity, a);
      for (let i = 0; i < n; i++) sum -= matrices.coupling[a * n + i] * moved[i];
      right[a] = h * sum;
    }
    const change = solveHeld(condensedBones(matrices, condense), joints, right);
    for (let i = 0; i < n; i++) {
      force[i] *= h;
      for (let a = 0; a < size; a++) force[i] -= matrices.coupling[a * n + i] * change[a];
    }
    full(force, moved);
    for (let a = 0; a < size; a++) this.bones[a] += change[a];
    for (let i = 0; i < n; i++) this.speeds[i] += moved[i];
  }

  /** F̃_s = R_Wᵀ m g − K (u + Δt u̇) [N]: eq. 4 with the velocity it leaves out. */
  #skinForce({ turns }: PublishedMatrices, gravity: readonly number[]): Float64Array {
    const { stiffness, masses, h } = this.#skin;
    const force = new Float64Array(this.speeds.length);
    for (let p = 0; p < masses.length; p++) {
      for (let k = 0; k < 3; k++) {
        for (let j = 0; j < 3; j++) force[3 * p + k] += turns[9 * p + 3 * j + k] * masses[p] * gravity[j];
        for (let i = stiffness.rowStart[p]; i < stiffness.rowStart[p + 1]; i++) {
          const at = 3 * stiffness.columns[i] + k;
          force[3 * p + k] -= stiffness.values[i] * (this.dents[at] + h * this.speeds[at]);
        }
      }
    }
    return force;
  }

  /** Entry `a` of F̃_b: the weight of the bones, and of the skin through L. */
  #weight({ carried }: PublishedMatrices, gravity: readonly number[], a: number): number {
    const { masses } = this.#skin;
    const size = this.bones.length;
    let sum = a % 6 < 3 ? this.#body.model.bones.mass[Math.floor(a / 6)] * gravity[a % 6] : 0;
    for (let row = 0; row < 3 * masses.length; row++) {
      sum += masses[Math.floor(row / 3)] * gravity[row % 3] * carried[row * size + a];
    }
    return sum;
  }

  #meetFloor(matrices: PublishedMatrices, condense: SkinSolve, joints: readonly Float64Array[], floor: number): void {
    const rows: PublishedRow[] = [];
    for (let node = 0; node < this.#skin.masses.length; node++) {
      if (this.#place(node, matrices.turns)[1] >= floor) continue;
      rows.push({ node, normal: [0, 1, 0], speed: -this.#rise(matrices, node) });
    }
    this.impulses = new Float64Array(rows.length);
    if (rows.length === 0) return;
    const { bones, skin, impulses } = publishedResponse(matrices, condense, rows, joints);
    this.impulses = impulses;
    for (let a = 0; a < bones.length; a++) this.bones[a] += bones[a];
    for (let i = 0; i < skin.length; i++) this.speeds[i] += skin[i];
  }

  /** Velocity of a node along y [m/s]. */
  #rise({ carried, turns }: PublishedMatrices, node: number): number {
    const size = this.bones.length;
    let speed = 0;
    for (let a = 0; a < size; a++) speed += carried[(3 * node + 1) * size + a] * this.bones[a];
    for (let j = 0; j < 3; j++) speed += turns[9 * node + 3 + j] * this.speeds[3 * node + j];
    return speed;
  }

  #sumUp({ bones, coupling }: PublishedMatrices): void {
    const size = this.bones.length;
    const n = this.speeds.length;
    this.momentum.fill(0);
    for (let row = 0; row < size; row++) {
      if (row % 6 > 2) continue;
      for (let a = 0; a < size; a++) this.momentum[row % 6] += bones[row * size + a] * this.bones[a];
      for (let i = 0; i < n; i++) this.momentum[row % 6] += coupling[row * n + i] * this.speeds[i];
    }
  }

  #advance(): void {
    const { h } = this.#skin;
    const { poses } = this.#body.state;
    for (let bone = 0; bone < this.#body.model.bones.count; bone++) {
      for (let k = 0; k < 3; k++) poses.translations[3 * bone + k] += h * this.bones[6 * bone + k];
      const turn = Float64Array.from({ length: 3 }, (_, k) => h * this.bones[6 * bone + 3 + k]);
      turnQuat(poses.quats, 4 * bone, turn, 0);
      poses.updateRotation(bone);
    }
    for (let i = 0; i < this.dents.length; i++) this.dents[i] += h * this.speeds[i];
  }
}

/** J_j of the ball joints: both ends move alike. Gaps are not led back: steps in comparisons are few. */
function jointRows({ model, state }: LayerBody): Float64Array[] {
  const { parents, places, centre, count } = model.bones;
  const { rotations: r } = state.poses;
  const rows: Float64Array[] = [];
  for (let child = 1; child < count; child++) {
    const own = [0, 1, 2].map(() => new Float64Array(6 * count));
    for (const [bone, sign] of [
      [child, 1],
      [parents[child], -1],
    ]) {
      const arm = [0, 1, 2].map((k) =>
        [0, 1, 2].reduce((sum, j) => sum + r[9 * bone + 3 * k + j] * (places[3 * child + j] - centre[3 * bone + j]), 0),
      );
      own.forEach((row, k) => {
        const [next, last] = [(k + 1) % 3, (k + 2) % 3];
        row[6 * bone + k] += sign;
        row[6 * bone + 3 + next] += sign * arm[last];
        row[6 * bone + 3 + last] -= sign * arm[next];
      });
    }
    rows.push(...own);
  }
  return rows;
}

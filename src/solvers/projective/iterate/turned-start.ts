/**
 * Where the iterations of a step begin for a free body that spins. The straight line x + h v stretches it by half the square of the angle it turns by, and few
 * iterations do not take that back where flesh is stiff: the body gains energy. So it goes on as one piece that turns, and changes its shape as it did in the step before:
 *
 *     ȳ + R (r + u)        r = x − x̄,   u = (r − Q r') h / h'
 *
 * with r' the step before, R the rotation nearest to all y − ȳ over r, Q that of r over r', and y where inertia alone leads. Velocities would not do for u: those of backward
 * Euler point outwards where a body turns. Only where the search for the step's end begins, never what it ends by. Called as steps begin.
 */
import type { Model } from '../../../body/model.js';
import { copyMat3, traceMat3 } from '../../../math/mat3.js';
import { POLAR_SCRATCH_LENGTH, polarRotation } from '../../../math/polar3.js';
import type { BoneMotion, InertiaWeights } from '../bones/bone-motion.js';
import type { FleshRows } from '../flesh-rows.js';
import type { Layout } from '../layout.js';
import type { ProjectiveState } from '../projective-state.js';

/** Square of a turn in one step that stretches a body by a ten thousandth [rad²]. */
const SMALL = 2e-4;

/** Begins the steps of one body. */
export class TurnedStart {
  readonly #model: Model;
  readonly #layout: Layout;
  /** Middles of what inertia leads to, of the body as it is, and of the step before [m]. */
  readonly #ahead = new Float64Array(3);
  readonly #here = new Float64Array(3);
  readonly #before = new Float64Array(3);
  /** R and Q. */
  readonly #turn = new Float64Array(9);
  readonly #lastTurn = new Float64Array(9);
  readonly #spread = new Float64Array(9);
  readonly #scratch = new Float64Array(POLAR_SCRATCH_LENGTH);
  /** Where all vertices would be by inertia alone; transforms of the bones. */
  readonly #inertial: Float64Array;
  readonly #affines: Float64Array;
  readonly #now = new Float64Array(12);
  /** h / h', 0 where there is no step before. */
  #share = 0;

  constructor(model: Model, layout: Layout) {
    this.#model = model;
    this.#layout = layout;
    this.#inertial = new Float64Array(model.vertexCount * 3);
    this.#affines = new Float64Array(model.bones.count * 12);
  }

  /** Puts flesh and bones of a free body where the iterations of a step of length `h` [s] are to begin; targets stay. */
  apply(rows: FleshRows, motion: BoneMotion, state: ProjectiveState, weights: InertiaWeights, h: number): void {
    const { positions, earlierPositions } = state;
    this.#lead(state, weights);
    this.#findMiddle(this.#here, positions);
    this.#findMiddle(this.#ahead, this.#inertial);
    this.#findTurn(this.#turn, this.#inertial, this.#ahead, positions, this.#here);
    // 1 + 2 cos: written so that what is not a number does not turn
    if (!(3 - traceMat3(this.#turn, 0) > SMALL)) return;
    const earlier = Math.abs(state.clock[1]);
    this.#share = earlier > 0 ? h / earlier : 0;
    this.#findMiddle(this.#before, earlierPositions);
    this.#findTurn(this.#lastTurn, positions, this.#here, earlierPositions, this.#before);
    const { fleshVertices } = this.#layout;
    for (let i = 0; i < fleshVertices.length; i++) {
      const v = fleshVertices[i] * 3;
      this.#place(rows.x.view, rows.rowOfVertex[fleshVertices[i]] * 4, positions, v, earlierPositions, v, 1);
    }
    this.#placeBones(motion, state);
  }

  #lead(state: ProjectiveState, weights: InertiaWeights): void {
    const { positions, velocities, earlierPositions, earlierVelocities } = state;
    const { position, velocity, earlierPosition, earlierVelocity } = weights;
    const out = this.#inertial;
    for (let i = 0; i < out.length; i++) {
      out[i] = position * positions[i] + velocity * velocities[i];
      if (earlierPosition !== 0)
        out[i] += earlierPosition * earlierPositions[i] + earlierVelocity * earlierVelocities[i];
    }
  }

  #findMiddle(out: Float64Array, at: Float64Array): void {
    const { masses, totalMass, vertexCount } = this.#model;
    let [x, y, z] = [0, 0, 0];
    for (let v = 0; v < vertexCount; v++) {
      x += masses[v] * at[v * 3];
      y += masses[v] * at[v * 3 + 1];
      z += masses[v] * at[v * 3 + 2];
    }
    out[0] = x / totalMass;
    out[1] = y / totalMass;
    out[2] = z / totalMass;
  }

  /** The rotation nearest to Σ m (to − middle)(from − its middle)ᵀ. */
  #findTurn(out: Float64Array, to: Float64Array, middle: Float64Array, from: Float64Array, start: Float64Array): void {
    const { masses, vertexCount } = this.#model;
    const [cx, cy, cz] = [middle[0], middle[1], middle[2]];
    const [sx, sy, sz] = [start[0], start[1], start[2]];
    const m = this.#spread.fill(0);
    for (let v = 0; v < vertexCount * 3; v += 3) {
      const mass = masses[v / 3];
      const x = mass * (to[v] - cx);
      const y = mass * (to[v + 1] - cy);
      const z = mass * (to[v + 2] - cz);
      const p = from[v] - sx;
      const q = from[v + 1] - sy;
      const s = from[v + 2] - sz;
      m[0] += x * p;
      m[1] += x * q;
      m[2] += x * s;
      m[3] += y * p;
      m[4] += y * q;
      m[5] += y * s;
      m[6] += z * p;
      m[7] += z * q;
      m[8] += z * s;
    }
    polarRotation(this.#spread, 0, m, 0, this.#scratch, 0);
    copyMat3(out, 0, this.#spread, 0);
  }

  #placeBones(motion: BoneMotion, { poses, earlierBones }: ProjectiveState): void {
    const affines = this.#affines;
    const now = this.#now;
    for (let bone = 0; bone < motion.count; bone++) {
      poses.writeAffine(bone, now, 0);
      for (let p = 0; p < 4; p++)
        this.#place(affines, bone * 12 + p * 3, now, p * 3, earlierBones, bone * 24 + p * 3, p === 3 ? 1 : 0);
    }
    motion.nearestRigid(affines);
  }

  /** ȳ + R (r + u); directions, `isPlace` 0, know no middles. */
  #place(
    out: Float64Array,
    o: number,
    here: Float64Array,
    i: number,
    before: Float64Array,
    j: number,
    isPlace: number,
  ): void {
    const [q, r] = [this.#lastTurn, this.#turn];
    const bx = before[j] - isPlace * this.#before[0];
    const by = before[j + 1] - isPlace * this.#before[1];
    const bz = before[j + 2] - isPlace * this.#before[2];
    let x = here[i] - isPlace * this.#here[0];
    let y = here[i + 1] - isPlace * this.#here[1];
    let z = here[i + 2] - isPlace * this.#here[2];
    const share = this.#share;
    const ux = share * (x - (q[0] * bx + q[1] * by + q[2] * bz));
    const uy = share * (y - (q[3] * bx + q[4] * by + q[5] * bz));
    const uz = share * (z - (q[6] * bx + q[7] * by + q[8] * bz));
    x += ux;
    y += uy;
    z += uz;
    out[o] = isPlace * this.#ahead[0] + r[0] * x + r[1] * y + r[2] * z;
    out[o + 1] = isPlace * this.#ahead[1] + r[3] * x + r[4] * y + r[5] * z;
    out[o + 2] = isPlace * this.#ahead[2] + r[6] * x + r[7] * y + r[8] * z;
  }
}

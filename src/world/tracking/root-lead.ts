/** Leads the root of a tracked body through space with springs to the world: an outside force, which the report names. */
import type { Model } from '../../body/model.js';
import { TendonError } from '../../errors.js';
import { conjugateQuat, multiplyQuat } from '../../math/quat.js';
import { quatToRotationVector } from '../../math/rotation-vector.js';
import { distanceSqVec3 } from '../../math/vec3.js';
import type { BoneLead } from '../../solvers/solver.js';
import { insideOf, type World, type WorldBody } from '../world.js';

const POSE = 7;

/** The lead of one body's root. */
export class RootLead {
  readonly lead: BoneLead;
  readonly #world: World;
  readonly #body: WorldBody;
  readonly #inertia: number;
  readonly #q = new Float64Array(4);
  #on = false;

  constructor(world: World, body: WorldBody, root: number) {
    this.#world = world;
    this.#body = body;
    this.#inertia = meanInertia(body.model, root);
    this.lead = {
      bone: root,
      pose: new Float64Array(POSE),
      rate: new Float64Array(6),
      turnStiffness: 0,
      turnDamping: 0,
      shiftStiffness: 0,
      shiftDamping: 0,
      wrench: new Float64Array(6),
    };
  }

  /**
   * Leads the root to its pose at the end of a step of `dt` [s], as a critically damped oscillator of `omega` [rad/s] with the whole body on it. `before`:
   * where the bones were sent last, 7 numbers each; `known`: whether they were.
   */
  follow(poses: Float64Array, omega: number, dt: number, before: Float64Array, known: boolean): void {
    const { lead } = this;
    const o = lead.bone * POSE;
    if (known) this.#measureRate(poses, before, o, dt);
    else lead.rate.fill(0);
    for (let k = 0; k < POSE; k++) lead.pose[k] = poses[o + k];
    const { totalMass } = this.#body.model;
    lead.turnStiffness = this.#inertia * omega * omega;
    lead.turnDamping = 2 * this.#inertia * omega;
    lead.shiftStiffness = totalMass * omega * omega;
    lead.shiftDamping = 2 * totalMass * omega;
    if (this.#on) return;
    const { solver } = insideOf(this.#world);
    if (!solver.lead)
      throw new TendonError('E_UNKNOWN', 'track/root', 'assisted', "this world's solver cannot: use 'projective'");
    solver.lead(this.#body.index, lead);
    this.#on = true;
  }

  release(): void {
    if (!this.#on) return;
    insideOf(this.#world).solver.lead?.(this.#body.index, undefined);
    this.lead.wrench.fill(0);
    this.#on = false;
  }

  #measureRate(poses: Float64Array, before: Float64Array, o: number, dt: number): void {
    const { rate } = this.lead;
    conjugateQuat(this.#q, 0, before, o);
    multiplyQuat(this.#q, 0, poses, o, this.#q, 0);
    quatToRotationVector(rate, 0, this.#q, 0);
    for (let k = 0; k < 3; k++) {
      rate[k] /= dt;
      rate[3 + k] = (poses[o + 4 + k] - before[o + 4 + k]) / dt;
    }
  }
}

/** A third of the trace of the whole body's inertia about a bone's centre of mass at rest [kg m²]. */
function meanInertia({ bones, positions, masses, vertexCount }: Model, bone: number): number {
  let sum = 0;
  for (let v = 0; v < vertexCount; v++) sum += masses[v] * distanceSqVec3(positions, v * 3, bones.centre, bone * 3);
  return (2 / 3) * sum;
}

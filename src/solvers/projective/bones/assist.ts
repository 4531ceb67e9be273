/**
 * A bone that is led through space: springs and dampers to the world, taken at the end of the step like the motors of joints, so that no gain
 * is too high. With q, p turn and place of the bone, q_n, p_n those at the start of the step:
 *
 *     moment  k log(target q*) + d (rate + log(q_n q*)/h)          force  k (target − p) + d (rate − (p − p_n)/h)
 *
 * What it does is an outside force: the body is no longer free. Owned by motors.ts, which calls it wherever motors act.
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import { conjugateQuat, copyQuat, multiplyQuat } from '../../../math/quat.js';
import { quatToRotationVector } from '../../../math/rotation-vector.js';
import { copyVec3, dotVec3 } from '../../../math/vec3.js';
import type { BoneLead } from '../../solver.js';
import type { Actuator, MoveWork } from './actuator.js';
import type { BoneSystem } from './bone-system.js';
import { addDiagonal } from './system-blocks.js';

/** Leads one bone of one body. */
export class Assist implements Actuator {
  /** Moment [N m] and force [N] on the bone at the poses last measured, world axes, less what counts as balanced. */
  readonly wrench = new Float64Array(6);
  readonly #base = new Float64Array(6);
  readonly #startTurn = new Float64Array(4);
  readonly #startPlace = new Float64Array(3);
  readonly #keptTurn = new Float64Array(4);
  readonly #keptPlace = new Float64Array(3);
  readonly #keptWrench = new Float64Array(6);
  readonly #q = new Float64Array(4);
  readonly #way = new Float64Array(3);
  #lead: BoneLead | undefined;
  #h = 1;

  get any(): boolean {
    return this.#lead !== undefined;
  }

  /** Starts a step of `h` [s] from these poses; call before the motors start. */
  restart(lead: BoneLead | undefined, { quats, translations }: BonePoses, h: number): void {
    this.#lead = lead;
    this.#h = h;
    this.#base.fill(0);
    if (!lead) return;
    copyQuat(this.#startTurn, 0, quats, lead.bone * 4);
    copyVec3(this.#startPlace, 0, translations, lead.bone * 3);
  }

  /** Fills `wrench` at these poses. */
  measure({ quats, translations }: BonePoses): void {
    const lead = this.#lead;
    if (!lead) return;
    const { wrench } = this;
    wrench.fill(0);
    this.#addTurn(lead.pose, quats, lead.bone * 4, lead.turnStiffness);
    this.#addTurn(this.#startTurn, quats, lead.bone * 4, lead.turnDamping / this.#h);
    for (let k = 0; k < 3; k++) {
      const at = translations[lead.bone * 3 + k];
      const speed = (at - this.#startPlace[k]) / this.#h;
      wrench[k] += lead.turnDamping * lead.rate[k] - this.#base[k];
      wrench[3 + k] =
        lead.shiftStiffness * (lead.pose[4 + k] - at) +
        lead.shiftDamping * (lead.rate[3 + k] - speed) -
        this.#base[3 + k];
    }
  }

  /** The wrench as it is now counts as balanced: from here on only what changes it pulls. */
  keepBase(poses: BonePoses): void {
    this.#base.fill(0);
    this.measure(poses);
    if (this.any) this.#base.set(this.wrench);
  }

  releaseBase(): void {
    this.#base.fill(0);
  }

  addStiffness(system: BoneSystem): void {
    const lead = this.#lead;
    if (!lead || !system.isMovable(lead.bone)) return;
    // alike in all directions: the same in the axes of the bone
    const turn = lead.turnStiffness + lead.turnDamping / this.#h;
    addDiagonal(system, lead.bone, turn, lead.shiftStiffness + lead.shiftDamping / this.#h);
  }

  /** Adds `share` of the wrench to the right-hand side. */
  addForces(system: BoneSystem, { rotations }: BonePoses, share: number): void {
    const lead = this.#lead;
    if (!lead || !system.isMovable(lead.bone)) return;
    const first = system.order.start[lead.bone];
    system.turnedColumn(system.unknowns, first, rotations, lead.bone, this.wrench, 0, share);
    system.turnedColumn(system.unknowns, first + 3, rotations, lead.bone, this.wrench, 3, share);
  }

  /** Remembers pose and wrench, for `addWork`. */
  keep(poses: BonePoses): void {
    const lead = this.#lead;
    if (!lead) return;
    this.measure(poses);
    this.#keptWrench.set(this.wrench);
    copyQuat(this.#keptTurn, 0, poses.quats, lead.bone * 4);
    copyVec3(this.#keptPlace, 0, poses.translations, lead.bone * 3);
  }

  /** Adds the work since `keep` [J]: with the wrench it had then, and with the one it has now. */
  addWork(poses: BonePoses, work: MoveWork): void {
    const lead = this.#lead;
    if (!lead) return;
    this.measure(poses);
    conjugateQuat(this.#q, 0, this.#keptTurn, 0);
    multiplyQuat(this.#q, 0, poses.quats, lead.bone * 4, this.#q, 0);
    quatToRotationVector(this.#way, 0, this.#q, 0);
    work.before += dotVec3(this.#keptWrench, 0, this.#way, 0);
    work.after += dotVec3(this.wrench, 0, this.#way, 0);
    for (let k = 0; k < 3; k++) this.#way[k] = poses.translations[lead.bone * 3 + k] - this.#keptPlace[k];
    work.before += dotVec3(this.#keptWrench, 3, this.#way, 0);
    work.after += dotVec3(this.wrench, 3, this.#way, 0);
  }

  /** wrench += factor log(to q*). */
  #addTurn(to: Float64Array, quats: Float64Array, at: number, factor: number): void {
    if (factor === 0) return;
    conjugateQuat(this.#q, 0, quats, at);
    multiplyQuat(this.#q, 0, to, 0, this.#q, 0);
    quatToRotationVector(this.#way, 0, this.#q, 0);
    for (let k = 0; k < 3; k++) this.wrench[k] += factor * this.#way[k];
  }
}

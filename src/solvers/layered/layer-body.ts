/** One character of the layered solver: the state of its bones and dents, how its bones are driven, and the scratch of its step. */
import { BonePoses } from '../../body/bone-poses.js';
import { BoneFronts } from '../../linalg/bone-fronts.js';
import { BoneMobility } from '../../linalg/bone-mobility.js';
import { normaliseQuat, rotateVec3 } from '../../math/quat.js';
import type { HeldPoint } from '../solver.js';
import { JointMotors } from './joints/joint-motors.js';
import { JointRows } from './joints/joint-rows.js';
import { PoseLimits } from './joints/pose-limits.js';
import type { LayerModel } from './layer-model.js';
import { type LayerRoom, makeLayerRoom } from './layer-room.js';
import type { Compliance } from './skin/skin-compliance.js';
import { SKIN_MATRIX } from './skin/skinning.js';
import { WOBBLE_STRIDE, Wobble } from './skin/wobble.js';

/** How a bone is driven: not at all, exactly, or by its joint towards a pose, so that it gives way to what it touches. */
export const LIMP = 0;
export const KINEMATIC = 1;
export const TRACKED = 2;

/** The arrays that know a character completely. */
export interface LayerState {
  readonly poses: BonePoses;
  /** Angular velocity, 3 per bone [rad/s]. */
  readonly spins: Float64Array;
  /** Velocity of the centre of mass, 3 per bone [m/s]. */
  readonly velocities: Float64Array;
  /** Dent of each node that can touch, in the rest shape, 3 per node [m]. */
  readonly dents: Float64Array;
  /** What dents the skin, as a force on each node in the rest shape, 3 per node [N]: the dents are its compliance times these. */
  readonly pulls: Float64Array;
  /** Force on each touched node in the last step, and what of it the core carried along the normal, 4 per node [N]: a warm start. */
  readonly touch: Float64Array;
  /** LIMP, TRACKED or KINEMATIC. */
  readonly drive: Int32Array;
  /** Where driven bones are to be at the end of the next step, and were at the end of the last: quaternion and centre, 7 per bone. */
  readonly targets: Float64Array;
  readonly earlierTargets: Float64Array;
  /** Motors of the joints, MOTOR_STRIDE numbers per joint (motor-state.ts). */
  readonly motors: Float64Array;
  /** Torque of the limits and of the motor on the second bone of each joint in the last step, 3 each, world axes [N m]. */
  readonly jointTorques: Float64Array;
  /** Oscillators of flesh that wobbles, WOBBLE_STRIDE numbers each; none in most bodies. */
  readonly wobble: Float64Array;
}

/** Makes room for the state of a model. */
export function createLayerState({ nodeCount, bones: { count }, joints, modes }: LayerModel): LayerState {
  return {
    // the last is the frame the rest shape was put down in
    poses: new BonePoses(count + 1),
    spins: new Float64Array(3 * count),
    velocities: new Float64Array(3 * count),
    dents: new Float64Array(3 * nodeCount),
    pulls: new Float64Array(3 * nodeCount),
    touch: new Float64Array(4 * nodeCount),
    drive: new Int32Array(count),
    targets: new Float64Array(7 * count),
    earlierTargets: new Float64Array(7 * count),
    motors: joints.motors.slice(),
    jointTorques: new Float64Array(6 * joints.count),
    wobble: new Float64Array(WOBBLE_STRIDE * (modes?.count ?? 0)),
  };
}

/** A character and its scratch. */
export class LayerBody {
  readonly model: LayerModel;
  readonly state: LayerState;
  readonly room: LayerRoom;
  readonly fronts: BoneFronts;
  readonly mobility: BoneMobility;
  /** Flesh that lags behind, where it does; and the rest shape with it, the model's where it does not, 3 per node [m]. */
  readonly wobble: Wobble | undefined;
  readonly rest: Float64Array;
  /** How its skin yields: the model's, but for comparisons. */
  compliance: Compliance;
  readonly motors: JointMotors;
  readonly rows: JointRows;
  readonly limits: PoseLimits;
  /** Where bones would be without contact at the end of the step. */
  readonly free: BonePoses;
  /** Matrices that place nodes at the start of the step, and without contact at its end. */
  readonly startMatrices: Float64Array;
  readonly freeMatrices: Float64Array;
  /** World inertia about the centre, 9 per bone. */
  readonly inertia: Float64Array;
  /** Nodes with a dent, how many, and 1 for each of them in `isDented`. */
  readonly dented: Int32Array;
  dentedCount = 0;
  readonly isDented: Int32Array;
  /** Nodes with a pull or a push, how many, and 1 for each of them; and the pushes of this step, 3 per node [N]. */
  readonly pulled: Int32Array;
  pulledCount = 0;
  readonly isPulled: Uint8Array;
  readonly pushes: Float64Array;
  /** Nodes that were touched in the last step, and how many. */
  readonly touched: Int32Array;
  touchedCount = 0;
  /** Longest dent, of all and of the nodes of each bone [m]. */
  deepestDent = 0;
  /** Longest dent as a share of the skin's depth at its node. */
  dentShare = 0;
  readonly boneDent: Float64Array;
  /** Side of a contact at each node while links are built, -1 for none. */
  readonly sideOfNode: Int32Array;
  /** 1 for bones with contacts and all above them in this step. */
  readonly needed: Int32Array;
  /** Points that are pulled somewhere. */
  grips: readonly HeldPoint[] = [];
  /** Outside force on each node, 3 per node [N], and whether there was any in this step. */
  forces: Float64Array | undefined;
  isPushed = false;
  /** Whether anybody ever asked for the outside forces: where nobody did there are none, and they need not be looked through. */
  mayBePushed = false;
  /** Looks for it faster than a loop here, where there are kernels. */
  findForce: (() => number) | undefined;

  constructor(model: LayerModel, state: LayerState = createLayerState(model), room = makeLayerRoom(model)) {
    const { count } = model.bones;
    this.model = model;
    this.compliance = model.compliance;
    this.wobble = model.modes && new Wobble(model.modes);
    this.rest = model.modes ? model.positions.slice() : model.positions;
    this.state = state;
    this.room = room;
    this.fronts = new BoneFronts(model.bones.parents, room.bones);
    this.mobility = new BoneMobility(this.fronts);
    this.needed = room.bones.takeWhole(1);
    room.bones.takeWhole(2).set(model.bones.walk);
    this.limits = new PoseLimits(model);
    this.rows = new JointRows(this, room);
    this.motors = new JointMotors(model);
    const { moves } = room;
    this.startMatrices = moves.subarray(0, SKIN_MATRIX * count);
    this.freeMatrices = moves.subarray(SKIN_MATRIX * count, 24 * count);
    const [quats, rotations] = [moves.subarray(24 * count, 28 * count), moves.subarray(28 * count, 37 * count)];
    this.free = new BonePoses(count, quats, rotations, moves.subarray(37 * count, 40 * count));
    this.boneDent = moves.subarray(40 * count, 41 * count);
    this.inertia = new Float64Array(9 * count);
    this.dented = new Int32Array(model.nodeCount);
    this.isDented = room.isDented;
    this.pulled = new Int32Array(model.nodeCount);
    this.isPulled = new Uint8Array(model.nodeCount);
    this.pushes = new Float64Array(3 * model.nodeCount);
    this.touched = new Int32Array(model.nodeCount);
    this.sideOfNode = new Int32Array(model.nodeCount).fill(-1);
    this.fronts.axisCount.set(model.bones.axisCount);
    for (let bone = 0; bone < count; bone++) this.fronts.axes.set([1, 0, 0, 0, 1, 0, 0, 0, 1], 9 * bone);
  }

  /** Puts the rest shape at a place, unmoving and undented; kinematic bones stay there. */
  place(position: ArrayLike<number>, rotation: ArrayLike<number>): void {
    const { count, centre, kinematic } = this.model.bones;
    const { poses, spins, velocities, dents, pulls, touch, drive, targets, earlierTargets } = this.state;
    const { jointTorques, wobble } = this.state;
    for (const array of [spins, velocities, dents, pulls, touch, jointTorques, wobble]) array.fill(0);
    this.state.motors.set(this.model.joints.motors);
    for (let bone = 0; bone < count; bone++) {
      normaliseQuat(poses.quats, 4 * bone, rotation, 0);
      rotateVec3(poses.translations, 3 * bone, poses.quats, 4 * bone, centre, 3 * bone);
      for (let k = 0; k < 3; k++) poses.translations[3 * bone + k] += position[k];
      drive[bone] = kinematic[bone];
      targets.set(poses.quats.subarray(4 * bone, 4 * bone + 4), 7 * bone);
      targets.set(poses.translations.subarray(3 * bone, 3 * bone + 3), 7 * bone + 4);
    }
    earlierTargets.set(targets);
    normaliseQuat(poses.quats, 4 * count, rotation, 0);
    for (let k = 0; k < 3; k++) poses.translations[3 * count + k] = position[k];
    this.refresh();
  }

  /** The first node with an outside force; the number of nodes where there is none. */
  firstForce(): number {
    const { forces, model } = this;
    if (forces === undefined || !this.mayBePushed) return model.nodeCount;
    if (this.findForce) return this.findForce();
    let i = 0;
    while (i < forces.length && forces[i] === 0) i++;
    return Math.floor(i / 3);
  }

  /** Puts a node on the list of those with a pull. */
  listPulled(p: number): void {
    if (this.isPulled[p] === 1) return;
    this.isPulled[p] = 1;
    this.pulled[this.pulledCount++] = p;
  }

  /** Call after the state was written from outside: finds the lists that follow from it. */
  refresh(): void {
    const { dents, pulls, touch, poses } = this.state;
    for (let bone = 0; bone <= this.model.bones.count; bone++) poses.updateRotation(bone);
    this.dentedCount = 0;
    this.touchedCount = 0;
    this.pulledCount = 0;
    this.isPulled.fill(0);
    this.pushes.fill(0);
    for (let p = 0; p < this.model.nodeCount; p++) {
      const isDented = dents[3 * p] !== 0 || dents[3 * p + 1] !== 0 || dents[3 * p + 2] !== 0;
      this.isDented[p] = isDented ? 1 : 0;
      if (isDented) this.dented[this.dentedCount++] = p;
      if (pulls[3 * p] !== 0 || pulls[3 * p + 1] !== 0 || pulls[3 * p + 2] !== 0) this.listPulled(p);
      const o = 4 * p;
      if (touch[o] !== 0 || touch[o + 1] !== 0 || touch[o + 2] !== 0 || touch[o + 3] !== 0) {
        this.touched[this.touchedCount++] = p;
      }
    }
    this.measureDents();
    this.wobble?.place(this);
  }

  /** Finds the longest dent. */
  measureDents(): void {
    const { dents } = this.state;
    const { boneDent } = this;
    const { owners, depths } = this.model;
    boneDent.fill(0);
    this.deepestDent = 0;
    let share = 0;
    for (let i = 0; i < this.dentedCount; i++) {
      const p = this.dented[i];
      const d = 3 * p;
      const square = dents[d] * dents[d] + dents[d + 1] * dents[d + 1] + dents[d + 2] * dents[d + 2];
      if (square > boneDent[owners[4 * p]]) boneDent[owners[4 * p]] = square;
      if (square > share * depths[p] * depths[p]) share = square / (depths[p] * depths[p]);
    }
    this.dentShare = Math.sqrt(share);
    for (let bone = 0; bone < boneDent.length; bone++) {
      boneDent[bone] = Math.sqrt(boneDent[bone]);
      if (boneDent[bone] > this.deepestDent) this.deepestDent = boneDent[bone];
    }
  }
}

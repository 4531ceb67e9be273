/**
 * The state of a body of rigid parts: its vertices go with its bones, so that where they are is worked out when somebody asks. A pile of a thousand
 * bodies has hundreds of thousands of them, and most steps nobody looks.
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import type { Model } from '../../../body/model.js';
import type { BodyState, StateArray } from '../../../body/state.js';
import { carryVertex } from '../bone-rates.js';
import type { ForceKeeper } from '../force-keeper.js';
import type { CoupledState } from '../motors.js';

/** The state of a body of rigid parts. A class: what is asked for is answered by one getter for all bodies, where a getter of each one's own made every look at any of a thousand states a search. */
export class RigidState implements CoupledState {
  readonly poses: BonePoses;
  readonly boneRates: Float64Array;
  readonly boneTargets: Float64Array;
  readonly kinematic: Int32Array;
  readonly clock: Float64Array;
  readonly sources: readonly Float64Array[];
  readonly motors: Float64Array;
  readonly jointTorques: Float64Array;
  readonly arrays: readonly StateArray[];
  readonly keeper: ForceKeeper;
  readonly #positions: Float64Array;
  readonly #velocities: Float64Array;
  readonly #reader: VertexReader;

  constructor(model: Model, made: BodyState, own: Pick<CoupledState, 'motors' | 'jointTorques'>, keeper: ForceKeeper) {
    const { positions, velocities, poses, boneRates } = made;
    this.poses = poses;
    this.boneRates = boneRates;
    this.boneTargets = made.boneTargets;
    this.kinematic = made.kinematic;
    this.clock = made.clock;
    this.sources = [poses.quats, poses.translations, boneRates];
    this.motors = own.motors;
    this.jointTorques = own.jointTorques;
    const kept = made.arrays.filter((array) => array !== positions && array !== velocities);
    this.arrays = [...kept, own.motors, own.jointTorques];
    this.keeper = keeper;
    this.#positions = positions;
    this.#velocities = velocities;
    this.#reader = new VertexReader(model, made);
  }

  get positions(): Float64Array {
    this.#reader.refresh();
    return this.#positions;
  }

  get velocities(): Float64Array {
    this.#reader.refresh();
    return this.#velocities;
  }

  get forces(): Float64Array {
    return this.keeper.forces;
  }
}

/** Works out the vertices of a body. */
class VertexReader {
  readonly #model: Model;
  readonly #state: BodyState;
  /** What the vertices were worked out from. */
  readonly #known: readonly Float64Array[];
  readonly #sources: readonly Float64Array[];

  constructor(model: Model, state: BodyState) {
    this.#model = model;
    this.#state = state;
    this.#sources = [state.poses.quats, state.poses.translations, state.boneRates];
    this.#known = this.#sources.map((array) => new Float64Array(array.length).fill(Number.NaN));
  }

  /** Brings the vertices to where the bones are, if they are not there. */
  refresh(): void {
    let isSame = true;
    for (let n = 0; n < this.#sources.length; n++) isSame &&= take(this.#known[n], this.#sources[n]);
    if (isSame) return;
    const { bones, positions: rest } = this.#model;
    const { poses, boneRates, positions, velocities } = this.#state;
    const { translations, rotations } = poses;
    for (let bone = 0; bone < bones.count; bone++) {
      for (let n = bones.vertexStart[bone]; n < bones.vertexStart[bone + 1]; n++) {
        const at = bones.vertices[n] * 3;
        carryVertex(at, rest, bones.centre, bone, translations, rotations, boneRates, positions, velocities);
      }
    }
  }
}

/** known = now; whether it was so already. */
function take(known: Float64Array, now: Float64Array): boolean {
  let isSame = true;
  for (let i = 0; i < now.length; i++) {
    if (known[i] !== now[i]) isSame = false;
    known[i] = now[i];
  }
  return isSame;
}

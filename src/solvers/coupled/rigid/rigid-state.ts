/**
 * The state of a body of rigid parts: its vertices go with its bones, so that where they are is worked out when somebody asks. A pile of a thousand
 * bodies has hundreds of thousands of them, and most steps nobody looks.
 */
import type { Model } from '../../../body/model.js';
import type { BodyState } from '../../../body/state.js';
import { carryVertex } from '../bone-rates.js';

/** The state with positions and velocities that follow the bones. */
export function followBones(model: Model, state: BodyState): BodyState {
  const reader = new VertexReader(model, state);
  const { poses, boneRates, positions, velocities } = state;
  return {
    ...state,
    get positions() {
      reader.refresh();
      return positions;
    },
    get velocities() {
      reader.refresh();
      return velocities;
    },
    sources: [poses.quats, poses.translations, boneRates],
    arrays: state.arrays.filter((array) => array !== positions && array !== velocities),
  };
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

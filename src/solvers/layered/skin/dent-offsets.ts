/**
 * Dents as whoever draws a character by its bones alone needs them: how far a vertex of the rest shape has to be moved so that
 * its bones carry it to where the solver has it, S⁻¹ Q u with S = Σ w R, and what it wobbles. Nothing is worked out where there is neither.
 */
import type { BodyState } from '../../../body/state.js';
import { invertMat3 } from '../../../math/mat3-inverse.js';
import { OWNERS } from '../layer-model.js';
import type { LayeredModel } from '../layered-model.js';
import { nodeRotation } from './skinning.js';

/** Shorter dents are not seen [m]. */
const UNSEEN = 1e-6;
/** Where bones at one node turn against each other so much that the skin all but collapses, S is no help: the dent is left out. */
const LEAST_DETERMINANT = 1 / 64;

const BLEND = new Float64Array(9);
const ROTATION = new Float64Array(9);
const TURNED = new Float64Array(3);

/** The state of a layered body. */
export interface LayeredBodyState extends BodyState {
  /** Dent of each node in the rest shape, 3 per node [m]. */
  readonly dents: Float64Array;
  /** The rest shape, as it wobbles, 3 per node [m]. */
  readonly rest: Float64Array;
  /** Motors of the joints, and torques of limits and motors in the last step (`LayerState`). */
  readonly motors: Float64Array;
  readonly jointTorques: Float64Array;
}

/** Writes the nodes that are dented and how far they are to be moved, 3 numbers each; returns how many there are. */
export function dentOffsets(
  { layer }: LayeredModel,
  { dents, poses, rest }: LayeredBodyState,
  nodes: Int32Array,
  offsets: Float32Array,
): number {
  const wobbles = rest !== layer.positions;
  let count = 0;
  for (let p = 0; p < layer.nodeCount; p++) {
    const x = dents[3 * p];
    const y = dents[3 * p + 1];
    const z = dents[3 * p + 2];
    const isDented = x * x + y * y + z * z > UNSEEN * UNSEEN;
    if (!isDented && !wobbles) continue;
    for (let k = 0; k < 3; k++) offsets[3 * count + k] = rest[3 * p + k] - layer.positions[3 * p + k];
    if (isDented && blendRotations(layer.owners, layer.weights, poses.rotations, p)) {
      nodeRotation(layer, poses.quats, p, ROTATION, 0);
      for (let k = 0; k < 3; k++) TURNED[k] = ROTATION[3 * k] * x + ROTATION[3 * k + 1] * y + ROTATION[3 * k + 2] * z;
      for (let k = 0; k < 3; k++) {
        offsets[3 * count + k] +=
          BLEND[3 * k] * TURNED[0] + BLEND[3 * k + 1] * TURNED[1] + BLEND[3 * k + 2] * TURNED[2];
      }
    }
    nodes[count++] = p;
  }
  return count;
}

/** BLEND = (Σ w R)⁻¹ at a node; false where it has none worth using. */
function blendRotations(owners: Int32Array, weights: Float64Array, r: Float64Array, p: number): boolean {
  BLEND.fill(0);
  for (let k = OWNERS * p; k < OWNERS * p + OWNERS; k++) {
    for (let i = 0; i < 9; i++) BLEND[i] += weights[k] * r[9 * owners[k] + i];
  }
  const [a, b, c, d, e, f, g, h, i] = BLEND;
  const determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
  return determinant > LEAST_DETERMINANT && invertMat3(BLEND, 0, BLEND, 0);
}

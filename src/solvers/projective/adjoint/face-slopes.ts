/**
 * Where a vertex of one body pushes a face of another, what the face was like when the step began: its normal n, along which they push, and the point of it that is
 * pushed, by its weights w. Both move with the vertices x_i of the face and with the vertex r over it; with g_i the slopes of the weights over the face,
 *
 *     δn = −Σ g_i (n·δx_i)          δw_i = g_i · δ(r − Σ w x)
 *
 * A force f = N n + t on r that does d = u_r − Σ w u_i, u the slopes by forces, changes by N δn − (δn·t) n; what the normal keeps, n·r, by δn·slip.
 * Called once the slopes of bodies in touch are solved for.
 */
import { CONTACT_VERTICES } from '../../../collision/contact-buffer.js';
import { multiplyMat3Vec3 } from '../../../math/mat3.js';
import { crossVec3, dotVec3 } from '../../../math/vec3.js';
import type { StateSlopes } from '../../step-slopes.js';
import { type ContactGround, type ContactRow, type RowSide, writePushedArm } from './contact-rows.js';
import { addPlace } from './contact-slopes.js';

/** What is known of a body that takes part. */
export interface FaceBody {
  /** Where its vertices were when the step began. */
  readonly before: Float64Array;
  readonly slopes: StateSlopes;
}

/** Whether a contact is one of a vertex with a face. */
export function isOnFace(row: ContactRow): boolean {
  if (row.isTangent || row.sides.length !== 2) return false;
  const [first, second] = row.sides.map(({ taped, n }) =>
    taped.weights.subarray(n * CONTACT_VERTICES, (n + 1) * CONTACT_VERTICES),
  );
  return first[0] === 1 && second[3] === 0 && second[0] >= 0 && second[1] >= 0 && second[2] >= 0;
}

/** Adds the slopes by vertex and face; `kept`: slope by what the normal keeps, `mu`: slopes by forces of all bodies. */
export function pullFaceBack(
  row: ContactRow,
  kept: number,
  mu: Float64Array,
  bodyOf: (ground: ContactGround) => FaceBody,
): void {
  const [tip, face] = row.sides;
  const [above, below] = [bodyOf(tip.ground), bodyOf(face.ground)];
  const n = row.direction;
  const corners = face.taped.vertices.subarray(face.n * CONTACT_VERTICES, face.n * CONTACT_VERTICES + 3);
  const weights = face.taped.weights.subarray(face.n * CONTACT_VERTICES, face.n * CONTACT_VERTICES + 3);
  const gradients = weightSlopes(below.before, corners, n);
  const force = tip.taped.force.subarray(tip.n * 3, tip.n * 3 + 3);
  const slip = tip.taped.slip.subarray(tip.n * 3, tip.n * 3 + 3);
  const push = dotVec3(force, 0, n, 0);
  const done = moveOf(tip, tip.taped.vertices[tip.n * CONTACT_VERTICES], mu);
  const moves = [...corners].map((v) => moveOf(face, v, mu));
  for (let k = 0; k < 3; k++) for (let i = 0; i < 3; i++) done[k] -= weights[i] * moves[i][k];
  const across = dotVec3(n, 0, done, 0);
  // slopes by the normal, and by where r is over the face
  const turn = done.map((d, k) => push * d - (force[k] - push * n[k]) * across - kept * slip[k]);
  const place = new Float64Array(3);
  for (let i = 0; i < 3; i++) for (let k = 0; k < 3; k++) place[k] -= gradients[i][k] * dotVec3(force, 0, moves[i], 0);
  addPlace(tip.ground, tip.taped.vertices[tip.n * CONTACT_VERTICES], place, above.slopes);
  for (let i = 0; i < 3; i++) {
    const along = dotVec3(gradients[i], 0, turn, 0);
    const slope = place.map((p, k) => -weights[i] * p - along * n[k]);
    addPlace(face.ground, corners[i], slope, below.slopes);
  }
}

/** Slopes of the weights of a triangle's corners over its plane, whose normal is n. */
function weightSlopes(x: Float64Array, corners: Int32Array, n: Float64Array): Float64Array[] {
  const edge = (from: number, to: number) =>
    Float64Array.from({ length: 3 }, (_, k) => x[corners[to] * 3 + k] - x[corners[from] * 3 + k]);
  const area = new Float64Array(3);
  crossVec3(area, 0, edge(0, 1), 0, edge(0, 2), 0);
  const twice = dotVec3(area, 0, n, 0);
  return [edge(1, 2), edge(2, 0), edge(0, 1)].map((opposite) => {
    const slope = new Float64Array(3);
    crossVec3(slope, 0, n, 0, opposite, 0);
    return slope.map((s) => s / twice);
  });
}

/** u of a vertex: by a force on it. */
function moveOf({ ground }: RowSide, v: number, mu: Float64Array): Float64Array {
  const { model, firstBone, end, fixed, first } = ground;
  const out = new Float64Array(3);
  const bone = model.bones.ofVertex[v];
  const at = bone < 0 ? ground.unknownOf(v) : -1;
  if (at >= 0) out.set(mu.subarray(first + at, first + at + 3));
  if (bone < 0 || fixed[bone]) return out;
  const [turn, arm] = [new Float64Array(3), new Float64Array(3)];
  multiplyMat3Vec3(turn, 0, end.rotations, bone * 9, mu, first + firstBone + bone * 6);
  multiplyMat3Vec3(out, 0, end.rotations, bone * 9, mu, first + firstBone + bone * 6 + 3);
  writePushedArm(arm, ground, v, bone);
  crossVec3(arm, 0, turn, 0, arm, 0);
  for (let k = 0; k < 3; k++) out[k] += arm[k];
  return out;
}

/** Where a held point is: the weighted mean of its vertices. Called by the springs that pull it. */
import type { Model } from '../../../body/model.js';
import type { BodyState } from '../../../body/state.js';
import type { HeldPoint } from '../../solver.js';
import type { BoneMotion } from '../bones/bone-motion.js';
import type { FleshRows } from '../flesh-rows.js';

/** When the step begins, to out[0..3) [m]. */
export function heldStart({ vertices, weights }: HeldPoint, { positions }: BodyState, out: Float64Array): void {
  out.fill(0);
  for (let i = 0; i < vertices.length; i++) {
    for (let k = 0; k < 3; k++) out[k] += weights[i] * positions[vertices[i] * 3 + k];
  }
}

/** At the positions of the step in progress, to out[0..3) [m]. */
export function heldPosition(
  model: Model,
  rows: FleshRows,
  motion: BoneMotion,
  point: HeldPoint,
  out: Float64Array,
): void {
  const { bones, positions } = model;
  const { rotations, translations } = motion.poses;
  out.fill(0);
  for (let i = 0; i < point.vertices.length; i++) {
    const v = point.vertices[i];
    const row = rows.rowOfVertex[v];
    const bone = bones.ofVertex[v];
    for (let k = 0; k < 3; k++) {
      let value = 0;
      if (bone >= 0) {
        value = translations[bone * 3 + k];
        for (let p = 0; p < 3; p++) {
          value += rotations[bone * 9 + k * 3 + p] * (positions[v * 3 + p] - bones.centre[bone * 3 + p]);
        }
      } else if (row < rows.fleshCount) value = rows.x.view[row * 4 + k];
      out[k] += point.weights[i] * value;
    }
  }
}

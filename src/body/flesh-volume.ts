/** How much of its rest volume the flesh of a body has, for the certificate: what squeezes it shows here, whichever solver moves it. */
import type { Model } from './model.js';
import type { BodyState } from './state.js';

/** Volume of all tets but those of a single bone, as a share of that at rest; tets inside out count as less than nothing. 1 where there is no flesh. */
export function fleshVolume(
  { tets, tetCount, volumes, bones: { ofVertex } }: Model,
  { positions: x }: BodyState,
): number {
  let now = 0;
  let rest = 0;
  for (let tet = 0; tet < tetCount; tet++) {
    const o = tets[tet * 4];
    const p = tets[tet * 4 + 1];
    const q = tets[tet * 4 + 2];
    const r = tets[tet * 4 + 3];
    const bone = ofVertex[o];
    if (bone >= 0 && ofVertex[p] === bone && ofVertex[q] === bone && ofVertex[r] === bone) continue;
    const bx = x[q * 3] - x[o * 3];
    const by = x[q * 3 + 1] - x[o * 3 + 1];
    const bz = x[q * 3 + 2] - x[o * 3 + 2];
    const cx = x[r * 3] - x[o * 3];
    const cy = x[r * 3 + 1] - x[o * 3 + 1];
    const cz = x[r * 3 + 2] - x[o * 3 + 2];
    now += (x[p * 3] - x[o * 3]) * (by * cz - bz * cy);
    now += (x[p * 3 + 1] - x[o * 3 + 1]) * (bz * cx - bx * cz);
    now += (x[p * 3 + 2] - x[o * 3 + 2]) * (bx * cy - by * cx);
    rest += volumes[tet];
  }
  return rest > 0 ? now / (6 * rest) : 1;
}

/** What is asked of bones at the end of a step. */
import type { BoneMotion } from './bone-motion.js';

/** Whether every number of the poses is finite. */
export function areFinite(motion: BoneMotion): boolean {
  // x − x is 0 for finite numbers and NaN for all others
  let sum = 0;
  const { quats, translations } = motion.poses;
  for (let i = 0; i < quats.length; i++) sum += quats[i] - quats[i];
  for (let i = 0; i < translations.length; i++) sum += translations[i] - translations[i];
  return sum === 0;
}

/** Largest |RᵀR − I| of any bone. */
export function measureRigidity(motion: BoneMotion): number {
  let worst = 0;
  const r = motion.poses.rotations;
  for (let bone = 0; bone < motion.count; bone++) {
    let sum = 0;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        let dot = i === j ? -1 : 0;
        for (let k = 0; k < 3; k++) dot += r[bone * 9 + k * 3 + i] * r[bone * 9 + k * 3 + j];
        sum += dot * dot;
      }
    }
    worst = Math.max(worst, Math.sqrt(sum));
  }
  return worst;
}

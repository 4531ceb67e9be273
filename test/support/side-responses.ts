/** Bodies made up for contact: how their sides move each other, by numbers. */
import type { FleshAndBones } from '../../src/solvers/projective/outside/flesh-and-bones.js';

/** Any symmetric flesh response of so many sides in two regions, and two bones with any symmetric inverse. */
export function fillResponse(
  { flesh, bones, isSoft }: FleshAndBones,
  sides: number,
  random: { range(low: number, high: number): number },
): void {
  for (let i = 0; i < sides; i++) {
    if (isSoft) {
      for (let k = 0; k < 4; k++) flesh.setRegion(i, k, k % 2, 0.25);
      flesh.beginRow(i);
      for (let region = 0; region < 2; region++) flesh.addRegion(i, region, 0.05);
      for (let j = 0; j < sides; j++) flesh.add(j, i === j ? 1 + (i % 3) : 0.3 / sides);
      flesh.endRow(i);
    }
    bones.beginSide(i);
    for (let bone = 0; bone < 2; bone++) {
      bones.addEntry(
        bone,
        Float64Array.from([0, 1, 2, 3], () => random.range(-1, 1)),
      );
    }
    bones.endSide(i);
  }
  const n = bones.count * 6;
  for (let r = 0; r < n; r++) {
    for (let c = 0; c <= r; c++) {
      const value = r === c ? 2 : random.range(-0.1, 0.1);
      bones.inverse[r * n + c] = value;
      bones.inverse[c * n + r] = value;
    }
  }
  for (let i = 0; i < sides; i++) bones.solve(i);
}

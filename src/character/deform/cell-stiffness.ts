/** How stiff each cell of a lattice is beside the others, where a character's flesh is made of several materials. Called once per character. */
import type { BodyDef } from '../../body/body-def.js';
import { square } from '../../math/powers.js';
import type { HexLattice } from '../../mesh/hexes/hex-lattice.js';

/** Young's modulus of each cell over that of the first material: that of the tetrahedron with the nearest middle. 1 everywhere where there is one material. */
export function relativeStiffness({ tets, positions, regions, materials }: BodyDef, lattice: HexLattice): Float64Array {
  const { cells, cellSize, origin } = lattice;
  const out = new Float64Array(cells.length / 3).fill(1);
  if (regions === undefined || materials.length < 2) return out;
  const count = tets.length / 4;
  const middles = new Float64Array(3 * count);
  for (let at = 0; at < tets.length; at++) {
    for (let k = 0; k < 3; k++) middles[3 * (at >> 2) + k] += positions[3 * tets[at] + k] / 4;
  }
  for (let cell = 0; cell < out.length; cell++) {
    const [x, y, z] = [0, 1, 2].map((k) => origin[k] + (cells[3 * cell + k] + 0.5) * cellSize);
    let [nearest, least] = [0, Infinity];
    for (let t = 0; t < count; t++) {
      const away = square(middles[3 * t] - x) + square(middles[3 * t + 1] - y) + square(middles[3 * t + 2] - z);
      if (away < least) [nearest, least] = [t, away];
    }
    out[cell] = materials[regions[nearest]].youngModulus / materials[0].youngModulus;
  }
  return out;
}

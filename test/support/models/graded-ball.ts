/** A ball of tets that are small where it touches the ground and grow from there: contact is fine, the rest is cheap. */
import { stuffIsosurface } from '../../../src/mesh/tets/iso-stuffing.js';

/** How fast cells grow: at lattice distance ρ from the lowest point [radii] they are 1 to 3 times 1 + GROWTH ρ² as large. */
const GROWTH = 10;

/** Ball of radius 1 m about the origin. `cell`: size of the cells at its lowest point [m]. */
export function gradedBall(cell: number): { positions: Float64Array; tets: Int32Array } {
  let reach = 0;
  while (stretched(reach) < 2) reach += 1e-3;
  const { positions, tets } = stuffIsosurface({
    distance: (x, y, z) => Math.hypot(...placeOf(x, y, z)) - 1,
    low: [-reach, -cell, -reach],
    high: [reach, reach, reach],
    cell,
  });
  const placed = positions.slice();
  for (let i = 0; i < positions.length; i += 3) {
    const place = placeOf(positions[i], positions[i + 1], positions[i + 2]);
    const radius = Math.hypot(...place);
    // outer vertices are on the sphere to 1e-6; now to the last bits
    const onto = Math.abs(radius - 1) < 1e-4 ? 1 / radius : 1;
    for (let k = 0; k < 3; k++) placed[i + k] = onto * place[k];
  }
  return { positions: placed, tets: Int32Array.from(tets) };
}

const stretched = (distance: number) => distance * (1 + GROWTH * distance * distance);

/** Where a place of the lattice, whose origin is the lowest point, is in the ball. */
function placeOf(x: number, y: number, z: number): [number, number, number] {
  const scale = 1 + GROWTH * (x * x + y * y + z * z);
  return [scale * x, scale * y - 1, scale * z];
}

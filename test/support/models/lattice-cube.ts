/** Unit cubes of cells with both x faces clamped, as the reference values of the lattice solver have them. */
import { boxLattice, nodePositions } from '../../../src/mesh/hexes/hex-lattice.js';
import { buildLatticeBody, type LatticeBody, type LatticeFilling } from '../../../src/solvers/lattice/lattice-body.js';
import type { Vector } from '../../../src/solvers/lattice/numbers/arithmetic.js';
import { floatOfPlace } from '../../../src/solvers/lattice/numbers/quad-layout.js';

/** Lamé constants of a Young's modulus of 1 Pa. */
export function lame(nu: number): { mu: number; lambda: number } {
  return { mu: 1 / (2 * (1 + nu)), lambda: nu / ((1 + nu) * (1 - 2 * nu)) };
}

/** A clamped box of cells of size 1/ny: nodes of both x faces are held. */
export function clampedBox(
  [nx, ny, nz]: readonly [number, number, number],
  options: { nu?: number } & Pick<LatticeFilling, 'kappa' | 'volume'> = {},
): LatticeBody {
  const lattice = boxLattice(nx, ny, nz, 1 / ny);
  const { mu, lambda } = lame(options.nu ?? 0.3);
  const cells = lattice.cells.length / 3;
  const held = new Uint8Array(lattice.nodes.length / 3);
  for (let n = 0; n < held.length; n++) held[n] = lattice.nodes[3 * n] === 0 || lattice.nodes[3 * n] === nx ? 1 : 0;
  return buildLatticeBody(lattice, {
    mu: new Float64Array(cells).fill(mu),
    lambda: new Float64Array(cells).fill(lambda),
    held,
    kappa: options.kappa ?? 1,
    volume: options.volume ?? 'trace',
  });
}

/** Writes `place(X)` for every node into a vector. */
export function placeNodes(
  body: LatticeBody,
  x: Vector,
  place: (X: number, Y: number, Z: number) => readonly number[],
): void {
  const rest = nodePositions(body.lattice);
  body.layout.placeOfNode.forEach((at, node) => {
    const p = place(rest[3 * node], rest[3 * node + 1], rest[3 * node + 2]);
    for (let k = 0; k < 3; k++) x.view[floatOfPlace(at, k)] = p[k];
  });
}

/** The motions whose energies are known. */
export const CUBE_MOTIONS = {
  stretch: (x: number, y: number, z: number) => [2.4 * x, y, z],
  twist: (x: number, y: number, z: number) => {
    const angle = (Math.PI / 2) * x;
    const [c, s] = [Math.cos(angle), Math.sin(angle)];
    return [x, 0.5 + c * (y - 0.5) - s * (z - 0.5), 0.5 + s * (y - 0.5) + c * (z - 0.5)];
  },
  bend: (x: number, y: number, z: number) => {
    const angle = (Math.PI / 2) * x;
    const r = 2 / Math.PI;
    return [(r - (y - 0.5)) * Math.sin(angle), 0.5 + r - (r - (y - 0.5)) * Math.cos(angle), z];
  },
} as const;

/** Energies at rest [J]: E = 1 Pa, nu = 0.3, trace term; motion, kappa, cells along an edge, value. */
export const CUBE_ENERGIES: readonly [keyof typeof CUBE_MOTIONS, number, number, number][] = [
  ['stretch', 1, 8, 1.090755304],
  ['stretch', 1, 16, 1.084532958],
  ['twist', 1, 8, 0.082935612],
  ['twist', 1, 16, 0.072397693],
  ['bend', 1, 8, 0.087569359],
  ['bend', 1, 16, 0.073926295],
  ['stretch', 0.25, 8, 1.084230709],
  ['stretch', 0.25, 16, 1.082376612],
  ['twist', 0.25, 8, 0.071805439],
  ['twist', 0.25, 16, 0.069484258],
  ['bend', 0.25, 8, 0.072996558],
  ['bend', 0.25, 16, 0.069399226],
];

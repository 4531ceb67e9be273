/** The lattice solver against the independent program behind the paper's stabilisation, and the number of its zero modes. */
import { boxLattice, nodePositions } from '../../src/mesh/hexes/hex-lattice.js';
import { Descent } from '../../src/solvers/lattice/descent.js';
import { buildLatticeBody } from '../../src/solvers/lattice/lattice-body.js';
import type { Vector } from '../../src/solvers/lattice/numbers/arithmetic.js';
import { DoubleArithmetic } from '../../src/solvers/lattice/numbers/double-arithmetic.js';
import { floatOfPlace } from '../../src/solvers/lattice/numbers/quad-layout.js';
import type { VerifyCase } from './verify-case.js';

/** V25: tip of a cantilever of lattice cells over Timoshenko's; n cells through the thickness, E = 1. */
async function tipRatio(n: number): Promise<number> {
  const nu = 0.3;
  const [mu, lambda] = [1 / (2 * (1 + nu)), nu / ((1 + nu) * (1 - 2 * nu))];
  const lattice = boxLattice(5 * n, n, n, 1 / n);
  const cells = lattice.cells.length / 3;
  const count = lattice.nodes.length / 3;
  const held = Uint8Array.from({ length: count }, (_, node) => (lattice.nodes[3 * node] === 0 ? 1 : 0));
  const body = buildLatticeBody(lattice, {
    mu: new Float64Array(cells).fill(mu),
    lambda: new Float64Array(cells).fill(lambda),
    held,
    kappa: 1,
    volume: 'trace',
  });
  const arithmetic = new DoubleArithmetic(body);
  const descent = new Descent(arithmetic, body);
  const x = arithmetic.vector();
  const floatOf = (node: number, k: number): number => floatOfPlace(body.layout.placeOfNode[node], k);
  for (let node = 0; node < count; node++) {
    for (let k = 0; k < 3; k++) x.view[floatOf(node, k)] = lattice.nodes[3 * node + k] / n;
  }
  const load = 1e-6;
  const share = (node: number): number => {
    if (lattice.nodes[3 * node] !== 5 * n) return 0;
    const onEdge = (k: number): number => (lattice.nodes[3 * node + k] % n === 0 ? 0.5 : 1);
    return (onEdge(1) * onEdge(2)) / (n * n);
  };
  const end = [...held.keys()].filter((node) => share(node) > 0);
  const drop = (at: Vector, node: number): number => at.view[floatOf(node, 1)] - lattice.nodes[3 * node + 1] / n;
  descent.terms.push({
    add: (at: Vector, gradient: Vector) => {
      let energy = 0;
      for (const node of end) {
        energy -= load * share(node) * drop(at, node);
        gradient.view[floatOf(node, 1)] -= load * share(node);
      }
      return energy;
    },
  });
  descent.run(x, { maxIterations: 400, tolerance: 1e-11 });
  const tip = end.reduce((sum, node) => sum + share(node) * drop(x, node), 0);
  const kappa = (10 * (1 + nu)) / (12 + 11 * nu);
  return tip / ((load * 125 * 12) / 3 + (load * 5) / (kappa * mu));
}

/** A unit cube of cells, n along an edge, both x faces held where a motion takes them, at rest: its energy [J]; E = 1 Pa, ν = 0.3. */
async function cubeEnergy(motion: keyof typeof MOTIONS, n: number, kappa: number): Promise<number> {
  const lattice = boxLattice(n, n, n, 1 / n);
  const cells = lattice.cells.length / 3;
  const nu = 0.3;
  const body = buildLatticeBody(lattice, {
    mu: new Float64Array(cells).fill(1 / (2 * (1 + nu))),
    lambda: new Float64Array(cells).fill(nu / ((1 + nu) * (1 - 2 * nu))),
    held: Uint8Array.from({ length: lattice.nodes.length / 3 }, (_, i) => (lattice.nodes[3 * i] % n === 0 ? 1 : 0)),
    kappa,
    volume: 'trace',
  });
  const arithmetic = new DoubleArithmetic(body);
  const x = arithmetic.vector();
  const rest = nodePositions(lattice);
  body.layout.placeOfNode.forEach((place, node) => {
    const to = MOTIONS[motion](rest[3 * node], rest[3 * node + 1], rest[3 * node + 2]);
    for (let k = 0; k < 3; k++) x.view[floatOfPlace(place, k)] = to[k];
  });
  return new Descent(arithmetic, body).run(x, { maxIterations: 400, tolerance: 1e-10 }).energy;
}

const QUARTER = Math.PI / 2;
const MOTIONS = {
  stretched: (x: number, y: number, z: number) => [2.4 * x, y, z],
  twisted: (x: number, y: number, z: number) => {
    const [c, s] = [Math.cos(QUARTER * x), Math.sin(QUARTER * x)];
    return [x, 0.5 + c * (y - 0.5) - s * (z - 0.5), 0.5 + s * (y - 0.5) + c * (z - 0.5)];
  },
  bent: (x: number, y: number, z: number) => {
    const r = 1 / QUARTER;
    const [c, s] = [Math.cos(QUARTER * x), Math.sin(QUARTER * x)];
    return [(r - (y - 0.5)) * s, 0.5 + r - (r - (y - 0.5)) * c, z];
  },
} as const;

/** From an independent program, eight cells along an edge: motion, hourglass share, energy. */
const ENERGIES: readonly [keyof typeof MOTIONS, number, number][] = [
  ['stretched', 1, 1.090755304],
  ['twisted', 1, 0.082935612],
  ['bent', 1, 0.087569359],
  ['stretched', 0.25, 1.084230709],
  ['twisted', 0.25, 0.071805439],
  ['bent', 0.25, 0.072996558],
];

export const LATTICE_CASES: readonly VerifyCase[] = [
  ...[
    [1, 0.2334],
    [2, 0.5145],
  ].map(
    ([n, expected]): VerifyCase => ({
      id: 'V25',
      solver: 'lattice',
      name: `cantilever of cells, ${n} through the thickness, over Timoshenko`,
      unit: '',
      formula: 'tip / (P L³/3EI + P L/κGA), independent program',
      expected,
      tolerance: 0.002,
      run: () => tipRatio(n),
    }),
  ),
  ...ENERGIES.map(
    ([motion, kappa, expected]): VerifyCase => ({
      id: 'cube',
      solver: 'lattice',
      name: `energy of a ${motion} cube of 8³ cells, hourglass share ${kappa}`,
      unit: 'J',
      formula: 'least energy, independent program',
      expected,
      tolerance: 1e-6 * expected,
      run: () => cubeEnergy(motion, 8, kappa),
    }),
  ),
];

/** What fills the bodies of one model: cells cut from its tets, or those that its description has already. */
import type { Model } from '../../body/model.js';
import { fillTets } from '../../mesh/hexes/fill-tets.js';
import type { HexEmbedding } from '../../mesh/hexes/hex-embedding.js';
import type { HexLattice } from '../../mesh/hexes/hex-lattice.js';
import { holdByBones, weakenInside } from './bones/bone-ties.js';
import { holdNodes } from './bones/held-nodes.js';
import { buildLatticeBody, type LatticeBody } from './lattice-body.js';
import type { LatticeModel } from './lattice-model.js';
import type { LatticeOptions } from './options.js';

/** What bodies of one model share. */
export interface SharedLattice {
  /** Nodes that each vertex of the model follows. */
  readonly embedding: HexEmbedding;
  /** -1 for free nodes; number `bones.count` is the world. */
  readonly boneOfNode: Int32Array;
  readonly body: LatticeBody;
  /** Mean shear modulus [Pa]. */
  readonly mu: number;
}

/** Moduli and masses of cells. */
interface CellFilling {
  readonly mu: Float64Array;
  readonly lambda: Float64Array;
  readonly mass: Float64Array;
}

/** Fills a model. */
export function fillModel(model: Model, options: LatticeOptions, dt: number): SharedLattice {
  if (model.kind === 'lattice') {
    const { hexes, embedding, boneOfNode, cellMu: mu, cellLambda: lambda, cellMass: mass } = model as LatticeModel;
    return share(model, hexes, embedding, boneOfNode, { mu, lambda, mass }, options, dt);
  }
  const fill = fillTets(model, { cells: options.cells, ...(options.cell > 0 && { cell: options.cell }) });
  const filling = meanOfTets(model, fill);
  return share(model, fill.lattice, fill.embedding, holdNodes(model, fill), filling, options, dt);
}

function share(
  model: Model,
  lattice: HexLattice,
  embedding: HexEmbedding,
  boneOfNode: Int32Array,
  filling: CellFilling,
  { kappa, volume, mode, bones }: LatticeOptions,
  dt: number,
): SharedLattice {
  const mu = filling.mu.reduce((sum, value) => sum + value, 0) / filling.mu.length;
  const inertia = mode === 'dynamic' ? dt : undefined;
  const body = buildLatticeBody(lattice, {
    ...filling,
    ...holdByBones(bones, lattice, boneOfNode, model.bones.count, mu),
    ...(bones === 'sliding' && {
      mu: weakenInside(lattice, boneOfNode, filling.mu),
      lambda: weakenInside(lattice, boneOfNode, filling.lambda),
    }),
    kappa,
    volume,
    dt: inertia,
  });
  return { embedding, boneOfNode, body, mu };
}

/** Mean moduli and shares of mass of the tets that reach into each cell. */
function meanOfTets(model: Model, fill: ReturnType<typeof fillTets>): CellFilling {
  const count = fill.lattice.cells.length / 3;
  const [mu, lambda, mass, shares] = [0, 1, 2, 3].map(() => new Float64Array(count));
  const cellsOfTet = new Int32Array(model.tetCount);
  for (const tet of fill.tetOfSample) cellsOfTet[tet]++;
  const density = densityOf(model);
  fill.tetOfSample.forEach((tet, s) => {
    const cell = fill.cellOfSample[s];
    const share = model.volumes[tet] / cellsOfTet[tet];
    mu[cell] += share * model.mu[tet];
    lambda[cell] += share * model.lambda[tet];
    mass[cell] += share * density;
    shares[cell] += share;
  });
  for (let cell = 0; cell < count; cell++) {
    mu[cell] /= shares[cell];
    lambda[cell] /= shares[cell];
  }
  return { mu, lambda, mass };
}

/** Mass over volume; regions of different density are taken together [kg/m³]. */
function densityOf({ totalMass, volumes }: Model): number {
  return totalMass / volumes.reduce((sum, volume) => sum + volume, 0);
}

/** Options of lattice worlds. */
import type { CellLaw } from '../../kernels/reference/lattice-cells.js';
import type { BoneHold } from './bones/bone-ties.js';
import type { Preconditioner } from './descent-terms.js';

/** What a scene may ask of the lattice solver. */
export interface LatticeOptions {
  /** 'quasistatic': where the energy is least at every step. 'dynamic': with inertia, backward Euler. */
  readonly mode: 'quasistatic' | 'dynamic';
  /** Cells to fill each body with. */
  readonly cells: number;
  /** Side of the cells [m], instead; 0 for as many as `cells` says. */
  readonly cell: number;
  /** Hourglass share; 1 is the paper's, too stiff in bending. */
  readonly kappa: number;
  /** What resists a change of volume; the paper's 'trace' does so only for small turns of the stretch. */
  readonly volume: CellLaw['volume'];
  /** Most iterations of a step; by default 20 with inertia, 10 without. */
  readonly iterations: number;
  /** Largest move of a node in the last iteration, in cells. */
  readonly tolerance: number;
  /** What directions start from: a Laplacian with warped stiffness behind it, or 'warped' stiffness at once, for long flesh with few bones. */
  readonly preconditioner: Preconditioner;
  /** Whether weight pulls the flesh in quasistatic worlds. */
  readonly weight: boolean;
  /** 'penalty': one-sided springs. 'none': nothing is looked for. */
  readonly contact: 'penalty' | 'none';
  /** How bones hold the flesh: exactly, by springs ('soft'), or by springs that let it slide along them ('sliding'). */
  readonly bones: BoneHold;
  /** Whether bodies touch themselves. */
  readonly selfContact: boolean;
}

/** Most iterations of a quasistatic step: six to nine are enough but where a crease forms. */
export const POSED_ITERATIONS = 10;

/** Stages its reports time. */
export const LATTICE_STAGES = ['bones', 'flesh', 'skin'];

export const LATTICE_DEFAULTS: LatticeOptions = {
  mode: 'dynamic',
  cells: 6000,
  cell: 0,
  kappa: 0.25,
  volume: 'determinant',
  iterations: 20,
  tolerance: 0.01,
  preconditioner: 'laplacian',
  weight: true,
  contact: 'penalty',
  bones: 'exact',
  selfContact: false,
};

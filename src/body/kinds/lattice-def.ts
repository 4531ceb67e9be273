/** What a user writes down to describe a body of cubes for the lattice solver: cells, the skin they carry, and bones in a tree. */
import type { MaterialDef, Vec3 } from '../body-def.js';
import type { LayerBoneDef } from './layer-def.js';

/** A body of equal cubes. Made by `loadLattice`, `latticeOfCharacter`, `latticeOfSurface`, or by hand. */
export interface LatticeDef {
  readonly kind: 'lattice';
  readonly name: string;
  /** Side of the cubes, and where lattice point (0, 0, 0) is [m]. */
  readonly cellSize: number;
  readonly origin: Vec3;
  /** Lattice point of each cube's lowest corner, three whole numbers from 0 on; one per copy where separate parts share a cube. */
  readonly cells: ArrayLike<number>;
  /** Lattice point of each node. */
  readonly nodes: ArrayLike<number>;
  /** Eight nodes per cell: corner n is at bits x = 1, y = 2, z = 4 of n. */
  readonly corners: ArrayLike<number>;
  /** Share of each cell that is solid, for its mass; default 1. */
  readonly fullness?: ArrayLike<number>;
  /** The surface it carries: welded vertices [m], triangles counter-clockwise from outside, and the cell each vertex follows. */
  readonly skin: {
    readonly positions: ArrayLike<number>;
    readonly triangles: ArrayLike<number>;
    readonly cells: ArrayLike<number>;
  };
  /** Bones in a tree, parents first; none for a body that is soft throughout. */
  readonly bones?: readonly LatticeBoneDef[];
  /** Materials, and which of them each cell has; default living flesh everywhere. */
  readonly materials?: readonly MaterialDef[];
  readonly regions?: ArrayLike<number>;
}

/** A bone, how it hangs on its parent, and the nodes that it holds: none for one that the flesh takes along. */
export interface LatticeBoneDef extends Omit<LayerBoneDef, 'kinematic'> {
  readonly nodes: ArrayLike<number>;
  /** Starts out kinematic: goes exactly where it is sent. */
  readonly kinematic?: boolean;
}

/**
 * The body-centred cubic lattice: the corners and centres of a box of cubes, joined into twelve equal tetrahedra per
 * cube with dihedral angles of 60 and 90 degrees. The background of `stuffIsosurface`.
 */

/** A box of cubes; points are numbered corners first (x fastest, then y, z), then centres in the same order. */
export interface BccLattice {
  /** Number of cubes along x, y and z. */
  readonly cells: readonly [number, number, number];
  /** Side of a cube [m]. */
  readonly cell: number;
  /** Lowest corner [m]. */
  readonly origin: readonly [number, number, number];
  /** Number of corner points; point indices from here on are centres. */
  readonly cornerCount: number;
  readonly pointCount: number;
}

/** The smallest lattice of cubes of side `cell` that covers the box from `low` to `high` [m]. */
export function createBccLattice(low: readonly number[], high: readonly number[], cell: number): BccLattice {
  const count = (axis: number): number => Math.max(1, Math.ceil((high[axis] - low[axis]) / cell - 1e-9));
  const cells = [count(0), count(1), count(2)] as const;
  const cornerCount = (cells[0] + 1) * (cells[1] + 1) * (cells[2] + 1);
  const pointCount = cornerCount + cells[0] * cells[1] * cells[2];
  return { cells, cell, origin: [low[0], low[1], low[2]], cornerCount, pointCount };
}

/** Writes the rest positions of all points, x,y,z each [m]. */
export function bccPositions(lattice: BccLattice): Float64Array {
  const { cells, cell, origin } = lattice;
  const positions = new Float64Array(3 * lattice.pointCount);
  let next = 0;
  for (let half = 0; half < 2; half++) {
    const shift = half * 0.5;
    for (let k = 0; k <= cells[2] - half; k++) {
      for (let j = 0; j <= cells[1] - half; j++) {
        for (let i = 0; i <= cells[0] - half; i++) {
          positions[next++] = origin[0] + (i + shift) * cell;
          positions[next++] = origin[1] + (j + shift) * cell;
          positions[next++] = origin[2] + (k + shift) * cell;
        }
      }
    }
  }
  return positions;
}

/** True for a point on the outside of the box. Centres never are. */
export function isOnBccBorder(lattice: BccLattice, point: number): boolean {
  if (point >= lattice.cornerCount) return false;
  const [nx, ny, nz] = lattice.cells;
  const i = point % (nx + 1);
  const j = Math.floor(point / (nx + 1)) % (ny + 1);
  const k = Math.floor(point / ((nx + 1) * (ny + 1)));
  return i === 0 || j === 0 || k === 0 || i === nx || j === ny || k === nz;
}

/**
 * Calls `visit(centreA, centreB, cornerA, cornerB)` for every tetrahedron between two neighbouring centres and one edge
 * of the cube face they share. AB of either pair is a long edge (side `cell`); the other four edges are short
 * (`cell` * sqrt(3)/2). The half cubes at the outside of the box are left out. Orientation is not uniform.
 */
export function forEachBccTet(
  lattice: BccLattice,
  visit: (centreA: number, centreB: number, cornerA: number, cornerB: number) => void,
): void {
  const [nx, ny, nz] = lattice.cells;
  const cornerStep = [1, nx + 1, (nx + 1) * (ny + 1)];
  const centreStep = [1, nx, nx * ny];
  for (let k = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) {
        const centre = lattice.cornerCount + i + j * centreStep[1] + k * centreStep[2];
        const corner = i + j * cornerStep[1] + k * cornerStep[2];
        const isLast = [i === nx - 1, j === ny - 1, k === nz - 1];
        for (let axis = 0; axis < 3; axis++) {
          if (isLast[axis]) continue;
          const u = cornerStep[(axis + 1) % 3];
          const v = cornerStep[(axis + 2) % 3];
          const c00 = corner + cornerStep[axis];
          const next = centre + centreStep[axis];
          visit(centre, next, c00, c00 + u);
          visit(centre, next, c00 + u, c00 + u + v);
          visit(centre, next, c00 + u + v, c00 + v);
          visit(centre, next, c00 + v, c00);
        }
      }
    }
  }
}

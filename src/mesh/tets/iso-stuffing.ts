/**
 * Fills the inside of a signed-distance shape with well-shaped tetrahedra whose outer vertices lie on the surface:
 * isosurface stuffing on a uniform body-centred cubic lattice [Labelle2007]. A lattice point too near the surface is
 * moved onto it; the edges that still cross it are cut; each tetrahedron that was cut is filled (iso-fill.ts).
 * Snapping the corners of plain cubes instead looks alike but flattens the tetrahedra in every outer corner of the
 * staircase. Called when a character is built.
 */
import { requireInRange, TendonError } from '../../errors.js';
import { type BccLattice, bccPositions, createBccLattice, forEachBccTet, isOnBccBorder } from './bcc-lattice.js';
import { fillField, type IsoField } from './iso-fill.js';
import type { TetMesh } from './tet-mesh.js';

/** Signed distance, or anything with its sign that varies smoothly: negative inside [m]. */
export type DistanceFunction = (x: number, y: number, z: number) => number;

/** What to fill and how finely. */
export interface StuffingOptions {
  readonly distance: DistanceFunction;
  /** Lowest and highest corner of a box with the shape inside [m]. */
  readonly low: readonly [number, number, number];
  readonly high: readonly [number, number, number];
  /** Side of the lattice cubes; edges come out between about 0.4 and 1.3 of it [m]. */
  readonly cell: number;
  /**
   * How readily lattice points move onto the surface, 0.2 to 1; default 1. Lower keeps more cuts: more vertices on the
   * surface (fewer tetrahedra per vertex), a closer fit and worse angles: 6 to 167 degrees at 0.4, which `improveTets`
   * mends.
   */
  readonly snap?: number;
}

// A point is moved onto the surface when a cut lies nearer than this share of the edge. The values of [Labelle2007]
// for a uniform lattice; its authors prove dihedral angles between 10.7 and 164.8 degrees for a smooth surface.
const ALPHA_LONG = 0.24999;
const ALPHA_SHORT = 0.41189;
/** A root is found when the distance there is this small beside its change along the edge, or after so many steps. */
const ROOT_TOLERANCE = 1e-6;
const ROOT_STEPS = 6;

/**
 * The tetrahedra inside the surface, each of positive volume; vertices are the lattice points used, in lattice order,
 * then the cuts. `E_RANGE` when the shape reaches the edge of the box, `E_EMPTY` when nothing is inside.
 */
export function stuffIsosurface(options: StuffingOptions): TetMesh {
  const { low, high, cell } = options;
  if (!(cell > 0 && Number.isFinite(cell))) {
    throw new TendonError('E_RANGE', 'cell', cell, 'the cell size must be a positive number');
  }
  // One layer more than the box all around, because the lattice has only half cubes at its border.
  const lattice = createBccLattice(
    low.map((x) => x - cell),
    high.map((x) => x + cell),
    cell,
  );
  const field = sampleField(lattice, options.distance);
  warpPoints(field, findCrossings(field, options.distance), requireInRange(options.snap ?? 1, 0.2, 1, 'snap'));
  return fillField(field);
}

function sampleField(lattice: BccLattice, distance: DistanceFunction): IsoField {
  const positions = bccPositions(lattice);
  const values = new Float64Array(lattice.pointCount);
  for (let point = 0; point < lattice.pointCount; point++) {
    const value = distance(positions[3 * point], positions[3 * point + 1], positions[3 * point + 2]);
    if (Number.isNaN(value)) throw new TendonError('E_NOT_FINITE', 'distance', value, 'the distance must be a number');
    if (value <= 0 && isOnBccBorder(lattice, point)) {
      throw new TendonError('E_RANGE', 'low, high', value, 'the shape must lie inside the box');
    }
    values[point] = value;
  }
  return { lattice, positions, values, cuts: new Map() };
}

/** Cuts every edge that crosses the surface; returns, for each point with such edges, the points at their other ends. */
function findCrossings(field: IsoField, distance: DistanceFunction): Map<number, number[]> {
  const { lattice, values, positions, cuts } = field;
  const neighbours = new Map<number, number[]>();
  const connect = (a: number, b: number): void => {
    const list = neighbours.get(a);
    if (list === undefined) neighbours.set(a, [b]);
    else list.push(b);
  };
  const cutEdge = (p: number, q: number): void => {
    if (!(values[p] < 0 && values[q] > 0) && !(values[p] > 0 && values[q] < 0)) return;
    const a = Math.min(p, q);
    const b = Math.max(p, q);
    const key = a * lattice.pointCount + b;
    if (cuts.has(key)) return;
    const share = findRoot(distance, positions, a, b, values[a], values[b]);
    const cut = [0, 1, 2].map((k) => positions[3 * a + k] + share * (positions[3 * b + k] - positions[3 * a + k]));
    cuts.set(key, { share, x: cut[0], y: cut[1], z: cut[2] });
    connect(a, b);
    connect(b, a);
  };
  forEachBccTet(lattice, (a, b, c, d) => {
    const inside = Number(values[a] < 0) + Number(values[b] < 0) + Number(values[c] < 0) + Number(values[d] < 0);
    if (inside === 0 || inside === 4) return;
    cutEdge(a, b);
    cutEdge(a, c);
    cutEdge(a, d);
    cutEdge(b, c);
    cutEdge(b, d);
    cutEdge(c, d);
  });
  return neighbours;
}

/** Moves every point that has a cut too near onto the nearest such cut; edges to a moved point no longer count. */
function warpPoints(field: IsoField, neighbours: Map<number, number[]>, snap: number): void {
  const { lattice, positions, values, cuts } = field;
  const { pointCount, cornerCount } = lattice;
  for (const point of [...neighbours.keys()].sort((a, b) => a - b)) {
    let nearest = Infinity;
    let target: { x: number; y: number; z: number } | undefined;
    for (const other of neighbours.get(point)!) {
      if (values[other] === 0) continue;
      const cut = cuts.get(Math.min(point, other) * pointCount + Math.max(point, other))!;
      const share = point < other ? cut.share : 1 - cut.share;
      const isLong = point < cornerCount === other < cornerCount;
      const away = isLong ? share : share * Math.sqrt(0.75);
      if (share < snap * (isLong ? ALPHA_LONG : ALPHA_SHORT) && away < nearest) {
        nearest = away;
        target = cut;
      }
    }
    if (target === undefined) continue;
    positions[3 * point] = target.x;
    positions[3 * point + 1] = target.y;
    positions[3 * point + 2] = target.z;
    values[point] = 0;
  }
}

/** Where the distance vanishes between points a and b, as a share of the way; regula falsi, Illinois variant. */
function findRoot(
  distance: DistanceFunction,
  p: Float64Array,
  a: number,
  b: number,
  valueA: number,
  valueB: number,
): number {
  let low = 0;
  let high = 1;
  let atLow = valueA;
  let atHigh = valueB;
  let share = 0.5;
  // Which end the last step moved: an end that stays twice is made to count half, or it would stay for ever.
  let side = 0;
  const tolerance = ROOT_TOLERANCE * Math.abs(valueB - valueA);
  for (let step = 0; step < ROOT_STEPS; step++) {
    share = (low * atHigh - high * atLow) / (atHigh - atLow);
    const value = distance(
      p[3 * a] + share * (p[3 * b] - p[3 * a]),
      p[3 * a + 1] + share * (p[3 * b + 1] - p[3 * a + 1]),
      p[3 * a + 2] + share * (p[3 * b + 2] - p[3 * a + 2]),
    );
    if (Math.abs(value) <= tolerance) break;
    const onHighSide = value > 0 === atHigh > 0;
    if (onHighSide) {
      high = share;
      atHigh = value;
      if (side > 0) atLow *= 0.5;
    } else {
      low = share;
      atLow = value;
      if (side < 0) atHigh *= 0.5;
    }
    side = onHighSide ? 1 : -1;
  }
  return share;
}

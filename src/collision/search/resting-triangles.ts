/**
 * Triangles of a body that rest against the body itself: which vertices could become a wall's within some room around them is known
 * from an earlier step, and neither they nor anything that comes near has moved since by more than that room. Only those few are
 * tried again. What is found is what the whole search finds, to the bit, whatever happened in between: nothing is taken for granted
 * but how far places and normals of now are from those of then, so that nothing has to be forgotten where a state is set.
 *
 * Each vertex has a place and a normal it was last noted at. Once it is farther from them than SHIFT or TURN it has moved, is noted
 * anew, and wakes the triangles it is a corner of or has come near to. So between two steps in which vertex and triangle were compared and
 * now, each has gone 2 SHIFT at most along each axis, and normals have turned by 2 TURN each.
 */
import { FacingPoints } from '../surface/facing-points.js';
import { PointGrid } from '../surface/point-grid.js';
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { FACING } from './meeting-search.js';
import type { SweptBoxes } from './swept-boxes.js';

/** How far a vertex that rests may go along an axis, and how far within one step against the body's motion as a whole, in mean edges. */
const SHIFT = 0.1;
const SWEEP = 0.1;
/** How far unit normals of what rests may turn. */
const TURN = 0.08;
/** Rounding has this much more room, in mean edges; places farther from the origin than so many edges have no rest. */
const SPARE = 0.01;
const FARTHEST = 1e9;
/** Room around the boxes of triangles that rest, in mean edges. */
const ROOM = 4 * SHIFT + SWEEP + SPARE;
/** Normals that may come to face each other by at most this cosine, while both rest. */
export const NEARLY_FACING = FACING + 4 * TURN + 1e-6;

/** Steps without moving after which a triangle is laid to rest; those with too much around them wait longer. */
const CALM = 3;
const CROWDED = -20;
/** Most vertices around a triangle that rests. */
const MOST = 8;
/** Nobody is laid to rest while more than this share of the vertices moves. */
const RESTLESS = 0.5;
const AWAKE = -1;

/** What is known of one body from step to step. */
export class RestingTriangles {
  readonly #body: SurfaceMotion;
  /** Places against the body's middle and normals the vertices were noted at; whether they were crumpled. */
  readonly #places: Float64Array;
  readonly #normals: Float64Array;
  readonly #crumpled: Uint8Array;
  /** 1 for vertices that have moved, or move too fast to be a corner of what rests. */
  readonly #isRestless: Uint8Array;
  /** Those that have moved: places, normals, whether they face nothing. */
  readonly #moved: PointGrid;
  readonly #movedFacing: FacingPoints;
  readonly #movedPlaces: Float64Array;
  readonly #movedNormals: Float64Array;
  readonly #movedCrumpled: Uint8Array;
  #movedCount = 0;
  /** Whether triangles may rest in this step. */
  #mayRest = false;
  /** Of triangles that rest: normal when they were laid to rest, how many vertices are around them (AWAKE for the others), and which. */
  readonly #restNormals: Float64Array;
  readonly #counts: Int8Array;
  readonly #around: Int32Array;
  /** Steps for which the triangles that are awake have not moved. */
  readonly #calm: Int8Array;

  constructor(body: SurfaceMotion) {
    const { vertices, corners } = body.surface;
    const count = vertices.length;
    this.#body = body;
    this.#places = new Float64Array(count * 3).fill(Number.NaN);
    this.#normals = new Float64Array(count * 3);
    this.#crumpled = new Uint8Array(count);
    this.#isRestless = new Uint8Array(count);
    this.#moved = new PointGrid(count);
    this.#movedFacing = new FacingPoints(this.#moved, FACING, NEARLY_FACING);
    this.#movedPlaces = new Float64Array(count * 3);
    this.#movedNormals = new Float64Array(count * 3);
    this.#movedCrumpled = new Uint8Array(count);
    this.#restNormals = new Float64Array(corners.length);
    this.#counts = new Int8Array(corners.length / 3).fill(AWAKE);
    this.#around = new Int32Array((corners.length / 3) * MOST);
    this.#calm = new Int8Array(corners.length / 3);
  }

  /** Finds out who has moved, for a step of `h` [s], and fills `wide` with the boxes of what rests. */
  begin(h: number, wide: SweptBoxes): void {
    const body = this.#body;
    const edge = body.surface.edgeLength;
    this.#noteMoved(h, edge);
    const count = body.surface.vertices.length;
    this.#mayRest = this.#movedCount <= RESTLESS * count && isNear(body.box, FARTHEST * edge);
    if (!this.#mayRest) {
      this.#counts.fill(AWAKE);
      this.#calm.fill(0);
      return;
    }
    wide.fill(body, body, h, 0, ROOM * edge);
    if (this.#movedCount === 0) return;
    this.#moved.fill(this.#movedPlaces, this.#movedCount, body.cell, body.box);
    this.#movedFacing.fill(this.#movedNormals, this.#movedCrumpled, this.#movedCount);
  }

  /** Notes, in the body's `facing`, the vertices that can meet the triangle at `o`, of those that face it; returns how many. */
  search(boxes: SweptBoxes, wide: SweptBoxes, o: number): number {
    const { facing, normals, surface } = this.#body;
    const t = o / 3;
    if (this.#mayRest && (this.#rests(wide, o) || this.#layToRest(wide, o))) {
      return facing.recall(this.#around, t * MOST, t * MOST + this.#counts[t], normals, o);
    }
    const { corners } = surface;
    return boxes.take(corners[o], corners[o + 1], corners[o + 2]) ? facing.search(boxes.cells, normals, o) : 0;
  }

  /** Lists the vertices that have moved, and notes where they are now. */
  #noteMoved(h: number, edge: number): void {
    const { points, vertexNormals, crumpled, stray, centre } = this.#body;
    const shift = SHIFT * edge;
    const sweep = SWEEP * edge;
    this.#movedCount = 0;
    for (let i = 0; i < crumpled.length; i++) {
      const o = i * 3;
      let far = 0;
      let fast = 0;
      for (let k = 0; k < 3; k++) {
        far = Math.max(far, Math.abs(points[o + k] - centre[k] - this.#places[o + k]));
        fast = Math.max(fast, Math.abs(h * stray[o + k]));
      }
      // asked this way round for the sake of what is no number
      const stays = far <= shift && crumpled[i] === this.#crumpled[i] && this.#faces(i, vertexNormals);
      this.#isRestless[i] = stays && fast <= sweep ? 0 : 1;
      if (!stays) this.#note(i);
    }
  }

  /** Whether vertex i looks about where it looked; where its surroundings are crumpled nobody asks. */
  #faces(i: number, normals: Float64Array): boolean {
    return this.#crumpled[i] === 1 || isTurnSmall(normals, i * 3, this.#normals);
  }

  #note(i: number): void {
    const { points, vertexNormals, crumpled, centre } = this.#body;
    const m = this.#movedCount++;
    for (let k = 0; k < 3; k++) {
      this.#places[i * 3 + k] = points[i * 3 + k] - centre[k];
      this.#normals[i * 3 + k] = vertexNormals[i * 3 + k];
      this.#movedPlaces[m * 3 + k] = points[i * 3 + k];
      this.#movedNormals[m * 3 + k] = vertexNormals[i * 3 + k];
    }
    this.#crumpled[i] = crumpled[i];
    this.#movedCrumpled[m] = crumpled[i];
  }

  /** Whether what is known of a triangle still holds. */
  #rests(wide: SweptBoxes, o: number): boolean {
    const { corners } = this.#body.surface;
    const { normals } = this.#body;
    const restless = this.#isRestless;
    const t = o / 3;
    if (restless[corners[o]] + restless[corners[o + 1]] + restless[corners[o + 2]] > 0) {
      this.#counts[t] = AWAKE;
      this.#calm[t] = 0;
      return false;
    }
    if (this.#counts[t] === AWAKE) return false;
    if (!isTurnSmall(normals, o, this.#restNormals) || this.#isMet(wide, o)) this.#counts[t] = AWAKE;
    return this.#counts[t] !== AWAKE;
  }

  /** Whether a vertex that has moved is in the room around a triangle, and may face it. */
  #isMet(wide: SweptBoxes, o: number): boolean {
    if (this.#movedCount === 0) return false;
    const { corners } = this.#body.surface;
    const facing = this.#movedFacing;
    if (!wide.take(corners[o], corners[o + 1], corners[o + 2])) return false;
    const noted = facing.search(wide.cells, this.#body.normals, o, true);
    if (noted === 0) return false;
    wide.measure(corners[o], corners[o + 1], corners[o + 2]);
    return facing.within(wide.box, noted) > 0;
  }

  /** Lists what is around a triangle that has been calm for long enough; false where it stays awake. */
  #layToRest(wide: SweptBoxes, o: number): boolean {
    const { facing, normals, surface } = this.#body;
    const { corners } = surface;
    const t = o / 3;
    if (++this.#calm[t] < CALM) return false;
    wide.take(corners[o], corners[o + 1], corners[o + 2]);
    const noted = facing.search(wide.cells, normals, o, true);
    if (noted > 0) wide.measure(corners[o], corners[o + 1], corners[o + 2]);
    const found = noted > 0 ? facing.within(wide.box, noted) : 0;
    this.#calm[t] = found > MOST ? CROWDED : CALM - 1;
    if (found > MOST) return false;
    for (let n = 0; n < found; n++) this.#around[t * MOST + n] = facing.answer[n];
    for (let k = 0; k < 3; k++) this.#restNormals[o + k] = normals[o + k];
    this.#counts[t] = found;
    return true;
  }
}

/** Whether two unit normals at `o` are nearly the same. */
function isTurnSmall(a: Float64Array, o: number, b: Float64Array): boolean {
  const x = a[o] - b[o];
  const y = a[o + 1] - b[o + 1];
  const z = a[o + 2] - b[o + 2];
  return x * x + y * y + z * z <= TURN * TURN;
}

/** Whether a box is nowhere farther from the origin than this. */
function isNear(box: Float64Array, far: number): boolean {
  for (let k = 0; k < 6; k++) if (!(Math.abs(box[k]) <= far)) return false;
  return true;
}

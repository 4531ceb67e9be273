/**
 * What a body that lies still knows of itself: the pairs of vertex and triangle that can meet while no place and no normal of its surface
 * gets farther than some room from where it was when they were listed. As long as that holds only those are tried. What is found is what
 * the whole search finds, to the bit, whatever happened in between: nothing is taken for granted but how far places and normals of
 * now are from those of then, so that nothing has to be forgotten where a state is set.
 */
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { FACING } from './meeting-search.js';
import type { SweptBoxes } from './swept-boxes.js';

/** How far a vertex may go along an axis, and how far within one step against the body's motion as a whole, in mean edges. */
const SHIFT = 0.15;
const SWEEP = 0.1;
/** How far unit normals may turn. */
const TURN = 0.1;
/** Rounding has this much more room, in mean edges; farther from the origin than so many edges nothing is known. */
const SPARE = 0.01;
const FARTHEST = 1e9;
/** Room around the boxes of triangles, in mean edges; vertex and triangle both use it up. Less than a cell of the grid. */
const ROOM = 2 * SHIFT + SWEEP + SPARE;
/** Normals that may come to face each other by at most this cosine. */
export const NEARLY_FACING = FACING + 2 * TURN + 1e-6;

/** Room for so many pairs, per triangle. */
const PAIRS = 12;
/** Pairs must have been of use for so many steps, or the next ones are not listed for a while: for twice as many steps each time, at most so long. */
const USEFUL = 4;
const LONGEST_WAIT = 32;

/** What is known of one body from step to step. */
export class RestingSurface {
  /** How many triangles are to be looked at in this step. */
  count = 0;
  /** Whether only pairs that are known are looked at. */
  isResting = false;
  readonly #body: SurfaceMotion;
  /** Triangles that are listed, where the vertices of each begin, and the vertices. */
  readonly #triangles: Int32Array;
  readonly #starts: Int32Array;
  readonly #pairs: Int32Array;
  #listed = 0;
  #pairCount = 0;
  /** Places against the body's middle and normals at that time; whether vertices were crumpled. */
  readonly #places: Float64Array;
  readonly #vertexNormals: Float64Array;
  readonly #normals: Float64Array;
  readonly #crumpled: Uint8Array;
  #isKnown = false;
  /** Whether pairs are being listed in this step. */
  #isListing = false;
  /** Steps the pairs have been of use for, steps to wait before the next ones are listed, and how many those were last time. */
  #used = 0;
  #wait = 0;
  #nextWait = USEFUL;

  constructor(body: SurfaceMotion) {
    const { vertices, corners } = body.surface;
    const count = corners.length / 3;
    this.#body = body;
    this.#triangles = new Int32Array(count);
    this.#starts = new Int32Array(count + 1);
    this.#pairs = new Int32Array(count * PAIRS);
    this.#places = new Float64Array(vertices.length * 3);
    this.#vertexNormals = new Float64Array(vertices.length * 3);
    this.#normals = new Float64Array(corners.length);
    this.#crumpled = new Uint8Array(vertices.length);
  }

  /** Finds out whether what is known still holds, for a step of `h` [s] in which at most `most` pairs may be looked at. */
  begin(h: number, most: number): void {
    const { surface, box, stray } = this.#body;
    const { edgeLength, corners } = surface;
    const isSlow = isWithin(stray, (SWEEP * edgeLength) / h) && isWithin(box, FARTHEST * edgeLength);
    this.isResting = isSlow && this.#isKnown && this.#pairCount <= most && this.#holds(SHIFT * edgeLength);
    this.#isListing = false;
    if (this.isResting) {
      this.#used++;
      this.count = this.#listed;
      return;
    }
    this.count = corners.length / 3;
    if (this.#isKnown) this.#forget();
    if (!isSlow || this.#wait-- > 0) return;
    this.#isListing = true;
    this.#note();
  }

  /** The triangle to be looked at as number n. */
  at(n: number): number {
    return this.isResting ? this.#triangles[n] : n;
  }

  /** Notes, in the body's `facing`, vertices that face triangle number n: all that can meet it, or more. Returns how many. */
  search(boxes: SweptBoxes, n: number): number {
    const { facing, normals, surface } = this.#body;
    const { corners } = surface;
    if (this.isResting) {
      return facing.recall(this.#pairs, this.#starts[n], this.#starts[n + 1], normals, this.#triangles[n] * 3);
    }
    boxes.take(corners[n * 3], corners[n * 3 + 1], corners[n * 3 + 2]);
    if (this.#isListing) this.#list(boxes, n);
    return facing.search(boxes.cells, normals, n * 3);
  }

  #forget(): void {
    this.#isKnown = false;
    this.#nextWait = this.#used < USEFUL ? Math.min(LONGEST_WAIT, 2 * this.#nextWait) : USEFUL;
    this.#wait = this.#used < USEFUL ? this.#nextWait : 0;
    this.#used = 0;
  }

  /** Whether no vertex and no normal is farther from where it was than it may. */
  #holds(shift: number): boolean {
    const { points, normals, vertexNormals, crumpled, centre } = this.#body;
    const places = this.#places;
    const x = centre[0];
    const y = centre[1];
    const z = centre[2];
    // asked this way round for the sake of what is no number
    for (let o = 0; o < places.length; o += 3) {
      const isNear =
        Math.abs(points[o] - x - places[o]) <= shift &&
        Math.abs(points[o + 1] - y - places[o + 1]) <= shift &&
        Math.abs(points[o + 2] - z - places[o + 2]) <= shift;
      if (!isNear) return false;
    }
    for (let i = 0; i < crumpled.length; i++) {
      if (crumpled[i] !== this.#crumpled[i]) return false;
      // where the surroundings are crumpled nobody asks which way they face
      if (crumpled[i] === 0 && !isTurnSmall(vertexNormals, i * 3, this.#vertexNormals)) return false;
    }
    for (let o = 0; o < normals.length; o += 3) if (!isTurnSmall(normals, o, this.#normals)) return false;
    return true;
  }

  #note(): void {
    const { points, normals, vertexNormals, crumpled, centre } = this.#body;
    for (let i = 0; i < points.length; i++) this.#places[i] = points[i] - centre[i % 3];
    this.#vertexNormals.set(vertexNormals);
    this.#normals.set(normals);
    this.#crumpled.set(crumpled);
    this.#listed = 0;
    this.#pairCount = 0;
    this.#isKnown = true;
  }

  /** Lists the vertices around triangle t, which `boxes` has taken. */
  #list(boxes: SweptBoxes, t: number): void {
    const { facing, normals, surface, grid } = this.#body;
    const { corners, edgeLength } = surface;
    const noted = facing.search(boxes.widen(grid.frame), normals, t * 3, true);
    if (noted === 0) return;
    boxes.measure(corners[t * 3], corners[t * 3 + 1], corners[t * 3 + 2], ROOM * edgeLength);
    const found = facing.within(boxes.box, noted);
    if (found === 0) return;
    if (this.#pairCount + found > this.#pairs.length) {
      this.#isListing = false;
      this.#forget();
      return;
    }
    this.#triangles[this.#listed++] = t;
    for (let n = 0; n < found; n++) this.#pairs[this.#pairCount++] = facing.answer[n];
    this.#starts[this.#listed] = this.#pairCount;
  }
}

/** Whether two unit normals at `o` are nearly the same. */
function isTurnSmall(a: Float64Array, o: number, b: Float64Array): boolean {
  const x = a[o] - b[o];
  const y = a[o + 1] - b[o + 1];
  const z = a[o + 2] - b[o + 2];
  return x * x + y * y + z * z <= TURN * TURN;
}

/** Whether no number is larger than this. */
function isWithin(numbers: Float64Array, most: number): boolean {
  for (let i = 0; i < numbers.length; i++) if (!(Math.abs(numbers[i]) <= most)) return false;
  return true;
}

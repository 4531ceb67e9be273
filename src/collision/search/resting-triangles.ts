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
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { FACING } from './meeting-search.js';
import { RestlessBlocks } from './restless-blocks.js';
import type { SweptBoxes } from './swept-boxes.js';

/** How far a vertex that rests may go along an axis, and how far within one step against the body's motion as a whole, in mean edges. */
const SHIFT = 0.1;
const SWEEP = 0.1;
/** How far unit normals of what rests may turn. */
const TURN = 0.08;
/** Rounding has this much more room, in mean edges; places farther from the origin than so many edges have no rest. */
const SPARE = 0.01;
const FARTHEST = 1e9;
/** Room around the boxes of triangles that rest, in mean edges: less than a cell of the grid. */
const ROOM = 4 * SHIFT + SWEEP + SPARE;
/** Normals that may come to face each other by at most this cosine, while both rest. */
export const NEARLY_FACING = FACING + 4 * TURN + 1e-6;

/** Steps without moving after which a triangle is laid to rest; those with too much around them wait longer. */
const CALM = 3;
const CROWDED = -20;
/** Most vertices around a triangle that rests. */
const MOST = 8;
/** Nobody rests while more than this share of the vertices moves. */
const RESTLESS = 0.25;
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
  /** Where they have moved. */
  readonly #blocks: RestlessBlocks;
  /** Vertices that have moved. */
  readonly #moved: Int32Array;
  #movedCount = 0;
  /** Whether triangles may rest in this step. */
  #mayRest = false;
  /** Of triangles that rest: normal when they were laid to rest, how many vertices are around them (AWAKE for the others), and which. */
  readonly #restNormals: Float64Array;
  readonly #counts: Int8Array;
  readonly #around: Int32Array;
  /** Steps for which triangles that are awake could have rested. */
  readonly #calm: Int8Array;

  constructor(body: SurfaceMotion) {
    const { vertices, corners } = body.surface;
    const count = vertices.length;
    this.#body = body;
    this.#places = new Float64Array(count * 3).fill(Number.NaN);
    this.#normals = new Float64Array(count * 3);
    this.#crumpled = new Uint8Array(count);
    this.#isRestless = new Uint8Array(count);
    this.#moved = new Int32Array(count);
    this.#blocks = new RestlessBlocks(body.grid.starts.length);
    this.#restNormals = new Float64Array(corners.length);
    this.#counts = new Int8Array(corners.length / 3).fill(AWAKE);
    this.#around = new Int32Array((corners.length / 3) * MOST);
    this.#calm = new Int8Array(corners.length / 3);
  }

  /** Finds out who has moved, for a step of `h` [s]. */
  begin(h: number): void {
    const { surface, grid, points, box } = this.#body;
    const edge = surface.edgeLength;
    this.#noteMoved(h, edge);
    this.#mayRest = this.#movedCount <= RESTLESS * surface.vertices.length && isNear(box, FARTHEST * edge);
    if (this.#mayRest) {
      this.#blocks.begin(grid.frame);
      for (let n = 0; n < this.#movedCount; n++) this.#blocks.mark(grid.frame, points, this.#moved[n] * 3);
      return;
    }
    this.#counts.fill(AWAKE);
    this.#calm.fill(0);
  }

  /**
   * Notes, in the body's `facing`, the vertices that can meet the triangle at `o`, of those that face it, or more than those; returns how many.
   * `boxes` has taken the triangle.
   */
  search(boxes: SweptBoxes, o: number): number {
    const { facing, normals } = this.#body;
    if (this.#mayRest && (this.#rests(boxes, o) || this.#layToRest(boxes, o))) {
      const first = (o / 3) * MOST;
      return facing.recall(this.#around, first, first + this.#counts[o / 3], normals, o);
    }
    return facing.search(boxes.cells, normals, o);
  }

  /** Lists the vertices that have moved, and notes where they are now. */
  #noteMoved(h: number, edge: number): void {
    const { points, vertexNormals, crumpled, stray, centre } = this.#body;
    const shift = SHIFT * edge;
    const sweep = SWEEP * edge;
    const places = this.#places;
    const cx = centre[0];
    const cy = centre[1];
    const cz = centre[2];
    this.#movedCount = 0;
    for (let i = 0, o = 0; i < crumpled.length; i++, o += 3) {
      const x = Math.abs(points[o] - cx - places[o]);
      const y = Math.abs(points[o + 1] - cy - places[o + 1]);
      const z = Math.abs(points[o + 2] - cz - places[o + 2]);
      // asked this way round for the sake of what is no number
      const isNear = x <= shift && y <= shift && z <= shift && crumpled[i] === this.#crumpled[i];
      // where the surroundings are crumpled nobody asks which way they face
      const stays = isNear && (crumpled[i] === 1 || isTurnSmall(vertexNormals, o, this.#normals));
      if (!stays) this.#note(i);
      const u = Math.abs(h * stray[o]);
      const v = Math.abs(h * stray[o + 1]);
      const w = Math.abs(h * stray[o + 2]);
      this.#isRestless[i] = stays && u <= sweep && v <= sweep && w <= sweep ? 0 : 1;
    }
  }

  #note(i: number): void {
    const { points, vertexNormals, crumpled, centre } = this.#body;
    this.#moved[this.#movedCount++] = i;
    this.#crumpled[i] = crumpled[i];
    for (let k = 0; k < 3; k++) {
      this.#places[i * 3 + k] = points[i * 3 + k] - centre[k];
      this.#normals[i * 3 + k] = vertexNormals[i * 3 + k];
    }
  }

  /** Whether what is known of a triangle still holds. */
  #rests(boxes: SweptBoxes, o: number): boolean {
    const { corners } = this.#body.surface;
    const restless = this.#isRestless;
    const t = o / 3;
    if (restless[corners[o]] + restless[corners[o + 1]] + restless[corners[o + 2]] > 0 || this.#blocks.has(boxes.cells)) {
      this.#counts[t] = AWAKE;
      this.#calm[t] = Math.min(0, this.#calm[t]);
    } else if (this.#counts[t] !== AWAKE && !isTurnSmall(this.#body.normals, o, this.#restNormals)) this.#counts[t] = AWAKE;
    return this.#counts[t] !== AWAKE;
  }

  /** Lists what is around a triangle that has been calm for long enough; false where it stays awake. */
  #layToRest(boxes: SweptBoxes, o: number): boolean {
    const { facing, normals, surface } = this.#body;
    const { corners, edgeLength } = surface;
    const t = o / 3;
    if (++this.#calm[t] < CALM) return false;
    const noted = facing.search(boxes.widen(this.#body.grid.frame), normals, o, true);
    if (noted > 0) boxes.measure(corners[o], corners[o + 1], corners[o + 2], ROOM * edgeLength);
    const found = noted > 0 ? facing.within(boxes.box, noted) : 0;
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

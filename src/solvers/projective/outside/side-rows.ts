/** W between the contact sides of one body through its flesh, row by row, made of the columns of the vertices they lie between. */
import type { CollisionSurface } from '../../../collision/surface/collision-surface.js';
import { SIDE_VERTICES, type SideList } from '../../../contact/side-list.js';
import type { ContactCompliance } from './contact-compliance.js';
import type { FleshResponse } from './flesh-response.js';
import type { InnerColumns } from './inner-columns.js';

/** From the place of one of its vertices to a side: 4 each. */
const SIDE_SHIFT = 2;
/** Entries of an inner vertex below this share of its own are left out. */
const NEGLIGIBLE = 0.01;

/** Makes rows for the sides that are wanted. */
export class SideRows {
  readonly compliance: ContactCompliance;
  readonly inner: InnerColumns;
  /** Where the rows go. */
  readonly #flesh: FleshResponse;
  readonly #vertices: Int32Array;
  readonly #surfaceOf: Int32Array;
  /** First place in the list of sides' vertices that uses a surface vertex, and the next one after a place; -1 ends. */
  readonly #firstUse: Int32Array;
  readonly #nextUse: Int32Array;
  /** Places that use a vertex inside the body, and those of them whose vertex has a column, in the order in which they got it: these are in the rows that are made. */
  readonly #innerUses: Int32Array;
  #innerUseCount = 0;
  readonly #innerKnown: Int32Array;
  #innerKnownCount = 0;
  /** 1 for the places listed there. */
  readonly #isKnown: Uint8Array;

  constructor(
    compliance: ContactCompliance,
    inner: InnerColumns,
    flesh: FleshResponse,
    { vertices, surfaceOf }: CollisionSurface,
    sideCapacity: number,
  ) {
    this.compliance = compliance;
    this.inner = inner;
    this.#flesh = flesh;
    this.#vertices = vertices;
    this.#surfaceOf = surfaceOf;
    this.#firstUse = new Int32Array(vertices.length).fill(-1);
    this.#nextUse = new Int32Array(sideCapacity * SIDE_VERTICES);
    this.#innerUses = new Int32Array(sideCapacity * SIDE_VERTICES);
    this.#innerKnown = new Int32Array(sideCapacity * SIDE_VERTICES);
    this.#isKnown = new Uint8Array(sideCapacity * SIDE_VERTICES);
  }

  /** Lists who uses which vertex, for the sides of this step. */
  begin(sides: SideList): void {
    this.#firstUse.fill(-1);
    this.#innerUseCount = 0;
    this.#forgetKnown();
    for (let a = sides.count * SIDE_VERTICES - 1; a >= 0; a--) {
      const side = Math.floor(a / SIDE_VERTICES);
      const weight = sides.weights[a];
      const vertex = sides.vertices[a];
      this.#flesh.setRegion(side, a % SIDE_VERTICES, weight === 0 ? 0 : this.#regionOf(vertex), weight);
      if (weight === 0) continue;
      const surface = this.#surfaceOf[vertex];
      if (surface < 0) {
        this.#innerUses[this.#innerUseCount++] = a;
        continue;
      }
      this.#nextUse[a] = this.#firstUse[surface];
      this.#firstUse[surface] = a;
    }
  }

  /** Makes the rows of the sides that are wanted and have none; of bones alone (`isSoft` false) only how they move with these. */
  prepare(sides: SideList, isSoft: boolean): void {
    const { compliance, inner } = this;
    for (let n = sides.preparedCount; n < sides.wantedCount; n++) {
      const a = sides.wanted[n] * SIDE_VERTICES;
      for (let k = a; k < a + SIDE_VERTICES; k++) {
        const surface = this.#surfaceOf[sides.vertices[k]];
        if (sides.weights[k] !== 0 && surface >= 0) compliance.want(surface);
      }
    }
    compliance.solveWanted();
    if (!isSoft) return;
    let first = sides.preparedCount;
    if (this.#innerUseCount > 0) {
      this.#wantInner(sides);
      inner.solveWanted();
      if (!this.#extendRows(sides)) {
        first = 0;
        this.#flesh.clear(sides.count);
        this.#forgetKnown();
        this.#listKnown(sides);
      }
    }
    for (let n = first; n < sides.wantedCount; n++) this.#makeRow(sides, sides.wanted[n]);
  }

  /** Adds how a vertex moves with the four rows of a bone's transform. */
  addWithBone(vertex: number, bone: number, weight: number, out: Float64Array): void {
    const surface = this.#surfaceOf[vertex];
    if (surface >= 0) this.compliance.addWithBone(surface, bone, weight, out);
    else if (this.inner.hasColumn(vertex)) this.inner.addWithBone(vertex, bone, weight, out);
  }

  /** The same for the three rows of a region that can turn. */
  addWithRegion(vertex: number, region: number, weight: number, out: Float64Array): void {
    const surface = this.#surfaceOf[vertex];
    if (surface >= 0) this.compliance.addWithRegion(surface, region, weight, out);
    else if (this.inner.hasColumn(vertex)) this.inner.addWithRegion(vertex, region, weight, out);
  }

  /** Asks for the columns of inner vertices. */
  #wantInner(sides: SideList): void {
    this.inner.begin();
    for (let n = 0; n < sides.wantedCount; n++) {
      const a = sides.wanted[n] * SIDE_VERTICES;
      for (let k = a; k < a + SIDE_VERTICES; k++) {
        if (sides.weights[k] !== 0 && this.#surfaceOf[sides.vertices[k]] < 0) this.inner.want(sides.vertices[k]);
      }
    }
  }

  /** A vertex inside that begins to push has its part in all rows: adds it to those that are made. False where they must be made anew, because a vertex has lost its column, or got it later than its side a row. */
  #extendRows(sides: SideList): boolean {
    for (let n = 0; n < this.#innerKnownCount; n++) {
      if (!this.inner.hasColumn(sides.vertices[this.#innerKnown[n]])) return false;
    }
    const before = this.#innerKnownCount;
    this.#listKnown(sides);
    for (let n = before; n < this.#innerKnownCount; n++) {
      if (this.#flesh.hasRow(this.#innerKnown[n] >> SIDE_SHIFT)) return false;
    }
    if (before === this.#innerKnownCount) return true;
    for (let n = 0; n < sides.preparedCount; n++) this.#extendRow(sides, sides.wanted[n], before);
    return true;
  }

  /** Adds the inner places from number `before` on to the row of side i. */
  #extendRow(sides: SideList, i: number, before: number): void {
    for (let a = i * SIDE_VERTICES; a < (i + 1) * SIDE_VERTICES; a++) {
      const weight = sides.weights[a];
      const surface = this.#surfaceOf[sides.vertices[a]];
      if (weight === 0 || surface < 0) continue;
      for (let n = before; n < this.#innerKnownCount; n++) {
        const use = this.#innerKnown[n];
        this.#flesh.append(i, use >> SIDE_SHIFT, weight * this.#innerEntry(sides, use, surface));
      }
    }
  }

  /** Lists the places whose inner vertex has a column and that are not listed yet. */
  #listKnown(sides: SideList): void {
    for (let n = 0; n < this.#innerUseCount; n++) {
      const use = this.#innerUses[n];
      if (this.#isKnown[use] === 1 || !this.inner.hasColumn(sides.vertices[use])) continue;
      this.#isKnown[use] = 1;
      this.#innerKnown[this.#innerKnownCount++] = use;
    }
  }

  #forgetKnown(): void {
    for (let n = 0; n < this.#innerKnownCount; n++) this.#isKnown[this.#innerKnown[n]] = 0;
    this.#innerKnownCount = 0;
  }

  /** How far a place with an inner vertex moves when a surface vertex is pushed, beyond the mean of its region [m/N]. */
  #innerEntry({ vertices, weights }: SideList, use: number, surface: number): number {
    const { compliance, inner } = this;
    const vertex = vertices[use];
    const mean = compliance.meanOf(surface, inner.regionOf(vertex));
    return weights[use] * (inner.valueOf(vertex, this.#vertices[surface]) - mean);
  }

  #makeRow(sides: SideList, i: number): void {
    this.#flesh.beginRow(i);
    for (let a = i * SIDE_VERTICES; a < (i + 1) * SIDE_VERTICES; a++) {
      const weight = sides.weights[a];
      if (weight === 0) continue;
      const surface = this.#surfaceOf[sides.vertices[a]];
      if (surface >= 0) this.#addColumn(sides, i, surface, weight);
      else if (this.inner.hasColumn(sides.vertices[a])) this.#addInnerColumn(sides, i, sides.vertices[a], weight);
    }
    this.#flesh.endRow(i);
  }

  /** Adds the column of a surface vertex, times a weight, to the row of W being made for side i. */
  #addColumn(sides: SideList, i: number, surface: number, weight: number): void {
    const { compliance } = this;
    for (let region = 0; region < compliance.regionCount; region++) {
      const mean = compliance.meanOf(surface, region);
      if (mean !== 0) this.#flesh.addRegion(i, region, weight * mean);
    }
    const { weights } = sides;
    const nextUse = this.#nextUse;
    const start = compliance.start(surface);
    const end = start + compliance.count[surface];
    for (let e = start; e < end; e++) {
      for (let use = this.#firstUse[compliance.otherOf(e)]; use >= 0; use = nextUse[use]) {
        this.#flesh.add(use >> SIDE_SHIFT, weight * weights[use] * compliance.valueOf(e));
      }
    }
    for (let n = 0; n < this.#innerKnownCount; n++) {
      const use = this.#innerKnown[n];
      this.#flesh.add(use >> SIDE_SHIFT, weight * this.#innerEntry(sides, use, surface));
    }
  }

  /** The same for a vertex inside the body. */
  #addInnerColumn(sides: SideList, i: number, vertex: number, weight: number): void {
    const { inner } = this;
    const least = NEGLIGIBLE * Math.abs(inner.beyondMean(vertex, vertex, inner.regionOf(vertex)));
    for (let region = 0; region < this.compliance.regionCount; region++) {
      const mean = inner.meanOf(vertex, region);
      if (mean !== 0) this.#flesh.addRegion(i, region, weight * mean);
    }
    for (let use = 0; use < sides.count * SIDE_VERTICES; use++) {
      if (sides.weights[use] === 0) continue;
      const other = sides.vertices[use];
      const rest = inner.beyondMean(vertex, other, this.#regionOf(other));
      if (Math.abs(rest) > least) this.#flesh.add(use >> SIDE_SHIFT, weight * sides.weights[use] * rest);
    }
  }

  #regionOf(vertex: number): number {
    const surface = this.#surfaceOf[vertex];
    return surface >= 0 ? this.compliance.regionOf(surface) : this.inner.regionOf(vertex);
  }
}

/**
 * Rigid bodies and the particles of flesh that touch them or are embedded in them: a body and all of its particles at once, by the 6 × 6 system of the central body [Shinar2008 §7.3, eq. 3-4], along
 * normals for contacts and in all directions for bindings. What has a particle in common with another row of the same body, which the system would push twice, and what has no such body goes pair by pair.
 */
import { invertMat3 } from '../../../math/mat3-inverse.js';
import { CORNERS } from '../soft/soft-sides.js';
import type { BareRows, Velocities } from './bare-rows.js';
import { CentralBody } from './central-body.js';

/** Particles of one body that are solved at once. */
const MOST_OUTERS = 256;
/** How what nothing moves gives way, as a share of the central body's answer. */
const UNMOVED = 1e-6;

/** Contacts and bindings that hold, by rigid body and by pair. */
export class Particles {
  /** Rows of rigid body b are row[start[b]..start[b + 1]). */
  readonly start: Int32Array;
  readonly row: Int32Array;
  readonly pair: Int32Array;
  pairCount = 0;
  /** Largest velocity that a row still had [m/s], until it is cleared. */
  readonly found = new Float64Array(1);
  readonly #bare: BareRows;
  readonly #central = new CentralBody(MOST_OUTERS);
  readonly #outer = new Int32Array(MOST_OUTERS);
  /** Rigid body whose row each vertex was last in. */
  readonly #seen: Int32Array;
  readonly #owner: Int32Array;
  readonly #u = new Float64Array(3);
  readonly #p = new Float64Array(3);
  readonly #n = new Float64Array(3);
  readonly #k = new Float64Array(9);
  readonly #inertia = new Float64Array(9);

  constructor(bare: BareRows) {
    const { rigid, contacts, soft } = bare.system;
    this.#bare = bare;
    this.start = new Int32Array(rigid.count + 1);
    this.row = new Int32Array(contacts.capacity);
    this.pair = new Int32Array(contacts.capacity);
    this.#owner = new Int32Array(contacts.capacity);
    this.#seen = new Int32Array(soft.bodies.vertexCount);
  }

  /** Lists the contacts marked in `holds`. They are measured. */
  list(holds: Uint8Array): void {
    const { contacts, rigid } = this.#bare.system;
    const { start } = this;
    this.pairCount = 0;
    start.fill(0);
    this.#seen.fill(-1);
    // single vertices first: what faces say beside them is mostly said already
    for (let isFace = 0; isFace < 2; isFace++) {
      for (let c = 0; c < contacts.count; c++) {
        if (isFace === 0) this.#owner[c] = -1;
        if (holds[c] === 0 || this.#isOfFace(c) !== (isFace === 1)) continue;
        const owner = this.#ownerOf(c);
        const fits = owner >= 0 && rigid.inverseMass[owner] > 0 && start[owner + 1] < MOST_OUTERS;
        if (fits && this.#claim(c, owner)) {
          this.#owner[c] = owner;
          start[owner + 1]++;
        } else this.pair[this.pairCount++] = c;
      }
    }
    for (let b = 0; b < rigid.count; b++) start[b + 1] += start[b];
    const total = start[rigid.count];
    // from behind: the ends of all bodies, moved down one by one, become their beginnings
    for (let c = contacts.count - 1; c >= 0; c--) if (this.#owner[c] >= 0) this.row[--start[this.#owner[c] + 1]] = c;
    for (let b = 0; b < rigid.count; b++) start[b] = start[b + 1];
    start[rigid.count] = total;
  }

  /** The rigid body of a contact with flesh, -1 for any other. */
  #ownerOf(c: number): number {
    const { sideA, sideB, a, b } = this.#bare.system.contacts;
    if (sideA[c] < 0 === sideB[c] < 0) return -1;
    return sideA[c] < 0 ? a[c] : b[c];
  }

  /** Whether contact c is at a point of flesh between several vertices. */
  #isOfFace(c: number): boolean {
    const { contacts, soft } = this.#bare.system;
    const side = Math.max(contacts.sideA[c], contacts.sideB[c]);
    return side >= 0 && soft.weight[side * CORNERS + 1] !== 0;
  }

  /** Whether body b has no row yet with a vertex of contact c; from now on it has. */
  #claim(c: number, b: number): boolean {
    const { contacts, soft } = this.#bare.system;
    const { slot, slotVertex, weight, bodies } = soft;
    const side = contacts.sideA[c] < 0 ? contacts.sideB[c] : contacts.sideA[c];
    const first = bodies.firstVertex[soft.body[side]];
    for (let m = side * CORNERS; m < (side + 1) * CORNERS; m++) {
      if (weight[m] !== 0 && this.#seen[first + slotVertex[first + slot[m]]] === b) return false;
    }
    for (let m = side * CORNERS; m < (side + 1) * CORNERS; m++) {
      if (weight[m] !== 0) this.#seen[first + slotVertex[first + slot[m]]] = b;
    }
    return true;
  }

  /** Stops everything once: bodies and then pairs, or the other way round. `into`: bindings alone, towards where they should be, and what that took. */
  sweep(velocities: Velocities, way: 1 | -1, into?: Float64Array): void {
    const count = this.start.length - 1;
    if (way > 0) for (let b = 0; b < count; b++) this.#relaxBody(b, velocities, into);
    for (let n = 0; n < this.pairCount; n++) {
      this.#relaxPair(this.pair[way > 0 ? n : this.pairCount - 1 - n], velocities, into);
    }
    if (way < 0) for (let b = count - 1; b >= 0; b--) this.#relaxBody(b, velocities, into);
  }

  #relaxBody(b: number, velocities: Velocities, into?: Float64Array): void {
    const { start, row } = this;
    const { contacts, rigid } = this.#bare.system;
    if (start[b] === start[b + 1] || !invertMat3(this.#inertia, 0, rigid.inverseInertia, b * 9)) return;
    const central = this.#central;
    central.begin(rigid.mass[b], this.#inertia, 0);
    for (let n = start[b]; n < start[b + 1]; n++) {
      const c = row[n];
      const isBinding = contacts.isBinding(c);
      if (into && !isBinding) continue;
      const isA = contacts.sideA[c] < 0;
      this.#measureLeft(c, velocities, isBinding, into !== undefined);
      const k = this.#k.fill(0);
      this.#bare.addAnswer(c, !isA, k);
      for (let i = 0; i < 9; i += 4) k[i] = Math.max(k[i], UNMOVED * rigid.inverseMass[b]);
      if (!isA) for (let i = 0; i < 3; i++) this.#u[i] = -this.#u[i];
      this.#outer[central.count] = c;
      const arm = isA ? contacts.armA : contacts.armB;
      if (isBinding) central.addOuter(arm, c * 3, k, this.#u);
      else central.addAlong(arm, c * 3, this.#n, k, this.#u);
    }
    if (central.count === 0 || !central.solve()) return;
    for (let n = 0; n < central.count; n++) {
      const c = this.#outer[n];
      central.impulseOf(n, this.#p);
      // that on the particle; of a contact it is the one on A that is told
      if (contacts.sideA[c] < 0) for (let i = 0; i < 3; i++) this.#p[i] = -this.#p[i];
      this.#take(c, velocities, into);
    }
  }

  #relaxPair(c: number, velocities: Velocities, into?: Float64Array): void {
    const { contacts, opening } = this.#bare.system;
    const isBinding = contacts.isBinding(c);
    if (into && !isBinding) return;
    this.#measureLeft(c, velocities, isBinding, into !== undefined);
    const u = this.#u;
    const p = this.#p;
    if (isBinding) {
      const k = this.#k.fill(0);
      this.#bare.addAnswer(c, true, k);
      this.#bare.addAnswer(c, false, k);
      if (!invertMat3(k, 0, k, 0)) return;
      for (let i = 0; i < 3; i++) p[i] = k[i * 3] * u[0] + k[i * 3 + 1] * u[1] + k[i * 3 + 2] * u[2];
    } else if (opening[c] > 0) for (let i = 0; i < 3; i++) p[i] = u[i] / opening[c];
    else return;
    this.#take(c, velocities, into);
  }

  /** u = the change of velocity that contact c wants, A against B: along its normal, of a binding in all directions; `goes`: it is to close. */
  #measureLeft(c: number, velocities: Velocities, isBinding: boolean, goes: boolean): void {
    const { contacts, bound } = this.#bare.system;
    const u = this.#u;
    const n = this.#n;
    this.#bare.velocityOf(c, velocities, u);
    for (let k = 0; k < 3; k++) n[k] = contacts.normal[c * 3 + k];
    const along = n[0] * u[0] + n[1] * u[1] + n[2] * u[2];
    const goal = goes ? bound[c] : 0;
    for (let k = 0; k < 3; k++) {
      u[k] = isBinding ? goal * n[k] - u[k] : -along * n[k];
      this.found[0] = Math.max(this.found[0], Math.abs(u[k]));
    }
  }

  #take(c: number, velocities: Velocities, into?: Float64Array): void {
    if (into) for (let k = 0; k < 3; k++) into[c * 3 + k] += this.#p[k];
    this.#bare.push(c, this.#p, velocities);
  }
}

/**
 * Flesh at the surface that a step turns inside out, by contacts of the body with itself that hold a corner of a tet over the opposite face (docs/decisions/0049). Those that are flat
 * when a step begins are held from the start; what a step turns all the same is known once it has been taken, and then it is taken again. The two forces of such a contact
 * lie on one line, so that they change no momentum.
 */
import type { ContactBuffer } from '../contact-buffer.js';
import type { SurfaceMotion } from '../surface/surface-motion.js';
import { readFace, sixVolumes } from '../surface/tet-faces.js';

/** Share of its volume at rest below which a tet is flat when a step begins, and when it ends. */
const FLAT = 0.2;
const FLATTENED = 0.3;
/** Share of its height at rest that is kept; and heights per second by which what is flatter is led there. */
const KEPT_HEIGHT = 0.1;
const LED = 12;
/** Most tets of a body, and most of those it has at its surface: where many are inside out their contacts contradict each other. */
const MOST = 64;
const MOST_SHARE = 1 / 16;
/** Share of the body's size by which a tet must be inside out to be worth another try. */
const DEEP = 0.003;

/** Keeps the tets of one body. */
export class KeptTets {
  /** Where the step would take each vertex [m]: to be written before `findTurned`. */
  readonly end: Float64Array;
  readonly #body: SurfaceMotion;
  /** Tets that are looked at: four vertices each, six times their volume at rest [m³], and four heights at rest [m]. */
  readonly #corners: Int32Array;
  readonly #volumes: Float64Array;
  readonly #heights: Float64Array;
  readonly #isKept: Uint8Array;
  readonly #most: number;
  #count = 0;
  /** Unit normal of a face, its area twice, and the height of the corner over it. */
  readonly #face = new Float64Array(5);

  constructor(body: SurfaceMotion) {
    const { model, surface } = body;
    const { tets, positions } = model;
    const soft = surface.outerTets.filter((tet) => isSoft(body, tet));
    this.#body = body;
    this.end = new Float64Array(model.vertexCount * 3);
    this.#corners = new Int32Array(soft.length * 4);
    this.#isKept = new Uint8Array(soft.length);
    this.#most = Math.min(MOST, Math.ceil(MOST_SHARE * soft.length));
    soft.forEach((tet, n) => {
      this.#corners.set(tets.subarray(tet * 4, tet * 4 + 4), n * 4);
    });
    this.#volumes = Float64Array.from(soft, (_, n) => sixVolumes(positions, this.#corners, n));
    this.#heights = Float64Array.from(this.#corners, (_, corner) => {
      readFace(positions, this.#corners, corner, this.#face);
      return this.#face[4];
    });
  }

  /** Adds a contact for each tet of body number `index` that is flat. `h`: step [s]. */
  find(index: number, h: number, out: ContactBuffer): void {
    const { positions } = this.#body;
    this.#isKept.fill(0);
    this.#count = 0;
    for (let n = 0; n < this.#volumes.length && this.#count < this.#most; n++) {
      if (sixVolumes(positions, this.#corners, n) >= FLAT * this.#volumes[n]) continue;
      // where the step will end is not known yet
      if (this.#count === 0) this.end.set(positions);
      this.#keep(index, n, h, out);
    }
  }

  /** Adds one for each other tet that is flat where the step ends, if any is inside out by more than a little. */
  findTurned(index: number, h: number, out: ContactBuffer): void {
    if (!this.#isTurned()) return;
    for (let n = 0; n < this.#volumes.length && this.#count < this.#most; n++) {
      if (this.#isKept[n] === 1 || sixVolumes(this.end, this.#corners, n) >= FLATTENED * this.#volumes[n]) continue;
      this.#keep(index, n, h, out);
    }
  }

  /** Tets that are inside out at the end of the step. */
  countTurned(): number {
    let count = 0;
    for (let n = 0; n < this.#volumes.length; n++) if (sixVolumes(this.end, this.#corners, n) < 0) count++;
    return count;
  }

  #isTurned(): boolean {
    const deep = DEEP * this.#body.model.size;
    for (let n = 0; n < this.#volumes.length; n++) {
      if (sixVolumes(this.end, this.#corners, n) < 0 && this.#leastHeight(n) < -deep) return true;
    }
    return false;
  }

  /** Of the four heights of a tet that is inside out the one nearest to none. */
  #leastHeight(n: number): number {
    let least = Number.NEGATIVE_INFINITY;
    for (let corner = n * 4; corner < n * 4 + 4; corner++) {
      readFace(this.end, this.#corners, corner, this.#face);
      least = Math.max(least, this.#face[4]);
    }
    return least;
  }

  #keep(index: number, n: number, h: number, out: ContactBuffer): void {
    if (!this.#canMove(n)) return;
    const corner = this.#pick(n);
    const c = out.add(index, this.#body.model.vertexCount + corner, index, -1);
    if (c < 0) return;
    this.#isKept[n] = 1;
    this.#count++;
    this.#describe(c, corner, h, out);
  }

  #canMove(n: number): boolean {
    for (let corner = n * 4; corner < n * 4 + 4; corner++) if (this.#body.canMove(this.#corners[corner])) return true;
    return false;
  }

  /** The corner that goes through its face, as the faces stand when the step begins: the way back is the way it came. */
  #pick(n: number): number {
    const at = this.#corners;
    const x = this.end;
    const face = this.#face;
    let lowest = Number.POSITIVE_INFINITY;
    let best = n * 4;
    for (let corner = n * 4; corner < n * 4 + 4; corner++) {
      readFace(this.#body.positions, at, corner, face);
      const v = at[corner] * 3;
      const a = at[(corner & ~3) | ((corner + 1) & 3)] * 3;
      let over = 0;
      for (let k = 0; k < 3; k++) over += face[k] * (x[v + k] - x[a + k]);
      if (over >= lowest * this.#heights[corner]) continue;
      lowest = over / this.#heights[corner];
      best = corner;
    }
    return best;
  }

  /** Contact c holds a corner over the opposite face as that lies at the end: along the plane of the start it would be let through when the tet turns. */
  #describe(c: number, corner: number, h: number, out: ContactBuffer): void {
    const face = this.#face;
    const rest = this.#heights[corner];
    readFace(this.#body.positions, this.#corners, corner, face);
    const now = face[4];
    readFace(this.end, this.#corners, corner, face);
    const height = face[4];
    out.isKept[c] = 1;
    out.friction[c] = 0;
    out.gap[c] = now;
    out.offset[c] = Math.min(KEPT_HEIGHT * rest, now + LED * h * rest);
    out.setVertex(c, 0, 0, this.#corners[corner], 1);
    for (let k = 0; k < 3; k++) {
      out.normal[c * 3 + k] = face[k];
      out.stuck[c * 3 + k] = height * face[k];
    }
    this.#setFoot(c, corner, out);
  }

  /** The second side: the foot of the corner on the plane of the face, which may lie beside it. */
  #setFoot(c: number, corner: number, out: ContactBuffer): void {
    const at = this.#corners;
    const x = this.end;
    const face = this.#face;
    const first = corner & ~3;
    const v = at[corner] * 3;
    const sign = (corner & 1) === 0 ? -1 : 1;
    let left = 1;
    for (let m = 0; m < 2; m++) {
      const i = at[first | ((corner + 1 + ((m + 1) % 3)) & 3)] * 3;
      const j = at[first | ((corner + 1 + ((m + 2) % 3)) & 3)] * 3;
      // twice the area that the foot makes with the two others, seen along the normal: how high the corner is does not matter
      let area = 0;
      for (let k = 0; k < 3; k++) {
        const p = (k + 1) % 3;
        const q = (k + 2) % 3;
        area +=
          face[k] * ((x[i + p] - x[v + p]) * (x[j + q] - x[v + q]) - (x[i + q] - x[v + q]) * (x[j + p] - x[v + p]));
      }
      const weight = (sign * area) / face[3];
      left -= weight;
      out.setVertex(c, 1, m, at[first | ((corner + 1 + m) & 3)], weight);
    }
    out.setVertex(c, 1, 2, at[first | ((corner + 3) & 3)], left);
  }
}

/** Whether a tet can change its shape: not all of it is one bone. */
function isSoft({ model: { tets, pinned, bones } }: SurfaceMotion, tet: number): boolean {
  const bone = bones.ofVertex[tets[tet * 4]];
  for (let corner = tet * 4; corner < tet * 4 + 4; corner++) {
    const v = tets[corner];
    if (!pinned[v] && (bone < 0 || bones.ofVertex[v] !== bone)) return true;
  }
  return false;
}

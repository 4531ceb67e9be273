/**
 * Contacts of the coupled solver as every world shows them: points of bodies as weighted means of their vertices, forces in newtons. A point
 * of a rigid part is a mean of the four points that carry its mass; those of a soft body are its own vertices.
 */
import type { BodyState } from '../../../body/state.js';
import type { ContactBuffer } from '../../../collision/contact-buffer.js';
import { invertMat3 } from '../../../math/mat3-inverse.js';
import type { SolverSite } from '../../solver.js';
import type { CoupledCore } from '../coupled-core.js';
import { CORNERS } from '../soft/soft-sides.js';
import type { BodyMap } from '../world-bodies.js';

/** Mass points of a part. */
const POINTS = 4;

/** Writes contacts that push into the world's buffer. */
export class ContactPublisher {
  readonly #core: CoupledCore;
  readonly #map: BodyMap;
  readonly #states: readonly BodyState[];
  /** Per part: its first mass point, and the way from a place in the bone to weights of the last three: 9 and an offset of 3. */
  readonly #point: Int32Array;
  readonly #inverse: Float64Array;
  readonly #offset: Float64Array;
  readonly #local = new Float64Array(3);
  #h = 0;
  readonly #fill = (buffer: ContactBuffer): void => this.#write(buffer);

  constructor(site: SolverSite, core: CoupledCore, map: BodyMap, states: readonly BodyState[]) {
    this.#core = core;
    this.#map = map;
    this.#states = states;
    const parts = map.firstAnchor;
    this.#point = new Int32Array(parts);
    this.#inverse = new Float64Array(parts * 9);
    this.#offset = new Float64Array(parts * 3);
    site.bodies.forEach(({ model: { bones, positions } }, i) => {
      for (let part = map.firstPart[i]; part < map.firstPart[i + 1]; part++) {
        const bone = part - map.firstPart[i];
        const first = bones.vertices[bones.vertexStart[bone + 1] - POINTS];
        const edges = new Float64Array(9);
        for (let k = 0; k < 3; k++) {
          this.#offset[part * 3 + k] = positions[first * 3 + k] - bones.centre[bone * 3 + k];
          for (let m = 0; m < 3; m++) edges[k * 3 + m] = positions[(first + 1 + m) * 3 + k] - positions[first * 3 + k];
        }
        this.#point[part] = first;
        invertMat3(this.#inverse, part * 9, edges, 0);
      }
    });
  }

  /** The buffer is to have the contacts as they are after a step with substeps of h [s]. Few look at them, so they are written when somebody does. */
  publish(buffer: ContactBuffer, h: number): void {
    this.#h = h;
    buffer.fillLater(this.#fill);
  }

  #write(buffer: ContactBuffer): void {
    const h = this.#h;
    const { contacts } = this.#core;
    const { owner, firstObstacle } = this.#map;
    const push = contacts.push[1];
    for (let c = 0; c < contacts.count; c++) {
      if (contacts.isBinding(c)) continue;
      if (push[c * 3] === 0 && push[c * 3 + 1] === 0 && push[c * 3 + 2] === 0) continue;
      // an obstacle is always the second
      const swapped = owner[contacts.a[c]] < 0;
      const a = swapped ? contacts.b[c] : contacts.a[c];
      const b = swapped ? contacts.a[c] : contacts.b[c];
      const obstacle = owner[b] < 0 ? b - firstObstacle : -1;
      const n = buffer.add(owner[a], c, owner[b], obstacle);
      if (n < 0) continue;
      const sign = swapped ? -1 : 1;
      for (let k = 0; k < 3; k++) {
        buffer.normal[n * 3 + k] = sign * contacts.normal[c * 3 + k];
        buffer.force[n * 3 + k] = (sign * push[c * 3 + k]) / h;
      }
      buffer.gap[n] = contacts.gap[c];
      buffer.friction[n] = contacts.friction[c];
      this.#writeSide(
        buffer,
        n,
        0,
        a,
        swapped ? contacts.sideB[c] : contacts.sideA[c],
        swapped ? contacts.armB : contacts.armA,
        c,
      );
      if (obstacle < 0) this.#writeSide(buffer, n, 1, b, contacts.sideB[c], contacts.armB, c);
    }
  }

  #writeSide(
    buffer: ContactBuffer,
    n: number,
    side: number,
    body: number,
    soft: number,
    arm: Float64Array,
    c: number,
  ): void {
    if (soft < 0) {
      this.#writeRigid(buffer, n, side, body, arm, c);
      return;
    }
    const { sides } = this.#core;
    const first = this.#core.soft.firstVertex[sides.body[soft]];
    for (let k = 0; k < CORNERS; k++) {
      const vertex = sides.slotVertex[first + sides.slot[soft * CORNERS + k]];
      buffer.setVertex(n, side, k, vertex, sides.weight[soft * CORNERS + k]);
    }
  }

  #writeRigid(buffer: ContactBuffer, n: number, side: number, part: number, arm: Float64Array, c: number): void {
    const i = this.#map.owner[part];
    const { rotations } = this.#states[i].poses;
    const r = (part - this.#map.firstPart[i]) * 9;
    const local = this.#local;
    for (let k = 0; k < 3; k++) {
      const along =
        rotations[r + k] * arm[c * 3] + rotations[r + 3 + k] * arm[c * 3 + 1] + rotations[r + 6 + k] * arm[c * 3 + 2];
      local[k] = along - this.#offset[part * 3 + k];
    }
    let rest = 1;
    for (let m = 0; m < 3; m++) {
      const row = part * 9 + m * 3;
      const w = this.#inverse[row] * local[0] + this.#inverse[row + 1] * local[1] + this.#inverse[row + 2] * local[2];
      buffer.setVertex(n, side, m + 1, this.#point[part] + 1 + m, w);
      rest -= w;
    }
    buffer.setVertex(n, side, 0, this.#point[part], rest);
  }
}

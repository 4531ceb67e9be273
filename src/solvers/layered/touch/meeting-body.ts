/** What the search for meetings knows of a body while a step lasts: spheres around its bones and groups of nodes, and where its nodes go. */
import type { LayerBody } from '../layer-body.js';
import { nodeRotation, skinNode, sphereReach } from '../skin/skinning.js';

const ROTATION = new Float64Array(9);

/** Places are worked out when they are first asked for in a step. */
export class MeetingBody {
  readonly body: LayerBody;
  /** Spheres around the skin of each bone and around groups of nodes, in the world: x, y, z, radius. */
  readonly bones: Float64Array;
  readonly groups: Float64Array;
  /** Box around it all. */
  readonly box = new Float64Array(6);
  /** Where the nodes of `meetings` are at the end of the step without contact forces, 3 each [m]; and 1 for groups that are there. */
  readonly ends: Float64Array;
  readonly #placed: Uint8Array;
  #groupsPlaced = false;
  #kept = 1;

  constructor(body: LayerBody) {
    const { meetings } = body.model;
    this.body = body;
    this.bones = new Float64Array(4 * meetings.bones.count);
    this.groups = new Float64Array(4 * meetings.count);
    this.ends = new Float64Array(3 * meetings.nodes.length);
    this.#placed = new Uint8Array(meetings.count);
  }

  /** A step begins: places bones. `kept`: share of the dents that is left at its end. */
  begin(kept: number): void {
    const { body, bones, box } = this;
    const spheres = body.model.meetings.bones;
    this.#groupsPlaced = false;
    this.#kept = kept;
    for (let k = 0; k < 3; k++) {
      box[k] = Number.POSITIVE_INFINITY;
      box[3 + k] = Number.NEGATIVE_INFINITY;
    }
    for (let bone = 0; bone < spheres.count; bone++) {
      const o = 4 * bone;
      const radius = sphereReach(body, spheres, bone, bones, o);
      bones[o + 3] = radius;
      if (radius < 0) continue;
      for (let k = 0; k < 3; k++) {
        box[k] = Math.min(box[k], bones[o + k] - radius);
        box[3 + k] = Math.max(box[3 + k], bones[o + k] + radius);
      }
    }
  }

  placeGroups(): void {
    if (this.#groupsPlaced) return;
    this.#groupsPlaced = true;
    this.#placed.fill(0);
    const { groups, body } = this;
    const { meetings } = body.model;
    for (let g = 0; g < meetings.count; g++) groups[4 * g + 3] = sphereReach(body, meetings, g, groups, 4 * g);
  }

  /** Places the nodes of a group; groups must have been placed. */
  placeNodes(g: number): void {
    if (this.#placed[g] === 1) return;
    this.#placed[g] = 1;
    const { body, ends } = this;
    const { model, state, isDented } = body;
    const { start, nodes } = model.meetings;
    for (let n = start[g]; n < start[g + 1]; n++) {
      const p = nodes[n];
      skinNode(model, model.positions, body.freeMatrices, p, ends, 3 * n);
      if (isDented[p] === 0) continue;
      nodeRotation(model, body.free.quats, p, ROTATION, 0);
      addDent(ends, 3 * n, ROTATION, state.dents, 3 * p, this.#kept);
    }
  }
}

/** out += scale Q u */
export function addDent(
  out: Float64Array,
  o: number,
  q: Float64Array,
  u: Float64Array,
  i: number,
  scale: number,
): void {
  const x = scale * u[i];
  const y = scale * u[i + 1];
  const z = scale * u[i + 2];
  out[o] += q[0] * x + q[1] * y + q[2] * z;
  out[o + 1] += q[3] * x + q[4] * y + q[5] * z;
  out[o + 2] += q[6] * x + q[7] * y + q[8] * z;
}

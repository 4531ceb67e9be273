/**
 * Contacts with obstacles that fit between nodes: balls that stand for them (`thin-obstacles.ts`) are looked up in the skin, and press in the node that
 * stands for the skin there. Called after the nodes were tested.
 */
import { type ObstacleSet, POSE } from '../../../collision/obstacles/obstacle.js';
import { obstacleVelocity } from '../../../collision/obstacles/obstacle-motion.js';
import type { LayerBody } from '../layer-body.js';
import type { LayerModel } from '../layer-model.js';
import { sphereReach, TOUCHING } from '../skin/skinning.js';
import { setLocal, setTangents } from './find-touches.js';
import { SkinLookup } from './lookup/skin-lookup.js';
import { DEEPEST } from './meeting-test.js';
import { PlacedNode } from './placed-node.js';
import { listThinBalls, type ThinBalls } from './thin-obstacles.js';
import {
  ARM,
  CORE_GAP,
  FRICTION,
  GAP,
  LEAD_OUT_SPEED,
  NORMAL,
  SIDE,
  SLIP_1,
  SLIP_2,
  TANGENT_1,
  TANGENT_2,
  TOUCH,
  type TouchList,
} from './touch-list.js';

/** Finds contacts with thin obstacles; owns its scratch. */
export class ThinFinder {
  readonly #spacing: number;
  /** First contact of each body and the one after the last. */
  readonly #found: Int32Array;
  #obstacles: ObstacleSet | undefined;
  #balls: ThinBalls[] = [];
  readonly #lookup = new SkinLookup();
  readonly #node = new PlacedNode();
  readonly #sphere = new Float64Array(3);
  readonly #ball = new Float64Array(3);
  readonly #velocity = new Float64Array(3);

  constructor(bodies: readonly LayerBody[]) {
    const models = new Set(bodies.map(({ model }) => model));
    this.#spacing = Math.max(0, ...[...models].map(nodeSpacing));
    this.#found = new Int32Array(2 * bodies.length);
  }

  /** Whether contact c of body b is one of those found here in this step. */
  has(b: number, c: number): boolean {
    return c >= this.#found[2 * b] && c < this.#found[2 * b + 1];
  }

  /** Adds the contacts of body number `index`. `kept`: share of its dents that the skin still has at the end of the step. */
  find(
    index: number,
    body: LayerBody,
    obstacles: ObstacleSet,
    h: number,
    kept: number,
    coreShare: number,
    out: TouchList,
  ): void {
    if (obstacles !== this.#obstacles) {
      this.#obstacles = obstacles;
      this.#balls = listThinBalls(obstacles, this.#spacing);
    }
    this.#found[2 * index] = out.count;
    for (let i = 0; i < obstacles.count; i++) {
      if (this.#balls[i].length === 0 || !obstacles.has(i)) continue;
      const from = out.count;
      for (let bone = 0; bone < body.model.bones.count; bone++) {
        const reach = sphereReach(body, body.model.meetings.bones, bone, this.#sphere, 0);
        if (reach < 0) continue;
        for (let n = 0; n < this.#balls[i].length; n += 4) {
          if (!this.#place(obstacles, i, n, reach)) continue;
          this.#test(index, body, bone, obstacles, i, this.#balls[i][n + 3], h, kept, coreShare, from, out);
        }
      }
    }
    this.#found[2 * index + 1] = out.count;
  }

  /** Takes a ball to where it is at the end of the step; false where it cannot reach the sphere at hand. */
  #place({ next, nextRotations: r }: ObstacleSet, i: number, n: number, reach: number): boolean {
    const balls = this.#balls[i];
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const row = 9 * i + 3 * k;
      this.#ball[k] =
        r[row] * balls[n] + r[row + 1] * balls[n + 1] + r[row + 2] * balls[n + 2] + next[POSE * i + 4 + k];
      square += (this.#ball[k] - this.#sphere[k]) * (this.#ball[k] - this.#sphere[k]);
    }
    return square <= (reach + balls[n + 3]) * (reach + balls[n + 3]);
  }

  /** Adds a contact where the ball is in the skin of a bone; of several balls at one node, those since contact `from`, the deepest counts. */
  #test(
    index: number,
    body: LayerBody,
    bone: number,
    obstacles: ObstacleSet,
    i: number,
    radius: number,
    h: number,
    kept: number,
    coreShare: number,
    from: number,
    out: TouchList,
  ): void {
    const { model, state } = body;
    const margin = TOUCHING * model.deepest;
    const q = this.#lookup.find(body, bone, this.#ball, 0, radius + margin + body.deepestDent);
    if (q < 0) return;
    const p = model.standIn[q];
    const n = model.normals;
    const { dents } = state;
    const along = dents[3 * p] * n[3 * q] + dents[3 * p + 1] * n[3 * q + 1] + dents[3 * p + 2] * n[3 * q + 2];
    const undented = model.lookup.height(q, this.#lookup.rest) - radius;
    const gap = undented - kept * along;
    if (!(gap < margin) || !(undented >= -DEEPEST * model.depths[q] - 2 * radius)) return;
    if (n[3 * q] === 0 && n[3 * q + 1] === 0 && n[3 * q + 2] === 0) return;
    let c = from;
    while (c < out.count && out.nodes[2 * c] !== p) c++;
    if (c < out.count && out.data[TOUCH * c + GAP] <= gap) return;
    if (c === out.count) out.add();
    out.obstacles[c] = i;
    this.#write(index, body, q, obstacles, i, h, kept, c, out);
    const o = TOUCH * c;
    const slowest = Math.min(0, this.#along - h * LEAD_OUT_SPEED);
    out.data[o + GAP] = Math.max(gap, slowest);
    out.data[o + CORE_GAP] = Math.max(undented + coreShare * model.depths[q], slowest);
  }

  /** Way of the skin against the obstacle in the step along the normal, without contact forces [m]. */
  #along = 0;

  #write(
    index: number,
    body: LayerBody,
    q: number,
    obstacles: ObstacleSet,
    i: number,
    h: number,
    kept: number,
    c: number,
    out: TouchList,
  ): void {
    const { model, fronts } = body;
    const node = this.#node;
    const { data, sides } = out;
    const o = TOUCH * c;
    const p = model.standIn[q];
    const bone = model.owners[4 * p];
    node.place(body, q, kept);
    // the obstacle presses the skin in
    for (let k = 0; k < 3; k++) {
      const r = 3 * k;
      data[o + NORMAL + k] = -(
        node.rotation[r] * model.normals[3 * q] +
        node.rotation[r + 1] * model.normals[3 * q + 1] +
        node.rotation[r + 2] * model.normals[3 * q + 2]
      );
    }
    setTangents(data, o);
    data[o + FRICTION] = obstacles.friction[i];
    data[o + SLIP_1] = 0;
    data[o + SLIP_2] = 0;
    obstacleVelocity(obstacles, i, this.#ball, 0, this.#velocity);
    this.#along = 0;
    for (let k = 0; k < 3; k++) {
      const own = node.end[k] - node.start[k];
      const way = own - h * this.#velocity[k];
      data[o + SLIP_1] += data[o + TANGENT_1 + k] * way;
      data[o + SLIP_2] += data[o + TANGENT_2 + k] * way;
      this.#along += data[o + NORMAL + k] * way;
      sides[SIDE * 2 * c + ARM + k] = this.#ball[k] - own - fronts.reference[3 * bone + k];
    }
    out.bodies[2 * c] = index;
    out.bones[2 * c] = bone;
    out.nodes[2 * c] = p;
    setLocal(out, 2 * c, node.rotation);
  }
}

/** How far apart the nodes are that can touch: the side of the square that each has of the skin [m]. */
function nodeSpacing({ areas, clusters }: LayerModel): number {
  const area = areas.reduce((sum, part) => sum + part, 0);
  return clusters.nodes.length > 0 ? Math.sqrt(area / clusters.nodes.length) : 0;
}

/**
 * Which nodes of a character are in an obstacle, or will be without contact forces at the end of the step. Bones first, then small
 * groups of nodes, then nodes: what is out of reach is never skinned. Called after the free step.
 */
import { intoObstacleAtEnd, type ObstacleSet, outOfObstacle } from '../../../collision/obstacles/obstacle.js';
import { obstacleVelocity } from '../../../collision/obstacles/obstacle-motion.js';
import { reboundDistance } from '../../../collision/obstacles/rebound.js';
import { probeShape, ShapeProbe } from '../../../collision/shapes/shape.js';
import { perpendicularVec3 } from '../../../math/vec3.js';
import type { LayerBody } from '../layer-body.js';
import { nodeRotation, skinNode, sphereReach, TOUCHING } from '../skin/skinning.js';
import type { FindKernel } from './find-kernel.js';
import type { NodeSpheres } from './node-clusters.js';
import {
  ARM,
  CORE_GAP,
  FRICTION,
  GAP,
  LEAD_OUT_SPEED,
  LOCAL,
  NORMAL,
  SIDE,
  SLIP_1,
  SLIP_2,
  TANGENT_1,
  TANGENT_2,
  TOUCH,
  type TouchList,
} from './touch-list.js';

/** Finds contacts with obstacles; owns its scratch. */
export class TouchFinder {
  readonly #probe = new ShapeProbe();
  readonly #point = new Float64Array(3);
  readonly #start = new Float64Array(3);
  readonly #dent = new Float64Array(3);
  readonly #startDent = new Float64Array(3);
  readonly #rotation = new Float64Array(9);
  readonly #velocity = new Float64Array(3);
  /** [m/s²] */
  gravity: ArrayLike<number> = NO_GRAVITY;
  readonly #kernel: FindKernel | undefined;

  constructor(kernel?: FindKernel) {
    this.#kernel = kernel;
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
    const { clusters, bones } = body.model;
    for (let i = 0; i < obstacles.count; i++) {
      if (!obstacles.has(i)) continue;
      const byKernel = out.isHome && this.#kernel?.knows(obstacles, i);
      if (byKernel && this.#kernel?.find(index, body, obstacles, i, h, kept, coreShare, out)) continue;
      for (let bone = 0; bone < bones.count; bone++) {
        const from = clusters.ofBone[bone];
        const to = clusters.ofBone[bone + 1];
        if (from === to || !this.#canTouch(body, clusters.bones, bone, obstacles, i)) continue;
        for (let g = from; g < to; g++) {
          if (to - from > 1 && !this.#canTouch(body, clusters, g, obstacles, i)) continue;
          for (let n = clusters.start[g]; n < clusters.start[g + 1]; n++) {
            this.#test(index, body, clusters.nodes[n], obstacles, i, h, kept, coreShare, out);
          }
        }
      }
    }
  }

  /** Whether anything within sphere number g can be in obstacle i. */
  #canTouch(body: LayerBody, spheres: NodeSpheres, g: number, obstacles: ObstacleSet, i: number): boolean {
    const probe = this.#probe;
    const reach = sphereReach(body, spheres, g, this.#point, 0);
    if (reach < 0) return false;
    intoObstacleAtEnd(obstacles, i, this.#point, 0, probe.at);
    probe.reach[0] = reach;
    probeShape(obstacles.defs[i].shape, probe);
    return probe.distance[0] <= reach;
  }

  /** Adds a contact where node p is in obstacle i. */
  #test(
    index: number,
    body: LayerBody,
    p: number,
    obstacles: ObstacleSet,
    i: number,
    h: number,
    kept: number,
    coreShare: number,
    out: TouchList,
  ): void {
    const { model, state } = body;
    const point = this.#point;
    const dent = this.#dent;
    const probe = this.#probe;
    const margin = TOUCHING * model.depths[p];
    skinNode(model, model.positions, body.freeMatrices, p, point, 0);
    const dented = body.isDented[p] === 1;
    intoObstacleAtEnd(obstacles, i, point, 0, probe.at);
    const u = state.dents;
    const d = 3 * p;
    // a dent moves a node by no more than the sum of its parts
    const reach = dented ? margin + Math.abs(u[d]) + Math.abs(u[d + 1]) + Math.abs(u[d + 2]) : margin;
    probe.reach[0] = reach;
    probeShape(obstacles.defs[i].shape, probe);
    if (!(probe.distance[0] < reach)) return;
    nodeRotation(model, body.free.quats, p, this.#rotation, 0);
    turnDent(this.#rotation, u, d, kept, dent);
    if (dented) {
      for (let k = 0; k < 3; k++) point[k] += dent[k];
      intoObstacleAtEnd(obstacles, i, point, 0, probe.at);
      probeShape(obstacles.defs[i].shape, probe);
    }
    const distance = probe.distance[0];
    if (!(distance < margin)) return;
    const c = out.add();
    const o = TOUCH * c;
    const { data } = out;
    out.obstacles[c] = i;
    outOfObstacle(obstacles, i, probe.normal, false, data, o + NORMAL);
    setTangents(data, o);
    data[o + FRICTION] = obstacles.friction[i];
    // where it was, and how far it goes against what it touches
    const start = this.#start;
    const startDent = this.#startDent;
    skinNode(model, model.positions, body.startMatrices, p, start, 0);
    nodeRotation(model, state.poses.quats, p, START_ROTATION, 0);
    turnDent(START_ROTATION, u, d, 1, startDent);
    obstacleVelocity(obstacles, i, start, 0, this.#velocity);
    let along = 0;
    for (let k = 0; k < 3; k++) {
      const way = point[k] - (start[k] + startDent[k]) - h * this.#velocity[k];
      data[o + SLIP_1] += data[o + TANGENT_1 + k] * way;
      data[o + SLIP_2] += data[o + TANGENT_2 + k] * way;
      along += data[o + NORMAL + k] * way;
    }
    // what was inside already, before it moved, is led out slowly
    const slowest = along - h * LEAD_OUT_SPEED;
    data[o + GAP] = Math.max(distance, Math.min(slowest, 0));
    const undented = distance - dotAt(data, o + NORMAL, dent);
    data[o + CORE_GAP] = Math.max(undented + coreShare * model.depths[p], Math.min(slowest, 0));
    if (obstacles.restitution[i] > 0) this.#rebound(obstacles.restitution[i], distance, along, h, data, o);
    this.#setSide(index, body, p, c, out);
  }

  /** A hit that bounces ends farther out, and bones alone make it so: the skin would swallow it. `along`: way towards the normal in the step. */
  #rebound(restitution: number, distance: number, along: number, h: number, data: Float64Array, o: number): void {
    const pull = -dotAt(data, o + NORMAL, this.gravity);
    const lift = reboundDistance(restitution, distance - along, -along / h - h * pull, pull, h, false);
    if (lift > 0) data[o + CORE_GAP] = Math.min(data[o + CORE_GAP], distance - lift);
  }

  #setSide(index: number, body: LayerBody, p: number, c: number, out: TouchList): void {
    const bone = body.model.owners[4 * p];
    const s = 2 * c;
    out.bodies[s] = index;
    out.bones[s] = bone;
    out.nodes[s] = p;
    const { sides } = out;
    const { reference } = body.fronts;
    for (let k = 0; k < 3; k++) {
      sides[SIDE * s + ARM + k] = this.#start[k] + this.#startDent[k] - reference[3 * bone + k];
    }
    setLocal(out, s, this.#rotation);
  }
}

/** Directions of a contact in the rest shape at side s, whose node is turned by Q: Qᵀ times each. */
export function setLocal({ data, sides }: TouchList, s: number, q: Float64Array): void {
  for (let axis = 0; axis < 3; axis++) {
    const d = TOUCH * (s >> 1) + NORMAL + 3 * axis;
    const l = SIDE * s + LOCAL + 3 * axis;
    for (let k = 0; k < 3; k++) sides[l + k] = q[k] * data[d] + q[3 + k] * data[d + 1] + q[6 + k] * data[d + 2];
  }
}

const NO_GRAVITY = new Float64Array(3);
const START_ROTATION = new Float64Array(9);

/** Two unit vectors at right angles to the normal of contact data and to each other. */
export function setTangents(data: Float64Array, o: number): void {
  perpendicularVec3(data, o + TANGENT_1, data, o + NORMAL);
  const nx = data[o];
  const ny = data[o + 1];
  const nz = data[o + 2];
  const tx = data[o + 3];
  const ty = data[o + 4];
  const tz = data[o + 5];
  data[o + 6] = ny * tz - nz * ty;
  data[o + 7] = nz * tx - nx * tz;
  data[o + 8] = nx * ty - ny * tx;
}

/** out = scale Q u */
function turnDent(q: Float64Array, u: Float64Array, i: number, scale: number, out: Float64Array): void {
  for (let k = 0; k < 3; k++) {
    out[k] = scale * (q[3 * k] * u[i] + q[3 * k + 1] * u[i + 1] + q[3 * k + 2] * u[i + 2]);
  }
}

function dotAt(a: Float64Array, i: number, b: ArrayLike<number>): number {
  return a[i] * b[0] + a[i + 1] * b[1] + a[i + 2] * b[2];
}

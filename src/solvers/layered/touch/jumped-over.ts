/**
 * Limbs that a step takes through an obstacle, or more than halfway into it: contacts are looked for where nodes will be at its end, where such a step would
 * see none, or push nodes out on the far side. The world then tries shorter ones. Called after the free step.
 */
import { intoObstacle, intoObstacleAtEnd, type ObstacleSet } from '../../../collision/obstacles/obstacle.js';
import { probeShape, type ShapeDef, ShapeProbe } from '../../../collision/shapes/shape.js';
import type { LayerBody } from '../layer-body.js';

/** Depths of soft layer from the skin of a limb to its middle. */
const TO_THE_MIDDLE = 2;
/** Most places that are looked at along a way. */
const MOST_PLACES = 64;

/** Looks along the ways of fast bones; owns its scratch. */
export class JumpWatch {
  readonly #probe = new ShapeProbe();
  readonly #from = new Float64Array(3);
  readonly #to = new Float64Array(3);

  /** Whether a bone of a body, without contact forces, goes so far into an obstacle or past it. Half spaces and grids of heights have no other side. */
  hasJumped(body: LayerBody, obstacles: ObstacleSet): boolean {
    const { boneDepth, bones } = body.model;
    for (let i = 0; i < obstacles.count; i++) {
      const { shape } = obstacles.defs[i];
      if (!obstacles.has(i) || shape.kind === 'plane' || shape.kind === 'heightField') continue;
      if ('container' in shape && shape.container === true) continue;
      for (let bone = 0; bone < bones.count; bone++) {
        if (boneDepth[bone] > 0 && this.#passes(body, bone, TO_THE_MIDDLE * boneDepth[bone], obstacles, i)) return true;
      }
    }
    return false;
  }

  /** In the frame of the obstacle, where it stands still: from outside, anywhere on its way deeper into it than half of the thinner of both. `radius`: that of the limb [m]. */
  #passes({ state, free }: LayerBody, bone: number, radius: number, obstacles: ObstacleSet, i: number): boolean {
    const from = this.#from;
    const to = this.#to;
    intoObstacle(obstacles, i, state.poses.translations, 3 * bone, from);
    intoObstacleAtEnd(obstacles, i, free.translations, 3 * bone, to);
    const x = to[0] - from[0];
    const y = to[1] - from[1];
    const z = to[2] - from[2];
    const way = Math.sqrt(x * x + y * y + z * z);
    const { shape } = obstacles.defs[i];
    // nodes deeper than this are nearer to the other side
    const most = Math.min(radius, halfThickness(shape));
    if (!(way > most / 2)) return false;
    const atStart = this.#distance(shape, 0, way + radius);
    if (atStart > way + radius || atStart < radius - most / 2) return false;
    const places = Math.min(MOST_PLACES, Math.ceil((2 * way) / most));
    for (let n = 1; n <= places; n++) if (this.#distance(shape, n / places, radius) < radius - most) return true;
    return false;
  }

  /** Distance of the place a share of the way along; right up to `reach`. */
  #distance(shape: ShapeDef, share: number, reach: number): number {
    const { at, reach: asked, distance } = this.#probe;
    for (let k = 0; k < 3; k++) at[k] = (1 - share) * this.#from[k] + share * this.#to[k];
    asked[0] = reach;
    probeShape(shape, this.#probe);
    return distance[0];
  }
}

/** Half of the least that a shape is thick [m]; meshes, whose thickness is not known, count as thick as any limb. */
function halfThickness(shape: ShapeDef): number {
  if (shape.kind === 'box') return Math.min(shape.halfExtents[0], shape.halfExtents[1], shape.halfExtents[2]);
  if (shape.kind === 'cylinder') return Math.min(shape.radius, shape.halfLength);
  return shape.kind === 'sphere' || shape.kind === 'capsule' ? shape.radius : Number.POSITIVE_INFINITY;
}

/** Taking hold of a body: the pointer's end of the spring that drags flesh or bones. */
import { requireInRange, requireNumbers, TendonError } from '../errors.js';
import { insideOf, type World, type WorldBody } from './world.js';

/** Part of the body's size within which vertices share the pull. */
const DEFAULT_RADIUS = 0.06;

/** How to take hold. */
export interface GrabOptions {
  /** Vertices within this distance share the pull [m]; default 6 % of the body's size. */
  readonly radius?: number;
}

/** A grip on a body; made by `grabBody`, ended by `releaseGrab`. */
export interface Grab {
  readonly body: WorldBody;
  readonly vertices: Int32Array;
  /** One per vertex, summing to 1. */
  readonly weights: Float64Array;
  /** Where the weighted mean of the vertices is pulled to [m]. */
  readonly target: Float64Array;
  /** From the point that was taken hold of to that weighted mean [m]. */
  readonly offset: Float64Array;
  /** Writes where the gripped point is now [m]. */
  point(out: Float64Array): void;
}

const grips = new WeakMap<WorldBody, Grab[]>();

/**
 * Takes hold of a body near a point in the world [m]. Held vertices are pulled together, flesh and bones alike.
 *
 * @example
 * const grab = grabBody(world, 0, [0, 1.2, 0], { radius: 0.05 });
 */
export function grabBody(world: World, bodyIndex: number, point: ArrayLike<number>, options: GrabOptions = {}): Grab {
  const body = world.bodies[bodyIndex];
  if (!body)
    throw new TendonError('E_INDEX', 'grab/bodyIndex', bodyIndex, `the world has ${world.bodies.length} bodies`);
  requireNumbers(point, 3, 'grab/point');
  const radius = requireInRange(options.radius ?? DEFAULT_RADIUS * body.model.size, 0, 1e9, 'grab/radius');
  const { vertices, weights } = nearVertices(body, point, radius);
  const offset = new Float64Array(3);
  weightedMean(body, vertices, weights, offset);
  const target = offset.slice();
  for (let k = 0; k < 3; k++) offset[k] -= point[k];
  const grab: Grab = {
    body,
    vertices,
    weights,
    target,
    offset,
    point: (out) => {
      weightedMean(body, vertices, weights, out);
      for (let k = 0; k < 3; k++) out[k] -= offset[k];
    },
  };
  const all = [...(grips.get(body) ?? []), grab];
  grips.set(body, all);
  insideOf(world).solver.hold(bodyIndex, all);
  return grab;
}

/**
 * Moves the point a grip pulls to [m].
 *
 * @example
 * moveGrab(grab, [0.1, 1.3, 0]); // from the next step on
 */
export function moveGrab(grab: Grab, target: ArrayLike<number>): void {
  requireNumbers(target, 3, 'grab/target');
  for (let k = 0; k < 3; k++) grab.target[k] = target[k] + grab.offset[k];
}

/**
 * Lets go. Letting go twice does nothing.
 *
 * @example
 * releaseGrab(world, grab);
 */
export function releaseGrab(world: World, grab: Grab): void {
  if (!world.bodies.includes(grab.body)) return;
  const left = (grips.get(grab.body) ?? []).filter((one) => one !== grab);
  grips.set(grab.body, left);
  insideOf(world).solver.hold(grab.body.index, left);
}

/** Lets go of every body of a world. */
export function releaseGrabs(world: World): void {
  for (const body of world.bodies) {
    if (!grips.delete(body)) continue;
    insideOf(world).solver.hold(body.index, []);
  }
}

/** Names of all grips on the bodies of a world: bodies/NAME/grips/0 and so on. */
export function namesOfGrips(world: World): readonly string[] {
  return world.bodies.flatMap((body) => (grips.get(body) ?? []).map((_, i) => `bodies/${body.name}/grips/${i}`));
}

/** Does something while nothing holds any body; the grips are there again afterwards. */
export function withoutGrips(world: World, act: () => boolean): boolean {
  const held = world.bodies.filter((body) => (grips.get(body) ?? []).length > 0);
  const { solver } = insideOf(world);
  for (const { index } of held) solver.hold(index, []);
  const result = act();
  for (const body of held) solver.hold(body.index, grips.get(body) ?? []);
  return result;
}

/** Vertices around a point, weighted by nearness; at least the four nearest. Pinned ones cannot be pulled. */
function nearVertices(body: WorldBody, point: ArrayLike<number>, radius: number) {
  const { positions } = body.state;
  const { vertexCount, pinned } = body.model;
  const all: { v: number; d: number }[] = [];
  for (let v = 0; v < vertexCount; v++) {
    if (pinned[v]) continue;
    let d = 0;
    for (let k = 0; k < 3; k++) d += (positions[v * 3 + k] - point[k]) * (positions[v * 3 + k] - point[k]);
    all.push({ v, d });
  }
  if (all.length === 0) throw new TendonError('E_EMPTY', 'grab', body.name, 'every vertex of the body is pinned');
  all.sort((a, b) => a.d - b.d || a.v - b.v);
  const reach = Math.max(radius, 1.5 * Math.sqrt(all[Math.min(3, all.length - 1)].d));
  const near = all.filter(({ d }) => d < reach * reach);
  const chosen = near.length > 0 ? near : all.slice(0, 1);
  const raw = chosen.map(({ d }) => (1 - d / (reach * reach || 1)) * (1 - d / (reach * reach || 1)) || 1);
  const sum = raw.reduce((total, weight) => total + weight, 0);
  return {
    vertices: Int32Array.from(chosen, ({ v }) => v),
    weights: Float64Array.from(raw, (weight) => weight / sum),
  };
}

function weightedMean(body: WorldBody, vertices: Int32Array, weights: Float64Array, out: Float64Array): void {
  out.fill(0);
  for (let i = 0; i < vertices.length; i++) {
    for (let k = 0; k < 3; k++) out[k] += weights[i] * body.state.positions[vertices[i] * 3 + k];
  }
}

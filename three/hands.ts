/** What takes hold of bodies and pushes them: grips by their numbers, and impulses that act for one step. */
import type { Vec3 } from '../src/body/body-def.js';
import { requireFinite, TendonError } from '../src/errors.js';
import { type Grab, grabBody, moveGrab, releaseGrab } from '../src/world/grab.js';
import type { World, WorldBody } from '../src/world/world.js';

/** Part of the body's size within which a push is shared, as for a grip. */
const DEFAULT_RADIUS = 0.06;

interface Push {
  readonly body: WorldBody;
  readonly vertices: readonly number[];
  /** Impulse on each vertex, 3 numbers each [N s]. */
  readonly impulses: Float64Array;
}

/** Grips and pushes of one world. */
export class Hands {
  readonly #world: World;
  readonly #grips = new Map<number, Grab>();
  #pushes: Push[] = [];
  readonly #point = new Float64Array(3);

  constructor(world: World) {
    this.#world = world;
  }

  /** Takes hold of a body near a point and keeps the point where it is until it is moved. */
  grab(id: number, body: number, point: Vec3, radius?: number): void {
    this.release(id);
    const grip = grabBody(this.#world, body, point, radius === undefined ? {} : { radius });
    moveGrab(grip, point);
    this.#grips.set(id, grip);
  }

  move(id: number, target: Vec3): void {
    const grip = this.#grips.get(id);
    if (grip) moveGrab(grip, target);
  }

  release(id: number): void {
    const grip = this.#grips.get(id);
    if (grip) releaseGrab(this.#world, grip);
    this.#grips.delete(id);
  }

  /** Lets go of everything and forgets pushes to come. */
  releaseAll(): void {
    for (const id of [...this.#grips.keys()]) this.release(id);
    this.#pushes = [];
  }

  /** Gives an impulse [N s] to what is around a point, in the next step. Nearer vertices are sped up more. */
  push(bodyIndex: number, point: Vec3, impulse: Vec3, radius?: number): void {
    const body = this.#world.bodies[bodyIndex];
    if (!body) {
      const advice = `the world has ${this.#world.bodies.length} bodies`;
      throw new TendonError('E_INDEX', 'push/body', bodyIndex, advice);
    }
    requireFinite(point, 'push/point');
    requireFinite(impulse, 'push/impulse');
    const { vertices, shares } = share(body, point, radius ?? DEFAULT_RADIUS * body.model.size);
    const impulses = Float64Array.from(vertices.flatMap((_, i) => impulse.map((value) => value * shares[i])));
    this.#pushes.push({ body, vertices, impulses });
  }

  /** Turns pushes into forces for a step of length `dt` [s]. */
  beforeStep(dt: number): void {
    for (const push of this.#pushes) addForces(push, 1 / dt);
  }

  /** Takes the forces back. */
  afterStep(): void {
    for (const { body, vertices } of this.#pushes) {
      for (const vertex of vertices) body.state.forces.fill(0, vertex * 3, vertex * 3 + 3);
    }
    if (this.#pushes.length > 0) this.#pushes = [];
  }

  /** Number of each grip and where its point is, 4 numbers each [m]. */
  points(): Float64Array {
    const out = new Float64Array(4 * this.#grips.size);
    let o = 0;
    for (const [id, grip] of this.#grips) {
      grip.point(this.#point);
      out[o] = id;
      out.set(this.#point, o + 1);
      o += 4;
    }
    return out;
  }
}

/** Vertices around a point, at least the nearest, and the share of an impulse each gets: by mass and nearness. */
function share(body: WorldBody, point: Vec3, radius: number): { vertices: number[]; shares: number[] } {
  const { positions } = body.state;
  const { masses, vertexCount } = body.model;
  const distanceSq = (v: number): number =>
    (positions[v * 3] - point[0]) * (positions[v * 3] - point[0]) +
    (positions[v * 3 + 1] - point[1]) * (positions[v * 3 + 1] - point[1]) +
    (positions[v * 3 + 2] - point[2]) * (positions[v * 3 + 2] - point[2]);
  let nearest = 0;
  for (let v = 1; v < vertexCount; v++) if (distanceSq(v) < distanceSq(nearest)) nearest = v;
  const reachSq = Math.max(radius * radius, 2.25 * distanceSq(nearest));
  const vertices: number[] = [];
  const raw: number[] = [];
  for (let v = 0; v < vertexCount; v++) {
    const away = reachSq > 0 ? distanceSq(v) / reachSq : v === nearest ? 0 : 1;
    if (away >= 1) continue;
    vertices.push(v);
    raw.push(masses[v] * (1 - away) * (1 - away));
  }
  const sum = raw.reduce((total, weight) => total + weight, 0);
  return { vertices, shares: raw.map((weight) => weight / sum) };
}

function addForces({ body, vertices, impulses }: Push, scale: number): void {
  vertices.forEach((vertex, i) => {
    for (let k = 0; k < 3; k++) body.state.forces[vertex * 3 + k] += scale * impulses[i * 3 + k];
  });
}

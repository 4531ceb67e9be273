/** What takes hold of bodies and pushes them: grips by their numbers, and impulses that act for one step. */
import type { Vec3 } from '../../src/body/body-def.js';
import { requireFinite, TendonError } from '../../src/errors.js';
import { type Grab, grabBody, moveGrab, releaseGrab } from '../../src/world/grab.js';
import type { World, WorldBody } from '../../src/world/world.js';

/** Part of the body's size within which a push is shared, as for a grip. */
const DEFAULT_RADIUS = 0.06;

/** The farthest a pull goes in one step, in sizes of the body: a pointer that jumps would tear the flesh. */
const LONGEST_PULL = 0.04;

/** A hold on a body. */
interface Grip {
  readonly grab: Grab;
  /** Where the pull is, and where it is to go [m]. */
  readonly target: Float64Array;
  readonly goal: Float64Array;
}

interface Push {
  readonly body: WorldBody;
  readonly vertices: readonly number[];
  /** Impulse on each vertex, 3 numbers each [N s]; where it lasts, the force [N]. */
  readonly impulses: Float64Array;
  /** It goes on until it is ended. */
  readonly lasting: boolean;
}

/** Grips and pushes of one world. */
export class Hands {
  readonly #world: World;
  readonly #grips = new Map<number, Grip>();
  #pushes: Push[] = [];
  readonly #point = new Float64Array(3);

  constructor(world: World) {
    this.#world = world;
  }

  /** Takes hold of a body near a point and keeps the point where it is until it is moved. */
  grab(id: number, body: number, point: Vec3, radius?: number): void {
    this.release(id);
    const grab = grabBody(this.#world, body, point, radius === undefined ? {} : { radius });
    moveGrab(grab, point);
    this.#grips.set(id, { grab, target: Float64Array.from(point), goal: Float64Array.from(point) });
  }

  /** Pulls a grip to a place, over as many steps as that takes. */
  move(id: number, goal: Vec3): void {
    requireFinite(goal, 'move/target');
    this.#grips.get(id)?.goal.set(goal);
  }

  release(id: number): void {
    const grip = this.#grips.get(id);
    if (grip) releaseGrab(this.#world, grip.grab);
    this.#grips.delete(id);
  }

  /** Lets go of everything and forgets pushes to come. */
  releaseAll(): void {
    for (const id of [...this.#grips.keys()]) this.release(id);
    this.#pushes = [];
  }

  /** Gives an impulse [N s] to what is around a point, in the next step. Nearer vertices are sped up more. */
  push(body: number, point: Vec3, impulse: Vec3, radius?: number): void {
    this.#pushes.push(this.#share(body, point, impulse, radius, false));
  }

  /** Presses with a force [N] on what is around a point, until it is ended. */
  press(body: number, point: Vec3, force: Vec3, radius?: number): void {
    this.endPress();
    this.#pushes.push(this.#share(body, point, force, radius, true));
  }

  endPress(): void {
    this.#pushes = this.#pushes.filter(({ lasting }) => !lasting);
  }

  /** Before each step of length `dt` [s]: pulls go towards their goals, pushes become forces. */
  beforeStep(dt: number): void {
    for (const { grab, target, goal } of this.#grips.values()) {
      if (approach(target, goal, LONGEST_PULL * grab.body.model.size)) moveGrab(grab, target);
    }
    for (const push of this.#pushes) addForces(push, push.lasting ? 1 : 1 / dt);
  }

  /** Takes the forces back. */
  afterStep(): void {
    for (const { body, vertices } of this.#pushes) {
      for (const vertex of vertices) body.state.forces.fill(0, vertex * 3, vertex * 3 + 3);
    }
    if (this.#pushes.length > 0) this.#pushes = this.#pushes.filter(({ lasting }) => lasting);
  }

  /** Number of each grip and where its point is, 4 numbers each [m]. */
  points(): Float64Array {
    const out = new Float64Array(4 * this.#grips.size);
    let o = 0;
    for (const [id, { grab }] of this.#grips) {
      grab.point(this.#point);
      out[o] = id;
      out.set(this.#point, o + 1);
      o += 4;
    }
    return out;
  }

  #share(index: number, point: Vec3, impulse: Vec3, radius: number | undefined, lasting: boolean): Push {
    const body = this.#world.bodies[index];
    if (!body) {
      throw new TendonError('E_INDEX', 'push/body', index, `the world has ${this.#world.bodies.length} bodies`);
    }
    requireFinite(point, 'push/point');
    requireFinite(impulse, 'push/impulse');
    const { vertices, shares } = share(body, point, radius ?? DEFAULT_RADIUS * body.model.size);
    const impulses = Float64Array.from(vertices.flatMap((_, i) => impulse.map((value) => value * shares[i])));
    return { body, vertices, impulses, lasting };
  }
}

/** Moves a point towards another by at most `most`; false where it is there already. */
function approach(point: Float64Array, goal: Float64Array, most: number): boolean {
  const [x, y, z] = [goal[0] - point[0], goal[1] - point[1], goal[2] - point[2]];
  const way = Math.sqrt(x * x + y * y + z * z);
  if (way === 0) return false;
  const part = most / way;
  if (part >= 1) point.set(goal);
  else point.set([point[0] + part * x, point[1] + part * y, point[2] + part * z]);
  return true;
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

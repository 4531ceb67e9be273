/** What a visitor does to the bodies: grabs, pins, pushes and held bones, the same in every lane. */
import { type Grab, grabBody, moveGrab, releaseGrab, setBoneKinematic } from '../src/index.js';
import type { Lane } from './lane.js';
import type { Push } from './protocol.js';
import type { Point } from './scene-info.js';

/** The farthest a pull goes in one step, in sizes of the body: a pointer that jumps would tear the flesh. */
const LONGEST_PULL = 0.04;
/** Share of the body's size around a point that is pushed along. */
const PUSH_RADIUS = 0.12;

/** A grip in one lane. */
interface Grip {
  readonly lane: Lane;
  readonly grab: Grab;
  /** From the place the pointer has in the first lane to the place in this one [m]. */
  readonly shift: Point;
  /** Where the pull is, and where it is to go [m]. */
  target: Point;
  goal: Point;
}

/** Keeps track of everything that acts on the bodies from outside. */
export class Handling {
  readonly #lanes: readonly Lane[];
  readonly #held = new Map<string, { body: number; bone: number; hold: boolean }>();
  #grips: Grip[] = [];
  #pins: Grip[] = [];

  constructor(lanes: readonly Lane[]) {
    this.#lanes = lanes;
  }

  /** Takes hold of a body, counted over all lanes, and of its like in the other lanes. */
  grab(body: number, point: Point): void {
    this.release();
    const { lane, index } = this.#find(body);
    const local = subtract(point, lane.offset);
    const vertex = nearestVertex(lane, index, local);
    this.#grips = this.#lanes.map((other) => {
      const own = other === lane ? local : moved(local, lane, other, index, vertex);
      const shift = subtract(own, point);
      return { lane: other, grab: grabBody(other.world, index, [...own]), shift, target: own, goal: own };
    });
    // The one under the pointer comes first.
    this.#grips.sort((a, b) => Number(b.lane === lane) - Number(a.lane === lane));
  }

  move(goal: Point): void {
    for (const grip of this.#grips) grip.goal = add(goal, grip.shift);
  }

  /** Before each step: pulls go towards the pointer. */
  step(): void {
    for (const grip of [...this.#grips, ...this.#pins]) {
      const way = subtract(grip.goal, grip.target);
      const length = Math.hypot(...way);
      if (length === 0) continue;
      const share = Math.min(1, (LONGEST_PULL * grip.grab.body.model.size) / length);
      grip.target = share === 1 ? grip.goal : (grip.target.map((x, k) => x + share * way[k]) as unknown as Point);
      moveGrab(grip.grab, [...grip.target]);
    }
  }

  release(): void {
    for (const { lane, grab } of this.#grips) releaseGrab(lane.world, grab);
    this.#grips = [];
  }

  /** What is grabbed stays held where it is pulled to. */
  pin(): void {
    this.#pins.push(...this.#grips);
    this.#grips = [];
  }

  unpin(): void {
    for (const { lane, grab } of this.#pins) releaseGrab(lane.world, grab);
    this.#pins = [];
  }

  push(push: Push | undefined): void {
    for (const { world } of this.#lanes) for (const { state } of world.bodies) state.forces.fill(0);
    if (!push) return;
    const { lane, index } = this.#find(push.body);
    const local = subtract(push.point, lane.offset);
    const vertex = nearestVertex(lane, index, local);
    for (const other of this.#lanes) pushAt(other, index, moved(local, lane, other, index, vertex), push.force);
  }

  hold(body: number, bone: number, hold: boolean): void {
    const { index } = this.#find(body);
    this.#held.set(`${index}/${bone}`, { body: index, bone, hold });
    this.#applyHolds();
  }

  /** Makes all bones of a body kinematic, for a motion, or leaves them as the scene and the visitor have them. */
  drive(body: number, driven: boolean): void {
    for (const { world } of this.#lanes) {
      const { bones } = world.bodies[body].model;
      for (let bone = 0; bone < bones.count; bone++) {
        const held = this.#held.get(`${body}/${bone}`)?.hold ?? bones.kinematic[bone] === 1;
        setBoneKinematic(world.bodies[body], bone, driven || held);
      }
    }
  }

  /** After a reset: nothing is grabbed or pinned, bones are held as before. */
  reset(): void {
    this.release();
    this.unpin();
    this.push(undefined);
    this.#applyHolds();
  }

  /** Where the grabbed point is, in the lane where it was grabbed. */
  get grabbed(): Point | undefined {
    return this.#grips.length > 0 ? placeOf(this.#grips[0]) : undefined;
  }

  get pins(): Float32Array {
    return Float32Array.from(this.#pins.flatMap((pin) => placeOf(pin)));
  }

  #applyHolds(): void {
    for (const { world } of this.#lanes) {
      for (const { body, bone, hold } of this.#held.values()) {
        if (bone < world.bodies[body].model.bones.count) setBoneKinematic(world.bodies[body], bone, hold);
      }
    }
  }

  #find(body: number): { lane: Lane; index: number } {
    const count = this.#lanes[0].bodies.length;
    return { lane: this.#lanes[Math.floor(body / count)], index: body % count };
  }
}

function placeOf({ lane, grab }: Grip): Point {
  const point = new Float64Array(3);
  grab.point(point);
  return add([point[0], point[1], point[2]], lane.offset);
}

function nearestVertex(lane: Lane, body: number, point: Point): number {
  const { positions } = lane.world.bodies[body].state;
  let best = 0;
  let least = Number.POSITIVE_INFINITY;
  for (let v = 0; v < positions.length / 3; v++) {
    const d = Math.hypot(...[0, 1, 2].map((k) => positions[v * 3 + k] - point[k]));
    if (d < least) [best, least] = [v, d];
  }
  return best;
}

/** The point that belongs to the same place of the body in another lane. */
function moved(point: Point, from: Lane, to: Lane, body: number, vertex: number): Point {
  const a = from.world.bodies[body].state.positions;
  const b = to.world.bodies[body].state.positions;
  if (a.length !== b.length) return point;
  return [0, 1, 2].map((k) => point[k] + b[vertex * 3 + k] - a[vertex * 3 + k]) as unknown as Point;
}

/** Spreads a force over the vertices around a point, most in the middle. */
function pushAt(lane: Lane, index: number, point: Point, force: Point): void {
  const { model, state } = lane.world.bodies[index];
  const radius = PUSH_RADIUS * model.size;
  const weights = new Float64Array(model.vertexCount);
  let sum = 0;
  for (let v = 0; v < weights.length; v++) {
    const d = Math.hypot(...[0, 1, 2].map((k) => state.positions[v * 3 + k] - point[k])) / radius;
    if (d < 1) weights[v] = model.masses[v] * (1 - d * d) * (1 - d * d);
    sum += weights[v];
  }
  if (sum === 0) return;
  for (let v = 0; v < weights.length; v++) {
    for (let k = 0; k < 3; k++) state.forces[v * 3 + k] = (force[k] * model.totalMass * weights[v]) / sum;
  }
}

const add = (a: Point, b: Point): Point => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const subtract = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

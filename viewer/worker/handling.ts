/** What a visitor does to the bodies: grabs, pins, pushes and held bones, the same in every lane. */
import { setBoneKinematic } from '../../src/index.js';
import type { Lane } from './lane.js';
import type { Push } from './protocol.js';
import type { Point } from './scene-info.js';

/** Share of the body's size around a point that is pushed along. */
const PUSH_RADIUS = 0.12;

/** A grip: its number in every lane, the lane it was taken in, and from there the way to its like in the others [m]. */
interface Grip {
  readonly id: number;
  readonly lane: Lane;
  readonly shifts: readonly Point[];
}

/** Keeps track of everything that acts on the bodies from outside. */
export class Handling {
  readonly #lanes: readonly Lane[];
  readonly #held = new Map<string, { body: number; bone: number; hold: boolean }>();
  #grip: Grip | undefined;
  #pins: Grip[] = [];
  #lastId = 0;

  constructor(lanes: readonly Lane[]) {
    this.#lanes = lanes;
  }

  /** Takes hold of a body, counted over all lanes, and of its like in the other lanes. */
  grab(body: number, point: Point): void {
    this.release();
    const id = ++this.#lastId;
    const { lane, points, index } = this.#places(body, point);
    this.#lanes.forEach(({ hands }, i) => {
      hands.grab(id, index, points[i]);
    });
    this.#grip = { id, lane, shifts: points.map((own) => subtract(own, point)) };
  }

  /** Pulls what is grabbed to a place, as the pointer's lane has it. */
  move(goal: Point): void {
    const grip = this.#grip;
    if (!grip) return;
    this.#lanes.forEach(({ hands }, i) => {
      hands.move(grip.id, add(goal, grip.shifts[i]));
    });
  }

  release(): void {
    if (this.#grip) this.#letGo(this.#grip);
    this.#grip = undefined;
  }

  /** What is grabbed stays held where it is pulled to. */
  pin(): void {
    if (this.#grip) this.#pins.push(this.#grip);
    this.#grip = undefined;
  }

  unpin(): void {
    for (const pin of this.#pins) this.#letGo(pin);
    this.#pins = [];
  }

  push(push: Push | undefined): void {
    for (const { hands } of this.#lanes) hands.endPress();
    if (!push) return;
    const { index, points } = this.#places(push.body, push.point);
    this.#lanes.forEach(({ hands, world }, i) => {
      const { size, totalMass } = world.bodies[index].model;
      const force = push.force.map((perMass) => perMass * totalMass) as unknown as Point;
      hands.press(index, points[i], force, PUSH_RADIUS * size);
    });
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
    this.#grip = undefined;
    this.#pins = [];
    this.#applyHolds();
  }

  /** Where the grabbed point is, in the lane where it was grabbed. */
  get grabbed(): Point | undefined {
    return this.#grip && this.#pointsOf([this.#grip], this.#grip.lane)[0];
  }

  /** Where pinned points are, in all lanes. */
  get pins(): Float32Array {
    return Float32Array.from(this.#lanes.flatMap((lane) => this.#pointsOf(this.#pins, lane)).flat());
  }

  #pointsOf(grips: readonly Grip[], lane: Lane): Point[] {
    if (grips.length === 0) return [];
    const points = lane.hands.points();
    const out: Point[] = [];
    for (let i = 0; i < points.length; i += 4) {
      if (!grips.some(({ id }) => id === points[i])) continue;
      out.push(add([points[i + 1], points[i + 2], points[i + 3]], lane.offset));
    }
    return out;
  }

  #letGo({ id }: Grip): void {
    for (const { hands } of this.#lanes) hands.release(id);
  }

  #applyHolds(): void {
    for (const { world } of this.#lanes) {
      for (const { body, bone, hold } of this.#held.values()) {
        if (bone < world.bodies[body].model.bones.count) setBoneKinematic(world.bodies[body], bone, hold);
      }
    }
  }

  /** A body by its number over all lanes, and a point of it in each of them. */
  #places(body: number, point: Point): { lane: Lane; index: number; points: Point[] } {
    const { lane, index } = this.#find(body);
    const local = subtract(point, lane.offset);
    const vertex = nearestVertex(lane, index, local);
    const points = this.#lanes.map((other) => (other === lane ? local : moved(local, lane, other, index, vertex)));
    return { lane, index, points };
  }

  #find(body: number): { lane: Lane; index: number } {
    const count = this.#lanes[0].bodies.length;
    return { lane: this.#lanes[Math.floor(body / count)], index: body % count };
  }
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

const add = (a: Point, b: Point): Point => [a[0] + b[0], a[1] + b[1], a[2] + b[2]];
const subtract = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];

/** Worlds of things that touch, and what is measured on them, straight from positions and velocities and not from the contacts found. */
import { trianglesOf } from '../../../bench/depth/body-triangles.js';
import { boxOf, TetGrid } from '../../../bench/depth/tet-grid.js';
import type { Vec3 } from '../../../src/body/body-def.js';
import {
  createWorld,
  type SceneDef,
  stepWorld,
  type World,
  type WorldBody,
  type WorldOptions,
} from '../../../src/index.js';
import { centreOf, kineticEnergy, linearMomentum, momentOf, norm } from './measure.js';

export const G = 9.81;
/** A floor at y = 0. */
export const floor = (friction = 0.5, restitution = 0) =>
  ({ name: 'floor', shape: { kind: 'plane' }, friction, restitution }) as const;

/** A world of these bodies; steps of 1/60 s with 20 iterations unless said otherwise. */
export function contactWorld(
  scene: Pick<SceneDef, 'bodies'> & Partial<SceneDef>,
  options: WorldOptions = {},
): Promise<World> {
  return createWorld({ name: 'contact', description: '', dt: 1 / 60, iterations: 20, ...scene }, options);
}

/** Takes steps, looks after each, and fails loudly where one is not finite. */
export function run(world: World, steps: number, look?: (step: number) => void): void {
  for (let n = 1; n <= steps; n++) {
    if (!stepWorld(world)) throw new Error(`step ${n} failed: ${world.fault?.message}`);
    look?.(n);
  }
}

/** Runs for a time [s]. */
export function runFor(world: World, seconds: number, look?: (step: number) => void): void {
  run(world, Math.round(seconds / world.dt), look);
}

export function centre({ model, state }: WorldBody): [number, number, number] {
  return centreOf(model, state.positions);
}

/** Mean velocity by mass [m/s]. */
export function meanVelocity({ model, state }: WorldBody): [number, number, number] {
  return centreOf(model, state.velocities);
}

export function massOf(world: World): number {
  return world.bodies.reduce((sum, { model }) => sum + model.totalMass, 0);
}

/** Momentum of all bodies [kg m/s]. */
export function totalMomentum(world: World): number[] {
  return sumOver(world, ({ model, state }) => linearMomentum(model, state));
}

/** Angular momentum of all bodies about the origin [kg m²/s]. */
export function totalSpin(world: World): number[] {
  return sumOver(world, ({ model, state }) => momentOf(model, state.positions, state.velocities));
}

function sumOver(world: World, quantity: (body: WorldBody) => ArrayLike<number>): number[] {
  const sum = [0, 0, 0];
  for (const body of world.bodies) {
    const value = quantity(body);
    for (let k = 0; k < 3; k++) sum[k] += value[k];
  }
  return sum;
}

/** Kinetic energy of all bodies [J]. */
export function motionEnergy(world: World): number {
  return world.bodies.reduce((sum, { model, state }) => sum + kineticEnergy(model, state), 0);
}

/** Largest speed of any vertex [m/s]. */
export function topSpeed(world: World): number {
  let most = 0;
  for (const { state } of world.bodies) {
    const v = state.velocities;
    for (let i = 0; i < v.length; i += 3) most = Math.max(most, Math.hypot(v[i], v[i + 1], v[i + 2]));
  }
  return most;
}

/** Sum of the contact forces that body `second` (−1: all obstacles) exerts on body `first` [N]. */
export function forceBetween({ contacts }: World, first: number, second: number): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  for (let c = 0; c < contacts.count; c++) {
    const [a, b] = [contacts.body[c * 2], contacts.body[c * 2 + 1]];
    const sign = a === first && b === second ? 1 : b === first && a === second ? -1 : 0;
    for (let k = 0; k < 3; k++) sum[k] += sign * contacts.force[c * 3 + k];
  }
  return sum;
}

/** How deep points of one body's edges, corners included, are inside another body at most [m]; both as they are now. */
export function depthInside(points: WorldBody, solid: WorldBody, samples = 12): number {
  const triangles = trianglesOf(points.model);
  const x = points.state.positions;
  const box = boxOf(solid.state.positions);
  const own = boxOf(points.state.positions);
  if ([0, 1, 2].some((k) => own[3 + k] < box[k] || own[k] > box[3 + k])) return 0;
  const grid = gridOf(solid);
  const p: [number, number, number] = [0, 0, 0];
  let deepest = 0;
  const look = (a: number, b: number, share: number): void => {
    for (let k = 0; k < 3; k++) {
      p[k] = x[a * 3 + k] + share * (x[b * 3 + k] - x[a * 3 + k]);
      if (p[k] < box[k] || p[k] > box[3 + k]) return;
    }
    if (isInside(solid, grid, p)) deepest = Math.max(deepest, distanceToSurface(solid, p));
  };
  for (const corner of new Set(triangles)) look(corner, corner, 0);
  for (let t = 0; t < triangles.length; t += 3) {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [triangles[t + k], triangles[t + ((k + 1) % 3)]];
      // every edge has two triangles: once is enough
      if (a < b) for (let n = 1; n < samples; n++) look(a, b, n / samples);
    }
  }
  return deepest;
}

/** Deepest any two bodies of a world are inside each other [m]. */
export function deepestOverlap({ bodies }: World, samples?: number): number {
  let deepest = 0;
  for (const a of bodies) for (const b of bodies) if (a !== b) deepest = Math.max(deepest, depthInside(a, b, samples));
  return deepest;
}

function gridOf(body: WorldBody): TetGrid {
  return new TetGrid(body.model.tets, body.state.positions, boxOf(body.state.positions));
}

function corner(x: ArrayLike<number>, v: number): Vec3 {
  return [x[v * 3], x[v * 3 + 1], x[v * 3 + 2]];
}

const minus = (a: Vec3, b: Vec3): Vec3 => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vec3, b: Vec3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vec3, b: Vec3): Vec3 => [
  a[1] * b[2] - a[2] * b[1],
  a[2] * b[0] - a[0] * b[2],
  a[0] * b[1] - a[1] * b[0],
];

/** Whether any of these points is in one of a body's tets. */
export function isAnyInside(body: WorldBody, points: readonly Vec3[]): boolean {
  const grid = gridOf(body);
  return points.some((p) => isInside(body, grid, p));
}

/** Whether a point is in one of a body's tets. */
function isInside(body: WorldBody, grid: TetGrid, p: Vec3): boolean {
  const { tets } = body.model;
  const x = body.state.positions;
  for (const t of grid.around(p)) {
    const [a, b, c, d] = [tets[t] * 3, tets[t + 1] * 3, tets[t + 2] * 3, tets[t + 3] * 3];
    const isBetween =
      volume(x, b, c, d, p) > 0 && volume(x, a, c, d, p) < 0 && volume(x, a, b, d, p) > 0 && volume(x, a, b, c, p) < 0;
    if (isBetween) return true;
  }
  return false;
}

/** Six times the volume between a point and three others, which begin at i, j and k. */
function volume(x: Float64Array, i: number, j: number, k: number, [px, py, pz]: Vec3): number {
  const [ax, ay, az] = [x[i] - px, x[i + 1] - py, x[i + 2] - pz];
  const [bx, by, bz] = [x[j] - px, x[j + 1] - py, x[j + 2] - pz];
  const [cx, cy, cz] = [x[k] - px, x[k + 1] - py, x[k + 2] - pz];
  return ax * (by * cz - bz * cy) + ay * (bz * cx - bx * cz) + az * (bx * cy - by * cx);
}

/** Distance from a point to the nearest of a body's triangles [m]. */
function distanceToSurface({ model, state }: WorldBody, p: Vec3): number {
  const triangles = trianglesOf(model);
  const x = state.positions;
  let nearest = Infinity;
  for (let t = 0; t < triangles.length; t += 3) {
    const [i, j, k] = [triangles[t], triangles[t + 1], triangles[t + 2]];
    // most are farther away than the nearest so far by their boxes alone
    let square = 0;
    for (let c = 0; c < 3; c++) {
      const [u, v, w] = [x[i * 3 + c], x[j * 3 + c], x[k * 3 + c]];
      const beyond = Math.max(Math.min(u, v, w) - p[c], p[c] - Math.max(u, v, w), 0);
      square += beyond * beyond;
    }
    if (square > nearest * nearest) continue;
    nearest = Math.min(nearest, distanceToTriangle(p, corner(x, i), corner(x, j), corner(x, k)));
  }
  return nearest;
}

function distanceToTriangle(p: Vec3, a: Vec3, b: Vec3, c: Vec3): number {
  const n = cross(minus(b, a), minus(c, a));
  const edges = [
    [a, b],
    [b, c],
    [c, a],
  ] as const;
  if (edges.every(([from, to]) => dot(cross(minus(to, from), minus(p, from)), n) >= 0)) {
    return Math.abs(dot(minus(p, a), n)) / Math.sqrt(dot(n, n));
  }
  return Math.min(...edges.map(([from, to]) => distanceToSegment(p, from, to)));
}

function distanceToSegment(p: Vec3, a: Vec3, b: Vec3): number {
  const along = minus(b, a);
  const t = Math.min(1, Math.max(0, dot(minus(p, a), along) / dot(along, along)));
  return Math.hypot(...[0, 1, 2].map((k) => p[k] - a[k] - t * along[k]));
}

/** Angle between a body's column from rest centre of its bottom to that of its top, and the vertical [degrees]. */
export function tilt({ model, state }: WorldBody): number {
  let low = Infinity;
  let high = -Infinity;
  for (let v = 0; v < model.vertexCount; v++) {
    low = Math.min(low, model.positions[v * 3 + 1]);
    high = Math.max(high, model.positions[v * 3 + 1]);
  }
  const middle = (height: number) => {
    const sum = [0, 0, 0];
    let count = 0;
    for (let v = 0; v < model.vertexCount; v++) {
      if (Math.abs(model.positions[v * 3 + 1] - height) > 1e-9) continue;
      for (let k = 0; k < 3; k++) sum[k] += state.positions[v * 3 + k];
      count++;
    }
    return sum.map((value) => value / count);
  };
  const [bottom, top] = [middle(low), middle(high)];
  return (Math.atan2(Math.hypot(top[0] - bottom[0], top[2] - bottom[2]), top[1] - bottom[1]) * 180) / Math.PI;
}

/** Of each body after a step of backward Euler, from states and reported contact forces alone, Σ m (x − x̄) × (v − v')/h − Σ (p − x̄) × f: the moment of inertia about its middle without that of contact forces on it, those of the body with itself left out, and the sum of the sizes of the latter [N m]. */
export function contactMoments(
  world: World,
  before: readonly Float64Array[],
  h: number,
): { left: number; acting: number }[] {
  return world.bodies.map(({ model, state }, body) => {
    const centre = centreOf(model, state.positions);
    const arms = state.positions.map((x, i) => x - centre[i % 3]);
    const left = momentOf(
      model,
      arms,
      state.velocities.map((v, i) => (v - before[body][i]) / h),
    );
    let acting = 0;
    const { contacts } = world;
    for (let c = 0; c < contacts.count; c++) {
      const [first, second] = [contacts.body[c * 2], contacts.body[c * 2 + 1]];
      if (first === second || (first !== body && second !== body)) continue;
      const side = first === body ? 0 : 1;
      const r = pointOf(world, c, side).map((x, k) => x - centre[k]);
      const f = [...contacts.force.subarray(c * 3, c * 3 + 3)].map((x) => (side === 0 ? x : -x));
      const moment = [r[1] * f[2] - r[2] * f[1], r[2] * f[0] - r[0] * f[2], r[0] * f[1] - r[1] * f[0]];
      for (let k = 0; k < 3; k++) left[k] -= moment[k];
      acting += norm(moment);
    }
    return { left: norm(left), acting };
  });
}

/** Where a side of a contact is. */
function pointOf(world: World, c: number, side: number): number[] {
  const { vertices, weights, body } = world.contacts;
  const { positions } = world.bodies[body[c * 2 + side]].state;
  const point = [0, 0, 0];
  for (let n = (c * 2 + side) * 4; n < (c * 2 + side + 1) * 4; n++) {
    for (let k = 0; k < 3; k++) point[k] += weights[n] * positions[vertices[n] * 3 + k];
  }
  return point;
}

/**
 * Linear elasticity with strains shared through the vertices, independent of the solver: matrix free, by conjugate gradients. `shape` and `volume`: shares of the
 * energy that the vertices have; 0, 0 is the plain tet. For pinned bodies without bones; the places where strains are even are those of newton-equilibrium.ts too.
 */
import type { Model } from '../../../src/body/model.js';

/** Places that strain evenly, tets and surroundings of vertices: the vertices they depend on, with the gradient of each. */
export interface Places {
  readonly start: number[];
  readonly vertices: number[];
  readonly gradients: number[];
  readonly mu: number[];
  readonly lambda: number[];
  readonly volume: number[];
  readonly neoHookean: boolean[];
}

/** Gradients of the four shape functions of a tet. */
function gradientsOf({ inverseRest }: Model, tet: number): number[][] {
  const rows = [1, 2, 3].map((k) => Array.from(inverseRest.subarray(tet * 9 + k * 3 - 3, tet * 9 + k * 3)));
  return [[0, 1, 2].map((i) => -rows[0][i] - rows[1][i] - rows[2][i]), ...rows];
}

function addPlace(
  places: Places,
  strain: Map<number, number[]>,
  volume: number,
  mu: number,
  lambda: number,
  neoHookean: boolean,
): void {
  for (const [vertex, gradient] of strain) {
    places.vertices.push(vertex);
    places.gradients.push(...gradient);
  }
  places.start.push(places.vertices.length);
  places.volume.push(volume);
  places.mu.push(mu);
  places.lambda.push(lambda);
  places.neoHookean.push(neoHookean);
}

/** Tets with what is left to them, and vertices: a tet's volume goes to its corners that are neither pinned nor of a bone, and materials do not mix. */
export function placesOf(model: Model, shape: number, volume: number): Places {
  const places: Places = {
    start: [0],
    vertices: [],
    gradients: [],
    mu: [],
    lambda: [],
    volume: [],
    neoHookean: [],
  };
  const { tets, volumes, mu, lambda, pinned, bones } = model;
  const around = new Map<string, { sum: Map<number, number[]>; volume: number; tet: number }>();
  for (let tet = 0; tet < model.tetCount; tet++) {
    const corners = Array.from(tets.subarray(tet * 4, tet * 4 + 4));
    const gradients = gradientsOf(model, tet);
    const own = new Map(corners.map((vertex, k) => [vertex, gradients[k]]));
    addPlace(places, own, volumes[tet], (1 - shape) * mu[tet], (1 - volume) * lambda[tet], model.neoHookean[tet] === 1);
    const free = corners.filter((vertex) => !pinned[vertex] && !(bones.ofVertex[vertex] >= 0));
    for (const vertex of free) {
      const key = `${vertex}, ${mu[tet]}`;
      const one = around.get(key) ?? { sum: new Map<number, number[]>(), volume: 0, tet };
      around.set(key, one);
      const share = volumes[tet] / free.length;
      one.volume += share;
      corners.forEach((corner, k) => {
        const before = one.sum.get(corner) ?? [0, 0, 0];
        one.sum.set(
          corner,
          before.map((value, i) => value + share * gradients[k][i]),
        );
      });
    }
  }
  if (shape === 0 && volume === 0) return places;
  for (const { sum, volume: whole, tet } of around.values()) {
    const mean = new Map([...sum].map(([vertex, g]) => [vertex, g.map((value) => value / whole)]));
    addPlace(places, mean, whole, shape * mu[tet], volume * lambda[tet], model.neoHookean[tet] === 1);
  }
  return places;
}

/** Forces K u for displacements u. */
export function smoothedForces(model: Model, shape: number, volume: number): (u: Float64Array) => Float64Array {
  const places = placesOf(model, shape, volume);
  const vertices = Int32Array.from(places.vertices);
  const gradients = Float64Array.from(places.gradients);
  const f = new Float64Array(9);
  const stress = new Float64Array(9);
  return (u) => {
    const out = new Float64Array(u.length);
    for (let place = 0; place < places.volume.length; place++) {
      f.fill(0);
      for (let n = places.start[place]; n < places.start[place + 1]; n++) {
        for (let q = 0; q < 9; q++) f[q] += u[vertices[n] * 3 + Math.floor(q / 3)] * gradients[n * 3 + (q % 3)];
      }
      const pressure = places.lambda[place] * (f[0] + f[4] + f[8]);
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) {
          const shear = places.mu[place] * (f[i * 3 + j] + f[j * 3 + i]);
          stress[i * 3 + j] = places.volume[place] * (shear + (i === j ? pressure : 0));
        }
      }
      for (let n = places.start[place]; n < places.start[place + 1]; n++) {
        for (let q = 0; q < 9; q++) out[vertices[n] * 3 + Math.floor(q / 3)] += stress[q] * gradients[n * 3 + (q % 3)];
      }
    }
    return out;
  };
}

/** Displacements under forces, pinned vertices at rest. */
export function smoothedDisplacement(model: Model, forces: ArrayLike<number>, shape: number, volume: number) {
  const multiply = smoothedForces(model, shape, volume);
  const u = new Float64Array(forces.length);
  const isFree = (i: number) => !model.pinned[Math.floor(i / 3)];
  const r = Float64Array.from(forces, (f, i) => (isFree(i) ? f : 0));
  const p = r.slice();
  const dot = (a: Float64Array, b: Float64Array) => a.reduce((sum, x, i) => sum + x * b[i], 0);
  let square = dot(r, r);
  for (const least = 1e-10 * square; square > least; ) {
    const q = multiply(p).map((x, i) => (isFree(i) ? x : 0));
    const step = square / dot(p, q);
    for (let i = 0; i < u.length; i++) {
      u[i] += step * p[i];
      r[i] -= step * q[i];
    }
    const next = dot(r, r);
    for (let i = 0; i < p.length; i++) p[i] = r[i] + (next / square) * p[i];
    square = next;
  }
  return u;
}

/** Displacements where some vertices are moved (`given`, zero elsewhere) and pinned there, and the forces that takes. */
export function smoothedUnder(model: Model, given: Float64Array, shape: number, volume: number) {
  const multiply = smoothedForces(model, shape, volume);
  const pull = multiply(given).map((f) => -f);
  const rest = smoothedDisplacement(model, pull, shape, volume);
  const u = given.map((x, i) => x + rest[i]);
  return { u, forces: multiply(u) };
}

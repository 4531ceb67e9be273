/**
 * The flesh of the pile of [Shinar2008, Fig. 6] as every engine is given it, and the ruler for it: points of all bodies in the distance of each soft body's surface,
 * from where its vertices are alone.
 */
import type { BodyDef } from '../../../src/body/body-def.js';
import type { AnyBodyDef } from '../../../src/body/kinds/any-body-def.js';
import { rotateVec3 } from '../../../src/math/quat.js';
import { extractSurface, gatherSurfacePositions, type Surface } from '../../../src/mesh/surface/surface.js';
import { distanceToSurface } from '../../../src/mesh/surface/triangle-distance.js';
import { tetVolumes } from '../../../src/mesh/tets/quality.js';
import type { AnySceneDef } from '../../../src/scene/scene-def.js';
import type { Heap, HeapPoses } from './heap.js';

/** A mesh of flesh that many bodies share. Positions [m] about its own origin, masses of vertices [kg], volumes of tets [m³]. */
export interface FleshModel {
  readonly positions: Float64Array;
  readonly tets: Int32Array;
  readonly volumes: Float64Array;
  readonly masses: Float64Array;
  readonly surface: Surface;
  readonly youngModulus: number;
  readonly poissonRatio: number;
}

/** A soft body where it starts. */
export interface HeapFlesh {
  readonly model: FleshModel;
  readonly position: readonly number[];
  readonly rotation: readonly number[];
}

/** The soft bodies of a scene, in its order. */
export function buildFlesh({ bodies }: AnySceneDef, unit: (rotation: ArrayLike<number>) => Float64Array): HeapFlesh[] {
  const models = new Map<AnyBodyDef, FleshModel>();
  return bodies.flatMap(({ body, position = [0, 0, 0], rotation }) => {
    if ('kind' in body && body.kind !== 'flesh') return [];
    const model = models.get(body) ?? fleshModel(body as BodyDef);
    models.set(body, model);
    return [{ model, position, rotation: [...unit(rotation ?? [0, 0, 0, 1])] }];
  });
}

function fleshModel({ positions, tets, materials }: BodyDef): FleshModel {
  const mesh = { positions: Float64Array.from(positions), tets: Int32Array.from(tets) };
  const { youngModulus = 0, poissonRatio = 0, density = 0 } = materials?.[0] ?? {};
  const volumes = tetVolumes(mesh);
  const masses = new Float64Array(mesh.positions.length / 3);
  mesh.tets.forEach((vertex, i) => {
    masses[vertex] += 0.25 * density * volumes[i >> 2];
  });
  return { ...mesh, volumes, masses, surface: extractSurface(mesh), youngModulus, poissonRatio };
}

/** Where the vertices of a soft body start. */
export function fleshStart({ model, position, rotation }: HeapFlesh): Float64Array {
  const out = new Float64Array(model.positions.length);
  for (let o = 0; o < out.length; o += 3) {
    rotateVec3(out, o, rotation, 0, model.positions, o);
    for (let k = 0; k < 3; k++) out[o + k] += position[k];
  }
  return out;
}

/** Edges of the tets, each once: its two vertices, and the volume of the tets around it [m³]. */
export function fleshEdges({ tets, volumes }: FleshModel): [number, number, number][] {
  const found = new Map<string, [number, number, number]>();
  for (let t = 0; t < volumes.length; t++) {
    for (let i = 0; i < 4; i++) {
      for (let j = 0; j < i; j++) {
        const [a, b] = [tets[t * 4 + i], tets[t * 4 + j]].sort((p, q) => p - q);
        const edge = found.get(`${a} ${b}`) ?? [a, b, 0];
        edge[2] += volumes[t];
        found.set(`${a} ${b}`, edge);
      }
    }
  }
  return [...found.values()];
}

/** Balls inside a rigid body that together nearly fill it: centres in its own frame, and their radius [m]. */
function pointsOf(shape: Heap['parts'][number]['shape']): { radius: number; centres: number[][] } {
  if (shape.kind === 'sphere') return { radius: shape.radius, centres: [[0, 0, 0]] };
  if (shape.kind === 'capsule') {
    const centres = [-1, -0.5, 0, 0.5, 1].map((share) => [0, share * shape.halfLength, 0]);
    return { radius: shape.radius, centres };
  }
  if (shape.kind !== 'torus') throw new Error(`no ${shape.kind} in the pile`);
  const centres = Array.from({ length: 24 }, (_, i) => {
    const angle = (Math.PI * i) / 12;
    return [shape.radius * Math.cos(angle), 0, shape.radius * Math.sin(angle)];
  });
  return { radius: shape.tubeRadius, centres };
}

/** Points with a radius, and the ball around all of them. */
interface Cloud {
  readonly points: Float64Array;
  readonly radius: number;
  readonly centre: Float64Array;
  readonly reach: number;
}

function cloud(points: Float64Array, radius: number): Cloud {
  const centre = new Float64Array(3);
  const count = points.length / 3;
  for (let o = 0; o < points.length; o++) centre[o % 3] += points[o] / count;
  let reach = 0;
  for (let o = 0; o < points.length; o += 3)
    reach = Math.max(
      reach,
      Math.hypot(points[o] - centre[0], points[o + 1] - centre[1], points[o + 2] - centre[2]) + radius,
    );
  return { points, radius, centre, reach };
}

/** The deepest that rigid bodies, pegs and the floor are in soft ones, and soft ones in each other [m]; soft bodies that have left or are not finite. */
export interface FleshDepths {
  readonly rigidInSoft: number;
  readonly softInSoft: number;
  readonly lost: number;
}

/** Measures the flesh of a pile. */
export function measureFlesh(heap: Heap, { positions, rotations, flesh }: HeapPoses): FleshDepths {
  const surfaces = heap.flesh.map(({ model }, s) => {
    const points = new Float64Array(model.surface.vertices.length * 3);
    gatherSurfacePositions(model.surface, flesh[s], points);
    return cloud(points, 0);
  });
  const rigid = heap.parts.map(({ shape }, b) => {
    const { radius, centres } = pointsOf(shape);
    const points = new Float64Array(centres.length * 3);
    centres.forEach((centre, i) => {
      rotateVec3(points, i * 3, rotations, b * 4, centre, 0);
      for (let k = 0; k < 3; k++) points[i * 3 + k] += positions[b * 3 + k];
    });
    return cloud(points, radius);
  });
  for (const { radius, halfLength, position } of heap.pegs) {
    const { centres } = pointsOf({ kind: 'capsule', radius, halfLength });
    rigid.push(cloud(Float64Array.from(centres.flatMap((centre) => centre.map((x, k) => x + position[k]))), radius));
  }
  let [rigidInSoft, softInSoft, lost] = [0, 0, 0];
  surfaces.forEach((own, s) => {
    if (!(own.centre[1] > -0.5)) {
      lost++;
      return;
    }
    const { triangles } = heap.flesh[s].model.surface;
    const distance = distanceToSurface({ positions: own.points, triangles });
    for (let o = 1; o < own.points.length; o += 3) rigidInSoft = Math.max(rigidInSoft, -own.points[o]);
    for (const other of rigid) rigidInSoft = Math.max(rigidInSoft, depth(own, other, distance));
    surfaces.forEach((other, n) => {
      if (n !== s) softInSoft = Math.max(softInSoft, depth(own, other, distance));
    });
  });
  return { rigidInSoft, softInSoft, lost };
}

function depth(own: Cloud, other: Cloud, distance: (x: number, y: number, z: number) => number): number {
  const { centre, points, radius } = other;
  const between = Math.hypot(centre[0] - own.centre[0], centre[1] - own.centre[1], centre[2] - own.centre[2]);
  if (!(between < own.reach + other.reach)) return 0;
  let deepest = 0;
  for (let o = 0; o < points.length; o += 3)
    deepest = Math.max(deepest, radius - distance(points[o], points[o + 1], points[o + 2]));
  return deepest;
}

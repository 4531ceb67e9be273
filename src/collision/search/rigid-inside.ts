/**
 * Which points are inside the parts of a rigid body. The place is carried back to the rest shape by the pose of the part's bone,
 * and its closed surface says how often it goes around it.
 */
import type { Model } from '../../body/model.js';
import type { TriangleMesh } from '../../mesh/surface/triangle-mesh.js';
import { WindingTree } from '../../mesh/surface/winding-number.js';
import { NearestTriangles } from '../shapes/nearest-triangles.js';
import type { CollisionSurface } from '../surface/collision-surface.js';
import type { SurfaceMotion } from '../surface/surface-motion.js';

/** One part at rest. */
interface Part {
  readonly firstTriangle: number;
  readonly nearest: NearestTriangles;
  readonly winding: WindingTree;
  readonly vertices: Int32Array;
}

/** The parts of a model; part and bone have the same number. */
export class RigidInside {
  readonly #parts: readonly Part[];
  readonly #partOfTriangle: Int32Array;
  readonly #box = new Float64Array(6);
  readonly #rest = new Float64Array(3);

  constructor(model: Model, surface: CollisionSurface, triangleStart: Int32Array) {
    const { positions } = model;
    this.#partOfTriangle = new Int32Array(surface.triangles.length / 3);
    this.#parts = Array.from({ length: triangleStart.length - 1 }, (_, part) => {
      const [from, to] = [triangleStart[part], triangleStart[part + 1]];
      this.#partOfTriangle.fill(part, from, to);
      const mesh: TriangleMesh = { positions, triangles: surface.triangles.slice(from * 3, to * 3) };
      const vertices = Int32Array.from(new Set(mesh.triangles)).sort();
      return { firstTriangle: from, nearest: new NearestTriangles(mesh), winding: new WindingTree(mesh), vertices };
    });
  }

  /** Part that holds the point p[at..at + 3), which is behind triangle t of the surface; -1 for none. */
  findBehind(solid: SurfaceMotion, t: number, p: Float64Array, at: number): number {
    const part = this.#partOfTriangle[t];
    return this.#holds(solid, part, p, at) ? part : -1;
  }

  /** Fills `out` with the part each point of a body is in, -1 for none; of its own body, parts it is not joined to. */
  search(points: SurfaceMotion, solid: SurfaceMotion, out: Int32Array): void {
    out.fill(-1, 0, points.surface.vertices.length);
    for (let part = 0; part < this.#parts.length; part++) {
      if (!this.#boxOf(solid, part, points)) continue;
      points.grid.query(this.#box);
      for (let m = 0; m < points.grid.found; m++) {
        const i = points.grid.answer[m];
        if (out[i] >= 0 || (points === solid && this.isOwn(solid, part, i))) continue;
        if (this.#holds(solid, part, points.points, i * 3)) out[i] = part;
      }
    }
  }

  /** Whether surface vertex i belongs to a part, or to one that is joined to it. */
  isOwn({ model, surface }: SurfaceMotion, part: number, i: number): boolean {
    const bone = model.bones.ofVertex[surface.vertices[i]];
    return surface.joined[part * model.bones.count + bone] === 1;
  }

  /** Triangle of the surface nearest to a point of a part; writes where the point is at rest. */
  nearest(solid: SurfaceMotion, part: number, p: Float64Array, at: number, rest: Float64Array): number {
    carryBack(solid, part, p, at, rest);
    const { nearest, firstTriangle } = this.#parts[part];
    return firstTriangle + nearest.find(rest[0], rest[1], rest[2], Number.POSITIVE_INFINITY);
  }

  #holds(solid: SurfaceMotion, part: number, p: Float64Array, at: number): boolean {
    const rest = this.#rest;
    carryBack(solid, part, p, at, rest);
    return this.#parts[part].winding.at(rest[0], rest[1], rest[2]) > 0.5;
  }

  /** Box around a part; false where none of the other body's points can be in it. */
  #boxOf(solid: SurfaceMotion, part: number, points: SurfaceMotion): boolean {
    const box = this.#box;
    box.fill(Number.POSITIVE_INFINITY, 0, 3);
    box.fill(Number.NEGATIVE_INFINITY, 3, 6);
    for (const vertex of this.#parts[part].vertices) {
      for (let k = 0; k < 3; k++) {
        const x = solid.positions[vertex * 3 + k];
        box[k] = Math.min(box[k], x);
        box[3 + k] = Math.max(box[3 + k], x);
      }
    }
    for (let k = 0; k < 3; k++) if (box[k] > points.box[3 + k] || box[3 + k] < points.box[k]) return false;
    return true;
  }
}

/** X = Rᵀ(x − t) + C: from where the bone is now to where it is at rest. */
function carryBack(
  { model, poses }: SurfaceMotion,
  bone: number,
  p: Float64Array,
  at: number,
  rest: Float64Array,
): void {
  const { rotations, translations } = poses;
  const [b, r] = [bone * 3, bone * 9];
  const x = p[at] - translations[b];
  const y = p[at + 1] - translations[b + 1];
  const z = p[at + 2] - translations[b + 2];
  for (let k = 0; k < 3; k++) {
    const turned = rotations[r + k] * x + rotations[r + 3 + k] * y + rotations[r + 6 + k] * z;
    rest[k] = turned + model.bones.centre[b + k];
  }
}

/** The vertices and triangles of a rig, gathered from the meshes of a model in world space. Part of `readRig`. */
import { TendonError } from '../../errors.js';
import type { GltfMesh, GltfPrimitive, GltfSkin } from '../../io/gltf/gltf-model.js';
import type { SkinSurface } from '../character.js';
import { cofactorsMat4, determinantMat4, type Mat4, multiplyMat4, transformPoint } from './mat4.js';
import { MorphCollector } from './rig-morphs.js';

/** Where a surface came from: a node of the model and the number of the primitive in its mesh, those without triangles left out. */
export interface RigPart {
  readonly node: number;
  readonly primitive: number;
}

/** Most influences kept per vertex. */
export const INFLUENCES = 4;

/** How far beside the skin something may lie and still belong to it, relative to its size. */
const AROUND = 0.1;

/** Puts primitives one after the other. */
export class RigCollector {
  readonly #positions: number[] = [];
  readonly #normals: number[] = [];
  readonly #triangles: number[] = [];
  readonly #owners: number[] = [];
  readonly #weights: number[] = [];
  readonly #surfaces: SkinSurface[] = [];
  readonly #parts: RigPart[] = [];
  readonly #morphs = new MorphCollector();
  readonly #groups: NonNullable<GltfPrimitive['groups']>[] = [];

  addRigid(name: string, part: RigPart, mesh: GltfMesh, primitive: GltfPrimitive, global: Mat4, joint: number): void {
    this.#parts.push(part);
    const count = primitive.positions.length / 3;
    for (let v = 0; v < count; v++) {
      this.#addVertex(mesh, primitive, v, global);
      this.#owners.push(Math.max(0, joint), 0, 0, 0);
      this.#weights.push(joint < 0 ? 0 : 1, 0, 0, 0);
    }
    this.#addSurface(name, primitive, determinantMat4(global) < 0);
  }

  addSkinned(
    name: string,
    part: RigPart,
    mesh: GltfMesh,
    primitive: GltfPrimitive,
    skin: GltfSkin,
    globals: readonly Mat4[],
    jointOfNode: ReadonlyMap<number, number>,
    meshGlobal: Mat4,
  ): void {
    this.#parts.push(part);
    const { joints, weights, influenceCount } = primitive as Required<GltfPrimitive>;
    const bindings = Array.from(skin.joints, (node, k) =>
      multiplyMat4(globals[node], skin.inverseBindMatrices.subarray(16 * k, 16 * k + 16)),
    );
    let mirrored = 0;
    const count = primitive.positions.length / 3;
    for (let v = 0; v < count; v++) {
      const all: [number, number][] = [];
      for (let k = 0; k < influenceCount; k++) {
        const weight = weights[v * influenceCount + k];
        if (weight > 0) all.push([joints[v * influenceCount + k], weight]);
      }
      // the sum of all influences places the vertex; the strongest four are kept
      const total = all.reduce((sum, [, weight]) => sum + weight, 0);
      const blended = total > 0 ? new Float64Array(16) : meshGlobal;
      for (const [k, weight] of all) for (let i = 0; i < 16; i++) blended[i] += (weight / total) * bindings[k][i];
      if (determinantMat4(blended) < 0) mirrored++;
      this.#addVertex(mesh, primitive, v, blended);
      const strongest = all.sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, INFLUENCES);
      const kept = strongest.reduce((sum, [, weight]) => sum + weight, 0);
      for (let k = 0; k < INFLUENCES; k++) {
        this.#owners.push(k < strongest.length ? (jointOfNode.get(skin.joints[strongest[k][0]]) ?? 0) : 0);
        this.#weights.push(k < strongest.length ? strongest[k][1] / kept : 0);
      }
    }
    this.#addSurface(name, primitive, mirrored > count / 2);
  }

  /** Tells whether points lie in the box around all vertices so far, or a little outside; undefined where there are none. */
  box(): ((positions: ArrayLike<number>, global: Mat4) => boolean) | undefined {
    const p = this.#positions;
    if (p.length === 0) return undefined;
    const low = [Infinity, Infinity, Infinity];
    const high = [-Infinity, -Infinity, -Infinity];
    for (let i = 0; i < p.length; i++) {
      low[i % 3] = Math.min(low[i % 3], p[i]);
      high[i % 3] = Math.max(high[i % 3], p[i]);
    }
    const room = AROUND * Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
    return (positions, global) => {
      for (let i = 0; i < positions.length; i += 3) {
        const point = transformPoint(global, positions, i);
        for (let k = 0; k < 3; k++) if (point[k] < low[k] - room || point[k] > high[k] + room) return false;
      }
      return true;
    };
  }

  #addVertex(mesh: GltfMesh, primitive: GltfPrimitive, v: number, m: Mat4): void {
    const { positions: p, normals } = primitive;
    this.#morphs.add(primitive, v, this.#positions.length / 3, mesh, m);
    const x = p[3 * v];
    const y = p[3 * v + 1];
    const z = p[3 * v + 2];
    for (let k = 0; k < 3; k++) this.#positions.push(m[k] * x + m[4 + k] * y + m[8 + k] * z + m[12 + k]);
    if (normals === undefined) {
      this.#normals.push(0, 0, 0);
      return;
    }
    const c = cofactorsMat4(m);
    const side = determinantMat4(m) < 0 ? -1 : 1;
    const a = normals[3 * v];
    const b = normals[3 * v + 1];
    const d = normals[3 * v + 2];
    const nx = side * (c[0] * a + c[3] * b + c[6] * d);
    const ny = side * (c[1] * a + c[4] * b + c[7] * d);
    const nz = side * (c[2] * a + c[5] * b + c[8] * d);
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz) || 1;
    this.#normals.push(nx / length, ny / length, nz / length);
  }

  #addSurface(name: string, primitive: GltfPrimitive, mirrored: boolean): void {
    const vertexCount = primitive.positions.length / 3;
    const vertexStart = this.#positions.length / 3 - vertexCount;
    const indexStart = this.#triangles.length;
    const { indices } = primitive;
    for (let i = 0; i + 2 < indices.length; i += 3) {
      const a = indices[i];
      const b = indices[i + 1];
      const c = indices[i + 2];
      this.#triangles.push(vertexStart + a, vertexStart + (mirrored ? c : b), vertexStart + (mirrored ? b : c));
    }
    const indexCount = this.#triangles.length - indexStart;
    const { uvs, colours, flat, material } = primitive;
    this.#groups.push(primitive.groups ?? {});
    this.#surfaces.push({
      ...{ name, vertexStart, vertexCount, indexStart, indexCount, uvs },
      ...(colours && { colours }),
      ...(flat && { flat }),
      ...(material !== undefined && { material }),
    });
  }

  finish() {
    const advice =
      'the model has no triangles: export its meshes too; points, lines and bones alone cannot become soft';
    if (this.#triangles.length === 0) throw new TendonError('E_EMPTY', 'model/meshes', 0, advice);
    return {
      positions: Float64Array.from(this.#positions),
      normals: Float32Array.from(this.#normals),
      triangles: Uint32Array.from(this.#triangles),
      surfaces: this.#surfaces,
      parts: this.#parts,
      morphs: this.#morphs.finish(),
      groups: this.#groups,
      owners: Int32Array.from(this.#owners),
      weights: Float32Array.from(this.#weights),
    };
  }
}

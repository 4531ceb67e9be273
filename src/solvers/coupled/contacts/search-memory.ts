/**
 * What the kernels of the narrow phase (assembly/body-pairs.ts) read: rigid bodies with their shapes and samples, soft bodies with their surfaces.
 * Shapes and surfaces are written once, places before every search. Of shapes only round ones are known there (balls, rods, rings, planes),
 * of soft bodies those without sheets: the rest is looked at in plain code.
 */

import type { SampledShape } from '../../../collision/rigid/sampled-shape.js';
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';
import type { RigidBodies } from '../rigid/rigid-bodies.js';
import type { SoftBodies } from '../soft/soft-bodies.js';
import type { SoftModel } from '../soft/soft-model.js';

/** f64 per shape and per soft body. */
const SHAPE = 12;
const MODEL = 8;
/** Triangles per cluster. */
const CLUSTER = 8;
/** Kinds of shapes that kernels know; 0: none of them. */
const KINDS: Readonly<Record<string, number>> = { sphere: 1, capsule: 2, torus: 3, plane: 4 };

/** Of a soft body whose faces will be asked for. */
const WANTED = 2;

interface ModelSlots {
  readonly surface: Slot<Int32Array>;
  readonly triangles: Slot<Int32Array>;
}

/** Memory of the narrow phase. */
export class SearchMemory {
  /** Most surface vertices, and most clusters of triangles, of a soft body. */
  readonly mostVertices: number;
  readonly mostClusters: number;
  /** 1 for bodies that kernels know. */
  readonly known: Uint8Array;
  readonly #x: Slot<Float64Array>;
  readonly #rotation: Slot<Float64Array>;
  readonly #shapes: Slot<Float64Array>;
  readonly #samples: Slot<Float64Array>;
  readonly #boxes: Slot<Float64Array>;
  readonly #models: Slot<Float64Array>;
  readonly #softX: Slot<Float64Array>;
  readonly #normals: Slot<Float64Array>;
  readonly #clusters: Slot<Float64Array>;
  readonly #surfaces = new Map<SoftModel, ModelSlots>();
  readonly #rigid: RigidBodies;
  readonly #soft: SoftBodies;
  readonly #sampled: readonly SampledShape[];
  /** Shapes as they were written. */
  readonly #written: SampledShape[];
  #modelWords: Int32Array = new Int32Array(0);

  constructor(plan: MemoryPlan, rigid: RigidBodies, soft: SoftBodies, shapes: readonly SampledShape[]) {
    this.#rigid = rigid;
    this.#soft = soft;
    this.#sampled = shapes;
    this.#written = [...shapes];
    const clusters = soft.models.map((model) => clustersOf(model));
    this.mostVertices = Math.max(0, ...soft.models.map(({ surfaceVertices }) => surfaceVertices.length));
    this.mostClusters = Math.max(1, ...clusters);
    this.known = new Uint8Array(rigid.count + soft.count);
    this.#x = plan.f64(rigid.count * 3);
    this.#rotation = plan.f64(rigid.count * 9);
    this.#shapes = plan.f64(rigid.count * SHAPE);
    this.#samples = plan.f64([...new Set(shapes)].reduce((sum, { samples }) => sum + samples.length, 0));
    this.#boxes = plan.f64((rigid.count + soft.count) * 6);
    this.#models = plan.f64(soft.count * MODEL);
    this.#softX = plan.f64(soft.vertexCount * 3);
    this.#normals = plan.f64(soft.vertexCount * 3);
    this.#clusters = plan.f64(clusters.reduce((sum, n) => sum + n, 0) * 6);
    for (const model of soft.models) {
      if (this.#surfaces.has(model)) continue;
      const { surfaceVertices, triangles } = model;
      this.#surfaces.set(model, { surface: plan.i32(surfaceVertices.length), triangles: plan.i32(triangles.length) });
    }
  }

  /** Writes what stays, once the memory exists. */
  start(): void {
    this.#writeShapes();
    for (const [model, { surface, triangles }] of this.#surfaces) {
      surface.view.set(model.surfaceVertices);
      triangles.view.set(model.triangles);
    }
    this.#writeModels();
  }

  #writeShapes(): void {
    const written = new Map<SampledShape, number>();
    let next = 0;
    const { view, address } = this.#shapes;
    const words = new Int32Array(view.buffer, address, view.length * 2);
    this.#sampled.forEach((sampled, b) => {
      const { shape, samples, count, box, reach } = sampled;
      let at = written.get(sampled);
      if (at === undefined) {
        at = next;
        this.#samples.view.set(samples, at);
        written.set(sampled, at);
        next += samples.length;
      }
      const o = b * SHAPE;
      words.set([kindOf(sampled), count, this.#samples.address + at * 8, box ? 1 : 0], o * 2);
      view[o + 2] = 'radius' in shape ? shape.radius : 0;
      view[o + 3] = shape.kind === 'torus' ? shape.tubeRadius : 'halfLength' in shape ? shape.halfLength : 0;
      view[o + 4] = reach;
      if (box) view.set(box, o + 5);
      this.known[b] = kindOf(sampled) > 0 ? 1 : 0;
    });
  }

  #writeModels(): void {
    const { view, address } = this.#models;
    const words = new Int32Array(view.buffer, address, view.length * 2);
    this.#modelWords = words;
    let cluster = 0;
    this.#soft.models.forEach((model, s) => {
      const slots = this.#surfaces.get(model);
      if (!slots) return;
      const first = this.#soft.firstVertex[s] * 24;
      const o = s * MODEL * 2;
      const surface = [slots.surface.address, model.surfaceVertices.length];
      const triangles = [slots.triangles.address, model.triangles.length / 3];
      const clusters = [this.#clusters.address + cluster * 48, clustersOf(model)];
      words.set([this.#softX.address + first, ...surface, ...triangles, ...clusters, this.#normals.address + first], o);
      words[o + 10] = model.size;
      cluster += clustersOf(model);
      this.known[this.#rigid.count + s] = model.isSheet ? 0 : 1;
    });
  }

  /** Where things are, as kernels expect it at the start of a table. */
  get addresses(): readonly number[] {
    const parts = [this.#x, this.#rotation, this.#shapes, this.#boxes, this.#models];
    return [...parts.map(({ address }) => address), this.#rigid.count];
  }

  /** Somebody is going to ask soft body s for its faces. */
  want(s: number): void {
    this.#modelWords[s * MODEL * 2 + 11] = WANTED;
  }

  /** Bodies are here now: boxes of all, longest sides of soft ones. */
  place(boxes: Float64Array, sizes: Float64Array): void {
    const rigid = this.#rigid;
    this.#x.view.set(rigid.x);
    this.#rotation.view.set(rigid.rotation);
    this.#softX.view.set(this.#soft.x);
    this.#boxes.view.set(boxes);
    for (let s = 0; s < this.#soft.count; s++) {
      this.#models.view[s * MODEL + 4] = sizes[s];
      // nothing is known of its surface yet
      this.#modelWords[s * MODEL * 2 + 11] = 0;
    }
    for (let b = 0; b < rigid.count; b++) if (this.#written[b] !== this.#sampled[b]) this.known[b] = 0;
  }
}

function clustersOf({ triangles }: SoftModel): number {
  return Math.ceil(triangles.length / 3 / CLUSTER);
}

function kindOf({ shape, samples }: SampledShape): number {
  if ('container' in shape && shape.container) return 0;
  if (samples.length === 0 && shape.kind !== 'plane') return 0;
  return KINDS[shape.kind] ?? 0;
}

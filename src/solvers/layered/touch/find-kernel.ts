/**
 * Finds contacts with plain obstacles by the kernel `touchFind`: planes, balls, capsules and boxes. What it reads of models is copied into the
 * world's memory once, for all characters of a model; other shapes, and obstacles that throw things back, are left to `find-touches.ts`.
 */
import type { ObstacleSet } from '../../../collision/obstacles/obstacle.js';
import type { ShapeDef } from '../../../collision/shapes/shape.js';
import type { KernelTable } from '../../../kernels/kernel-table.js';
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';
import type { LayerBody } from '../layer-body.js';
import type { LayerModel } from '../layer-model.js';
import { LEAD_OUT_SPEED, type TouchList } from './touch-list.js';

/** Numbers of an obstacle with those of the step, and words of a job. */
const OBSTACLE_NUMBERS = 33;
const JOB_WORDS = 14;
const BODY_WORDS = 8;
/** Poses of obstacles: quaternion, then place. */
const POSE = 7;

/** Kinds of shape by the kernel's numbers. */
const KINDS: { readonly [kind in ShapeDef['kind']]?: number } = { plane: 0, sphere: 1, capsule: 2, box: 3 };

/** Calls the kernel for one body and one obstacle at a time. */
export class FindKernel {
  readonly #obstacle: Slot<Float64Array>;
  readonly #job: Slot<Int32Array>;
  readonly #bodies: Slot<Int32Array>;
  readonly #models: ReadonlyMap<LayerModel, () => number>;
  readonly #modelAt: number[] = [];
  #kernels!: KernelTable;

  constructor(plan: MemoryPlan, models: readonly LayerModel[]) {
    this.#obstacle = plan.f64(OBSTACLE_NUMBERS);
    this.#job = plan.i32(JOB_WORDS);
    this.#bodies = plan.i32(BODY_WORDS * models.length);
    this.#models = new Map([...new Set(models)].map((model) => [model, planModel(plan, model)]));
  }

  /** Call once the memory exists; all arrays of the bodies are in it. */
  start(kernels: KernelTable, bodies: readonly LayerBody[]): void {
    this.#kernels = kernels;
    const made = new Map([...this.#models].map(([model, fill]) => [model, fill()]));
    bodies.forEach((body, b) => {
      const { freeMatrices, startMatrices, free, state, boneDent, isDented, fronts } = body;
      const arrays = [freeMatrices, startMatrices, free.quats, state.poses.quats, boneDent, isDented];
      const words = [...arrays, state.dents, fronts.reference].map(({ byteOffset }) => byteOffset);
      this.#bodies.view.set(words, BODY_WORDS * b);
      this.#modelAt.push(made.get(body.model) as number);
    });
  }

  /** Whether the kernel knows obstacle i. */
  knows(obstacles: ObstacleSet, i: number): boolean {
    const { shape } = obstacles.defs[i];
    const isContainer = 'container' in shape && shape.container === true;
    return KINDS[shape.kind] !== undefined && !isContainer && obstacles.restitution[i] === 0;
  }

  /** Adds the contacts of body b with obstacle i to a list in the memory; false, and nothing added, where it has no room for them. */
  find(
    b: number,
    body: LayerBody,
    obstacles: ObstacleSet,
    i: number,
    h: number,
    kept: number,
    coreShare: number,
    out: TouchList,
  ): boolean {
    this.#writeObstacle(obstacles, i, h, kept, coreShare);
    const job = this.#job.view;
    job[0] = this.#obstacle.address;
    job[1] = KINDS[obstacles.defs[i].shape.kind] as number;
    job[2] = i;
    job[3] = b;
    job[4] = body.model.bones.count;
    job[5] = this.#modelAt[b];
    job[6] = this.#bodies.address + 4 * BODY_WORDS * b;
    job[7] = out.data.byteOffset;
    job[8] = out.sides.byteOffset;
    job[9] = out.obstacles.byteOffset;
    job[10] = out.bodies.byteOffset;
    job[11] = out.bones.byteOffset;
    job[12] = out.nodes.byteOffset;
    job[13] = out.obstacles.length;
    const count = this.#kernels.touchFind(this.#job.address, out.count);
    if (count < 0) return false;
    out.count = count;
    return true;
  }

  #writeObstacle(obstacles: ObstacleSet, i: number, h: number, kept: number, coreShare: number): void {
    const o = this.#obstacle.view;
    const { next, nextRotations, poses, rotations, step, friction } = obstacles;
    for (let k = 0; k < 3; k++) {
      o[k] = next[POSE * i + 4 + k];
      o[12 + k] = poses[POSE * i + 4 + k];
    }
    for (let k = 0; k < 9; k++) {
      o[3 + k] = nextRotations[9 * i + k];
      o[15 + k] = rotations[9 * i + k];
    }
    o[24] = step[0];
    o[25] = friction[i];
    writeExtent(obstacles.defs[i].shape, o, 26);
    o[29] = h;
    o[30] = kept;
    o[31] = coreShare;
    o[32] = LEAD_OUT_SPEED;
  }
}

function writeExtent(shape: ShapeDef, out: Float64Array, o: number): void {
  if (shape.kind === 'box') for (let k = 0; k < 3; k++) out[o + k] = shape.halfExtents[k];
  if (shape.kind === 'sphere' || shape.kind === 'capsule') out[o] = shape.radius;
  if (shape.kind === 'capsule') out[o + 1] = shape.halfLength;
}

/** Plans the arrays of a model; what is returned fills them, and says where the list of their addresses is. */
function planModel(plan: MemoryPlan, model: LayerModel): () => number {
  const { clusters } = model;
  const { bones } = clusters;
  const arrays = [
    ...[model.positions, model.owners, model.weights, model.depths, clusters.ofBone, clusters.start, clusters.nodes],
    ...[clusters.centre, clusters.radius, clusters.otherStart, clusters.others, clusters.otherWeights],
    clusters.mainBone,
    ...[bones.centre, bones.radius, bones.otherStart, bones.others, bones.otherWeights],
    Float64Array.of(model.deepest),
  ];
  const slots = arrays.map((array) =>
    array instanceof Float64Array ? plan.f64(array.length) : plan.i32(array.length),
  );
  const words = plan.i32(arrays.length);
  return () => {
    slots.forEach(({ view }, n) => {
      view.set(arrays[n]);
    });
    words.view.set(slots.map(({ address }) => address));
    return words.address;
  };
}

/** Tetrahedra for tests of the local step: rest shapes, deformations, and a memory with the kernel working on it. */
import type { KernelTable } from '../../../src/kernels/kernel-table.js';
import { LOCAL_SCRATCH_BYTES } from '../../../src/kernels/kernel-table.js';
import { compileKernels, instantiateKernels } from '../../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../../src/kernels/memory.js';
import { packTetGroups, resetQuaternions, type TetElements, tetGroupCount } from '../../../src/kernels/tet-groups.js';
import { determinantMat3 } from '../../../src/math/mat3.js';
import { invertMat3 } from '../../../src/math/mat3-inverse.js';
import type { Random } from '../../../src/math/random.js';

/** Tets at rest: `rest` are position rows (x, y, z, 0), the elements refer to them. All numbers are exact in f32. */
export interface TetSoup {
  readonly rest: Float64Array;
  readonly tets: TetElements;
}

/** What a kernel call works on. */
export interface LocalRig {
  readonly kernels: KernelTable;
  /** Position rows. */
  readonly x: Float32Array;
  /** Force rows. */
  readonly out: Float32Array;
  readonly quats: Float32Array;
  readonly groupCount: number;
  /** Runs the kernel over the groups [first, last); returns the number of SVDs it reports. */
  run(first?: number, last?: number): number;
  /** Runs `countInverted` over the groups [first, last). */
  countInverted(first?: number, last?: number): number;
}

/** Elements of the given rest rows and corners; every number is rounded to f32, as the kernel will see it. */
export function makeElements(
  rest: Float64Array,
  corners: ArrayLike<number>,
  shear: (tet: number) => number,
  bulk: (tet: number) => number,
): TetElements {
  const count = corners.length / 4;
  const inverseRest = new Float64Array(9 * count);
  const edges = new Float64Array(9);
  for (let tet = 0; tet < count; tet++) {
    for (let k = 0; k < 3; k++) {
      for (let row = 0; row < 3; row++) {
        edges[3 * row + k] = rest[4 * corners[4 * tet + k + 1] + row] - rest[4 * corners[4 * tet] + row];
      }
    }
    if (!invertMat3(inverseRest, 9 * tet, edges, 0)) throw new Error(`tet ${tet} is flat at rest`);
  }
  for (let k = 0; k < inverseRest.length; k++) inverseRest[k] = Math.fround(inverseRest[k]);
  return {
    corners,
    inverseRest,
    shearStiffness: Float64Array.from({ length: count }, (_, tet) => Math.fround(shear(tet))),
    bulkStiffness: Float64Array.from({ length: count }, (_, tet) => Math.fround(bulk(tet))),
  };
}

/** `count` tets of size `size` [m] that share no vertex, well shaped, near the origin. Stiffness in [1, 2) J. */
export function makeSoup(random: Random, count: number, size = 1, bulk: (tet: number) => number = () => 1): TetSoup {
  const rest = new Float64Array(16 * count);
  const edges = new Float64Array(9);
  for (let tet = 0; tet < count; tet++) {
    do {
      for (let corner = 0; corner < 4; corner++) {
        for (let k = 0; k < 3; k++) rest[16 * tet + 4 * corner + k] = Math.fround(random.range(-1, 1) * size);
      }
      for (let k = 0; k < 9; k++)
        edges[k] = (rest[16 * tet + 4 + 4 * (k % 3) + Math.floor(k / 3)] - rest[16 * tet + Math.floor(k / 3)]) / size;
      // Six times the volume of a regular tet with edges of length 1 is 0.7.
    } while (determinantMat3(edges, 0) < 0.7);
  }
  const corners = Int32Array.from({ length: 4 * count }, (_, k) => k);
  return { rest, tets: makeElements(rest, corners, () => random.range(1, 2), bulk) };
}

/** out = matrix times the rest position, for the rows of one tet of a soup, plus a translation; rounded to f32. */
export function deformTet(
  x: Float32Array,
  soup: TetSoup,
  tet: number,
  matrix: ArrayLike<number>,
  translation: readonly [number, number, number] = [0, 0, 0],
): void {
  for (let corner = 0; corner < 4; corner++) {
    const at = 4 * soup.tets.corners[4 * tet + corner];
    for (let row = 0; row < 3; row++) {
      let sum = translation[row];
      for (let k = 0; k < 3; k++) sum += matrix[3 * row + k] * soup.rest[at + k];
      x[at + row] = sum;
    }
  }
}

/** A memory that holds the tets in the given order, quaternions at no rotation, positions and forces zero. */
export async function makeLocalRig(
  tets: TetElements,
  rowCount: number,
  order: ArrayLike<number> = Int32Array.from(tets.shearStiffness, (_, tet) => tet),
): Promise<LocalRig> {
  const groupCount = tetGroupCount(order.length);
  const plan = new MemoryPlan();
  const x = plan.f32(4 * rowCount);
  const out = plan.f32(4 * rowCount);
  const groups = plan.i32(64 * groupCount);
  const quats = plan.f32(16 * groupCount);
  const scratch = plan.i32(LOCAL_SCRATCH_BYTES / 4);
  const memory = plan.allocate();
  const kernels = instantiateKernels(await compileKernels(false), memory);
  const f32 = new Float32Array(memory.buffer, groups.address, groups.length);
  packTetGroups(tets, order, { i32: groups.view, f32 });
  resetQuaternions(quats.view);
  return {
    kernels,
    x: x.view,
    out: out.view,
    quats: quats.view,
    groupCount,
    run: (first = 0, last = groupCount) =>
      kernels.localTets(first, last, x.address, groups.address, quats.address, out.address, scratch.address),
    countInverted: (first = 0, last = groupCount) => kernels.countInverted(first, last, x.address, groups.address),
  };
}

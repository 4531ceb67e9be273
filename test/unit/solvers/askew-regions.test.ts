/**
 * What turning regions take off the metric of bones, made for other rotations than those the bones have by now. The factor shows where that leaves less than nothing.
 * References: the metric leaves at least the inertia of a bone itself, so no force moves it farther than it would the bone alone; and the system of flesh, bones and
 * regions with none of them eliminated, solved densely.
 */
import { expect, it } from 'vitest';
import { BonePoses } from '../../../src/body/bone-poses.js';
import type { Bones } from '../../../src/body/bones.js';
import { BONE_BLOCK_LENGTH, fillBoneBlock } from '../../../src/body/joints/bone-metric.js';
import { buildModel } from '../../../src/body/model.js';
import { compileKernels, instantiateKernels } from '../../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../../src/kernels/memory.js';
import { ThreadPool } from '../../../src/kernels/thread-pool.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import { DenseLu } from '../../../src/solvers/projective/adjoint/dense-lu.js';
import { DENSE_BONES } from '../../../src/solvers/projective/bones/bone-order.js';
import { BoneStep } from '../../../src/solvers/projective/bones/bone-step.js';
import { ConstantMatrix } from '../../../src/solvers/projective/constant-matrix.js';
import { layOut } from '../../../src/solvers/projective/layout.js';
import { TurningRegions } from '../../../src/solvers/projective/regions/turning-regions.js';
import { jacobiEigenvalues } from '../../support/checks/eigenvalues.js';
import { measured } from '../../support/checks/measure.js';

const H = 1 / 30;
const STIFF = { model: 'corotated', youngModulus: 1e7, poissonRatio: 0.4, density: 1000 } as const;

/** A stiff block with three small plates in it, none of them thin. */
async function buildBlock() {
  const mesh = buildLattice({ cells: [8, 3, 3], cellSize: 0.1, split: 'five' });
  const near = (x: number) =>
    [...Array(mesh.positions.length / 3).keys()].filter(
      (v) =>
        Math.abs(mesh.positions[v * 3] - x) < 0.01 &&
        mesh.positions[v * 3 + 1] + mesh.positions[v * 3 + 2] < 0.35 &&
        mesh.positions[v * 3 + 1] + mesh.positions[v * 3 + 2] > 0.25,
    );
  const bones = [0.1, 0.4, 0.7].map((x, i) => ({ name: `b${i}`, vertices: near(x).concat(near(x + 0.1).slice(0, 1)) }));
  const model = buildModel({ name: 'block', ...mesh, materials: [STIFF], bones, joints: [] });
  const plan = new MemoryPlan();
  const threads = new ThreadPool(plan);
  const layout = layOut(model);
  const matrix = new ConstantMatrix(plan, model, layout, { inertia: 1 / H ** 2, divided: true });
  const regions = new TurningRegions(plan, model, layout, matrix);
  const kernels = instantiateKernels(await compileKernels(false), plan.allocate());
  matrix.start(kernels, threads);
  regions.start(kernels);
  const poses = new BonePoses(model.bones.count + 1);
  for (let bone = 0; bone <= model.bones.count; bone++) {
    poses.quats[bone * 4 + 3] = 1;
    poses.updateRotation(bone);
  }
  regions.begin(model.positions, poses.rotations);
  const { count } = model.bones;
  const step = new BoneStep(
    count,
    model.joints,
    matrix.metric,
    new Uint8Array(count),
    model.size,
    undefined,
    DENSE_BONES,
    true,
  );
  step.restart(poses, undefined, H);
  return { bones: model.bones, matrix, regions, poses, step };
}

/** Stiffness of flesh against bones' turns and shifts, six each in the world's axes, and regions' turns, three each: Jᵀ W J of the rows of W, none of them eliminated. */
function wholeSystem({ count }: Bones, { wide, regions }: ConstantMatrix, { rotations }: BonePoses): Float64Array {
  const rows = count * 4 + regions.count * 3;
  const size = count * 6 + regions.count * 3;
  const jacobian = new Float64Array(rows * 3 * size);
  const set = (row: number, k: number, unknown: number, value: number) => {
    jacobian[(row * 3 + k) * size + unknown] += value;
  };
  // a turn w moves a row r by w × r
  const turn = (row: number, unknown: number, r: readonly number[]) => {
    for (let k = 0; k < 3; k++) {
      set(row, k, unknown + ((k + 1) % 3), r[(k + 2) % 3]);
      set(row, k, unknown + ((k + 2) % 3), -r[(k + 1) % 3]);
    }
  };
  for (let bone = 0; bone < count; bone++) {
    for (let p = 0; p < 3; p++)
      turn(
        bone * 4 + p,
        bone * 6,
        [0, 1, 2].map((k) => rotations[bone * 9 + k * 3 + p]),
      );
    for (let k = 0; k < 3; k++) set(bone * 4 + 3, k, bone * 6 + 3 + k, 1);
  }
  for (let j = 0; j < regions.count * 3; j++) {
    turn(
      count * 4 + j,
      count * 6 + j - (j % 3),
      [0, 1, 2].map((k) => (k === j % 3 ? 1 : 0)),
    );
  }
  const out = new Float64Array(size * size);
  for (let i = 0; i < rows; i++) {
    for (let j = 0; j < rows; j++) {
      for (let k = 0; k < 3; k++) {
        const [a, b] = [(i * 3 + k) * size, (j * 3 + k) * size];
        for (let p = 0; p < size; p++) {
          const left = wide[i * rows + j] * jacobian[a + p];
          if (left !== 0) for (let q = 0; q < size; q++) out[p * size + q] += left * jacobian[b + q];
        }
      }
    }
  }
  return out;
}

/** The bones' metric at these poses in their own axes, less `eased`. */
function easedMetric({ count }: Bones, { metric }: ConstantMatrix, { rotations }: BonePoses, eased: Float64Array) {
  const out = new Float64Array(36 * count * count);
  const block = new Float64Array(BONE_BLOCK_LENGTH);
  for (let j = 0; j < count; j++) {
    for (let k = 0; k < count; k++) {
      fillBoneBlock(block, metric, count * 4, rotations, j, k);
      for (let i = 0; i < 36; i++) {
        const at = (j * 6 + Math.floor(i / 6)) * count * 6 + k * 6 + (i % 6);
        out[at] = block[i] - eased[at];
      }
    }
  }
  return out;
}

it('is made anew where it leaves less than nothing', async () => {
  const { bones, matrix, regions, poses, step } = await buildBlock();
  const { count } = bones;
  const all = Int32Array.from({ length: count }, (_, bone) => bone);
  for (let bone = 0; bone < count; bone++) {
    poses.move(
      bone,
      Float64Array.from({ length: 6 }, (_, k) => (k === bone ? 0.04 * (-1) ** bone : 0)),
      0,
    );
  }
  // so little that it would do otherwise
  const askew = easedMetric(bones, matrix, poses, regions.easedAt(poses.rotations));
  const largest = Math.max(...askew);
  measured(
    'least of the bones metric, taken off askew',
    Math.min(...jacobiEigenvalues(askew.slice(), count * 6)) / largest,
  );
  expect(Math.min(...jacobiEigenvalues(askew, count * 6))).toBeLessThan(-1e-6 * largest);
  step.factorAt(poses, regions);
  const whole = wholeSystem(bones, matrix, poses);
  const size = Math.sqrt(whole.length);
  const lu = new DenseLu(whole.slice(), size);
  const answers = new Float64Array(count * 36);
  for (let pushed = 0; pushed < count; pushed++) {
    step.respond(poses, pushed, all, count, answers, 0, 6);
    for (let axis = 0; axis < 6; axis++) {
      const wanted = new Float64Array(size);
      wanted[pushed * 6 + axis] = 1;
      lu.solve(wanted);
      for (let i = 0; i < count * 6; i++) {
        // rounding, times how much stiffer flesh is than its inertia
        const scale = Math.sqrt(Math.abs(whole[i * (size + 1)] * whole[(pushed * 6 + axis) * (size + 1)]));
        expect(Math.abs(answers[i * 6 + axis] - wanted[i]) * scale).toBeLessThan(1e-6);
      }
    }
    for (let k = 3; k < 6; k++) {
      const own = answers[(pushed * 6 + k) * 6 + k];
      expect(own).toBeGreaterThan(0);
      expect(own).toBeLessThan(H ** 2 / bones.mass[pushed]);
    }
  }
});

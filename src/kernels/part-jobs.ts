/**
 * The jobs that are cut into parts. A part is a fixed share of the work, chosen from the data and never from the number
 * of threads; parts write to separate places, which are then summed in a fixed order. So it makes no difference to a
 * single bit who runs which part.
 *
 * Arguments are whole numbers (addresses and counts) in an Int32Array, so that they can lie in shared memory. An address
 * beyond 2 GiB is negative there: WebAssembly does not mind, and an index is made of it by an unsigned shift.
 */
import type { KernelTable, RangeKernel } from './kernel-table.js';

/** Job numbers, in the order of `PART_JOBS`. */
export const JOB_LOCAL = 0;
export const JOB_FORWARD = 1;
export const JOB_BACKWARD = 2;
export const JOB_MOVE = 3;
export const JOB_SUM = 4;
export const JOB_ENERGY = 5;
export const JOB_RANGE = 6;
export const JOB_DOTS = 7;
export const JOB_MIX = 8;

/** Kernels that `JOB_RANGE` runs, by number. */
export const RANGE_KERNELS = [
  'latticeElastic',
  'latticeLaplacian',
  'latticeStiffness',
  'latticeVolumes',
  'latticeInertia',
  'latticeRelax',
  'latticeHold',
  'latticeWeigh',
  'latticeMove',
  'latticeLargest',
  'latticeRestrict',
  'latticeRestrictRows',
  'latticeProlong',
  'latticeProlongRows',
  'latticeSparse',
  'latticeRelaxRows',
  'latticeMoveDot',
  'latticeKeep',
  'latticeTry',
  'latticeCopy',
  'dotRows',
  'boneFronts',
  'touchBones',
  'touchBegin',
  'touchSweep',
  'touchEnd',
  'sweepRows',
  'elasticBodies',
  'answerBodies',
  'findPairs',
  'refreshBodies',
  'warmRows',
  'layRows',
  'laySlots',
  'takeRows',
  'takeSlots',
  'measureRows',
  'beginSlots',
  'finishSlots',
  'readyJoints',
  'writeBodies',
  'solveChains',
  'advanceBodies',
] as const satisfies readonly (keyof KernelTable)[];
/** Arguments that a kernel has after its range and its own memory, at most. */
export const RANGE_ARGUMENTS = 8;

type PartJob = (kernels: KernelTable, words: Int32Array, args: number, part: number) => number;

/**
 * [group boundaries, x, tets, quats, out, bytes between parts' out, scratch, bytes between parts' scratch, energies, and of means around vertices, none
 * where the first is 0: group boundaries, groups, entries, quats]. Boundaries are three per part: first group, first neo-Hookean one, end.
 */
const localPart: PartJob = (kernels, words, a, part) => {
  const bounds = (words[a] >>> 2) + part * 3;
  const x = words[a + 1];
  const tets = words[a + 2];
  const out = words[a + 4] + part * words[a + 5];
  const scratch = words[a + 6] + part * words[a + 7];
  const split = words[bounds + 1];
  const end = words[bounds + 2];
  if (split < end) kernels.localNeoHookean(split, end, x, tets, out, words[a + 8] + part * 8);
  const repaired = kernels.localTets(words[bounds], split, x, tets, words[a + 3], out, scratch);
  if (words[a + 9] !== 0) nodalPart(kernels, words, a, part, out, scratch);
  return repaired;
};

/** The means' share of a part of the local step, behind that of the tets: energies add up. */
function nodalPart(k: KernelTable, words: Int32Array, a: number, part: number, out: number, scratch: number): void {
  const bounds = (words[a + 9] >>> 2) + part * 3;
  const x = words[a + 1];
  const total = words[a + 8] + part * 8;
  const groups = words[a + 10];
  const entries = words[a + 11];
  const split = words[bounds + 1];
  k.nodalStrain(words[bounds], split, words[bounds + 2], x, groups, entries, words[a + 12], out, scratch, total);
}

/** The same arguments: adds the corotated tets' energy to the energies, behind that of the neo-Hookean ones. */
const energyPart: PartJob = (kernels, words, a, part) => {
  const bounds = (words[a] >>> 2) + part * 3;
  const total = words[a + 8] + part * 8;
  kernels.energyTets(words[bounds], words[bounds + 1], words[a + 1], words[a + 2], words[a + 3], total);
  return 0;
};

/** [block boundaries, blocks, y] */
const forwardPart: PartJob = (kernels, words, a, part) => {
  const bounds = (words[a] >>> 2) + part;
  kernels.solveForward(words[bounds], words[bounds + 1], words[a + 1], words[a + 2]);
  return 0;
};

/** [block boundaries, blocks, y, scratch, bytes between parts' scratch] */
const backwardPart: PartJob = (kernels, words, a, part) => {
  const bounds = (words[a] >>> 2) + part;
  const scratch = words[a + 3] + part * words[a + 4];
  kernels.solveBackward(words[bounds], words[bounds + 1], words[a + 1], words[a + 2], scratch);
  return 0;
};

/** [row boundaries, x, increment, target, weights, origin, x32, residual] */
const movePart: PartJob = (kernels, words, a, part) => {
  const bounds = (words[a] >>> 2) + part;
  kernels.moveRows(
    words[bounds],
    words[bounds + 1],
    words[a + 1],
    words[a + 2],
    words[a + 3],
    words[a + 4],
    words[a + 5],
    words[a + 6],
    words[a + 7],
  );
  return 0;
};

/** [row boundaries, out, copies, number of copies, bytes between copies, accumulate] */
const sumPart: PartJob = (kernels, words, a, part) => {
  const bounds = (words[a] >>> 2) + part;
  kernels.sumCopies(
    words[bounds],
    words[bounds + 1],
    words[a + 1],
    words[a + 2],
    words[a + 3],
    words[a + 4],
    words[a + 5],
  );
  return 0;
};

/** [first and last of each part, kernel, own memory, bytes between parts' own memory, arguments] */
const rangePart: PartJob = (kernels, words, a, part) => {
  const bounds = (words[a] >>> 2) + 2 * part;
  const kernel = kernels[RANGE_KERNELS[words[a + 1]]] as RangeKernel;
  kernel(
    words[bounds],
    words[bounds + 1],
    words[a + 2] + part * words[a + 3],
    words[a + 4],
    words[a + 5],
    words[a + 6],
    words[a + 7],
    words[a + 8],
    words[a + 9],
    words[a + 10],
    words[a + 11],
  );
  return 0;
};

/** [row boundaries, a, kept, accumulate, others, count, out, bytes between parts' out] */
const dotsPart: PartJob = (kernels, words, a, part) => {
  const bounds = (words[a] >>> 2) + part;
  const out = words[a + 6] + part * words[a + 7];
  kernels.dotOthers(
    words[bounds],
    words[bounds + 1],
    words[a + 1],
    words[a + 2],
    words[a + 3],
    words[a + 4],
    words[a + 5],
    out,
  );
  return 0;
};

/** [row boundaries, move, mixed, force, newest, others, shares, count, next, y, apart, out, bytes between parts' out] */
const mixPart: PartJob = (kernels, words, a, part) => {
  const bounds = (words[a] >>> 2) + part;
  kernels.mixRows(
    words[bounds],
    words[bounds + 1],
    words[a + 1],
    words[a + 2],
    words[a + 3],
    words[a + 4],
    words[a + 5],
    words[a + 6],
    words[a + 7],
    words[a + 8],
    words[a + 9],
    words[a + 10],
    words[a + 11] + part * words[a + 12],
  );
  return 0;
};

/** Every job, by number: runs one part and returns a count to be added up. `args` is an index into `words`. */
export const PART_JOBS: readonly PartJob[] = [
  localPart,
  forwardPart,
  backwardPart,
  movePart,
  sumPart,
  energyPart,
  rangePart,
  dotsPart,
  mixPart,
];

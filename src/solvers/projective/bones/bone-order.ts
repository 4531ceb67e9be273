/**
 * The order in which bones and joints are eliminated, and which pairs of bones count as coupled. A joint's rows come
 * right after the later of its two bones, so that their pivots are negative; bones follow each other along the skeleton,
 * which keeps the system of a long chain narrow. Where far bones are not coupled, limbs come one after the other from their ends
 * inwards, so that no limb widens another's rows.
 */
import type { Joints } from '../../../body/joints/joints.js';

/** Up to this many bones every pair is coupled where all bones must feel each other: in slopes, where regions of flesh turn along, and where something holds or leads a bone. */
export const DENSE_BONES = 40;
/**
 * Up to this many bones every pair is coupled in a step in which nothing holds or leads a bone; beyond, only pairs that feel each other through flesh or a joint. A rigged figure of 19 bones has 62 such
 * pairs of 190: its system takes a sixth of the products, and steps end no farther from where they should.
 */
export const COUPLED_BONES = 12;
/** Coupling, relative to the own stiffness of the softer of the two, below which a pair of far bones is left out of the matrix. */
const WEAK_COUPLING = 1e-3;

/** Places of the unknowns. Nodes are bones 0..m-1, then joint pairs m... */
export interface BoneOrder {
  /** First unknown of each node. */
  readonly start: Int32Array;
  /** First column of each row of the system. */
  readonly first: Int32Array;
  /** m+1 offsets into `coupled`. */
  readonly coupledStart: Int32Array;
  /** For each bone j the bones k (itself included) whose block is stored in row j. */
  readonly coupled: Int32Array;
  /**
   * Added to the diagonal, for turning and for shifting, to make up for couplings that were left out: the matrix stays
   * above the true one, so that steps are shorter and never wrong (the right-hand side is always complete).
   */
  readonly slack: Float64Array;
}

/**
 * Orders the unknowns of `boneCount` bones and their joints. `metric` is the 4m x 4m metric of the bone problem; up to `dense` bones every
 * pair that feels each other is coupled, and pairs that do not as well where something else may couple them (`all`).
 */
export function orderBones(
  boneCount: number,
  joints: Joints,
  metric: Float64Array,
  dense: number,
  all = false,
): BoneOrder {
  const isDense = boneCount <= dense;
  const felt = findNeighbours(boneCount, joints, metric, isDense);
  // among bones that are all neighbours the nearest come in no order at all
  const isFilled = isDense && all && felt.includes(0);
  const neighbours = isFilled ? felt.fill(1) : felt;
  const slack = makeUpSlack(boneCount, neighbours, metric);
  const wide = placeUnknowns(breadthFirst(boneCount, neighbours), joints, neighbours);
  if (isDense && !isFilled) return { ...wide, slack };
  const narrow = placeUnknowns(limbByLimb(boneCount, joints), joints, neighbours);
  return { ...(products(narrow.first) < products(wide.first) ? narrow : wide), slack };
}

/** Places of the unknowns where the bones are eliminated in this sequence. */
function placeUnknowns(sequence: readonly number[], joints: Joints, neighbours: Uint8Array): Omit<BoneOrder, 'slack'> {
  const boneCount = sequence.length;
  const place = new Int32Array(boneCount);
  sequence.forEach((bone, i) => {
    place[bone] = i;
  });
  const start = new Int32Array(boneCount + joints.count);
  let size = 0;
  for (const bone of sequence) {
    start[bone] = size;
    size += 6;
    for (let pair = 0; pair < joints.count; pair++) {
      const a = joints.boneA[pair];
      const b = joints.boneB[pair];
      const later = b < boneCount && place[b] > place[a] ? b : a;
      if (later !== bone) continue;
      start[boneCount + pair] = size;
      size += joints.rows[pair];
    }
  }
  const { coupledStart, coupled } = listCoupled(boneCount, neighbours, place);
  const first = findFirsts(size, boneCount, joints, start, coupledStart, coupled);
  return { start, first, coupledStart, coupled };
}

/** How many products the factorisation of rows that begin in these columns takes. */
function products(first: Int32Array): number {
  let sum = 0;
  for (let row = 0; row < first.length; row++) {
    for (let column = first[row]; column < row; column++) sum += column - Math.max(first[row], first[column]);
  }
  return sum;
}

/** Root of the sum of squares of the 4x4 block (j, k), turning part and shifting part. */
function blockNorms(metric: Float64Array, stride: number, j: number, k: number): readonly [number, number] {
  let turn = 0;
  for (let p = 0; p < 3; p++) {
    for (let q = 0; q < 3; q++) turn += square(metric[(j * 4 + p) * stride + k * 4 + q]);
  }
  return [Math.sqrt(turn), Math.abs(metric[(j * 4 + 3) * stride + k * 4 + 3])];
}

function findNeighbours(boneCount: number, joints: Joints, metric: Float64Array, isDense: boolean): Uint8Array {
  const coupled = new Uint8Array(boneCount * boneCount);
  const stride = boneCount * 4;
  const own = Array.from({ length: boneCount }, (_, k) => blockNorms(metric, stride, k, k));
  for (let j = 0; j < boneCount; j++) {
    for (let k = 0; k <= j; k++) {
      const [turn, shift] = blockNorms(metric, stride, j, k);
      const weak =
        turn <= WEAK_COUPLING * Math.min(own[j][0], own[k][0]) &&
        shift <= WEAK_COUPLING * Math.min(own[j][1], own[k][1]);
      const kept = j === k || (isDense ? turn > 0 || shift > 0 : !weak);
      coupled[j * boneCount + k] = coupled[k * boneCount + j] = kept ? 1 : 0;
    }
  }
  for (let pair = 0; pair < joints.count; pair++) {
    const a = joints.boneA[pair];
    const b = joints.boneB[pair];
    if (b < boneCount) coupled[a * boneCount + b] = coupled[b * boneCount + a] = 1;
  }
  return coupled;
}

function breadthFirst(boneCount: number, neighbours: Uint8Array): number[] {
  const sequence: number[] = [];
  const seen = new Uint8Array(boneCount);
  for (let root = 0; root < boneCount; root++) {
    if (seen[root]) continue;
    seen[root] = 1;
    sequence.push(root);
    for (let i = sequence.length - 1; i < sequence.length; i++) {
      for (let k = 0; k < boneCount; k++) {
        if (seen[k] || !neighbours[sequence[i] * boneCount + k]) continue;
        seen[k] = 1;
        sequence.push(k);
      }
    }
  }
  return sequence;
}

/** Every bone after those that hang on it, along the joints from the first bone of each skeleton on. */
function limbByLimb(boneCount: number, joints: Joints): number[] {
  const joined: number[][] = Array.from({ length: boneCount }, () => []);
  for (let pair = 0; pair < joints.count; pair++) {
    const a = joints.boneA[pair];
    const b = joints.boneB[pair];
    if (b >= boneCount) continue;
    joined[a].push(b);
    joined[b].push(a);
  }
  const sequence: number[] = [];
  const seen = new Uint8Array(boneCount);
  const path: number[] = [];
  for (let root = 0; root < boneCount; root++) {
    if (seen[root] === 0) path.push(root);
    while (path.length > 0) {
      const bone = path[path.length - 1];
      seen[bone] = 1;
      const next = joined[bone].find((other) => seen[other] === 0);
      if (next !== undefined) path.push(next);
      else sequence.push(path.pop()!);
    }
  }
  return sequence;
}

function listCoupled(boneCount: number, neighbours: Uint8Array, place: Int32Array) {
  const coupledStart = new Int32Array(boneCount + 1);
  const coupled: number[] = [];
  for (let j = 0; j < boneCount; j++) {
    for (let k = 0; k < boneCount; k++) {
      if (neighbours[j * boneCount + k] && place[k] <= place[j]) coupled.push(k);
    }
    coupledStart[j + 1] = coupled.length;
  }
  return { coupledStart, coupled: Int32Array.from(coupled) };
}

function findFirsts(
  size: number,
  boneCount: number,
  joints: Joints,
  start: Int32Array,
  coupledStart: Int32Array,
  coupled: Int32Array,
): Int32Array {
  const first = new Int32Array(size);
  for (let j = 0; j < boneCount; j++) {
    let earliest = start[j];
    for (let n = coupledStart[j]; n < coupledStart[j + 1]; n++) earliest = Math.min(earliest, start[coupled[n]]);
    first.fill(earliest, start[j], start[j] + 6);
  }
  for (let pair = 0; pair < joints.count; pair++) {
    const node = start[boneCount + pair];
    const b = joints.boneB[pair];
    const earliest = Math.min(start[joints.boneA[pair]], b < boneCount ? start[b] : node);
    first.fill(earliest, node, node + joints.rows[pair]);
  }
  return first;
}

function makeUpSlack(boneCount: number, neighbours: Uint8Array, metric: Float64Array): Float64Array {
  const slack = new Float64Array(boneCount * 2);
  for (let j = 0; j < boneCount; j++) {
    for (let k = 0; k < boneCount; k++) {
      if (neighbours[j * boneCount + k]) continue;
      const [turn, shift] = blockNorms(metric, boneCount * 4, j, k);
      slack[j * 2] += 2 * turn;
      slack[j * 2 + 1] += shift;
    }
  }
  return slack;
}

function square(x: number): number {
  return x * x;
}

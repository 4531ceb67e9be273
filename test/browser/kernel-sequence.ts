/**
 * One seeded run through all kernels (move, local step, sum, solve, dot), the way a step strings them together, and a
 * hash of all it wrote. The same file runs in Node and in Chromium, on compiled code given by the address of dist/src,
 * so nothing here may depend on either.
 */

/** Where and how to run. */
export interface SequenceOptions {
  /** Address of dist/src, with a slash at the end. */
  readonly library: string;
  /** Threads asked for. */
  readonly threads: number;
  /** Rounds of all kernels. */
  readonly rounds: number;
}

export interface SequenceResult {
  /** 64 bits over everything the kernels wrote, after every round. */
  readonly hash: string;
  /** Threads that were really at work. */
  readonly threads: number;
  /** How many tets took the SVD path, over all rounds. */
  readonly repaired: number;
  /** False when a number was not finite. */
  readonly finite: boolean;
}

/** Number of parts the work is cut into: part of the data, not of the machine. */
const PARTS = 4;
/** Cubes along each side of the block. */
const CUBES = 6;
const EVEN = [0, 1, 2, 4, 3, 2, 1, 7, 5, 4, 7, 1, 6, 7, 4, 2, 1, 2, 4, 7];
const ODD = [1, 0, 5, 3, 2, 3, 6, 0, 4, 5, 0, 6, 7, 6, 5, 3, 0, 3, 5, 6];

/** A block of cubes, five tets each. */
function makeBlock(): { positions: number[]; corners: number[]; vertexCount: number } {
  const side = CUBES + 1;
  const positions: number[] = [];
  const corners: number[] = [];
  for (let x = 0; x < side; x++) {
    for (let y = 0; y < side; y++) for (let z = 0; z < side; z++) positions.push(x / CUBES, y / CUBES, z / CUBES);
  }
  for (let cube = 0; cube < CUBES * CUBES * CUBES; cube++) {
    const [x, y, z] = [Math.floor(cube / (CUBES * CUBES)), Math.floor(cube / CUBES) % CUBES, cube % CUBES];
    for (const c of (x + y + z) % 2 === 0 ? EVEN : ODD) {
      corners.push(((x + (c & 1)) * side + y + ((c >> 1) & 1)) * side + z + (c >> 2));
    }
  }
  return { positions, corners, vertexCount: side * side * side };
}

/** Two independent 32-bit hashes (FNV-1a with different primes) over the 32-bit words of the views. */
class Hash {
  #a = 0x811c9dc5;
  #b = 0x9e3779b9;

  add(view: Float32Array | Float64Array): void {
    for (const word of new Uint32Array(view.buffer, view.byteOffset, view.byteLength / 4)) {
      this.#a = Math.imul(this.#a ^ word, 0x01000193);
      this.#b = Math.imul(this.#b ^ word ^ (this.#b >>> 15), 0x85ebca6b);
    }
  }

  get text(): string {
    return [this.#a, this.#b].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
  }
}

/** Runs the sequence; falls back to one thread where memory cannot be shared. */
export async function runKernelSequence(options: SequenceOptions): Promise<SequenceResult> {
  const load = (path: string): Promise<unknown> => import(/* @vite-ignore */ `${options.library}${path}`);
  const { MemoryPlan } = (await load('kernels/memory.js')) as typeof import('../../src/kernels/memory.js');
  const { compileKernels } = (await load(
    'kernels/load-kernels.js',
  )) as typeof import('../../src/kernels/load-kernels.js');
  const jobs = (await load('kernels/part-jobs.js')) as typeof import('../../src/kernels/part-jobs.js');
  const threading = (await load('kernels/thread-pool.js')) as typeof import('../../src/kernels/thread-pool.js');
  const groups = (await load('kernels/tet-groups.js')) as typeof import('../../src/kernels/tet-groups.js');
  const table = (await load('kernels/kernel-table.js')) as typeof import('../../src/kernels/kernel-table.js');
  const { analyse, factor } = (await load('linalg/cholesky.js')) as typeof import('../../src/linalg/cholesky.js');
  const { SolvePlan } = (await load('linalg/solve-plan.js')) as typeof import('../../src/linalg/solve-plan.js');
  const { sparseFromTriplets } = (await load('linalg/sparse.js')) as typeof import('../../src/linalg/sparse.js');
  const { invertMat3 } = (await load('math/mat3-inverse.js')) as typeof import('../../src/math/mat3-inverse.js');
  const { createRandom } = (await load('math/random.js')) as typeof import('../../src/math/random.js');

  // The system: mass plus a stiffness Laplacian, numbered in elimination order.
  const block = makeBlock();
  const n = block.vertexCount;
  const tetCount = block.corners.length / 4;
  const triplets: [number[], number[], number[]] = [[], [], []];
  const put = (i: number, j: number, value: number) => {
    triplets[0].push(i);
    triplets[1].push(j);
    triplets[2].push(value);
  };
  for (let tet = 0; tet < tetCount; tet++) {
    const c = block.corners.slice(4 * tet, 4 * tet + 4);
    for (const a of c) for (const b of c) put(a, b, a === b ? 3 : -1);
  }
  for (let i = 0; i < n; i++) put(i, i, 1);
  const matrix = sparseFromTriplets(n, triplets[0], triplets[1], triplets[2]);
  const structure = analyse(matrix, { partCount: PARTS });
  const factored = factor(structure, matrix);

  // The tets, in that numbering.
  const corners = block.corners.map((vertex) => structure.inverse[vertex]);
  const rest = new Float64Array(4 * n);
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < 3; k++) rest[4 * structure.inverse[i] + k] = block.positions[3 * i + k];
  }
  const inverseRest = new Float64Array(9 * tetCount);
  const edges = new Float64Array(9);
  for (let tet = 0; tet < tetCount; tet++) {
    for (let k = 0; k < 9; k++) {
      const row = Math.floor(k / 3);
      edges[k] = rest[4 * corners[4 * tet + (k % 3) + 1] + row] - rest[4 * corners[4 * tet] + row];
    }
    invertMat3(inverseRest, 9 * tet, edges, 0);
  }
  const stiffness = new Float64Array(tetCount).fill(0.02);
  const tets = { corners, inverseRest, shearStiffness: stiffness, bulkStiffness: stiffness };

  // Memory.
  const shared = options.threads > 1 && threading.canShareMemory() && threading.canWait();
  const plan = new MemoryPlan();
  const pool = new threading.ThreadPool(plan);
  const solve = new SolvePlan(plan, structure);
  const [x, target, weights, origin] = [plan.f64(4 * n), plan.f64(4 * n), plan.f64(n), plan.f64(4)];
  const [increment, x32, residual] = [plan.f32(4 * n), plan.f32(4 * n), plan.f32(4 * n)];
  const copies = plan.f32(4 * n * PARTS);
  const groupCount = groups.tetGroupCount(tetCount);
  const [records, quats] = [plan.i32(64 * groupCount), plan.f32(16 * groupCount)];
  const scratch = plan.i32(PARTS * 128);
  const dots = plan.f64(Math.ceil(n / 1024));
  const [groupBounds, rowBounds, args] = [plan.i32(PARTS * 3), plan.i32(PARTS + 1), plan.i32(32)];
  const energies = plan.f64(PARTS);
  const memory = plan.allocate({ shared });
  const module = await compileKernels(shared);
  const kernels = pool.start(module, memory);
  if (shared) await pool.startHelpers(options.threads, module, memory);
  solve.pack(factored.values, kernels, pool);
  groups.packTetGroups(
    tets,
    Int32Array.from({ length: tetCount }, (_, t) => t),
    {
      i32: records.view,
      f32: new Float32Array(memory.buffer, records.address, records.length),
    },
  );
  groups.resetQuaternions(quats.view);
  if (table.LOCAL_SCRATCH_BYTES > 512) throw new Error('the scratch is too small');
  for (let part = 0; part <= PARTS; part++) {
    const [first, end] = [part, part + 1].map((p) => Math.floor((groupCount * p) / PARTS));
    // the last third of each part is neo-Hookean
    if (part < PARTS) groupBounds.view.set([first, end - Math.floor((end - first) / 3), end], part * 3);
    rowBounds.view[part] = Math.floor((n * part) / PARTS);
  }
  args.view.set(
    [
      groupBounds.address,
      x32.address,
      records.address,
      quats.address,
      copies.address,
      16 * n,
      scratch.address,
      512,
      energies.address,
    ],
    0,
  );
  args.view.set(
    [
      rowBounds.address,
      x.address,
      increment.address,
      target.address,
      weights.address,
      origin.address,
      x32.address,
      residual.address,
    ],
    12,
  );
  args.view.set([rowBounds.address, residual.address, copies.address, PARTS, 16 * n, 1], 20);

  // A start far from rest: turned, stretched, and noisy enough to invert some tets.
  const random = createRandom(2024);
  weights.view.fill(1);
  origin.view.set([0.5, 0.5, 0.5]);
  for (let row = 0; row < n; row++) {
    const [px, py, pz] = rest.subarray(4 * row, 4 * row + 3);
    x.view.set(
      [0.6 * px - 0.8 * py + random.range(-0.1, 0.1), 0.8 * px + 0.6 * py, 1.3 * pz + random.range(-0.1, 0.1)],
      4 * row,
    );
    target.view.set([px, py, pz], 4 * row);
  }

  const hash = new Hash();
  let repaired = 0;
  let finite = true;
  for (let round = 0; round < options.rounds; round++) {
    pool.run(jobs.JOB_MOVE, args.address + 48, PARTS);
    repaired += pool.run(jobs.JOB_LOCAL, args.address, PARTS);
    pool.run(jobs.JOB_ENERGY, args.address, PARTS);
    pool.run(jobs.JOB_SUM, args.address + 80, PARTS);
    kernels.dotRows(0, dots.length, n, residual.address, residual.address, dots.address);
    solve.y.view.set(residual.view);
    solve.forward();
    solve.backward();
    increment.view.set(solve.y.view.subarray(0, 4 * n));
    kernels.addScaledRows(0, n, increment.address, -0.5, increment.address);
    for (const slot of [x32, residual, solve.y, quats, increment]) {
      hash.add(slot.view);
      finite &&= slot.view.every(Number.isFinite);
    }
    for (const slot of [x, dots, energies]) hash.add(slot.view);
  }
  const threads = pool.threads;
  pool.stop();
  return { hash: hash.text, threads, repaired, finite };
}

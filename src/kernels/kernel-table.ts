/** A kernel over a range whose arguments are all whole numbers, so that `JOB_RANGE` can run its parts on any thread. */
export type RangeKernel = (first: number, last: number, own: number, ...rest: number[]) => void;

/**
 * The compiled kernels of assembly/, by name. Addresses are byte offsets into the world's memory; ranges are
 * [first, last). Layouts are described where they are packed: tet-groups.ts and linalg/solve-plan.ts. What each one
 * computes is specified in plain f64 TypeScript in reference/.
 */
export interface KernelTable {
  /** Subtracts the elastic gradient of tet groups from the rows at `out`; returns how many tets took the SVD path. */
  localTets(first: number, last: number, x: number, tets: number, quats: number, out: number, scratch: number): number;
  /** Subtracts the gradient of stable neo-Hookean tet groups from the rows at `out`; stores their energy [J] at `total`. */
  localNeoHookean(first: number, last: number, x: number, tets: number, out: number, total: number): void;
  /** Subtracts the gradient of means around vertices (nodal-groups.ts), neo-Hookean from `split` on, from the rows at `out`; adds their energy [J] to the f64 at `total`. */
  nodalStrain(
    first: number,
    split: number,
    last: number,
    x: number,
    groups: number,
    entries: number,
    quats: number,
    out: number,
    scratch: number,
    total: number,
  ): void;
  /** Adds the elastic energy of corotated tet groups at their stored rotations [J] to the f64 at `total`. */
  energyTets(first: number, last: number, x: number, tets: number, quats: number, total: number): void;
  /** How many of the tets in these groups are turned inside out. */
  countInverted(first: number, last: number, x: number, tets: number): number;
  /** Quaternion (4 f32, 16 bytes apart) of the rotation nearest to a matrix (9 f32, 16 bytes apart). */
  rotationBySvd(matrix: number, quaternion: number, work: number): void;
  /** Signed SVD in place at `work` (f64: 9 matrix -> U, 9 V, 3 singular values); 0 where the matrix is not finite. */
  svd3(work: number): number;
  /** LDLᵀ of a small skyline matrix in place, see linalg/skyline-ldlt.ts; returns how many rows were dropped. */
  factorSkyline(
    size: number,
    first: number,
    origin: number,
    values: number,
    inverse: number,
    cancelled: number,
  ): number;
  /** b ← L⁻¹ b with such a factor, for numbers that are zero before row `from`. */
  forwardSkyline(size: number, from: number, first: number, origin: number, values: number, b: number): void;
  /** b ← L⁻¹ b in full, each row one product after the other. */
  forwardInTurn(size: number, first: number, origin: number, values: number, b: number): void;
  /** b ← L⁻ᵀ D⁻¹ b with such a factor. */
  backwardSkyline(size: number, first: number, origin: number, values: number, inverse: number, b: number): void;
  /** Solves with such a factor for six right-hand sides, interleaved at `b`, that are zero before row `from`. */
  solveSixSkyline(
    size: number,
    from: number,
    first: number,
    origin: number,
    values: number,
    inverse: number,
    b: number,
  ): void;
  /** y ← L⁻¹ y over factor blocks. */
  solveForward(first: number, last: number, blocks: number, y: number): void;
  /** y ← L⁻ᵀ y over factor blocks, last one first. */
  solveBackward(first: number, last: number, blocks: number, y: number, scratch: number): void;
  /** x += increment in f64; f32 copy relative to `origin`; inertial residual weight (target − x). */
  moveRows(
    first: number,
    last: number,
    x: number,
    increment: number,
    target: number,
    weights: number,
    origin: number,
    x32: number,
    residual: number,
  ): void;
  /** out ← [out +] sum of copies, in order; the copies become zero. */
  sumCopies(
    first: number,
    last: number,
    out: number,
    copies: number,
    parts: number,
    stride: number,
    accumulate: number,
  ): void;
  /** out[i] ← a · others[i] (addresses at `others`), `count` f64; kept ← a, or kept + a. */
  dotOthers(
    first: number,
    last: number,
    a: number,
    kept: number,
    accumulate: number,
    others: number,
    count: number,
    out: number,
  ): void;
  /** newest ← mixed + move; mixed ← −Σ shares others; next ← move + mixed; y ← next, or mixed; out ← next · force. */
  mixRows(
    first: number,
    last: number,
    move: number,
    mixed: number,
    force: number,
    newest: number,
    others: number,
    shares: number,
    count: number,
    next: number,
    y: number,
    apart: number,
    out: number,
  ): void;
  /** y ← y + scale x over f32 rows. */
  addScaledRows(first: number, last: number, y: number, scale: number, x: number): void;
  /** y ← table x over f32 rows, for a dense table of `size` f32 a row. */
  denseRows(first: number, last: number, table: number, size: number, x: number, y: number): void;
  /** out[j, i] = Σ_k a[i, k] b[j, k] in f64, for `rows` of a and `columns` of b, `inner` numbers each. */
  denseProduct(rows: number, columns: number, inner: number, a: number, b: number, out: number): void;
  /** Adds how bones answer a push through entries [first, last) of a contact side to `rows` answers of three f32: see BoneResponse. */
  answerSide(
    rows: number,
    inverse: number,
    bones: number,
    entries: number,
    first: number,
    last: number,
    answers: number,
  ): void;
  /**
   * Forces of `count` contacts (records of assembly/contact-records.ts): sweeps with conjugate gradients between them, until no force changes by more
   * than the share `settled`. `list`: room for an address per contact.
   */
  solveContacts(contacts: number, count: number, list: number, sweeps: number, settled: number): void;
  /** Partial dot products of f32 rows, one f64 per chunk of 1024 rows. */
  dotRows(firstChunk: number, lastChunk: number, count: number, a: number, b: number, out: number): void;
  /** Elastic forces of soft bodies, and their answers to impulses: see assembly/soft-bodies.ts. */
  elasticBodies: RangeKernel;
  answerBodies: RangeKernel;
  /** Where the bodies of many pairs are near each other, and the faces of soft ones that are asked: see assembly/pair-list.ts. */
  findPairs: RangeKernel;
  refreshBodies: RangeKernel;
  /** Pairs of boxes of a strip that overlap: see assembly/box-sweep.ts. */
  sweepBoxes(
    boxes: number,
    count: number,
    edge: number,
    first: number,
    second: number,
    found: number,
    room: number,
  ): number;
  /** Sweeps over the rows of a heap of bodies, and the impulses they start from: see assembly/heap-rows.ts. */
  warmRows: RangeKernel;
  sweepRows: RangeKernel;
  /** All sweeps over an island of few rows: bounds of its parts, what they note and how far apart that is, lists as `sweepRows` has them, and how many sweeps. */
  sweepFew: RangeKernel;
  /** Rows and slots of a heap laid down for the sweeps and taken up after them (assembly/heap-lay.ts). */
  layRows: RangeKernel;
  laySlots: RangeKernel;
  takeRows: RangeKernel;
  takeSlots: RangeKernel;
  /** What contacts are after and how they give way (assembly/row-measure.ts), slots of soft bodies before and after a track (assembly/row-slots.ts). */
  measureRows: RangeKernel;
  /** Arms, targets and inverses of joints that hold points together (assembly/joint-rows.ts). */
  readyJoints: RangeKernel;
  /** Short chains of them solved at once (assembly/chain-solve.ts), and rigid bodies moved (assembly/rigid-advance.ts). */
  solveChains: RangeKernel;
  advanceBodies: RangeKernel;
  /** And written to the bones of the bodies they belong to (assembly/rigid-write.ts). */
  writeBodies: RangeKernel;
  beginSlots: RangeKernel;
  finishSlots: RangeKernel;
  /**
   * The lattice solver's kernels: ranges first, `own` memory of the part next, then addresses and counts. What they compute
   * is said in assembly/lattice-cells.ts, lattice-stiffness.ts, lattice-steps.ts and lattice-vectors.ts there.
   */
  latticeElastic: RangeKernel;
  latticeLaplacian: RangeKernel;
  latticeStiffness: RangeKernel;
  latticeVolumes: RangeKernel;
  latticeInertia: RangeKernel;
  latticeRelax: RangeKernel;
  latticeHold: RangeKernel;
  latticeWeigh: RangeKernel;
  latticeMove: RangeKernel;
  latticeLargest: RangeKernel;
  latticeRestrict: RangeKernel;
  latticeRestrictRows: RangeKernel;
  latticeProlong: RangeKernel;
  latticeProlongRows: RangeKernel;
  latticeSparse: RangeKernel;
  latticeRelaxRows: RangeKernel;
  latticeMoveDot: RangeKernel;
  latticeKeep: RangeKernel;
  latticeTry: RangeKernel;
  latticeCopy: RangeKernel;
  /** Number of the first of `count` f64 that is not zero; `count` where all are. */
  firstNonzero(count: number, array: number): number;
  /**
   * The layered solver's kernels: factors and solves bone fronts of bodies (assembly/bone-fronts.ts); compliances of bones, begin, sweeps and
   * end of the contact solve (assembly/touch-sweep.ts). The same bits as the plain classes of src/linalg and src/solvers/layered.
   */
  boneFronts: RangeKernel;
  touchBones: RangeKernel;
  touchBegin: RangeKernel;
  touchSweep: RangeKernel;
  touchEnd: RangeKernel;
  /** Adds contacts of a character with a plain obstacle to a list of `count`; returns how many there are then, -1 where there is no room (assembly/touch-find.ts). */
  touchFind(job: number, count: number): number;
}

/** Bytes of scratch a part of the local step needs: one group's F, in rows of four where vertices have it, and the work array of one SVD. */
export const LOCAL_SCRATCH_BYTES = 192 + 30 * 8;

/** Bytes of its own that a part of `latticeElastic` needs: its energy, what is handed on, the modes and F of a group, and an SVD's room. */
export const LATTICE_OWN_BYTES = 960;

/**
 * A character's skin recomputed from the motion of its bones: the skin is filled with a lattice, the bones hold the nodes inside
 * them, and the flesh in between goes where its energy is least. Used by `tendon deform` and whoever shows it live.
 */
import { type ObstacleDef, ObstacleSet } from '../../collision/obstacles/obstacle.js';
import { requireInRange } from '../../errors.js';
import { compileKernels } from '../../kernels/load-kernels.js';
import { MemoryPlan } from '../../kernels/memory.js';
import { canShareMemory, canWait, ThreadPool } from '../../kernels/thread-pool.js';
import { type BoneHold, holdByBones, weakenInside } from '../../solvers/lattice/bones/bone-ties.js';
import type { DescentResult, Preconditioner } from '../../solvers/lattice/descent-terms.js';
import { buildLatticeBody, type LatticeFilling } from '../../solvers/lattice/lattice-body.js';
import type { VolumeRatios } from '../../solvers/lattice/numbers/arithmetic.js';
import { KernelArithmetic } from '../../solvers/lattice/numbers/kernel-arithmetic.js';
import { floatOfPlace } from '../../solvers/lattice/numbers/quad-layout.js';
import { FRAME_DEFAULTS, type FrameOptions, PosedLattice } from '../../solvers/lattice/posed-lattice.js';
import { SkinContacts } from '../../solvers/lattice/skin/skin-contacts.js';
import { SkinObstacles } from '../../solvers/lattice/skin/skin-obstacles.js';
import { findProxies } from '../../solvers/lattice/skin/skin-proxies.js';
import { fillCharacter, type LatticeCharacter } from '../build/kinds/lattice-character.js';
import type { Character } from '../character.js';
import { relativeStiffness } from './cell-stiffness.js';

/** How a skin is deformed. */
export interface DeformOptions extends Pick<LatticeFilling, 'kappa' | 'volume'> {
  /** Cells to aim for; default 8000. */
  readonly cells?: number;
  /** Side of the cells [m], instead. */
  readonly cell?: number;
  /** Poisson ratio of the flesh, of all of its materials, 0 to 0.499; default 0.495, or 0.47 where the skin is filled with fewer than 2000 cells. */
  readonly poissonRatio?: number;
  /** Most iterations per frame; default 20. */
  readonly iterations?: number;
  /** What directions of the descent start from; default 'laplacian', with 'warped' stiffness behind it. */
  readonly preconditioner?: Preconditioner;
  /** How bones hold the flesh: 'exact' (default), 'soft' or 'sliding'. */
  readonly bones?: BoneHold;
  /** Whether the skin is kept out of itself; default true. */
  readonly selfContact?: boolean;
  /** What the skin is kept out of. */
  readonly obstacles?: readonly ObstacleDef[];
  /** Threads; default 1. */
  readonly threads?: number;
}

/** What one frame said of itself. */
export interface DeformReport extends DescentResult, VolumeRatios {
  /** Points of the skin that are pushed out of it or of obstacles, and how deep the deepest still is, in cells. */
  readonly contacts: number;
  readonly depth: number;
}

/** Flesh hardly changes its volume; at 0.4 a bent elbow loses a tenth of it, more than linear blending does, and at 0.47 the knees of CesiumMan a twentieth. */
const DEFAULT_POISSON = 0.495;
/** Hourglass share: limbs of four cells are bent by bones, not by their own stiffness, and with the 0.25 of worlds cells in their creases collapse. */
const DEFAULT_KAPPA = 0.75;
/** Few and large cells snap from one shape to another where they hardly change their volume. */
const FEW_CELLS = 2000;
const FEW_POISSON = 0.47;
/** Skin that snaps, because what held it lets go, comes by so many cells a frame: farther at once is seen as a pop. */
const MOST_DRIFT = 1;
/** Frames that are baked end nearer to rest than live ones, in cells: what is left of one is seen as a jerk in the next where cells are large. */
const TOLERANCE = FRAME_DEFAULTS.tolerance / 2;

/** Deforms one character. */
export class SkinDeformer {
  readonly character: Character;
  readonly lattice: LatticeCharacter;
  /** Skin vertices after the last frame, x,y,z each [m]. */
  readonly positions: Float32Array;
  readonly #posed: PosedLattice;
  readonly #arithmetic: KernelArithmetic;
  readonly #contacts: SkinContacts | undefined;
  readonly #obstacles: SkinObstacles | undefined;
  readonly #threads: ThreadPool;
  readonly #frame: FrameOptions;
  /** Where the first number of each of the eight nodes of each skin vertex is. */
  readonly #sources: Int32Array;

  private constructor(
    character: Character,
    lattice: LatticeCharacter,
    arithmetic: KernelArithmetic,
    posed: PosedLattice,
    contacts: SkinContacts | undefined,
    obstacles: SkinObstacles | undefined,
    threads: ThreadPool,
    frame: FrameOptions,
  ) {
    this.character = character;
    this.lattice = lattice;
    this.positions = character.skin.positions.slice();
    this.#arithmetic = arithmetic;
    this.#posed = posed;
    this.#contacts = contacts;
    this.#obstacles = obstacles;
    this.#threads = threads;
    this.#frame = frame;
    const { placeOfNode } = posed.body.layout;
    this.#sources = lattice.embedding.nodes.map((node) => floatOfPlace(placeOfNode[node], 0));
  }

  /** Fills the skin and gets ready. Throws a TendonError where that cannot be. */
  static async create(character: Character, options: DeformOptions = {}): Promise<SkinDeformer> {
    if (options.poissonRatio !== undefined) requireInRange(options.poissonRatio, 0, 0.499, 'options/poissonRatio');
    const iterations = requireInRange(options.iterations ?? FRAME_DEFAULTS.iterations, 1, 1000, 'options/iterations');
    const wanted = requireInRange(options.threads ?? 1, 1, 64, 'options/threads');
    const lattice = fillCharacter(character, options);
    const isCoarse = lattice.fill.lattice.cells.length / 3 < FEW_CELLS;
    const nu = options.poissonRatio ?? (isCoarse ? FEW_POISSON : DEFAULT_POISSON);
    // nothing but the bones acts on the flesh, so only ratios of moduli matter
    const stiffness = relativeStiffness(character.body, lattice.fill.lattice);
    const mu = 1 / (2 * (1 + nu));
    const hold = options.bones ?? 'exact';
    const weaken = (value: number): Float64Array => {
      const moduli = stiffness.map((share) => share * value);
      return hold === 'sliding' ? weakenInside(lattice.fill.lattice, lattice.boneOfNode, moduli) : moduli;
    };
    const body = buildLatticeBody(lattice.fill.lattice, {
      mu: weaken(mu),
      lambda: weaken(nu / ((1 + nu) * (1 - 2 * nu))),
      ...holdByBones(hold, lattice.fill.lattice, lattice.boneOfNode, character.skeleton.length, mu),
      kappa: options.kappa ?? DEFAULT_KAPPA,
      volume: options.volume,
    });
    const plan = new MemoryPlan();
    const threads = new ThreadPool(plan);
    const arithmetic = new KernelArithmetic(plan, body);
    const bones = { count: character.skeleton.length, ofNode: lattice.boneOfNode, hold };
    const posed = new PosedLattice(arithmetic, body, bones);
    const { contacts, obstacles } = surround(posed, lattice, options);
    const shared = wanted > 1 && canShareMemory() && canWait();
    const module = await compileKernels(shared);
    const memory = plan.allocate({ shared });
    const kernels = threads.start(module, memory);
    if (shared) await threads.startHelpers(wanted, module, memory);
    arithmetic.start(kernels, threads);
    posed.start();
    const { preconditioner } = options;
    const frame = { iterations, tolerance: TOLERANCE, mostDrift: MOST_DRIFT, preconditioner };
    return new SkinDeformer(character, lattice, arithmetic, posed, contacts, obstacles, threads, frame);
  }

  /** Cells of the lattice. */
  get cellCount(): number {
    return this.lattice.fill.lattice.cells.length / 3;
  }

  /**
   * Moves the bones (twelve numbers each, from the rest shape) and the flesh after them; refills `positions`. `h`: how long that takes,
   * for obstacles that move [s].
   */
  pose(transforms: Float64Array, h = 0): DeformReport {
    this.#obstacles?.obstacles.predict(h);
    let result = { ...this.#posed.step(transforms, this.#frame) };
    let volumes = this.#arithmetic.volumes(this.#posed.x);
    if (volumes.inverted > 0 && this.#contacts && this.#contacts.count > 0) {
      // bones that go through each other crush what is between them: for this frame it lets go
      this.#contacts.clear();
      const { iterations } = result;
      result = { ...this.#posed.settle(this.#frame) };
      result.iterations += iterations;
      volumes = this.#arithmetic.volumes(this.#posed.x);
    }
    this.#carrySkin();
    this.#obstacles?.obstacles.commit();
    const contacts = (this.#contacts?.count ?? 0) + (this.#obstacles?.count ?? 0);
    const depth = Math.max(this.#contacts?.depth ?? 0, this.#obstacles?.depth ?? 0);
    return { ...result, ...volumes, contacts, depth: depth / this.lattice.fill.lattice.cellSize };
  }

  /** Ends the threads. */
  dispose(): void {
    this.#threads.stop();
  }

  #carrySkin(): void {
    const x = this.#posed.x.view;
    const { weights } = this.lattice.embedding;
    const sources = this.#sources;
    const out = this.positions;
    for (let v = 0; 3 * v < out.length; v++) {
      let [px, py, pz] = [0, 0, 0];
      for (let n = 8 * v; n < 8 * v + 8; n++) {
        const weight = weights[n];
        const at = sources[n];
        px += weight * x[at];
        py += weight * x[at + 4];
        pz += weight * x[at + 8];
      }
      out[3 * v] = px;
      out[3 * v + 1] = py;
      out[3 * v + 2] = pz;
    }
  }
}

/** Puts what the skin can touch into the energy: itself, and obstacles. */
function surround(posed: PosedLattice, { fill, outer }: LatticeCharacter, options: DeformOptions) {
  const wantsSelf = options.selfContact ?? true;
  if (!wantsSelf && !options.obstacles?.length) return { contacts: undefined, obstacles: undefined };
  const proxies = findProxies(fill.lattice, outer);
  const contacts = wantsSelf ? new SkinContacts(posed.body, proxies) : undefined;
  const obstacles = options.obstacles?.length
    ? new SkinObstacles(posed.body, proxies.embedding, new ObstacleSet(options.obstacles))
    : undefined;
  for (const place of [contacts, obstacles]) {
    if (place === undefined) continue;
    posed.surroundings.push(place);
    posed.descent.terms.push(place);
  }
  return { contacts, obstacles };
}

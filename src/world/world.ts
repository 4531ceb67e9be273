/** What a world is: bodies of models, their states in one memory, the solver that moves them, and the last step's certificate. */
import type { AnyBodyDef } from '../body/kinds/any-body-def.js';
import type { Model } from '../body/model.js';
import type { BodyState, Placement } from '../body/state.js';
import type { StateBackup } from '../body/state-backup.js';
import type { ContactBuffer } from '../collision/contact-buffer.js';
import type { ObstacleSet } from '../collision/obstacles/obstacle.js';
import type { ContactOptions } from '../contact/options.js';
import type { TendonError } from '../errors.js';
import type { KernelOptions } from '../kernels/load-kernels.js';
import type { ThreadPool } from '../kernels/thread-pool.js';
import type { ProjectiveOptions } from '../solvers/projective/options.js';
import type { Attachment, Clock, Solver } from '../solvers/solver.js';
import type { StepReport } from '../solvers/step-report.js';
import type { Drive } from './drives.js';

/** How a world is built and stepped. Options of its solver can be given beside these; they count before the scene's. */
export interface WorldOptions extends Partial<ProjectiveOptions>, Partial<ContactOptions> {
  /** Time step the solver is prepared for [s]; default the scene's. Another one works too, after a pause. */
  readonly dt?: number;
  /** Threads, the caller's included; default 1. Fewer where memory cannot be shared. The bits do not change. */
  readonly threads?: number;
  /**
   * Make room for contacts with obstacles that `addObstacle` brings later, in a world that starts with nothing to touch;
   * default false. Costs memory, no time. Whether bodies touch themselves is `selfContact`'s to say.
   */
  readonly obstaclesLater?: boolean;
  /** Most memory the world may take [bytes]; default 1 GiB. */
  readonly memoryLimit?: number;
  /** Where the kernels come from; default: embedded. */
  readonly kernels?: KernelOptions;
  /** Is told how far the long part of building a body has come, 0 to 1, about a hundred times. */
  readonly progress?: (body: string, share: number) => void;
  /** Milliseconds, for the report only; default performance.now. */
  readonly clock?: Clock;
}

/** A body in a world. */
export interface WorldBody {
  readonly name: string;
  /** Its number among the bodies of the world. */
  readonly index: number;
  /** The description it was built from. */
  readonly def: AnyBodyDef;
  readonly model: Model;
  readonly state: BodyState;
  /** What the last step said of this body. */
  readonly report: StepReport;
  /** Multiplier of each joint row in the last step [N]; the force on the first bone is its negative. */
  readonly jointMultipliers: Float64Array;
  readonly placement: Placement;
  /** Coulomb's coefficient of friction against other bodies and itself. */
  readonly friction: number;
  /** Share of the approach speed that a hit gives back. */
  readonly restitution: number;
  /** What of it rigid bodies carry. */
  readonly attachments: readonly Attachment[];
}

/** How exact the last step was, over all bodies. */
export interface Certificate extends StepReport {
  /** Size of the largest body [m], to compare gaps with. */
  readonly bodySize: number;
  /** Shorter steps the last one was made of: 1 unless a whole one was not finite or drove bodies into each other. */
  substeps: number;
  /** Grips that were let go, and motors that were weakened, for the last step, because it could not be taken with them: bodies/NAME/grips/0. Mostly none. */
  slipped: readonly string[];
  /** Whether the last step could only be taken from rest, all velocities dropped: the one before had failed, and would have again. */
  stilled: boolean;
}

/** A world: made by `createWorld`, moved by `stepWorld`. */
export interface World {
  readonly name: string;
  readonly bodies: readonly WorldBody[];
  /** Time since the start [s]. */
  time: number;
  /** Steps taken since the start. */
  stepCount: number;
  /** Gravitational acceleration [m/s²]. */
  readonly gravity: Float64Array;
  /** Time step the scene is meant for [s]. */
  readonly dt: number;
  readonly certificate: Certificate;
  /** Set when the last step was not finite and the state was left as it was before. */
  fault: TendonError | undefined;
  /** Name of the solver. */
  readonly solverName: string;
  /** Options of the solver, defaults filled in. */
  readonly options: ProjectiveOptions & ContactOptions;
  readonly threads: ThreadPool;
  /** What bodies cannot enter; another set after each `addObstacle` and `removeObstacle`. */
  obstacles: ObstacleSet;
  /** Contacts of the last step, in all bodies. */
  readonly contacts: ContactBuffer;
}

/** What of a world is nobody's business but the step's, snapshots' and grabs'. */
export interface WorldInside extends World {
  readonly solver: Solver;
  /** Fingerprint of what it was made to solve, see layout-hash.ts. */
  readonly equations: string;
  /** What acts on the world before each part of a step. */
  readonly drives: Drive[];
  readonly obstaclesLater: boolean;
  /** Everything as it was before the step, so that a failed step can be undone. */
  readonly backup: StateBackup;
  readonly memory: WebAssembly.Memory;
  readonly clock: Clock;
}

/** The inside of a world. Every world is made by `createWorld` and has one. */
export function insideOf(world: World): WorldInside {
  return world as WorldInside;
}

/**
 * What a solver is to the world: it advances all bodies of a world by one step, together, and says how well it did. A world has
 * one solver, chosen by `scene.solver`; the table of all kinds is in solver-table.ts.
 */
import type { AnyBodyDef } from '../body/kinds/any-body-def.js';
import type { BodyKind, Model } from '../body/model.js';
import type { BodyState, StateArray } from '../body/state.js';
import type { StateKeeper } from '../body/state-backup.js';
import type { ContactBuffer } from '../collision/contact-buffer.js';
import type { ObstacleSet } from '../collision/obstacles/obstacle.js';
import type { TendonError } from '../errors.js';
import type { KernelTable } from '../kernels/kernel-table.js';
import type { MemoryPlan } from '../kernels/memory.js';
import type { ThreadPool } from '../kernels/thread-pool.js';
import type { StepReport } from './step-report.js';
import type { StepTape } from './step-slopes.js';

/** Milliseconds from any fixed moment; the step itself never looks at a clock. */
export type Clock = () => number;

/** Vertices of a body that a bone of a rigid body carries, by numbers of the model. */
export interface Attachment {
  readonly body: number;
  readonly bone: number;
  readonly vertices: Int32Array;
}

/** A body as a solver is given it. */
export interface SolverBody {
  readonly name: string;
  readonly def: AnyBodyDef;
  /** Bodies of one definition share one model, and may share whatever a solver makes of it. */
  readonly model: Model;
  /** Coulomb's coefficient against other bodies and itself. */
  readonly friction: number;
  /** Share of the approach speed that a hit gives back; 0 for bodies of kinds that the solver does not name in `bounces`. */
  readonly restitution: number;
  /** What of it others carry; nothing for solvers that do not say `attaches`. */
  readonly attachments: readonly Attachment[];
}

/** The world as a solver sees it. What is not frozen may change between steps. */
export interface SolverSite {
  readonly bodies: readonly SolverBody[];
  /** Gravitational acceleration [m/s²]. */
  readonly gravity: Float64Array;
  /** Time step to prepare for [s]; steps of another length must work too. */
  readonly dt: number;
  /** What bodies cannot enter; another set after each `addObstacle` and `removeObstacle`. */
  readonly obstacles: ObstacleSet;
  /** Whether obstacles may come where there are none yet. */
  readonly obstaclesLater: boolean;
  /** Steps taken since the start. */
  readonly stepCount: number;
  /** What the step says of the whole world: the solver fills it in. */
  readonly certificate: StepReport;
  readonly clock: Clock;
  /** Is told how far the long part of building a body has come, 0 to 1. */
  readonly progress?: (body: string, share: number) => void;
}

/**
 * What became of a step: 'drivenIn' where bodies came so deep into each other that shorter steps are worth trying, 'passing' where rigid bodies are so deep in each other for their
 * thickness, or flesh was flung so deep into itself, that the shortest are.
 */
export type Outcome = 'done' | 'diverged' | 'drivenIn' | 'passing';

/** Which try at a step this is. */
export interface StepPart {
  /** Parts of the whole step already taken. */
  readonly index: number;
  /** No shorter steps will be tried: what was driven in is only counted. */
  readonly isLastTry: boolean;
  /** Not even where rigid bodies are passing through each other. */
  readonly isFinest: boolean;
}

/** A point of a body that is pulled somewhere: a weighted mean of vertices. */
export interface HeldPoint {
  readonly vertices: Int32Array;
  /** One per vertex, summing to 1. */
  readonly weights: Float64Array;
  /** Where to [m]. */
  readonly target: Float64Array;
}

/** A bone that is led through space by springs and dampers to the world, from outside. */
export interface BoneLead {
  readonly bone: number;
  /** Where to be at the end of the step, quaternion and centre of mass [m], and at what rates [rad/s, m/s]. */
  readonly pose: Float64Array;
  readonly rate: Float64Array;
  /** [N m/rad], [N m s/rad], [N/m], [N s/m]. */
  turnStiffness: number;
  turnDamping: number;
  shiftStiffness: number;
  shiftDamping: number;
  /** Moment [N m] and force [N] it took in the last step, world axes: filled by the solver. */
  readonly wrench: Float64Array;
}

/** Advances the bodies of a world. */
export interface Solver {
  /** Fills the memory that was planned, once it exists, and makes the state of every body, in their order. */
  start(kernels: KernelTable, threads: ThreadPool): readonly BodyState[];
  /** The bodies were put back to their start: what the solver itself carries from step to step starts anew too. */
  reset(): void;
  /** All arrays of the states were put back to a snapshot; solvers that keep nothing beside them do without. */
  restored?(): void;
  /** A dead helper thread has ended a step in the middle, and all arrays were put back: what the solver keeps beside them, and had half changed, is to be made anew. */
  interrupted?(): void;
  /**
   * One step of `h` [s]: commits every body and moves the obstacles on (`obstacles.commit()`), or says why not; what was changed
   * then is put back by the world. Quiet: no throw, no allocation.
   */
  step(h: number, part: StepPart): Outcome;
  /** Takes hold of these points of a body, and of no others, from the next step on. */
  hold(body: number, points: readonly HeldPoint[]): void;
  /** Leads a bone of a body from the next step on, or none any more; solvers that cannot do without. */
  lead?(body: number, lead: BoneLead | undefined): void;
  /** A tape of the steps to come of a body, for slopes that go back over them; solvers that cannot do without. */
  tape?(body: number): StepTape | undefined;
  /** Contacts of the last step, in all bodies. */
  readonly contacts: ContactBuffer;
  /** What the last step said of each body. */
  readonly reports: readonly StepReport[];
  /** Multiplier of each joint row of each body in the last step [N]; the force on the first bone is its negative. */
  readonly jointMultipliers: readonly Float64Array[];
  /** What goes on from step to step beside the states of the bodies: part of snapshots and hashes. */
  readonly warmStart: readonly StateArray[];
  /** Who remembers some of that for steps that fail, where there is a cheaper way than copies of all of it. */
  readonly keepers?: readonly StateKeeper[];
  /** Why the last step that failed did; undefined where none did. */
  readonly fault: TendonError | undefined;
}

/** Options of a solver as a user gives them: plain data. */
export type GivenOptions = Readonly<Record<string, unknown>>;

/** What a scene asks for beside its bodies, for defaults that depend on it. */
export interface SceneFacts {
  readonly bodyCount: number;
  readonly obstacleCount: number;
}

/** A kind of solver: what the world needs to know before there is one. */
export interface SolverKind<Options extends object = object> {
  readonly name: string;
  /** Kinds of body it can solve; others are refused by name. */
  readonly takes: readonly BodyKind[];
  /** Those of them whose own restitution it knows; others that have one are refused. Default none. */
  readonly bounces?: readonly BodyKind[];
  /** Stages its reports time, in the order they are shown. */
  readonly stages: readonly string[];
  /** Whether vertices of its bodies can be carried by rigid ones; scenes that ask for it are refused otherwise. */
  readonly attaches?: boolean;
  /** Names of its options: others are refused. Without it whatever is given goes to `readOptions`. */
  readonly options?: readonly string[];
  /** Fills in what is not given; throws a TendonError at `options/…` where something makes no sense. */
  readOptions(given: GivenOptions, scene: SceneFacts): Options;
  /** The body that is built instead of the one described, for solvers that imitate one thing by another. */
  adaptBody?(def: AnyBodyDef, options: Options): AnyBodyDef;
  /** Builds models of the kinds of body that only this solver knows. */
  readonly models?: { readonly [kind in BodyKind]?: (def: AnyBodyDef, path: string) => Model };
  /** Analyses, factors, and plans all memory in `plan`. */
  create(site: SolverSite, plan: MemoryPlan, options: Options): Solver;
}

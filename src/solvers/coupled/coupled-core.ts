/**
 * The step of the coupled solver: everything pushes everything, both ways, on two tracks [Shinar2008 §2]. Positions and velocities
 * are advanced apart, each with elasticity, contact and joints inside its solve:
 *
 *     collide       what is about to hit and bounces: impulses on vₙ
 *     positions     M (v½ − vₙ) = h/2 (M g + f(xₙ + h v½)) + λ,   n·v½ ≥ −gap/h,   joints close;   x += h v½
 *     find          contacts at xₙ₊₁: for the velocities now, and for the positions of the next step
 *     velocities    M (v − vₙ) = h (M g + f(xₙ₊₁)) − h² S (v − v½) + μ,   n·v ≥ 0 with Coulomb friction,   joints at rest
 * Independent of worlds: bodies go in as arrays and come out as arrays.
 */
import { type SampledShape, sampleShape, UNTOUCHED } from '../../collision/rigid/sampled-shape.js';
import type { MemoryPlan } from '../../kernels/memory.js';
import { AngularBalance } from './angular-balance.js';
import { PublishedSteps } from './compare/published-steps.js';
import { CentralPushOut } from './compare/push-out.js';
import { Bounces } from './contacts/bounce.js';
import { CarriedContacts } from './contacts/carried-contacts.js';
import { ContactList } from './contacts/contact-list.js';
import { ContactSearch } from './contacts/contact-search.js';
import { DEFAULT_FRICTION, frictionBetween } from './contacts/friction-between.js';
import { planKernels, type StartKernels } from './core-kernels.js';
import type { CoreObstacle, CoreScene } from './core-scene.js';
import { Creatures } from './creatures/creatures.js';
import { areFinite } from './finite.js';
import { keptApart } from './kept-apart.js';
import { type CoupledOptions, completeOptions, isPublished } from './options.js';
import { JointBlocks } from './rigid/joint-blocks.js';
import { JointCloser } from './rigid/joint-closer.js';
import { LimitBlocks } from './rigid/limit-blocks.js';
import { RigidBodies } from './rigid/rigid-bodies.js';
import { TiedJoints } from './rigid/tied-joints.js';
import { settledSpeed } from './rows/bounds.js';
import { explainContacts, settleMoments } from './rows/carried-moments.js';
import { IslandSolver } from './rows/island-solver.js';
import { Islands } from './rows/islands.js';
import { measureContacts } from './rows/row-measure.js';
import { RowSystem } from './rows/row-system.js';
import { Sleeping } from './sleep/sleeping.js';
import { Bindings } from './soft/bindings.js';
import { SoftBodies } from './soft/soft-bodies.js';
import { SoftSides } from './soft/soft-sides.js';
import { SpinKeeper } from './spin-keeper.js';
import { VolumeKeeper } from './volume/volume-keeper.js';
import { addWeight } from './weight.js';

/** Room for contacts, per rigid body and per vertex of a soft one. */
const CONTACTS_PER_RIGID = 24;
const CONTACTS_PER_VERTEX = 2;

/** The coupled solver's state and step. */
export class CoupledCore {
  readonly rigid: RigidBodies;
  readonly soft: SoftBodies;
  readonly joints: JointBlocks;
  readonly gravity: Float64Array;
  readonly options: CoupledOptions;
  /** Contacts found last. */
  readonly contacts: ContactList;
  readonly sides: SoftSides;
  readonly islands: Islands;
  readonly search: ContactSearch;
  readonly #rows: RowSystem;
  readonly #solver: IslandSolver;
  readonly #carried: CarriedContacts;
  readonly #bounces: Bounces;
  readonly sleeping: Sleeping;
  readonly #closer: JointCloser;
  readonly #spins: SpinKeeper | undefined;
  readonly #tied: TiedJoints;
  readonly #limits: LimitBlocks;
  readonly #volumes: VolumeKeeper;
  readonly #pushOut: CentralPushOut | undefined;
  readonly #published: PublishedSteps | undefined;
  /** 1 for bodies that pushes go through: rigid ones first, then soft. */
  readonly movable: Uint8Array;
  readonly #predicted: Float64Array;
  /** Momentum that came from what nothing moves, summed over substeps until it is cleared [kg m/s]. */
  readonly outerImpulse = new Float64Array(3);
  /** And from gravity and outside forces. */
  readonly weight = new Float64Array(3);
  readonly balance: AngularBalance;
  /** Milliseconds of the last step spent in finding contacts, by `clock`. */
  searchTime = 0;
  readonly #clock: () => number;
  readonly #friction: Float64Array;
  readonly #restitution: Float64Array;
  readonly #shapes: SampledShape[];
  /** Whether `contacts` are those of the present positions. */
  readonly #found = new Int32Array(1);

  constructor(scene: CoreScene, options: Partial<CoupledOptions> = {}, clock: () => number = () => 0) {
    const { rigid = [], soft = [] } = scene;
    this.#clock = clock;
    this.options = completeOptions(options);
    this.gravity = Float64Array.from(scene.gravity ?? [0, -9.81, 0]);
    this.rigid = new RigidBodies(rigid);
    this.soft = new SoftBodies(soft);
    this.balance = new AngularBalance(this.rigid, this.soft);
    this.joints = new JointBlocks(scene.joints ?? []);
    this.#limits = new LimitBlocks(scene.limited ?? [], this.joints);
    const capacity = 64 + rigid.length * CONTACTS_PER_RIGID + this.soft.vertexCount * CONTACTS_PER_VERTEX;
    const bindings = new Bindings(scene.bindings ?? [], this.rigid, this.soft);
    this.contacts = new ContactList(capacity);
    this.sides = new SoftSides(this.soft, 2 * this.soft.vertexCount * CONTACTS_PER_VERTEX);
    const count = rigid.length + soft.length;
    this.islands = new Islands(count, capacity, this.joints.count);
    this.#rows = new RowSystem(this.rigid, this.sides, this.joints, this.contacts);
    this.#bounces = new Bounces(this.#rows);
    this.#solver = new IslandSolver(this.#rows, this.options, count);
    if (isPublished(this.options)) this.#published = new PublishedSteps(this.#rows, this.#solver, this.options);
    else this.#rows.creatures = new Creatures(this.#rows, scene);
    this.#volumes = new VolumeKeeper(this.rigid, this.soft, scene.incompressible ?? []);
    this.#pushOut = this.options.pushOutBy === 'centralBody' ? new CentralPushOut(this.#rows) : undefined;
    this.#tied = new TiedJoints(this.joints, count);
    if (!this.#published) this.#spins = new SpinKeeper(this.#rows, count, this.options.gradientRows);
    this.#closer = new JointCloser(this.rigid, this.sides, this.joints, count);
    this.movable = Uint8Array.from({ length: count }, (_, b) => (b < rigid.length && !(rigid[b].mass > 0) ? 0 : 1));
    this.#predicted = new Float64Array(this.rigid.velocity.length);
    this.#friction = Float64Array.from([...rigid, ...soft], (body) => body.friction ?? DEFAULT_FRICTION);
    this.#restitution = Float64Array.from({ length: count }, (_, b) => rigid[b]?.restitution ?? 0);
    this.#shapes = rigid.map(({ shape }) => (shape === 'none' ? UNTOUCHED : sampleShape(shape)));
    this.sleeping = new Sleeping(this.rigid, this.sides, this.joints, this.#shapes, this.options.sleepSpeed);
    this.#carried = new CarriedContacts(this.#rows, this.#shapes, this.islands, this.options.gradientRows);
    this.search = new ContactSearch(this.rigid, this.soft, this.sides, this.#shapes, bindings, {
      frictionOf: frictionBetween(this.#friction, this.movable),
      restitution: this.#restitution,
      selfContact: this.options.selfContact,
      edges: this.options.edges,
      apart: keptApart(this.joints.joints, scene.apart ?? [], count),
    });
  }

  /** Plans the kernels; what is returned starts them. */
  plan(plan: MemoryPlan): StartKernels {
    return planKernels(plan, this.#rows, this.#solver, this.#closer, this.search, this.options, this.#shapes);
  }

  /** Another obstacle in place of rigid body b. */
  setObstacle(b: number, { shape, friction, restitution }: CoreObstacle): void {
    this.#shapes[b] = shape === 'none' ? UNTOUCHED : sampleShape(shape);
    this.#friction[b] = friction ?? DEFAULT_FRICTION;
    this.#restitution[b] = restitution ?? 0;
    this.sleeping.wakeAll();
  }

  /** Whether everything that moves is a number, and nothing was thrown away. */
  isFinite = (): boolean => areFinite(this.rigid, this.soft) && !this.#published?.isLost;

  /** Advances everything by dt [s]. */
  step(dt: number): void {
    this.ready(dt);
    this.advance(dt);
  }

  /** Makes ready for a step of dt [s]: who moves, who sleeps, and what follows from the state, which may be that of a snapshot. */
  ready(dt: number): void {
    this.searchTime = 0;
    this.#rows.prepare(dt / this.options.substeps);
    this.#published?.prepare(dt / this.options.substeps);
    for (let b = 0; b < this.rigid.count; b++) this.rigid.refresh(b);
    this.#limits.measure(this.rigid);
    this.#tied.note(this.rigid);
    this.joints.choose();
    this.sleeping.wakeDriven(this.gravity, this.contacts);
    this.#regroup();
    if (this.sleeping.fallAsleep(this.islands, this.contacts, dt / this.options.substeps)) this.#regroup();
  }

  /** Takes the step of dt [s] that all is ready for, in `substeps` parts. */
  advance(dt: number): void {
    const h = dt / this.options.substeps;
    this.#carried.begin();
    const last = this.sleeping.isAllQuiet(this.movable) ? 0 : this.options.substeps;
    for (let n = 1; n <= last; n++) this.#substep(h, n === last);
    this.sleeping.watch(dt);
    this.rigid.thaw();
  }

  /** Somebody has woken or fallen asleep. */
  #regroup(): void {
    this.#setMovable();
    this.islands.build(this.contacts, this.joints, this.movable);
  }

  /** Bodies asleep are as good as obstacles, until they wake. */
  #setMovable(): void {
    const { rigid, soft, movable, sleeping } = this;
    for (let b = 0; b < rigid.count; b++) {
      rigid.setFrozen(b, sleeping.group[b] > 0);
      movable[b] = rigid.inverseMass[b] > 0 ? 1 : 0;
    }
    for (let s = 0; s < soft.count; s++) {
      soft.asleep[s] = sleeping.group[rigid.count + s] > 0 ? 1 : 0;
      movable[rigid.count + s] = 1 - soft.asleep[s];
    }
    this.contacts.markFrozen(movable);
  }

  /** Everything that moves, for snapshots: with these the next step is the same, bit for bit. */
  get arrays(): readonly (Float64Array | Float32Array | Int32Array)[] {
    const { rigid, soft, contacts, sides, joints } = this;
    const bodies = [this.#found, rigid.x, rigid.q, rigid.v, rigid.l, ...soft.arrays];
    const rows = [...contacts.arrays, ...sides.arrays, ...joints.push, joints.target];
    return [...bodies, ...rows, ...this.sleeping.arrays, ...this.#volumes.arrays];
  }

  /** Bodies were put elsewhere: contacts are looked for again. */
  moved(): void {
    this.#found[0] = 0;
    this.sleeping.wakeAll();
    this.soft.kernels?.seed(this.soft.x);
    this.sides.clear();
    const rows = [...this.contacts.arrays, ...this.joints.push, this.joints.target, ...this.#volumes.arrays];
    for (const array of [...rows, ...this.sides.arrays.slice(0, -1)]) array.fill(0);
    this.search.broad.reset();
  }

  #substep(h: number, last: boolean): void {
    if (this.#found[0] === 0) this.#find(h, true);
    this.#spins?.begin(this.islands, this.contacts, this.movable);
    this.#bounces.run(this.options, this.gravity, this.movable, this.outerImpulse, this.balance, h);
    this.#published?.settle(this.movable, this.outerImpulse, this.balance);
    this.balance.addForces(this.gravity, 0.5 * h);
    this.#positions(h);
    this.balance.addForces(this.gravity, 0.5 * h);
    // what the next substep's rows close by themselves need not be closed for anybody to see
    if (last && !this.#published?.stabilises) this.#closer.close(this.movable);
    this.#find(h, last);
    this.#velocities(h);
    if (this.sleeping.wakeUnbalanced(this.contacts, h)) this.#regroup();
  }

  #positions(h: number): void {
    this.rigid.predict(this.gravity, 0.5 * h);
    this.#bounces.delay(h);
    this.soft.predictHalf(this.gravity, h);
    this.#solveTrack(0, h);
    const settle = this.#published ? explainContacts : settleMoments;
    settle(this.#rows, this.movable, this.balance, h);
    this.#bounces.settle(this.balance);
    this.rigid.advance(h);
    this.soft.advance(h);
    this.#spins?.moved(this.movable, h);
    this.#pushOut?.resolve(this.contacts, h);
    this.rigid.follow(h);
  }

  /** Finds contacts: all anew at the end of a step, in heaps only what has moved before that. */
  #find(h: number, all: boolean): void {
    const { contacts } = this;
    const began = this.#clock();
    if (!all) this.#carried.advance(h);
    this.search.find(contacts, this.movable, this.gravity, h, this.#carried, all);
    contacts.inherit();
    contacts.markFrozen(this.movable);
    // who is about to be struck wakes
    if (this.sleeping.wakeStruck(contacts, this.movable, this.search.broad.boxes, h)) this.#setMovable();
    this.#limits.measure(this.rigid);
    this.joints.choose();
    this.islands.build(contacts, this.joints, this.movable);
    this.#found[0] = 1;
    this.searchTime += this.#clock() - began;
  }

  #velocities(h: number): void {
    const { rigid, soft, gravity } = this;
    this.#published?.settle(this.movable, this.outerImpulse, this.balance);
    rigid.predict(gravity, h);
    this.#predicted.set(rigid.velocity);
    soft.predictEnd(gravity, h);
    this.#solveTrack(1, h);
    rigid.commit(this.#predicted, h);
    soft.v.set(soft.velocity);
    this.#spins?.end(this.islands, this.contacts, this.movable, gravity, h);
    this.balance.damp(this.options, h);
    this.#rows.addOuterImpulse(this.movable, this.outerImpulse, this.balance);
    addWeight(rigid, soft, gravity, this.movable, this.weight, h);
  }

  /** Solves a track: rows, and the volumes of what is incompressible, by turns. */
  #solveTrack(track: 0 | 1, h: number): void {
    const rounds = this.#volumes.begin(track, h, this.sides.slotCount);
    for (let round = 0; round < rounds; round++) {
      this.#volumes.correct(round, track, h, this.sides.slotCount);
      this.#solveRows(track, h);
    }
  }

  /** Solves all rows of a track; velocities of rigid and soft bodies follow. */
  #solveRows(track: 0 | 1, h: number): void {
    const { contacts, soft, sides, islands, gravity } = this;
    const { job } = this.#rows;
    this.#rows.select(contacts, track);
    job ? job.begin(track, h) : sides.begin(soft.velocity);
    this.joints.prepare(this.rigid, track, h);
    job ? job.measure() : measureContacts(this.#rows, this.options, track, h);
    (this.#published ?? this.#solver).solve(islands, track, settledSpeed(gravity, this.rigid.velocity, h), gravity);
    job ? job.finish() : sides.finish(soft.velocity);
  }
}

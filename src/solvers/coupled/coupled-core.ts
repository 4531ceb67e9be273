/**
 * The step of the coupled solver: everything pushes everything, both ways, on two tracks [Shinar2008 §2]. Positions and velocities
 * are advanced apart, each with elasticity, contact and joints inside its solve:
 *
 *     collide       what is about to hit and bounces: impulses on vₙ
 *     positions     M (v½ − vₙ) = h/2 (M g + f(xₙ + h v½)) + λ,   n·v½ ≥ −gap/h,   joints close;   x += h v½
 *     find          contacts at xₙ₊₁: for the velocities now, and for the positions of the next step
 *     velocities    M (v − vₙ) = h (M g + f(xₙ₊₁)) − h² S (v − v½) + μ,   n·v ≥ 0 with Coulomb friction,   joints at rest
 *
 * Independent of worlds: bodies go in as arrays and come out as arrays.
 */
import { bounce } from './bounce.js';
import { ContactList } from './contact-list.js';
import { ContactSearch } from './contact-search.js';
import { IslandSolver } from './island-solver.js';
import { Islands } from './islands.js';
import { type CoupledJoint, JointBlocks } from './joint-blocks.js';
import { COUPLED_DEFAULTS, type CoupledOptions } from './options.js';
import { RigidBodies, type RigidStart } from './rigid-bodies.js';
import { RowSystem } from './row-system.js';
import { type RigidShape, sampleShape } from './sampled-shape.js';
import { SoftBodies, type SoftStart } from './soft-bodies.js';
import { SoftSides } from './soft-sides.js';

/** A rigid body or an obstacle of the core. */
export interface CoreRigid extends RigidStart {
  readonly shape: RigidShape;
  readonly friction?: number;
  readonly restitution?: number;
}

/** A soft body of the core. */
export interface CoreSoft extends SoftStart {
  readonly friction?: number;
}

/** What a core is made of. */
export interface CoreScene {
  readonly rigid?: readonly CoreRigid[];
  readonly soft?: readonly CoreSoft[];
  readonly joints?: readonly CoupledJoint[];
  readonly gravity?: ArrayLike<number>;
}

/** Room for contacts, per rigid body and per vertex of a soft one. */
const CONTACTS_PER_RIGID = 24;
const CONTACTS_PER_VERTEX = 2;
const DEFAULT_FRICTION = 0.5;
const SETTLED = 1e-6;
const FAST = 1e-2;

/** The coupled solver's state and step. */
export class CoupledCore {
  readonly rigid: RigidBodies;
  readonly soft: SoftBodies;
  readonly joints: JointBlocks;
  readonly gravity: Float64Array;
  readonly options: CoupledOptions;
  /** Contacts found last. */
  contacts: ContactList;
  #before: ContactList;
  readonly sides: SoftSides;
  readonly islands: Islands;
  readonly search: ContactSearch;
  readonly #rows: RowSystem;
  readonly #solver: IslandSolver;
  readonly #movable: Uint8Array;
  readonly #predicted: Float64Array;
  /** Whether `contacts` are those of the present positions. */
  #found = false;

  constructor(scene: CoreScene, options: Partial<CoupledOptions> = {}) {
    const rigid = scene.rigid ?? [];
    const soft = scene.soft ?? [];
    this.options = { ...COUPLED_DEFAULTS, ...options };
    this.gravity = Float64Array.from(scene.gravity ?? [0, -9.81, 0]);
    this.rigid = new RigidBodies(rigid);
    this.soft = new SoftBodies(soft);
    this.joints = new JointBlocks(scene.joints ?? []);
    const capacity = 64 + rigid.length * CONTACTS_PER_RIGID + this.soft.vertexCount * CONTACTS_PER_VERTEX;
    this.contacts = new ContactList(capacity);
    this.#before = new ContactList(capacity);
    this.sides = new SoftSides(this.soft, 2 * this.soft.vertexCount * CONTACTS_PER_VERTEX);
    const count = rigid.length + soft.length;
    this.islands = new Islands(count, capacity, this.joints.count);
    this.#rows = new RowSystem(this.rigid, this.sides, this.joints, this.contacts);
    this.#solver = new IslandSolver(this.#rows, this.options);
    this.#movable = Uint8Array.from({ length: count }, (_, b) => (b < rigid.length && !(rigid[b].mass > 0) ? 0 : 1));
    this.#predicted = new Float64Array(this.rigid.velocity.length);
    const friction = Float64Array.from([...rigid, ...soft], (body) => body.friction ?? DEFAULT_FRICTION);
    const movable = this.#movable;
    this.search = new ContactSearch(
      this.rigid,
      this.soft,
      this.sides,
      rigid.map(({ shape }) => sampleShape(shape)),
      {
        // against an obstacle the obstacle's counts
        frictionOf: (a, b) =>
          movable[a] === 0 ? friction[a] : movable[b] === 0 ? friction[b] : Math.sqrt(friction[a] * friction[b]),
        restitution: Float64Array.from({ length: count }, (_, b) => rigid[b]?.restitution ?? 0),
        apart: new Set((scene.joints ?? []).map(({ a, b }) => Math.min(a, b) * count + Math.max(a, b))),
      },
    );
  }

  /** Advances everything by dt [s], in `substeps` parts. */
  step(dt: number): void {
    const h = dt / this.options.substeps;
    this.soft.prepare(h);
    for (let n = 0; n < this.options.substeps; n++) this.#substep(h);
  }

  /** Bodies were put elsewhere: contacts are looked for again. */
  moved(): void {
    this.#found = false;
    this.search.broad.reset();
  }

  #substep(h: number): void {
    if (!this.#found) this.#find(h);
    bounce(this.#rows, this.contacts, this.options, this.gravity, h);
    this.#positions(h);
    this.#find(h);
    this.#velocities(h);
  }

  #positions(h: number): void {
    const { rigid, soft } = this;
    rigid.predict(this.gravity, 0.5 * h);
    soft.predictHalf(this.gravity, h);
    this.#solveTrack(0, h);
    rigid.advance(h);
    soft.advance(h);
    rigid.follow(h);
  }

  #find(h: number): void {
    const next = this.#before;
    this.search.find(next, this.#movable, this.gravity, h);
    next.inherit(this.contacts);
    this.#before = this.contacts;
    this.contacts = next;
    this.islands.build(next, this.joints, this.#movable);
    this.#found = true;
  }

  #velocities(h: number): void {
    const { rigid, soft } = this;
    rigid.predict(this.gravity, h);
    this.#predicted.set(rigid.velocity);
    soft.predictEnd(this.gravity, h);
    this.#solveTrack(1, h);
    rigid.commit(this.#predicted);
    soft.v.set(soft.velocity);
  }

  /** Solves all rows of a track; velocities of rigid and soft bodies follow. */
  #solveTrack(track: 0 | 1, h: number): void {
    const { contacts, soft, sides, joints, islands } = this;
    const rows = this.#rows;
    rows.select(contacts, track);
    sides.begin(soft.velocity);
    joints.prepare(this.rigid, track, h);
    for (let c = 0; c < contacts.count; c++) {
      rows.bound[c] = this.#boundOf(contacts.gap[c], track, h);
      rows.measure(c);
      // velocities are those of touching bodies; what comes near is for the next step's positions
      if (track === 1 && contacts.gap[c] > this.options.touching) rows.opening[c] = 0;
    }
    rows.pushAll();
    this.#solver.solve(islands, track, this.#settledAt(h));
    sides.finish(soft.velocity);
  }

  /** Velocities this close are as good as solved [m/s]: a share of what gravity adds in a step, and of the fastest body's. */
  #settledAt(h: number): number {
    const { gravity } = this;
    const { velocity } = this.rigid;
    let fastest = 0;
    for (let i = 0; i < velocity.length; i++) fastest = Math.max(fastest, Math.abs(velocity[i]));
    return SETTLED * (h * (Math.abs(gravity[0]) + Math.abs(gravity[1]) + Math.abs(gravity[2])) + FAST * fastest);
  }

  /** Least velocity along the normal [m/s]: positions stop at the surface, and come out of it not all at once. */
  #boundOf(gap: number, track: 0 | 1, h: number): number {
    const { pushOut, pushOutSpeed } = this.options;
    if (track === 1) return 0;
    return gap >= 0 ? -gap / h : Math.min((-gap * pushOut) / h, pushOutSpeed);
  }
}

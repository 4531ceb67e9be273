/**
 * One body of a lattice world: its bones and pins holding nodes, its vertices carried by cells. Between the
 * world's state (positions, poses) and the posed lattice that does the work.
 */
import type { BonePoses } from '../../body/bone-poses.js';
import type { Model } from '../../body/model.js';
import { type BodyState, planState } from '../../body/state.js';
import { fitSpin } from '../../collision/surface/fit-spin.js';
import type { KernelTable } from '../../kernels/kernel-table.js';
import type { MemoryPlan } from '../../kernels/memory.js';
import type { ThreadPool } from '../../kernels/thread-pool.js';
import type { HeldPoint } from '../solver.js';
import { type CellReport, createReport, type StepReport } from '../step-report.js';
import { BoneFollowers } from './bones/bone-followers.js';
import { TRANSFORM, writeTransform } from './bones/bone-transforms.js';
import { FreeBones } from './bones/free-bones.js';
import { pairsOf } from './descent.js';
import type { DescentResult } from './descent-terms.js';
import type { SharedLattice } from './fill-model.js';
import type { LatticeModel } from './lattice-model.js';
import { KernelArithmetic } from './numbers/kernel-arithmetic.js';
import { floatOfPlace } from './numbers/quad-layout.js';
import { LATTICE_STAGES, type LatticeOptions } from './options.js';
import { PosedLattice } from './posed-lattice.js';
import { SkinContacts } from './skin/skin-contacts.js';
import { findProxies } from './skin/skin-proxies.js';
import { VertexSprings } from './vertex-springs.js';

/** Stiffness of a grip, in shear modulus times the body's size: firmer than the body itself. */
const GRIP = 4;

/** One body. */
export class LatticePart {
  readonly report: StepReport & { readonly cells: CellReport } = {
    ...createReport(LATTICE_STAGES),
    cells: { lastMove: 0, meanVolume: 1, leastVolume: 1 },
  };
  /** Force of each joint row in the last step [N]; zero where bones are given. */
  readonly multipliers: Float64Array;
  readonly springs: VertexSprings;
  readonly shared: SharedLattice;
  state!: BodyState;
  readonly #model: Model;
  readonly #options: LatticeOptions;
  readonly #arithmetic: KernelArithmetic;
  readonly #posed: PosedLattice;
  readonly #planned: () => BodyState;
  readonly #transforms: Float64Array;
  readonly #sources: Int32Array;
  readonly #followers: BoneFollowers;
  readonly #place = new Float64Array(3);
  readonly #contacts: SkinContacts | undefined;
  /** Bones that move by themselves; none where all are given, or follow. */
  readonly #free: FreeBones | undefined;
  #points: readonly HeldPoint[] = [];

  constructor(plan: MemoryPlan, model: Model, shared: SharedLattice, options: LatticeOptions) {
    this.#model = model;
    this.multipliers = new Float64Array(model.joints.rowStart[model.joints.count]);
    this.#options = options;
    this.shared = shared;
    const { body, boneOfNode, embedding } = shared;
    this.#arithmetic = new KernelArithmetic(plan, body);
    this.#posed = new PosedLattice(this.#arithmetic, body, {
      count: model.bones.count + 1,
      ofNode: boneOfNode,
      hold: options.bones,
    });
    this.#planned = planState(plan, model);
    this.#followers = new BoneFollowers(model);
    this.#transforms = new Float64Array(TRANSFORM * (model.bones.count + 1));
    // bones that move by themselves feel what touches their nodes
    if (movesBones(model, options)) {
      this.#free = new FreeBones(plan, model, body, boneOfNode, pairsOf(body));
      this.#posed.descent.bones = this.#free;
    }
    const deaf = this.#free ? new Uint8Array(boneOfNode.length) : body.filling.held;
    this.springs = new VertexSprings(embedding, body.layout, deaf);
    this.#posed.descent.terms.push(this.springs);
    if (options.selfContact && model.kind === 'lattice')
      this.#contacts = this.#touchItself(model as LatticeModel, deaf);
    this.#sources = embedding.nodes.map((node) => floatOfPlace(body.layout.placeOfNode[node], 0));
  }

  /** A skin that keeps out of itself; only bodies of cells know theirs. */
  #touchItself({ hexes, positions, surface, embedding }: LatticeModel, deaf: Uint8Array): SkinContacts {
    const skin = { positions, triangles: surface.triangles, cells: embedding.cells };
    const contacts = new SkinContacts(this.shared.body, findProxies(hexes, skin), deaf);
    this.#posed.descent.terms.push(contacts);
    this.#posed.surroundings.push(contacts);
    return contacts;
  }

  start(kernels: KernelTable, threads: ThreadPool): BodyState {
    this.#arithmetic.start(kernels, threads);
    this.#posed.start(kernels);
    const common = this.#planned();
    const { x, before, drift, transforms, clock } = this.#posed;
    const partners = this.#contacts ? [this.#contacts.partners, this.#contacts.allowed] : [];
    const drifts = drift ? [drift.view] : [];
    const own = [x.view, before.view, ...drifts, this.#arithmetic.rotations.view, transforms, clock, ...partners];
    this.state = { ...common, arrays: [...common.arrays, ...new Set(own)] };
    return this.state;
  }

  /** Lattice and skin where the poses of the state want them. */
  reset(): void {
    this.#readPoses(this.state.poses);
    this.#posed.reset(this.#transforms, this.#model.bones.count);
    this.#contacts?.clear();
    this.#writePositions(0);
    this.#launch();
  }

  /** The lattice moves as the state's velocities say the body does as a whole. */
  #launch(): void {
    const { positions, velocities } = this.state;
    const vertices = Int32Array.from(this.#model.masses, (_, v) => v);
    const [mean, centre, spin] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
    for (let i = 0; i < velocities.length; i++) mean[i % 3] += velocities[i] / vertices.length;
    fitSpin(positions, vertices, velocities, mean, centre, spin);
    this.#posed.launch(mean, spin, centre);
  }

  hold(points: readonly HeldPoint[]): void {
    this.#points = points;
  }

  /** Stiffness of contacts per vertex: 32 mu h for the face of a cell [N/m]. */
  get contactStiffness(): number {
    return 32 * this.shared.mu * this.shared.body.lattice.cellSize;
  }

  /** Adds the contacts of its skin with itself to what was measured of all others. */
  addContacts(certificate: StepReport): void {
    if (this.#contacts === undefined) return;
    for (const report of [this.report, certificate]) {
      report.contacts += this.#contacts.count;
      report.penetration = Math.max(report.penetration, this.#contacts.depth);
    }
  }

  /** Momentum of flesh and of bones that move by themselves [kg m/s]; only with inertia. */
  momentum(out: Float64Array): void {
    this.#posed.momentum(out);
    this.#free?.inertia.addMomentum(this.state.boneRates, out);
  }

  /** One cycle of the Laplacian on whatever the last gradient was: for benchmarks. */
  runCycle(): void {
    this.#posed.descent.runCycle();
  }

  /** Lists the grips; contacts come after them. */
  listGrips(): void {
    const { springs } = this;
    springs.clear();
    for (const { vertices, weights, target } of this.#points) {
      const spring = springs.list(vertices, weights, 0, vertices.length);
      if (spring < 0) return;
      springs.stiffness[spring] = GRIP * this.shared.mu * this.#model.size;
      springs.normals.fill(0, 3 * spring, 3 * spring + 3);
      springs.targets.set(target, 3 * spring);
    }
  }

  /** Moves bones to their targets and the flesh after them; false where that is not finite. */
  step(h: number, gravity: ArrayLike<number>): boolean {
    const { mode, weight } = this.#options;
    const free = this.#free;
    const pull = mode === 'dynamic' || weight ? gravity : NO_PULL;
    if (free) free.begin(this.state, this.#posed.x.view, h, pull);
    else this.#followers.move(this.state);
    this.#readPoses(free?.poses ?? this.state.poses);
    const isAlone = this.springs.count === 0;
    const result = this.#posed.step(this.#transforms, this.#options, pull, h, isAlone);
    if (!result.finite) return false;
    if (free) this.#commitBones(free, h);
    this.#writePositions(h);
    this.#fillReport(result);
    this.state.clock[0]++;
    this.state.clock[1] = h;
    return true;
  }

  #commitBones(free: FreeBones, h: number): void {
    free.readMultipliers(this.#posed.descent.gradient, this.multipliers);
    free.commit(this.state, h);
    this.#readPoses(free.poses);
    this.#posed.transforms.set(this.#transforms);
    this.report.jointGap = free.gap;
    this.report.redundantRows = free.saddle.dropped;
  }

  #readPoses(poses: BonePoses): void {
    const { bones } = this.#model;
    for (let bone = 0; bone < bones.count; bone++) {
      writeTransform(
        this.#transforms,
        bone,
        poses.quats,
        4 * bone,
        poses.translations,
        3 * bone,
        bones.centre,
        3 * bone,
      );
    }
    const world = bones.count;
    writeTransform(this.#transforms, world, poses.quats, 4 * world, poses.translations, 3 * world, ORIGIN, 0);
  }

  /** Vertices from the nodes they follow, those of bones from their bones; velocities from how far they came in `h`. */
  #writePositions(h: number): void {
    const { positions, velocities } = this.state;
    const { bones, pinned, vertexCount } = this.#model;
    for (let v = 0; v < vertexCount; v++) {
      const bone = pinned[v] ? bones.count : bones.ofVertex[v];
      if (bone >= 0) this.#placeByBone(bone, v);
      else this.#placeByNodes(v);
      for (let k = 0; k < 3; k++) {
        const at = 3 * v + k;
        if (h > 0) velocities[at] = (this.#place[k] - positions[at]) / h;
        positions[at] = this.#place[k];
      }
    }
  }

  #placeByNodes(vertex: number): void {
    const { weights } = this.shared.embedding;
    const sources = this.#sources;
    const x = this.#posed.x.view;
    let px = 0;
    let py = 0;
    let pz = 0;
    for (let n = 8 * vertex; n < 8 * vertex + 8; n++) {
      const weight = weights[n];
      const at = sources[n];
      px += weight * x[at];
      py += weight * x[at + 4];
      pz += weight * x[at + 8];
    }
    this.#place[0] = px;
    this.#place[1] = py;
    this.#place[2] = pz;
  }

  #placeByBone(bone: number, vertex: number): void {
    const o = TRANSFORM * bone;
    const t = this.#transforms;
    const p = this.#model.positions;
    for (let k = 0; k < 3; k++) {
      const row = o + 3 * k;
      this.#place[k] =
        t[row] * p[3 * vertex] + t[row + 1] * p[3 * vertex + 1] + t[row + 2] * p[3 * vertex + 2] + t[o + 9 + k];
    }
  }

  #fillReport({ iterations, residual, lastMove }: DescentResult): void {
    const { report } = this;
    const volumes = this.#arithmetic.volumes(this.#posed.x);
    report.iterations = iterations;
    report.residual = residual;
    report.inverted = volumes.inverted;
    report.cells.lastMove = lastMove / this.shared.body.lattice.cellSize;
    report.cells.meanVolume = volumes.mean;
    report.cells.leastVolume = volumes.least;
  }
}

/** Whether bones that nobody drives move by themselves: with inertia, where flesh is held by them exactly. */
function movesBones({ bones }: Model, { mode, bones: hold }: LatticeOptions): boolean {
  return mode === 'dynamic' && hold === 'exact' && bones.kinematic.some((driven) => driven === 0);
}

const NO_PULL = [0, 0, 0];
const ORIGIN = [0, 0, 0];

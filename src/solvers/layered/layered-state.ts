/** The state of a layered body in a world: the arrays all bodies have, those of the layered step, and positions that are worked out when they are asked for. */
import { type BodyState, planState, type StateArray } from '../../body/state.js';
import type { MemoryPlan } from '../../kernels/memory.js';
import { LayerBody, type LayerState } from './layer-body.js';
import { planLayerRoom } from './layer-room.js';
import type { LayeredModel } from './layered-model.js';
import { NodeKeeper } from './node-keeper.js';
import type { LayeredBodyState } from './skin/dent-offsets.js';
import { shownDents } from './skin/skin-step.js';
import { nodeRotation, SKIN_MATRIX, skinMatrices, skinNode } from './skin/skinning.js';
import { WOBBLE_STRIDE } from './skin/wobble.js';

/** A body in a world. */
export interface LayeredPart {
  readonly state: BodyState;
  readonly body: LayerBody;
  readonly watch: StateWatch;
}

/** Plans the memory of a body; call the result once it exists. */
export function planLayeredPart(plan: MemoryPlan, model: LayeredModel): () => LayeredPart {
  const { layer } = model;
  const n = 3 * layer.nodeCount;
  const m = layer.bones.count;
  const planned = planState(plan, model);
  const room = planLayerRoom(plan, layer);
  const spins = plan.f64(3 * m);
  const speeds = plan.f64(3 * m);
  const dents = plan.f64(n);
  const pulls = plan.f64(n);
  const touch = plan.f64(4 * layer.nodeCount);
  const earlier = plan.f64(7 * m);
  const motors = plan.f64(layer.joints.motors.length);
  const torques = plan.f64(6 * layer.joints.count);
  const wobble = plan.f64(WOBBLE_STRIDE * (layer.modes?.count ?? 0));
  return () => {
    const base = planned();
    const own: LayerState = {
      poses: base.poses,
      spins: spins.view,
      velocities: speeds.view,
      dents: dents.view,
      pulls: pulls.view,
      touch: touch.view,
      drive: base.kinematic,
      targets: base.boneTargets,
      earlierTargets: earlier.view,
      motors: motors.view,
      jointTorques: torques.view,
      wobble: wobble.view,
    };
    const body = new LayerBody(layer, own, room());
    const { poses } = base;
    const watch = new StateWatch(base, own);
    const skin = new SkinReader(body, base, watch);
    const state: LayeredBodyState = {
      ...base,
      get dents() {
        return skin.dents();
      },
      get forces() {
        body.mayBePushed = true;
        return base.forces;
      },
      motors: own.motors,
      jointTorques: own.jointTorques,
      rest: body.rest,
      get positions() {
        return skin.positions();
      },
      sources: [poses.quats, poses.translations, own.spins, own.velocities],
      arrays: listArrays(base, own),
      keeper: new NodeKeeper(body, base.forces, () => watch.isKept()),
    };
    body.forces = base.forces;
    return { state, body, watch };
  };
}

/** Everything a body is known by, in the order of its fingerprint. */
function listArrays(base: BodyState, own: LayerState): StateArray[] {
  const { poses, boneRates, boneTargets, kinematic, forces, clock } = base;
  return [
    poses.quats,
    poses.rotations,
    poses.translations,
    boneRates,
    boneTargets,
    kinematic,
    forces,
    clock,
    own.spins,
    own.velocities,
    own.dents,
    own.pulls,
    own.touch,
    own.earlierTargets,
    own.motors,
    own.jointTorques,
    own.wobble,
  ];
}

/** Notices when a state was written by others than the step: restored from a snapshot, undone, reset. */
export class StateWatch {
  readonly #base: BodyState;
  readonly #own: LayerState;
  readonly #clock = new Float64Array(2);
  readonly #quats: Float64Array;
  readonly #translations: Float64Array;
  #known = false;
  /** Goes up with every change. */
  version = 0;

  constructor(base: BodyState, own: LayerState) {
    this.#base = base;
    this.#own = own;
    this.#quats = new Float64Array(own.poses.quats.length);
    this.#translations = new Float64Array(own.poses.translations.length);
  }

  /** The state is as the step left it. */
  keep(): void {
    this.#clock.set(this.#base.clock);
    this.#quats.set(this.#own.poses.quats);
    this.#translations.set(this.#own.poses.translations);
    this.#known = true;
    this.version++;
  }

  /** A step has begun: until `keep` nothing is sure. */
  forget(): void {
    this.#known = false;
    this.version++;
  }

  /** Whether the state is as it was at the last `keep`. */
  isKept(): boolean {
    const { quats, translations } = this.#own.poses;
    if (!this.#known || !same(this.#clock, this.#base.clock)) return false;
    return same(this.#quats, quats) && same(this.#translations, translations);
  }
}

function same(a: Float64Array, b: Float64Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** Positions of all nodes, worked out when somebody asks: a crowd that is drawn by its bones never does. */
class SkinReader {
  readonly #body: LayerBody;
  readonly #base: BodyState;
  readonly #watch: StateWatch;
  readonly #matrices: Float64Array;
  readonly #rotation = new Float64Array(9);
  readonly #dents: Float64Array;
  /** What the positions were worked out from. */
  readonly #clock = new Float64Array(2);
  readonly #quats: Float64Array;
  readonly #translations: Float64Array;
  #version = -1;

  constructor(body: LayerBody, base: BodyState, watch: StateWatch) {
    this.#body = body;
    this.#base = base;
    this.#watch = watch;
    this.#quats = new Float64Array(body.state.poses.quats.length);
    this.#translations = new Float64Array(body.state.poses.translations.length);
    this.#matrices = new Float64Array(SKIN_MATRIX * body.model.bones.count);
    this.#dents = new Float64Array(3 * body.model.nodeCount);
  }

  /** Dents of all nodes, in the rest shape. */
  dents(): Float64Array {
    shownDents(this.#body, this.#dents);
    return this.#dents;
  }

  positions(): Float64Array {
    const { positions, clock } = this.#base;
    const { model, state } = this.#body;
    const { quats, translations } = state.poses;
    const known = this.#version === this.#watch.version && same(this.#clock, clock);
    if (known && same(this.#quats, quats) && same(this.#translations, translations)) return positions;
    this.#version = this.#watch.version;
    this.#clock.set(clock);
    this.#quats.set(quats);
    this.#translations.set(translations);
    skinMatrices(model, state.poses, this.#matrices);
    shownDents(this.#body, this.#dents);
    const dents = this.#dents;
    for (let p = 0; p < model.nodeCount; p++) {
      skinNode(model, this.#body.rest, this.#matrices, p, positions, 3 * p);
      const x = dents[3 * p];
      const y = dents[3 * p + 1];
      const z = dents[3 * p + 2];
      if (x === 0 && y === 0 && z === 0) continue;
      const r = this.#rotation;
      nodeRotation(model, state.poses.quats, p, r, 0);
      for (let k = 0; k < 3; k++) positions[3 * p + k] += r[3 * k] * x + r[3 * k + 1] * y + r[3 * k + 2] * z;
    }
    return positions;
  }
}

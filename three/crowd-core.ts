/** The simulation behind a crowd: layered characters that share their models, clips that drive them, pictures as bones and dents. */
import { packError } from '../host/line/error-data.js';
import type { Hosted, Progress } from '../host/line/protocol.js';
import { takeSteps } from '../host/line/take-steps.js';
import type { LayerCharacter } from '../src/character/build/kinds/layer-character.js';
import { loadLayered } from '../src/character/load-character.js';
import { rotateVec3 } from '../src/math/quat.js';
import type { AnySceneDef } from '../src/scene/scene-def.js';
import type { LayeredModel } from '../src/solvers/layered/layered-model.js';
import { dentOffsets, type LayeredBodyState } from '../src/solvers/layered/skin/dent-offsets.js';
import { createWorld, disposeWorld, resetWorld } from '../src/world/create-world.js';
import { hashWorld } from '../src/world/snapshot.js';
import { stepWorld } from '../src/world/step.js';
import type { World } from '../src/world/world.js';
import { CrowdClip } from './crowd/crowd-clip.js';
import {
  CROWD_POSE,
  type CrowdAction,
  type CrowdInfo,
  type CrowdNews,
  type CrowdSpec,
} from './crowd/crowd-protocol.js';
import { describeModel } from './crowd/describe-model.js';

/** Owns a world of layered characters and steps it. */
export class CrowdCore implements Hosted<CrowdInfo, CrowdAction, CrowdNews> {
  readonly info: CrowdInfo;
  readonly length: number;
  readonly #world: World;
  readonly #clips: readonly CrowdClip[];
  /** Poses before the last step, quaternions and centres of all bones. */
  readonly #before: readonly { readonly quats: Float64Array; readonly centres: Float64Array }[];

  /** Builds a crowd; throws a TendonError that says what cannot be used. */
  static async create(spec: CrowdSpec, progress: Progress = () => {}): Promise<CrowdCore> {
    const models: LayerCharacter[] = [];
    for (const { bytes, resources } of spec.models) {
      models.push(await loadLayered(bytes, { resources }));
      progress('building', models.length / spec.models.length);
    }
    const { gravity, dt, solver, obstacles } = spec;
    const scene: AnySceneDef = {
      name: 'crowd',
      description: `${spec.members.length} characters`,
      solver: { ...solver, kind: 'layered' },
      bodies: spec.members.map(({ model, position, rotation }, i) => {
        return { body: models[model].body, name: `member ${i}`, position, rotation };
      }),
      obstacles,
      ...(gravity && { gravity }),
      ...(dt !== undefined && { dt }),
    };
    return new CrowdCore(await createWorld(scene), models, spec);
  }

  private constructor(world: World, models: readonly LayerCharacter[], { members }: CrowdSpec) {
    this.#world = world;
    this.info = { dt: world.dt, models: models.map(describeModel), members };
    this.length = world.bodies.reduce((sum, { model }) => sum + CROWD_POSE * model.bones.count, 0);
    this.#clips = world.bodies.map((body, i) => new CrowdClip(models[members[i].model], body));
    this.#before = world.bodies.map(({ state: { poses } }) => ({
      quats: poses.quats.slice(),
      centres: poses.translations.slice(),
    }));
  }

  act(action: CrowdAction): void {
    if (action.kind === 'reset') {
      resetWorld(this.#world);
      for (const clip of this.#clips) clip.stop(true);
    } else if (action.kind === 'play') this.#clips[action.member]?.play(action.clip, action.speed, action.at);
    else this.#clips[action.member]?.stop(action.limp);
  }

  advance(steps: number, phase: number, out: Float32Array, alive?: () => void): CrowdNews {
    const world = this.#world;
    const taken = takeSteps(steps, () => this.#step(), alive);
    this.#write(out, phase);
    return {
      stepCount: world.stepCount,
      time: world.time,
      ...taken,
      certificate: { ...world.certificate, ms: { ...world.certificate.ms } },
      ...this.#dents(),
      ...(world.fault && { fault: packError(world.fault) }),
    };
  }

  /** 'hash', or 'positions': those of all nodes, member after member. */
  answer(question: string): unknown {
    if (question === 'hash') return hashWorld(this.#world);
    if (question === 'positions') return this.#world.bodies.map(({ state }) => state.positions.slice());
    return undefined;
  }

  dispose(): void {
    disposeWorld(this.#world);
  }

  #step(): boolean {
    this.#remember();
    for (const clip of this.#clips) clip.beforeStep(this.#world.dt);
    return stepWorld(this.#world);
  }

  #remember(): void {
    this.#world.bodies.forEach(({ state: { poses } }, i) => {
      this.#before[i].quats.set(poses.quats);
      this.#before[i].centres.set(poses.translations);
    });
  }

  /** Turn and translation of every bone, from its place at rest, between the last two states. */
  #write(out: Float32Array, phase: number): void {
    let o = 0;
    this.#world.bodies.forEach(({ state: { poses }, model: { bones } }, i) => {
      const { quats, centres } = this.#before[i];
      for (let bone = 0; bone < bones.count; bone++, o += CROWD_POSE) {
        blendBone(quats, centres, poses.quats, poses.translations, bones.centre, bone, phase, out, o);
      }
    });
  }

  #dents(): Pick<CrowdNews, 'dentStart' | 'dentNodes' | 'dentOffsets'> {
    const { bodies } = this.#world;
    const dentStart = new Int32Array(bodies.length + 1);
    const most = bodies.reduce((sum, { model }) => sum + model.vertexCount, 0);
    const nodes = new Int32Array(most);
    const offsets = new Float32Array(3 * most);
    bodies.forEach(({ model, state }, i) => {
      const at = dentStart[i];
      const room = offsets.subarray(3 * at);
      dentStart[i + 1] = at + dentOffsets(model as LayeredModel, state as LayeredBodyState, nodes.subarray(at), room);
    });
    const count = dentStart[bodies.length];
    return { dentStart, dentNodes: nodes.slice(0, count), dentOffsets: offsets.slice(0, 3 * count) };
  }
}

/** Turn and translation T = c − R C of a bone, `phase` of the way between two states. */
function blendBone(
  quats: Float64Array,
  centres: Float64Array,
  nextQuats: Float64Array,
  nextCentres: Float64Array,
  rest: Float64Array,
  bone: number,
  phase: number,
  out: Float32Array,
  o: number,
): void {
  const q = 4 * bone;
  const c = 3 * bone;
  let [same, square] = [0, 0];
  for (let k = 0; k < 4; k++) same += quats[q + k] * nextQuats[q + k];
  for (let k = 0; k < 4; k++) {
    QUAT[k] = (1 - phase) * (same < 0 ? -quats[q + k] : quats[q + k]) + phase * nextQuats[q + k];
    square += QUAT[k] * QUAT[k];
  }
  const length = Math.sqrt(square);
  for (let k = 0; k < 4; k++) QUAT[k] /= length;
  rotateVec3(PLACE, 0, QUAT, 0, rest, c);
  for (let k = 0; k < 4; k++) out[o + k] = QUAT[k];
  for (let k = 0; k < 3; k++) {
    out[o + 4 + k] = (1 - phase) * centres[c + k] + phase * nextCentres[c + k] - PLACE[k];
  }
}

const QUAT = new Float64Array(4);
const PLACE = new Float64Array(3);

/** Muscles as the solvers see them: paths over bones in the frames of their centres of mass, and fibres of tets, as flat frozen arrays. */
import { requireFinite, requireInRange, requireList, TendonError } from '../errors.js';
import { distanceVec3, normaliseVec3 } from '../math/vec3.js';
import type { Bones } from './bones.js';
import type { Joints } from './joints/joints.js';
import type { FibreMuscleDef, FollowedMotor, LineMuscleDef, MuscleDef } from './muscle-def.js';

const DEFAULT_SHORTEST = 0.5;

/** Muscles of a body, those of both kinds numbered together. */
export interface Muscles {
  readonly count: number;
  readonly names: readonly string[];
  /** Activations at the start. */
  readonly activations: Float64Array;
  /** Pair of the joint whose motor each muscle follows, -1 for none; the direction, and the torque of full activation [N m], 0: not given. */
  readonly followedPair: Int32Array;
  readonly followedAbout: Float64Array;
  readonly followedTorque: Float64Array;
  readonly lines: readonly LineMuscle[];
  /** Fibres: tet, muscle, and unit direction at rest. */
  readonly fibreTet: Int32Array;
  readonly fibreMuscle: Int32Array;
  readonly fibreDirection: Float64Array;
  /** Share of the muscle's strength that each fibre has. */
  readonly fibreShare: Float64Array;
  /** Strength [Pa], shortest stretch and passive share of each muscle; nothing where it is a line. */
  readonly strength: Float64Array;
  readonly shortest: Float64Array;
  readonly passive: Float64Array;
}

/** A line over bones. */
export interface LineMuscle {
  readonly muscle: number;
  readonly bones: Int32Array;
  /** Points relative to the centres of mass of their bones at rest, 3 each [m]. */
  readonly points: Float64Array;
  readonly restLength: number;
  readonly shortest: number;
  readonly force: number;
  readonly damping: number;
}

/** Tets of the description in the model: -1 where they were left out. */
export interface KeptTets {
  readonly tetOf: (given: number) => number;
  readonly givenCount: number;
}

/** Of bodies without tets. */
export const NO_KEPT_TETS: KeptTets = { givenCount: 0, tetOf: () => -1 };

/** Checks muscles against bones, joints and tets and flattens them. */
export function buildMuscles(
  defs: readonly MuscleDef[],
  bones: Bones,
  joints: Joints,
  kept: KeptTets,
  place: string,
): Muscles {
  const count = defs.length;
  const followedPair = new Int32Array(count).fill(-1);
  const followedAbout = new Float64Array(count * 3);
  const [followedTorque, activations] = [new Float64Array(count), new Float64Array(count)];
  const [strength, shortest, passive] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  const lines: LineMuscle[] = [];
  const fibres: { tet: number; muscle: number; direction: Float64Array; share: number }[] = [];
  requireList(defs, place).forEach((def, muscle) => {
    const at = `${place}/${muscle}`;
    activations[muscle] = requireInRange(def.activation ?? 0, 0, 1, `${at}/activation`);
    if (def.follows) follow(def.follows, joints, `${at}/follows`);
    if (def.kind === 'line') lines.push(buildLine(def, muscle, bones, at));
    else if (def.kind === 'fibres') {
      strength[muscle] = requireInRange(def.strength, 0, 1e12, `${at}/strength`);
      shortest[muscle] = requireInRange(def.shortest ?? DEFAULT_SHORTEST, 0, 1, `${at}/shortest`);
      passive[muscle] = requireInRange(def.passive ?? 0, 0, 1, `${at}/passive`);
      fibres.push(...listFibres(def, muscle, kept, at));
    } else {
      const { kind } = def as { kind?: unknown };
      throw new TendonError('E_UNKNOWN', `${at}/kind`, kind, 'use line or fibres');
    }

    function follow(given: FollowedMotor, { names, ofPair }: Joints, path: string): void {
      const pair = ofPair.indexOf(names.indexOf(given.joint));
      if (pair < 0 || !names.includes(given.joint)) {
        const advice = `the joints are: ${names.join(', ') || 'none'}`;
        throw new TendonError('E_UNKNOWN', `${path}/joint`, given.joint, advice);
      }
      followedPair[muscle] = pair;
      if (normaliseVec3(followedAbout, muscle * 3, given.about, 0) === 0)
        throw new TendonError('E_RANGE', `${path}/about`, given.about, 'a direction needs a length');
      followedTorque[muscle] = requireInRange(given.torque ?? 0, 0, 1e12, `${path}/torque`);
    }
  });
  const fibreDirection = new Float64Array(fibres.length * 3);
  fibres.forEach(({ direction }, i) => {
    fibreDirection.set(direction, i * 3);
  });
  return {
    count,
    names: defs.map(({ name }) => name),
    activations,
    followedPair,
    followedAbout,
    followedTorque,
    lines,
    fibreTet: Int32Array.from(fibres, ({ tet }) => tet),
    fibreMuscle: Int32Array.from(fibres, ({ muscle }) => muscle),
    fibreDirection,
    fibreShare: Float64Array.from(fibres, ({ share }) => share),
    strength,
    shortest,
    passive,
  };
}

function buildLine(def: LineMuscleDef, muscle: number, bones: Bones, at: string): LineMuscle {
  const count = def.path?.length ?? 0;
  if (count < 2) throw new TendonError('E_EMPTY', `${at}/path`, count, 'a line leads from a point to another');
  const points = new Float64Array(count * 3);
  let restLength = 0;
  const owners = def.path.map(({ bone, point }, i) => {
    const owner = bones.names.indexOf(bone);
    if (owner < 0) {
      const advice = `the bones are: ${bones.names.join(', ') || 'none'}`;
      throw new TendonError('E_UNKNOWN', `${at}/path/${i}/bone`, bone, advice);
    }
    requireFinite(point, `${at}/path/${i}/point`);
    for (let k = 0; k < 3; k++) points[i * 3 + k] = point[k] - bones.centre[owner * 3 + k];
    if (i > 0) restLength += distanceVec3(point, 0, def.path[i - 1].point, 0);
    return owner;
  });
  if (!(restLength > 0)) throw new TendonError('E_RANGE', `${at}/path`, restLength, 'the line has no length');
  return {
    muscle,
    bones: Int32Array.from(owners),
    points,
    restLength,
    shortest: restLength * requireInRange(def.shortest ?? DEFAULT_SHORTEST, 0, 0.999, `${at}/shortest`),
    force: requireInRange(def.force, 0, 1e12, `${at}/force`),
    damping: requireInRange(def.damping ?? 0, 0, 1e12, `${at}/damping`),
  };
}

function listFibres({ tets, direction, shares }: FibreMuscleDef, muscle: number, kept: KeptTets, at: string) {
  const isOne = direction.length === 3;
  if (!isOne && direction.length !== tets.length * 3)
    throw new TendonError('E_RANGE', `${at}/direction`, direction.length, 'one direction, or one per tet');
  if (shares && shares.length !== tets.length)
    throw new TendonError('E_RANGE', `${at}/shares`, shares.length, 'one share per tet');
  return Array.from(tets).flatMap((given, i) => {
    if (!(Number.isInteger(given) && given >= 0 && given < kept.givenCount))
      throw new TendonError('E_INDEX', `${at}/tets/${i}`, given, `the body has ${kept.givenCount} tets`);
    const unit = new Float64Array(3);
    if (normaliseVec3(unit, 0, direction, isOne ? 0 : i * 3) === 0)
      throw new TendonError('E_RANGE', `${at}/direction`, given, 'a direction needs a length');
    const share = requireInRange(shares?.[i] ?? 1, 0, 1, `${at}/shares/${i}`);
    const tet = kept.tetOf(given);
    return tet < 0 ? [] : [{ tet, muscle, direction: unit, share }];
  });
}

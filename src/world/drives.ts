/**
 * What acts on a world before each part of a step: drives of the scene, which are data, and callbacks of programs. A drive is a
 * function of the time at the end of the part, so that a step taken again as shorter ones moves everything along the same way.
 */
import { requireNumbers, TendonError } from '../errors.js';
import { multiplyQuat } from '../math/quat.js';
import type { BendDrive, DriveDef, PoseDrive } from '../scene/drive-def.js';
import { makeActivationDrive } from './activation-drive.js';
import { bendChain } from './bend-chain.js';
import { findBone } from './bone-control.js';
import { makeMotorDrive } from './motor-drive.js';
import { placedRest } from './placed-rest.js';
import { makePushDrive } from './push-drive.js';
import { checkTimes, findKey, makeSignal, requireLength } from './signals.js';
import { makeTrackDrive } from './tracking/track-drive.js';
import { makeWaterDrive } from './water-drive.js';
import { insideOf, type World, type WorldBody } from './world.js';

/** Acts on a world before a step, or a part of one, of length `dt` that ends at `time` [s]: moves kinematic bones, sets forces. */
export type Drive = (world: World, time: number, dt: number) => void;

/** Adds a drive; those of the scene come first, then these in the order they came. */
export function addDrive(world: World, drive: Drive): void {
  insideOf(world).drives.push(drive);
}

/** Takes a drive away again; nothing happens where it is not there. */
export function removeDrive(world: World, drive: Drive): void {
  const { drives } = insideOf(world);
  const at = drives.indexOf(drive);
  if (at >= 0) drives.splice(at, 1);
}

/** The stage of a step: every drive, once. */
export function applyDrives(world: World, time: number, dt: number): void {
  const { drives } = insideOf(world);
  for (let i = 0; i < drives.length; i++) drives[i](world, time, dt);
}

/** Drives of scenes that look at nothing but the time. */
const timed = new WeakSet<Drive>();
const TIMED_KINDS: ReadonlySet<string> = new Set(['bend', 'pose', 'motor', 'push', 'activation']);

/** Whether a drive acts by the time alone, whatever the world is like: then nothing of what it does changes with what came before. */
export function isTimed(drive: Drive): boolean {
  return timed.has(drive);
}

/** Makes the drives of a scene, or throws a TendonError that names what is wrong. */
export function makeDrives(world: World, defs: readonly DriveDef[]): Drive[] {
  return defs.map((def, i) => {
    const drive = makeDrive(world, def, `scene/drives/${i}`);
    if (TIMED_KINDS.has(def.kind)) timed.add(drive);
    return drive;
  });
}

function makeDrive(world: World, def: DriveDef, path: string): Drive {
  const body = world.bodies.find(({ name }) => name === def?.body);
  if (!body) {
    const known = world.bodies.map(({ name }) => name).join(', ');
    throw new TendonError('E_UNKNOWN', `${path}/body`, def?.body, `the bodies of the scene are: ${known}`);
  }
  if (def.kind === 'bend') return makeBend(body, def, path);
  if (def.kind === 'pose') return makePose(body, def, path);
  if (def.kind === 'motor') return makeMotorDrive(body, def, path);
  if (def.kind === 'track') return makeTrackDrive(world, body, def, path);
  if (def.kind === 'push') return makePushDrive(body, def, path);
  if (def.kind === 'activation') return makeActivationDrive(body, def, path);
  if (def.kind === 'water') return makeWaterDrive(body, def, path);
  const { kind } = def as { kind?: unknown };
  throw new TendonError('E_UNKNOWN', `${path}/kind`, kind, 'use bend, pose, motor, track, push, activation or water');
}

function makeBend(body: WorldBody, def: BendDrive, path: string): Drive {
  const { joints } = body.model;
  // bones that are imitated by flesh are not there to be driven
  if (joints.count === 0) return () => {};
  const amount = makeSignal(def.amount ?? 1, `${path}/amount`);
  const bends = def.joints.map(({ joint, angle }, i) => {
    if (!joints.names.includes(joint)) {
      const advice = `the joints of ${body.name} are: ${joints.names.join(', ')}`;
      throw new TendonError('E_UNKNOWN', `${path}/joints/${i}/joint`, joint, advice);
    }
    return { joint, angle: 0, signal: makeSignal(angle, `${path}/joints/${i}/angle`) };
  });
  return (_, time) => {
    const share = amount(time);
    for (const bend of bends) bend.angle = share * bend.signal(time);
    bendChain(body, bends);
  };
}

function makePose(body: WorldBody, def: PoseDrive, path: string): Drive {
  if (body.model.bones.count === 0) return () => {};
  const bone = findBone(body, def.bone);
  const { times, offsets, turns, loop = false } = def;
  checkTimes(times, path);
  offsets?.forEach((offset, i) => {
    requireNumbers(offset, 3, `${path}/offsets/${i}`);
  });
  turns?.forEach((turn, i) => {
    requireNumbers(turn, 4, `${path}/turns/${i}`);
  });
  if (offsets) requireLength(offsets, times.length, `${path}/offsets`);
  if (turns) requireLength(turns, times.length, `${path}/turns`);
  const start = placedRest(body, bone);
  const turn = new Float64Array(4);
  return (_, time) => {
    const { boneTargets, kinematic } = body.state;
    // one that is tracked goes there too, and gives way to what it touches
    if (kinematic[bone] === 0) kinematic[bone] = 1;
    const { key, share } = findKey(times, time, loop);
    boneTargets.set(start, bone * 7);
    for (let k = 0; offsets && k < 3; k++) {
      boneTargets[bone * 7 + 4 + k] +=
        offsets[key][k] + share * ((offsets[key + 1] ?? offsets[key])[k] - offsets[key][k]);
    }
    if (!turns) return;
    blend(turns[key], turns[key + 1] ?? turns[key], share, turn);
    multiplyQuat(boneTargets, bone * 7, turn, 0, start, 0);
  };
}

/** Straight between two quaternions of the same half, made a unit one again. */
function blend(a: readonly number[], b: readonly number[], share: number, out: Float64Array): void {
  const sign = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3] < 0 ? -1 : 1;
  let square = 0;
  for (let k = 0; k < 4; k++) {
    out[k] = a[k] + share * (sign * b[k] - a[k]);
    square += out[k] * out[k];
  }
  const length = Math.sqrt(square) || 1;
  for (let k = 0; k < 4; k++) out[k] /= length;
}

/** The drive that tracks a motion given as data: turns of joints and the way of the root as signals of time. Made with the drives of a scene. */
import { JOINT_TYPES } from '../../body/joints/joint-table.js';
import { buildSubtrees } from '../../body/joints/subtrees.js';
import { TendonError } from '../../errors.js';
import { multiplyQuat } from '../../math/quat.js';
import type { SignalDef, TrackDrive } from '../../scene/drive-def.js';
import { findBone } from '../bone-control.js';
import type { Drive } from '../drives.js';
import { pairsOf } from '../joint-control.js';
import { placedRest } from '../placed-rest.js';
import { makeSignal, type Signal, writeTurn } from '../signals.js';
import type { World, WorldBody } from '../world.js';
import { BoneTracker } from './bone-tracker.js';
import { ChainPoses } from './chain-poses.js';

type Three = readonly [Signal, Signal, Signal];

/** Makes the drive, or throws a TendonError that names what is wrong. */
export function makeTrackDrive(world: World, body: WorldBody, def: TrackDrive, path: string): Drive {
  if (body.model.bones.count === 0) return () => {};
  const root = def.root === undefined ? 0 : findBone(body, def.root);
  const tracker = new BoneTracker(world, body, {
    root,
    ...(def.rootMode !== undefined && { rootMode: def.rootMode }),
    ...(def.strength !== undefined && { strength: def.strength }),
    ...(def.effort !== undefined && { effort: def.effort }),
  });
  for (const { bone, mode = 'tracked', weight = 1, strength } of def.bones ?? []) {
    const index = findBone(body, bone);
    tracker.setBone(index, mode, weight);
    tracker.setStrength(index, strength);
  }
  const chain = new ChainPoses(body.model, buildSubtrees(body.model, root));
  const joints = (def.joints ?? []).flatMap((one, i) => jointSignals(body, one, `${path}/joints/${i}`));
  const shift = threeSignals(def.shift, `${path}/shift`);
  const turn = threeSignals(def.turn, `${path}/turn`);
  const rest = placedRest(body, root);
  const [way, q] = [new Float64Array(3), new Float64Array(4)];
  const fill = (signals: Three, time: number): void => {
    for (let k = 0; k < 3; k++) way[k] = signals[k](time);
  };
  return (_, time, dt) => {
    const { poses, turns } = chain;
    for (const { pair, signals } of joints) {
      fill(signals, time);
      writeTurn(turns, pair * 4, way);
    }
    poses.set(rest, root * 7);
    if (turn) {
      fill(turn, time);
      writeTurn(q, 0, way);
      multiplyQuat(poses, root * 7, q, 0, rest, 0);
    }
    for (let k = 0; shift && k < 3; k++) poses[root * 7 + 4 + k] += shift[k](time);
    chain.spread();
    tracker.track(poses, dt, time);
  };
}

/** Turns of the pairs of a joint as signals. */
function jointSignals(body: WorldBody, one: NonNullable<TrackDrive['joints']>[number], path: string) {
  const { joints } = body.model;
  return pairsOf(body, one.joint).map((pair) => {
    if (one.turn) return { pair, signals: threeSignals(one.turn, `${path}/turn`) as Three };
    if (JOINT_TYPES[joints.types[pair]] !== 'hinge')
      throw new TendonError('E_JOINT', `${path}/angle`, one.joint, 'only a hinge has one axis: use turn');
    const angle = makeSignal(one.angle ?? 0, `${path}/angle`);
    const about = (k: number): Signal => {
      const axis = joints.frame[pair * 9 + k];
      return (time) => axis * angle(time);
    };
    return { pair, signals: [about(0), about(1), about(2)] as Three };
  });
}

function threeSignals(defs: readonly SignalDef[] | undefined, path: string): Three | undefined {
  if (!defs) return undefined;
  const [x = 0, y = 0, z = 0] = defs;
  return [makeSignal(x, `${path}/0`), makeSignal(y, `${path}/1`), makeSignal(z, `${path}/2`)];
}

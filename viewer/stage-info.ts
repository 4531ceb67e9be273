/** Works out what the camera should show and where the floor is, from how a world starts and what holds it. */
import type { World, WorldBody } from '../src/index.js';
import type { Point, StageInfo } from './protocol.js';
import { reachFrom } from './reach.js';

/** A point that holds a body, and how far the body reaches from it. */
interface Hold {
  readonly point: Point;
  readonly reach: number;
}

/** Looks at a world that has not been stepped yet. */
export function describeStage(world: World): StageInfo {
  const low = [1e9, 1e9, 1e9];
  const high = [-1e9, -1e9, -1e9];
  const include = (x: number, y: number, z: number) => {
    [x, y, z].forEach((value, k) => {
      low[k] = Math.min(low[k], value);
      high[k] = Math.max(high[k], value);
    });
  };
  let free = true;
  for (const body of world.bodies) {
    const { positions } = body.state;
    for (let i = 0; i < positions.length; i += 3) include(positions[i], positions[i + 1], positions[i + 2]);
    const holds = findHolds(body);
    if (holds.length > 0) free = false;
    if (world.gravity[1] === 0 || holds.length === 0) continue;
    // What hangs from several places goes no lower than the tightest of them allows.
    const bottom = Math.max(...holds.map(({ point, reach }) => point[1] - reach));
    for (const { point, reach } of holds) {
      include(point[0], Math.min(point[1], bottom), point[2]);
      if (holds.length === 1) {
        include(point[0] - 0.9 * reach, bottom, point[2]);
        include(point[0] + 0.9 * reach, bottom, point[2]);
      }
    }
  }
  const size = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const falls = free && world.gravity[1] !== 0;
  // A weightless body may turn any way, so its floor is out of reach; a held one hangs just above it.
  const middle = (low[1] + high[1]) / 2;
  const floor = free ? Math.min(low[1], middle - 0.62 * size) : low[1] - 0.04 * size;
  return {
    low: [low[0], low[1], low[2]],
    high: [high[0], high[1], high[2]],
    floor: falls ? undefined : floor,
    free,
  };
}

/** What holds a body: joints with the world, bones the user moves, pinned flesh. */
function findHolds(body: WorldBody): Hold[] {
  const { model, state } = body;
  const { joints, bones } = model;
  const holds: Hold[] = [];
  const add = (point: Point) => holds.push({ point, reach: 0.93 * reachFrom(body, point) });
  for (let pair = 0; pair < joints.count; pair++) {
    if (joints.boneB[pair] !== bones.count) continue;
    add(pointOfBone(body, joints.boneA[pair], joints.anchorA, pair * 3));
  }
  for (let bone = 0; bone < bones.count; bone++) {
    const [x, y, z] = state.poses.translations.subarray(bone * 3, bone * 3 + 3);
    if (state.kinematic[bone]) add([x, y, z]);
  }
  const pinned = model.pinned.indexOf(1);
  if (pinned >= 0) add([...state.positions.subarray(pinned * 3, pinned * 3 + 3)] as unknown as Point);
  return holds;
}

/** A point given relative to a bone's centre of mass, in the world [m]. */
function pointOfBone(body: WorldBody, bone: number, local: Float64Array, o: number): Point {
  const { rotations, translations } = body.state.poses;
  const along = (row: number) => {
    const r = bone * 9 + row * 3;
    return (
      rotations[r] * local[o] +
      rotations[r + 1] * local[o + 1] +
      rotations[r + 2] * local[o + 2] +
      translations[bone * 3 + row]
    );
  };
  return [along(0), along(1), along(2)];
}

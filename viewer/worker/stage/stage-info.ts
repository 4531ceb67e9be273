/** Works out what the camera should show and where the floor is, from how a world starts and what holds it. */
import type { World, WorldBody } from '../../../src/index.js';
import type { ObstacleInfo, Point, StageInfo } from '../scene-info.js';
import { containerBox } from './container-box.js';
import { obstacleExtents, obstaclePlace, shapeReach } from './obstacle-place.js';
import { bodiesOnTheirWay, widenTowards } from './on-its-way.js';
import { reachFrom } from './reach.js';

/** How far the ground is below a container, in heights of it. */
const UNDER = 0.005;
/** Bodies that start higher above a bare floor than this, in their size, are shown as they fall, not with all of their way. */
const HIGH = 1.5;

/** A point that holds a body, and how far the body reaches from it. */
interface Hold {
  readonly point: Point;
  readonly reach: number;
}

/** Makes a box include a point. */
type Include = (x: number, y: number, z: number) => void;

/** Looks at a world that has not been stepped yet. */
export function describeStage(world: World): StageInfo {
  const low = [1e9, 1e9, 1e9];
  const high = [-1e9, -1e9, -1e9];
  const include: Include = (x, y, z) => {
    [x, y, z].forEach((value, k) => {
      low[k] = Math.min(low[k], value);
      high[k] = Math.max(high[k], value);
    });
  };
  let free = true;
  const plane = levelHeight(world);
  const coming = bodiesOnTheirWay(world.bodies);
  for (const body of world.bodies) {
    if (!coming.includes(body) && includeBody(body, world.gravity[1], plane, include)) free = false;
  }
  widenTowards(coming, { low, high, include });
  let ground = plane;
  let round = false;
  // Of a slope or a wall only what is about the bodies: they would be lost beside all of it.
  const around = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const middleOfBodies: Point = [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), 0.5 * (low[2] + high[2])];
  if (plane !== undefined && !(free && world.obstacles.count === 1 && low[1] - plane > HIGH * around)) {
    free = false;
    low[1] = Math.min(low[1], plane);
  }
  for (const [i, { shape }] of world.obstacles.defs.entries()) {
    const box = containerBox(world, i);
    if (box) {
      for (const corner of box) include(...corner);
      round = shape.kind === 'sphere' && world.obstacles.count === 1;
      free = false;
      // a little lower than its bottom, which would flicker in the same place
      if (plane === undefined) ground = Math.min(ground ?? box[0][1], box[0][1] - UNDER * (box[1][1] - box[0][1]));
      continue;
    }
    const [right, up, front] = obstacleExtents(world, i, around);
    const [x, y, z] = obstaclePlace(world, i, middleOfBodies, shapeReach(shape) > around);
    if (up === 0) continue;
    include(x - right, Math.max(y - up, ground ?? y - up), z - front);
    include(x + right, y + up, z + front);
  }
  const size = Math.max(high[0] - low[0], high[1] - low[1], high[2] - low[2]);
  const falls = free && world.gravity[1] !== 0;
  // A weightless body may turn any way, so its floor is out of reach; a held one hangs just above it.
  const middle = (low[1] + high[1]) / 2;
  const floor = free ? Math.min(low[1], middle - 0.62 * size) : low[1] - 0.04 * size;
  return {
    spread: 0,
    low: [low[0], low[1], low[2]],
    high: [high[0], high[1], high[2]],
    round,
    floor: ground ?? (falls ? undefined : floor),
    solid: plane !== undefined,
    free,
  };
}

/** Includes a body and wherever it may hang under `gravity` along y [m/s²], over a floor at `plane` [m]; true where anything holds it. */
function includeBody(body: WorldBody, gravity: number, plane: number | undefined, include: Include): boolean {
  const { positions } = body.state;
  for (let i = 0; i < positions.length; i += 3) include(positions[i], positions[i + 1], positions[i + 2]);
  const holds = findHolds(body);
  if (holds.length === 0) return false;
  if (gravity === 0) return true;
  // What hangs from several places goes no lower than the tightest of them allows.
  const bottom = Math.max(...holds.map(({ point, reach }) => point[1] - reach));
  // What comes to a floor first stands or lies on it, about where it is.
  if (plane !== undefined && bottom < plane) return true;
  for (const { point, reach } of holds) {
    include(point[0], Math.min(point[1], bottom), point[2]);
    if (holds.length > 1) continue;
    include(point[0] - 0.9 * reach, bottom, point[2]);
    include(point[0] + 0.9 * reach, bottom, point[2]);
  }
  return true;
}

/** What the page needs to draw the obstacles. */
export function describeObstacles(world: World, lane = 0): ObstacleInfo[] {
  return world.obstacles.defs.map(({ shape }, i) => ({ lane, shape, level: isLevel(world, i) }));
}

/** Whether an obstacle is a plane that faces up: then its y axis is the world's. */
function isLevel(world: World, obstacle: number): boolean {
  return world.obstacles.defs[obstacle].shape.kind === 'plane' && world.obstacles.rotations[obstacle * 9 + 4] > 0.9999;
}

/** Height of the highest level plane [m]. */
function levelHeight(world: World): number | undefined {
  const heights = world.obstacles.defs.flatMap((_, i) => (isLevel(world, i) ? [world.obstacles.poses[i * 7 + 5]] : []));
  return heights.length > 0 ? Math.max(...heights) : undefined;
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
  for (const vertex of pinnedEnds(body)) {
    add([...state.positions.subarray(vertex * 3, vertex * 3 + 3)] as unknown as Point);
  }
  return holds;
}

/** A pinned vertex, and the one farthest from it where that is at another end of the body. */
function pinnedEnds({ model, state: { positions } }: WorldBody): number[] {
  const first = model.pinned.indexOf(1);
  if (first < 0) return [];
  const away = (v: number) => Math.hypot(...[0, 1, 2].map((k) => positions[v * 3 + k] - positions[first * 3 + k]));
  let last = first;
  for (let v = 0; v < model.vertexCount; v++) if (model.pinned[v] && away(v) > away(last)) last = v;
  return away(last) > 0.5 * model.size ? [first, last] : [first];
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

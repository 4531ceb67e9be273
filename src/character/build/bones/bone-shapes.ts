/** Where bones lie in the flesh: a capsule from each joint to the next, and the lattice vertices it takes. */
import type { Vec3 } from '../../../body/body-def.js';
import { TendonError } from '../../../errors.js';
import { square } from '../../../math/powers.js';
import type { BonePlan } from '../../rig/rig-bones.js';
import { pickBoneVertices } from './pick-bone-vertices.js';

/** Share of the way from the middle line to the skin that is bone. */
const THICKNESS = 0.45;
/** Share of a bone that is left soft at either end, so that the flesh around a joint can bend. */
const END_SHARE = 0.16;

/** The skin as bones see it: where its vertices are and which bone they belong to. */
export interface OwnedSkin {
  readonly positions: ArrayLike<number>;
  readonly boneOfVertex: ArrayLike<number>;
}

/** A bone's middle lines and its radius. */
export interface BoneShape {
  readonly lines: readonly (readonly [Vec3, Vec3])[];
  readonly radius: number;
  /** Where the longest line ends. */
  readonly tip: Vec3;
}

/** The shape of each bone. */
export function shapeBones(bones: readonly Pick<BonePlan, 'parent' | 'place'>[], skin: OwnedSkin): BoneShape[] {
  const owned: number[][] = bones.map(() => []);
  for (let v = 0; v < skin.boneOfVertex.length; v++) owned[skin.boneOfVertex[v]]?.push(v);
  return bones.map((bone, b) => {
    const ends = bones.filter((other) => other.parent === b).map((other) => other.place);
    const far = ends.filter((end) => distance(end, bone.place) > 1e-6);
    if (far.length === 0) far.push(farEnd(bone.place, skin.positions, owned[b]));
    const lines = far.map((end): readonly [Vec3, Vec3] => [
      between(bone.place, end, END_SHARE),
      between(bone.place, end, 1 - END_SHARE),
    ]);
    const away = owned[b].map((v) => {
      const [x, y, z] = [skin.positions[3 * v], skin.positions[3 * v + 1], skin.positions[3 * v + 2]];
      return Math.min(...lines.map(([a, c]) => lineDistance(a, c, x, y, z)));
    });
    away.sort((a, c) => a - c);
    // a tenth of the skin may be nearer: where it folds at a joint
    const radius = THICKNESS * (away[Math.floor(away.length * 0.1)] ?? 0);
    const tip = far.reduce((best, end) => (distance(end, bone.place) > distance(best, bone.place) ? end : best));
    return { lines, radius, tip };
  });
}

/**
 * The vertices of each bone: out of its own part of the body, or, where that has too few, of the parts next to it. Undefined for
 * a bone that has no room. `partOfVertex`: bone each mesh vertex is nearest to; `apart`: joints between two bones.
 */
export function takeVertices(
  shapes: readonly BoneShape[],
  positions: Float64Array,
  partOfVertex: Int32Array,
  apart: (a: number, b: number) => number,
  cell: number,
): (Int32Array | undefined)[] {
  const taken = new Uint8Array(partOfVertex.length);
  return shapes.map(({ lines, radius }, bone) => {
    const shape = {
      distance: (x: number, y: number, z: number) =>
        Math.min(...lines.map(([a, b]) => lineDistance(a, b, x, y, z))) - radius,
      low: [0, 0, 0] as const,
      high: [0, 0, 0] as const,
    };
    for (const reach of [0, 1]) {
      const closed = taken.map((mark, v) => (apart(partOfVertex[v], bone) <= reach ? mark : 1));
      try {
        const vertices = pickBoneVertices(positions, shape, closed, cell);
        for (const vertex of vertices) taken[vertex] = 1;
        return vertices;
      } catch (error) {
        if (!(error instanceof TendonError && error.code === 'E_EMPTY_BONE')) throw error;
      }
    }
    return undefined;
  });
}

/** Where a last bone ends: from its joint through the middle of its skin, nearly to the farthest of it. */
function farEnd(place: Vec3, positions: ArrayLike<number>, owned: readonly number[]): Vec3 {
  if (owned.length === 0) return place;
  const middle = [0, 1, 2].map((k) => owned.reduce((sum, v) => sum + positions[3 * v + k], 0) / owned.length);
  const direction = [0, 1, 2].map((k) => middle[k] - place[k]);
  const length = Math.sqrt(square(direction[0]) + square(direction[1]) + square(direction[2]));
  if (length < 1e-9) return place;
  const along = owned.map((v) => {
    let sum = 0;
    for (let k = 0; k < 3; k++) sum += ((positions[3 * v + k] - place[k]) * direction[k]) / length;
    return sum;
  });
  along.sort((a, b) => a - b);
  const reach = Math.max(length, 0.9 * along[Math.floor(0.95 * (along.length - 1))]);
  return [0, 1, 2].map((k) => place[k] + (direction[k] / length) * reach) as unknown as Vec3;
}

function between(a: Vec3, b: Vec3, share: number): Vec3 {
  return [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2])];
}

function distance(a: Vec3, b: Vec3): number {
  return Math.sqrt(square(a[0] - b[0]) + square(a[1] - b[1]) + square(a[2] - b[2]));
}

/** Distance of a point from a line segment [m]. */
export function lineDistance(a: Vec3, b: Vec3, x: number, y: number, z: number): number {
  const [ux, uy, uz] = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const [px, py, pz] = [x - a[0], y - a[1], z - a[2]];
  const lengthSq = ux * ux + uy * uy + uz * uz;
  const t = lengthSq > 0 ? Math.min(1, Math.max(0, (px * ux + py * uy + pz * uz) / lengthSq)) : 0;
  return Math.sqrt(square(px - t * ux) + square(py - t * uy) + square(pz - t * uz));
}

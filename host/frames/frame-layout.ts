/** Where things lie in the one array of numbers a picture consists of; both sides compute it from the same description. */

/** Numbers per pose: quaternion x,y,z,w and position [m]. */
export const POSE = 7;

/** Offsets of one body [f32 numbers]. */
export interface BodyLayout {
  /** x,y,z per vertex [m]. */
  readonly positions: number;
  /** x,y,z per vertex, unit length. */
  readonly normals: number;
  /** `POSE` numbers per bone; the position is that of its centre of mass. */
  readonly poses: number;
  /** Middle and radius of a ball around the body [m]. */
  readonly ball: number;
  /** One per vertex, strain or activation, written only while it is shown. */
  readonly strain: number;
  /** x,y,z per vertex of the cage [m]. */
  readonly cage: number;
  /** x,y,z per joint pair [m]. */
  readonly joints: number;
  /** `POSE` numbers per joint pair: where its motor leads its bone, all zero where none does. */
  readonly ghosts: number;
}

/** Offsets of everything, and the length of the array. */
export interface FrameLayout {
  readonly bodies: readonly BodyLayout[];
  /** `POSE` numbers per obstacle. */
  readonly obstacles: number;
  readonly length: number;
}

/** What is counted of a body; what lies inside it takes room only where it can be shown. */
export interface BodyCounts {
  readonly vertexCount: number;
  readonly bones: ArrayLike<unknown>;
  readonly inside?: { readonly cageCount: number; readonly jointCount: number };
}

/** Lays out a picture. */
export function layOutFrame(bodies: readonly BodyCounts[], obstacleCount: number): FrameLayout {
  let length = 0;
  const take = (count: number): number => {
    const start = length;
    length += count;
    return start;
  };
  const laidOut = bodies.map(({ vertexCount, bones, inside }) => ({
    positions: take(3 * vertexCount),
    normals: take(3 * vertexCount),
    poses: take(POSE * bones.length),
    ball: take(4),
    strain: take(inside ? vertexCount : 0),
    cage: take(3 * (inside?.cageCount ?? 0)),
    joints: take(3 * (inside?.jointCount ?? 0)),
    ghosts: take(POSE * (inside?.jointCount ?? 0)),
  }));
  return { bodies: laidOut, obstacles: take(POSE * obstacleCount), length };
}

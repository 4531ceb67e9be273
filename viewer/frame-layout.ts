/** Where things lie in the one array of numbers a frame consists of; both sides compute it from the scene. */
import type { BodyInfo } from './protocol.js';

/** Offsets of one body [f32 numbers]. */
export interface BodyLayout {
  /** x,y,z per vertex [m]. */
  readonly positions: number;
  /** x,y,z per vertex, unit length. */
  readonly normals: number;
  /** Quaternion x,y,z,w and place of the centre of mass, 7 per bone. */
  readonly poses: number;
  /** x,y,z per joint pair [m]. */
  readonly joints: number;
}

/** Offsets of all bodies, and the length of the array. */
export interface FrameLayout {
  readonly bodies: readonly BodyLayout[];
  /** Quaternion x,y,z,w and position, 7 per obstacle. */
  readonly obstacles: number;
  readonly length: number;
}

/** Lays out a frame. */
export function layOutFrame(
  bodies: readonly (Pick<BodyInfo, 'vertexCount' | 'jointCount'> & { bones: ArrayLike<unknown> })[],
  obstacleCount: number,
): FrameLayout {
  let length = 0;
  const take = (count: number) => {
    const start = length;
    length += count;
    return start;
  };
  const laidOut = bodies.map((body) => ({
    positions: take(body.vertexCount * 3),
    normals: take(body.vertexCount * 3),
    poses: take(body.bones.length * 7),
    joints: take(body.jointCount * 3),
  }));
  const obstacles = take(obstacleCount * 7);
  return { bodies: laidOut, obstacles, length };
}

/** Where things lie in the one array of numbers a frame consists of; both sides compute it from the scene. */
import type { BodyInfo } from './scene-info.js';

/** Offsets of one body [f32 numbers]. */
export interface BodyLayout {
  /** x,y,z per vertex [m]. */
  readonly positions: number;
  /** x,y,z per vertex, unit length. */
  readonly normals: number;
  /** One per vertex, written only while it is shown. */
  readonly strain: number;
  /** x,y,z per vertex of the cage [m]. */
  readonly cage: number;
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

/** What is counted of a body. */
type Counts = Pick<BodyInfo, 'vertexCount' | 'jointCount' | 'cageCount'> & { bones: ArrayLike<unknown> };

/** Lays out a frame. */
export function layOutFrame(bodies: readonly Counts[], obstacleCount: number): FrameLayout {
  let length = 0;
  const take = (count: number) => {
    const start = length;
    length += count;
    return start;
  };
  const laidOut = bodies.map((body) => ({
    positions: take(body.vertexCount * 3),
    normals: take(body.vertexCount * 3),
    strain: take(body.vertexCount),
    cage: take(body.cageCount * 3),
    poses: take(body.bones.length * 7),
    joints: take(body.jointCount * 3),
  }));
  const obstacles = take(obstacleCount * 7);
  return { bodies: laidOut, obstacles, length };
}

/** Where things lie in the one array of numbers a picture consists of; both sides compute it from the same description. */
import type { SimulationInfo } from './protocol.js';

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
}

/** Offsets of everything, and the length of the array. */
export interface FrameLayout {
  readonly bodies: readonly BodyLayout[];
  /** `POSE` numbers per obstacle. */
  readonly obstacles: number;
  readonly length: number;
}

/** Lays out a picture. */
export function layOutFrame({ bodies, obstacles }: Pick<SimulationInfo, 'bodies' | 'obstacles'>): FrameLayout {
  let length = 0;
  const take = (count: number): number => {
    const start = length;
    length += count;
    return start;
  };
  const laidOut = bodies.map(({ vertexCount, bones }) => ({
    positions: take(3 * vertexCount),
    normals: take(3 * vertexCount),
    poses: take(POSE * bones.length),
    ball: take(4),
  }));
  return { bodies: laidOut, obstacles: take(POSE * obstacles.length), length };
}

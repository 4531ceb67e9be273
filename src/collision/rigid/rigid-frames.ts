/** Where rigid shapes are: the origin of each one's frame [m] and its rotation, row major. */
export interface RigidFrames {
  readonly x: Float64Array;
  readonly rotation: Float64Array;
}

/** Coulomb's coefficient of what says nothing. */
export const DEFAULT_FRICTION = 0.5;

/** Coulomb's coefficient between two bodies: of two that move the geometric mean, against an obstacle the obstacle's. */
export function frictionBetween(friction: Float64Array, movable: Uint8Array): (a: number, b: number) => number {
  return (a, b) =>
    movable[a] === 0 ? friction[a] : movable[b] === 0 ? friction[b] : Math.sqrt(friction[a] * friction[b]);
}

/** Rigid bodies of simple shapes for tests of the coupled solver. */
import type { CoreRigid } from '../../../src/solvers/coupled/core-scene.js';

type Extra = Partial<Omit<CoreRigid, 'mass' | 'shape'>>;

/** A body whose inertia is diagonal in its own frame. */
export function rigidBody(
  mass: number,
  moments: readonly number[],
  shape: CoreRigid['shape'],
  extra: Extra,
): CoreRigid {
  const [a, b, c] = moments;
  return {
    mass,
    inertia: [a, 0, 0, 0, b, 0, 0, 0, c],
    inverseInertia: [1 / a, 0, 0, 0, 1 / b, 0, 0, 0, 1 / c],
    position: [0, 0, 0],
    shape,
    ...extra,
  };
}

/** A solid box. */
export function box(half: readonly [number, number, number], mass: number, extra: Extra = {}): CoreRigid {
  const [x, y, z] = half.map((value) => value * value);
  const third = mass / 3;
  const shape = { kind: 'box', halfExtents: half } as const;
  return rigidBody(mass, [third * (y + z), third * (x + z), third * (x + y)], shape, extra);
}

/** A solid ball. */
export function ball(radius: number, mass: number, extra: Extra = {}): CoreRigid {
  const moment = 0.4 * mass * radius * radius;
  return rigidBody(mass, [moment, moment, moment], { kind: 'sphere', radius }, extra);
}

/** A plane through the origin that rises towards −x at an angle. */
export function incline(angle: number, friction: number): CoreRigid {
  const rotation = [0, 0, Math.sin(-angle / 2), Math.cos(angle / 2)];
  return {
    mass: 0,
    inertia: [],
    inverseInertia: [],
    position: [0, 0, 0],
    rotation,
    shape: { kind: 'plane' },
    friction,
  };
}

/** Level ground. */
export const ground = (friction = 0.5): CoreRigid => incline(0, friction);

/** A point `along` down the incline and `above` it. */
export function onIncline(angle: number, along: number, above: number): number[] {
  const [s, c] = [Math.sin(angle), Math.cos(angle)];
  return [along * c + above * s, above * c - along * s, 0];
}

/** Sum of m v for twists, 6 per body. */
export function linearMomentum(bodies: readonly CoreRigid[], twists: ArrayLike<number>): number[] {
  return [0, 1, 2].map((k) => bodies.reduce((sum, { mass }, b) => sum + mass * twists[b * 6 + k], 0));
}

/** Sum of I ω + m x × v about the origin, for bodies that are not turned. */
export function angularMomentum(bodies: readonly CoreRigid[], twists: ArrayLike<number>): number[] {
  return [0, 1, 2].map((k) => {
    const [i, j] = [(k + 1) % 3, (k + 2) % 3];
    return bodies.reduce((sum, { mass, inertia, position }, b) => {
      const v = b * 6;
      const orbit = mass * (position[i] * twists[v + j] - position[j] * twists[v + i]);
      return sum + orbit + inertia[k * 4] * twists[v + 3 + k];
    }, 0);
  });
}

/** A human that walks by its motors, an assisted root and the ground; it is pushed twice, gives way, and walks on. */
import type { SceneDef } from '../../src/scene/scene-def.js';
import { buildHuman } from '../cast/human.js';
import { walkDrive } from '../cast/walk.js';

/** When it is pushed, for how long [s], and how hard [N]: from its left, then from the front. */
export const PUSHES = { times: [1.8, 4], length: 0.1, force: 200 } as const;

/** Builds the scene; `pushed`: with the two pushes, the default. */
export function buildTrackedWalkScene({ pushed = true } = {}): SceneDef {
  const push = (at: number) =>
    ({
      kind: 'keys',
      times: [at, at + 1e-6, at + PUSHES.length, at + PUSHES.length + 1e-6],
      values: [0, -PUSHES.force, -PUSHES.force, 0],
    }) as const;
  const [fromLeft, fromFront] = PUSHES.times;
  return {
    name: 'tracked-walk',
    description: 'A human walks by its motors, is pushed twice, and walks on.',
    bodies: [{ body: buildHuman({ cell: 0.08, limits: true, feet: true }), position: [0, 0.002, -1.5] }],
    obstacles: [{ name: 'floor', shape: { kind: 'plane' }, friction: 0.7 }],
    drives: [
      walkDrive('human', 7),
      ...(pushed
        ? [{ kind: 'push', body: 'human', bone: 'torso', force: [push(fromLeft), 0, push(fromFront)] } as const]
        : []),
    ],
    dt: 1 / 60,
    iterations: 10,
  };
}

/** A human in its real-time version, falling onto a floor and a ball: flesh, bones, joints and contact together. */
import type { ObstacleDef } from '../../src/collision/obstacles/obstacle.js';
import type { SceneDef } from '../../src/scene/scene-def.js';
import { buildHuman } from '../cast/human.js';

// leaning forward by a quarter of a turn less a bit: quaternion of 1.2 rad about x
const LEANING = [0.5646, 0, 0, 0.8253] as const;

/** Builds the scene; `limits`: two humans side by side, the second with joints that go only as far as people's. */
export function buildRagdollScene({ limits = false } = {}): SceneDef {
  const ball = (name: string, x: number): ObstacleDef => ({
    name,
    shape: { kind: 'sphere', radius: 0.3 },
    position: [x + 0.1, 0.3, 0.3],
    friction: 0.5,
  });
  const floor: ObstacleDef = { name: 'floor', shape: { kind: 'plane' }, friction: 0.6 };
  const common = { dt: 1 / 60, iterations: 10 } as const;
  const human = buildHuman({ cell: 0.08 });
  if (!limits) {
    return {
      name: 'ragdoll',
      description: 'A human falls over a ball onto the floor.',
      bodies: [{ body: human, position: [0, 0.9, -0.6], rotation: LEANING }],
      obstacles: [floor, ball('ball', 0)],
      ...common,
    };
  }
  const limited = buildHuman({ cell: 0.08, limits: true });
  return {
    name: 'ragdoll-limits',
    description: 'Two humans fall over balls onto the floor, the right one with joint limits.',
    bodies: [
      { body: human, name: 'without', position: [-0.9, 0.9, -0.6], rotation: LEANING },
      { body: limited, name: 'with', position: [0.9, 0.9, -0.6], rotation: LEANING },
    ],
    obstacles: [floor, ball('left ball', -0.9), ball('right ball', 0.9)],
    ...common,
  };
}

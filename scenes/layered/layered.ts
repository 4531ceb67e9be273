/** Scenes of the layered solver after the figures of [Galoppo2007]: tangled tubes, a snake that is touched, a deer that is hit. */
import type { LayerDef } from '../../src/body/kinds/layer-def.js';
import type { AnySceneDef } from '../../src/scene/scene-def.js';
import { buildLayerDeer, buildLayerSnake, buildLayerTube } from '../cast/layer-cast.js';

const FLOOR = { name: 'floor', shape: { kind: 'plane' }, friction: 0.5 } as const;

/** Two tubes of 292 nodes, with two and with five bones, fall across each other (Fig. 6). */
export function buildTangledTubesScene(): AnySceneDef {
  return {
    name: 'tangled-tubes',
    description: 'Two soft tubes, of two and of five bones, fall across each other.',
    solver: { kind: 'layered' },
    bodies: [
      { body: buildLayerTube(2), name: 'two bones', position: [0, 0.3, 0] },
      { body: buildLayerTube(5), name: 'five bones', position: [0.1, 0.6, 0], rotation: [0, 0.6, 0, 0.8] },
    ],
    obstacles: [FLOOR],
    dt: 1 / 60,
  };
}

/** A snake of 3,102 nodes is pushed by a fish; beside it the same snake with next to no skin (Fig. 3). */
export function buildSnakeTouchedScene(): AnySceneDef {
  const snake = tracked(buildLayerSnake());
  const fish = (name: string, z: number) =>
    ({
      name,
      shape: { kind: 'capsule', radius: 0.05, halfLength: 0.08 },
      position: [0.3, 0.055, z + 0.3],
      rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      velocity: [0, 0, -0.1],
      friction: 0.2,
    }) as const;
  return {
    name: 'snake-touched',
    description: 'A fish pushes a snake with soft skin, and one with hardly any.',
    solver: { kind: 'layered', driveFrequency: 1.5, driveStrength: 5 },
    bodies: [
      { body: snake, name: 'soft', position: [0, 0.055, 0] },
      { body: { ...snake, name: 'hard snake', depth: 0.002 }, name: 'hard', position: [0, 0.055, 1] },
    ],
    obstacles: [FLOOR, fish('fish', 0), fish('other fish', 1)],
    dt: 1 / 60,
  };
}

/** A deer of 34 bones is hit by a bird while it stands (Fig. 1). */
export function buildDeerScene(): AnySceneDef {
  return {
    name: 'deer',
    description: 'A bird flies into a deer of 34 bones.',
    solver: { kind: 'layered', driveFrequency: 3, driveStrength: 20 },
    bodies: [{ body: tracked(buildLayerDeer(16, 27.5)), position: [0, 0.005, 0] }],
    obstacles: [
      FLOOR,
      {
        name: 'bird',
        shape: { kind: 'sphere', radius: 0.12 },
        position: [1.4, 1.05, 0.1],
        velocity: [-1.2, 0, 0],
        friction: 0.3,
      },
    ],
    dt: 1 / 60,
  };
}

/** The same body with bones that keep their pose and give way to what pushes them. */
function tracked(body: LayerDef): LayerDef {
  return { ...body, bones: body.bones.map((bone) => ({ ...bone, kinematic: 'tracked' as const })) };
}

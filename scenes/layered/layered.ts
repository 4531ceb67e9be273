/** Scenes of the layered solver after the figures of [Galoppo2007]: tangled tubes, a snake that is touched, a deer that is hit. */
import type { LayerDef } from '../../src/body/kinds/layer-def.js';
import type { DriveDef } from '../../src/scene/drive-def.js';
import type { AnySceneDef } from '../../src/scene/scene-def.js';
import { BIRD, FISH } from '../cast/animals-in-passing.js';
import { buildLayerSnake, buildLayerTube, DEER_SIZES } from '../cast/layer-cast.js';

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
      shape: FISH,
      position: [0.1, 0.06, z + 0.3],
      // -x becomes -z
      rotation: [0, -Math.SQRT1_2, 0, Math.SQRT1_2],
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

/** How far apart the deer stand [m]. */
const DEER_APART = 2.6;
/** Swings of a deer that walks on the spot: joint, from and to [rad], and when in the step. */
const DEER_WALK = [
  ...(['left foreleg', 'right hindleg'] as const).map((leg) => [leg, 0] as const),
  ...(['right foreleg', 'left hindleg'] as const).map((leg) => [leg, 0.5] as const),
].flatMap(([leg, at]) => [[`${leg} 0`, -0.2, 0.25, at] as const, [`${leg} 2`, 0, 0.5, at + 0.2] as const]);
const DEER_NOD = [
  ['neck 0', -0.15, 0.15, 0],
  ['head 0', -0.1, 0.2, 0.3],
  ['tail 0', -0.3, 0.3, 0.1],
] as const;

/** How a bird comes down from the side, strikes the back of a deer and is gone again: when [s], and where across it and how high [m]. */
const BIRD_TIMES = [0, 0.9, 1.05, 1.35, 2.2];
const BIRD_FLIGHT = [
  [1.9, 1.95],
  [0.2, 1.25],
  [0.08, 1.13],
  [0.06, 1.13],
  [-1.2, 2.2],
] as const;

/** Deer of 34 bones and about 748, 2,755 and 8,408 nodes are hit by birds while they walk on the spot (Fig. 1). */
export function buildDeerScene(): AnySceneDef {
  const bird = (name: string, z: number) =>
    ({
      name,
      shape: BIRD,
      path: { times: BIRD_TIMES, positions: BIRD_FLIGHT.map(([x, y]) => [x, y, z + 0.1] as const) },
      friction: 0.3,
    }) as const;
  const deer = [...DEER_SIZES.entries()].map(([name, build], i) => ({ name, build, z: (i - 1) * DEER_APART }));
  return {
    name: 'deer',
    description: 'Birds fly into walking deer of 34 bones, each of three times as many nodes as the one before.',
    solver: { kind: 'layered', driveFrequency: 3, driveStrength: 20 },
    bodies: deer.map(({ name, build, z }) => ({ body: sideways(tracked(build())), name, position: [0, 0.005, z] })),
    drives: deer.flatMap(({ name }) => walkOnTheSpot(name)),
    obstacles: [FLOOR, ...deer.map(({ name, z }) => bird(`bird of the ${name}`, z))],
    dt: 1 / 60,
  };
}

/** A clip of the deer's own: legs swing crosswise, neck, head and tail with them. */
function walkOnTheSpot(body: string): DriveDef[] {
  return [...DEER_WALK, ...DEER_NOD].map(([joint, from, to, at]) => ({
    kind: 'bend',
    body,
    joints: [{ joint, angle: { kind: 'wave', from, to, period: 1, phase: at % 1 } }],
  }));
}

/** The same body with joints that bend about the axis across it. */
function sideways(body: LayerDef): LayerDef {
  return { ...body, bones: body.bones.map((bone) => ({ ...bone, axis: [1, 0, 0] as const })) };
}

/** The same body with bones that keep their pose and give way to what pushes them. */
function tracked(body: LayerDef): LayerDef {
  return { ...body, bones: body.bones.map((bone) => ({ ...bone, kinematic: 'tracked' as const })) };
}

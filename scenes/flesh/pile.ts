/** Twelve characters of the cast in their real-time versions, dropped layer upon layer: a heap of everybody. */
import type { BodyDef, Vec3 } from '../../src/body/body-def.js';
import type { PlacementDef, SceneDef } from '../../src/scene/scene-def.js';
import { buildFish } from '../cast/creatures/fish.js';
import { buildMermaid } from '../cast/creatures/mermaid.js';
import { buildQuadruped } from '../cast/creatures/quadruped.js';
import { buildSnail } from '../cast/creatures/snail.js';
import { buildSnake } from '../cast/creatures/snake.js';
import { buildTubes } from '../cast/creatures/tubes.js';
import { buildHand } from '../cast/hand.js';
import { buildHuman } from '../cast/human.js';

type Quat = readonly [number, number, number, number];

const AS_BUILT: Quat = [0, 0, 0, 1];
/** A quarter of a turn: about y; about x, forward and back; about z; and back, the head then towards -x. */
const ACROSS: Quat = [0, Math.SQRT1_2, 0, Math.SQRT1_2];
const FACE_DOWN: Quat = [Math.SQRT1_2, 0, 0, Math.SQRT1_2];
const ON_BACK: Quat = [-Math.SQRT1_2, 0, 0, Math.SQRT1_2];
const ON_SIDE: Quat = [0, 0, -Math.SQRT1_2, Math.SQRT1_2];
const ON_BACK_ACROSS: Quat = [-0.5, 0.5, 0.5, 0.5];

/** Builds the scene. */
export function buildPileScene(): SceneDef {
  return {
    name: 'pile',
    description: 'Twelve characters fall on each other in a heap.',
    bodies: buildLayers(),
    obstacles: [{ name: 'floor', shape: { kind: 'plane' }, friction: 0.6 }],
    // at 1/60 s everybody lands within a few steps, and some come 1 to 2 % of their size deep
    dt: 1 / 120,
    iterations: 8,
  };
}

/** Everybody lies flat and above those before, the heavy ones below: nobody overlaps, falls far or is crushed. */
function buildLayers(): PlacementDef[] {
  const human = buildHuman({ cell: 0.08, skull: true });
  const dog = buildQuadruped({ cell: 0.047 });
  const snake = buildSnake({ cell: 0.028 });
  const fish = buildFish({ cell: 0.023 });
  const layers: [string, BodyDef, Vec3, Quat][] = [
    ['human1', human, [-0.72, 0.19, -0.85], FACE_DOWN],
    ['mermaid', buildMermaid({ cell: 0.07 }), [0.72, 0.18, 0.87], ON_BACK],
    ['human2', human, [0.85, 0.52, 0], ON_BACK_ACROSS],
    ['dog1', dog, [-0.42, 0.88, 0.35], ON_SIDE],
    ['dog2', dog, [-0.42, 1.22, -0.35], ON_SIDE],
    ['snake1', snake, [0.68, 0.74, -0.5], ACROSS],
    ['snake2', snake, [-0.68, 0.74, -0.5], ACROSS],
    ['tube', buildTubes({ cell: 0.0235, pinned: false }), [0.46, 0.88, 0], AS_BUILT],
    ['snail', buildSnail({ cell: 0.016 }), [-0.68, 0.83, 0.3], AS_BUILT],
    ['hand', buildHand({ cell: 0.0112 }), [0.68, 0.86, 0.4], FACE_DOWN],
    ['fish1', fish, [-0.75, 0.93, -0.25], ON_SIDE],
    ['fish2', fish, [0.68, 0.93, -0.45], ON_SIDE],
  ];
  return layers.map(([name, body, position, rotation]) => ({ name, body, position, rotation }));
}

/**
 * The least of a cat that turns over in the air: two rigid halves, joined in the waist, that bend by a motor, the direction of the bend
 * going round once. Nothing pushes it and it starts without spin; its halves roll one way and it as a whole the other [Kane1969].
 */
import type { RigidBodyDef } from '../../src/body/kinds/rigid-def.js';
import { cos, sin } from '../../src/math/trig.js';
import type { AnySceneDef } from '../../src/scene/scene-def.js';

/** How far the waist bends [rad], when it has bent, and when the bend has gone round once [s]. */
export const CAT = { bend: 1.14, bent: 0.12, round: 0.62, straight: 0.74 } as const;
const HALF = 0.16;
const RADIUS = 0.07;
const POINTS = 48;

/** Builds the scene; `slower`: seconds per second of a cat. */
export function buildTwoHalfCat({ slower }: { readonly slower: number }): AnySceneDef {
  const half = (name: string, x: number) =>
    ({
      name,
      shape: { kind: 'capsule', radius: RADIUS, halfLength: HALF - RADIUS },
      position: [x, 0, 0],
      rotation: [0, 0, Math.SQRT1_2, Math.SQRT1_2],
    }) as const;
  const cat: RigidBodyDef = {
    kind: 'rigid',
    name: 'cat',
    parts: [half('front', -HALF), half('rear', HALF)],
    joints: [{ name: 'waist', type: 'ball', bones: ['front', 'rear'], anchor: [0, 0, 0], axis: [1, 0, 0] }],
  };
  const { times, along, across } = bendOf(slower);
  const keys = (values: readonly number[]) => ({ kind: 'keys', times, values }) as const;
  return {
    name: 'two-half-cat',
    description: 'Two halves of a cat turn over without spin.',
    bodies: [{ body: cat, position: [0, 0, 0] }],
    gravity: [0, 0, 0],
    drives: [
      {
        kind: 'motor',
        body: 'cat',
        joint: 'waist',
        turn: [0, keys(along), keys(across)],
        stiffness: 2000,
        damping: 20,
      },
    ],
    dt: 1 / 240,
    iterations: 10,
  };
}

/** The bend as a rotation vector over time: out, once round, and back. */
function bendOf(slower: number) {
  const times = [0];
  const along = [0];
  const across = [0];
  for (let i = 0; i <= POINTS; i++) {
    const angle = (2 * Math.PI * i) / POINTS;
    times.push(slower * (CAT.bent + ((CAT.round - CAT.bent) * i) / POINTS));
    along.push(CAT.bend * cos(angle));
    across.push(CAT.bend * sin(angle));
  }
  times.push(slower * CAT.straight);
  along.push(0);
  across.push(0);
  return { times, along, across };
}

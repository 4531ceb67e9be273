/** Boxes, balls and rings of one bone each that fall and make a heap, for the projective solver. */
import type { Vec3 } from '../../src/body/body-def.js';
import type { RigidShape } from '../../src/body/kinds/rigid-def.js';
import { createRandom } from '../../src/math/random.js';
import type { AnySceneDef } from '../../src/scene/scene-def.js';
import { rigidBody } from './coupled-bodies.js';

/** Bodies along a side of a layer, and from one to the next [m]. */
const SIDE = 5;
const APART = 0.3;

export const HEAP_SHAPES: Readonly<Record<'box' | 'ball' | 'ring', RigidShape>> = {
  box: { kind: 'box', halfExtents: [0.1, 0.1, 0.1] },
  ball: { kind: 'sphere', radius: 0.1 },
  ring: { kind: 'torus', radius: 0.1, tubeRadius: 0.03 },
};

/** So many bodies, in turn a box, a ball and a ring, in layers over a floor. */
export function buildRigidHeap(count: number): AnySceneDef {
  const kinds = Object.entries(HEAP_SHAPES).map(([name, shape]) => rigidBody(name, shape));
  const random = createRandom(7);
  const shift = () => random.range(-0.02, 0.02);
  const bodies = Array.from({ length: count }, (_, n) => {
    const layer = Math.floor(n / (SIDE * SIDE));
    const place = n % (SIDE * SIDE);
    const half = random.range(-0.5, 0.5);
    const length = Math.sqrt(1 + half * half);
    const position: Vec3 = [
      ((place % SIDE) - 2) * APART + shift(),
      0.4 + layer * APART + shift(),
      (Math.floor(place / SIDE) - 2) * APART + shift(),
    ];
    const rotation = [half / length, 0, 0, 1 / length] as const;
    return { name: `${kinds[n % kinds.length].name} ${n}`, body: kinds[n % kinds.length], position, rotation };
  });
  return {
    name: 'rigid-heap',
    description: 'Boxes, balls and rings fall and make a heap.',
    bodies,
    dt: 1 / 60,
    iterations: 10,
    obstacles: [{ name: 'floor', shape: { kind: 'plane' }, friction: 0.6 }],
  };
}

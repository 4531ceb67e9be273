/**
 * A giant snail, 0.3 m long, crawling towards +x: a soft foot, neck and head with four tentacles, and a coiled shell,
 * hollow and rigid, that is its only bone and holds nearly half of all vertices, as in [Li2019, Table 1].
 */
import type { BodyDef, Vec3 } from '../../../src/body/body-def.js';
import { meshCharacter } from '../../../src/character/shapes/mesh-character.js';
import { halfSpace, roundCone, type Shape, sphere } from '../../../src/character/shapes/sdf.js';
import {
  chain,
  mirrorZ,
  smoothIntersection,
  smoothUnion,
  stretch,
  subtract,
} from '../../../src/character/shapes/sdf-combine.js';
import { power } from '../../../src/math/powers.js';
import { spiralShell } from './spiral-shell.js';

/** How to build a snail. */
export interface SnailOptions {
  /** Side of the lattice cubes [m]; default 0.0055 (110,000 tetrahedra), coarse 0.016. */
  readonly cell?: number;
}

/** The coil, as its outside; it sits on the foot, a little sunk in. */
const COIL = {
  center: [-0.022, 0.09, 0] as Vec3,
  radius: 0.064,
  tube: 0.032,
  turns: 2.25,
  ratio: 0.5,
  rise: 0.034,
  seam: 0.006,
};
/** Thickness of the shell [m]; coarse lattices need more. */
const WALL = 0.0085;

/** Builds the snail. The number of tetrahedra goes about with the inverse cube of `cell`. */
export function buildSnail(options: SnailOptions = {}): BodyDef {
  const { cell = 0.0055 } = options;
  const outside = shellOutside();
  const soft = smoothUnion(0.012, [foot(), ...headParts(cell)]);
  const ground = halfSpace([0, 0, 0], [0, -1, 0]);
  const solid = smoothIntersection(0.006, smoothUnion(0.008, [outside, soft]), ground);
  const skin = subtract(solid, shellInside(cell));
  // A little larger than the shell, so that the vertices of its skin belong to it; where the body grows into the shell
  // it is flesh.
  const bone = subtract({ ...outside, distance: (x, y, z) => outside.distance(x, y, z) - 0.1 * cell }, soft);
  return meshCharacter({
    name: 'snail',
    skin,
    bones: [{ name: 'shell', shape: bone }],
    cell,
    snap: 0.3,
  });
}

function shellOutside(): Shape {
  const [x, y, z] = COIL.center;
  // A core, because the coil alone leaves a hole around its axis.
  const core = roundCone([x, y, z + 0.3 * COIL.rise], [x, y, z + 0.9 * COIL.rise], 0.011, 0.008);
  return smoothUnion(0.006, [spiralShell(COIL), core]);
}

/** The hollow of the outer turns, as far in as there is room for it between the walls. */
function shellInside(cell: number): Shape {
  const wall = Math.max(WALL, 1.6 * cell);
  let turns = COIL.turns;
  while (turns > 0.5 && COIL.tube * power(COIL.ratio, turns) - wall < cell) turns -= 1 / 16;
  return spiralShell({ ...COIL, turns, inset: wall, skip: 2 });
}

/** A long flat sole, higher in the middle where the shell sits. */
function foot(): Shape {
  const sole = chain(
    [
      [-0.165, 0.006, 0],
      [-0.11, 0.014, 0],
      [-0.03, 0.022, 0],
      [0.06, 0.02, 0],
      [0.1, 0.026, 0],
    ],
    [0.009, 0.019, 0.027, 0.025, 0.018],
  );
  const mantle = roundCone([-0.03, 0.03, 0], [0.04, 0.028, 0], 0.024, 0.021);
  return smoothUnion(0.02, [stretch(sole, [0, 0, 0], [1, 0.55, 1.45]), mantle]);
}

/** Neck, head and tentacles, the upper pair with eyes. */
function headParts(cell: number): Shape[] {
  const thick = (radius: number): number => Math.max(radius, 0.75 * cell);
  const neck = chain(
    [
      [0.06, 0.022, 0],
      [0.1, 0.038, 0],
      [0.125, 0.06, 0],
    ],
    [0.022, 0.018, 0.017],
  );
  const tip: Vec3 = [0.163, 0.122, 0.034];
  const upper = smoothUnion(0.004, [
    roundCone([0.128, 0.068, 0.009], tip, thick(0.0065), thick(0.0042)),
    sphere(tip, thick(0.0075)),
  ]);
  const lower = roundCone([0.136, 0.054, 0.008], [0.16, 0.043, 0.018], thick(0.006), thick(0.0045));
  return [neck, upper, mirrorZ(upper), lower, mirrorZ(lower)];
}

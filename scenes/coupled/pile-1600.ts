/**
 * The pile of [Shinar2008, Fig. 6]: 160 balls and 160 rings of flesh, 160 loops of six rods, 160 rigid balls and 160 rigid rings fall on
 * a grid of 5 × 5 pegs. 1,600 bodies: a loop counts six.
 */

import type { Vec3 } from '../../src/body/body-def.js';
import type { AnyBodyDef } from '../../src/body/kinds/any-body-def.js';
import type { ObstacleDef } from '../../src/collision/obstacles/obstacle.js';
import { createRandom } from '../../src/math/random.js';
import type { AnySceneDef, PlacementDef } from '../../src/scene/scene-def.js';
import { buildLoop, buildSoftBall, buildSoftTorus, rigidBody } from '../cast/coupled-bodies.js';

/** Of each of the five kinds in the whole pile. */
const EACH = 160;
/** Bodies along a side of a layer, and from one to the next [m]. */
const SIDE = 8;
const APART = 0.36;
const LAYER = 0.3;
/** Pegs along a side, from one to the next [m], and their size. */
const PEGS = 5;
const PEG_APART = 0.7;
const PEG = { kind: 'capsule', radius: 0.06, halfLength: 0.3 } as const;

/** How a heap is solved: many sweeps in few substeps (sweeps are cheap, everything else is not), and half of a penetration out in each. */
export const HEAP = { gradientRows: 1, sweeps: [40, 40], pushOut: 0.5 } as const;

/** How much of the pile. */
export interface PileOptions {
  /** Bodies of each kind; default 160. */
  readonly each?: number;
  /** Whether there is flesh; default true. */
  readonly soft?: boolean;
  /** Parts each step is taken in; default 2. */
  readonly substeps?: number;
}

/** Builds the scene. */
export function buildPile1600Scene({ each = EACH, soft = true, substeps = 2 }: PileOptions = {}): AnySceneDef {
  const kinds = [
    rigidBody('ball', { kind: 'sphere', radius: 0.1 }),
    buildLoop('loop', 6, 0.13, 0.025),
    rigidBody('ring', { kind: 'torus', radius: 0.1, tubeRadius: 0.03 }),
    ...(soft ? [buildSoftBall('soft ball', 0.1, 0.075), buildSoftTorus('soft ring', 0.1, 0.045)] : []),
  ];
  const random = createRandom(1600);
  const bodies = Array.from({ length: kinds.length * each }, (_, n): PlacementDef<AnyBodyDef> => {
    const layer = Math.floor(n / (SIDE * SIDE));
    const place = n - layer * SIDE * SIDE;
    const column = place % SIDE;
    const row = Math.floor(place / SIDE);
    const shift = () => random.range(-0.02, 0.02);
    const position: Vec3 = [
      (column - 0.5 * (SIDE - 1)) * APART + shift(),
      1.1 + layer * LAYER + shift(),
      (row - 0.5 * (SIDE - 1)) * APART + shift(),
    ];
    const body = kinds[n % kinds.length];
    return { name: `${body.name} ${n}`, body, position, rotation: turned(random.range(-0.5, 0.5)) };
  });
  return {
    name: 'pile-1600',
    description: 'Sixteen hundred rigid and soft bodies fall on pegs and make a pile.',
    solver: { kind: 'coupled', substeps, ...HEAP, sleepSpeed: 0.03, spinDamping: 3 },
    bodies,
    dt: 1 / 60,
    iterations: 10,
    obstacles: [{ name: 'floor', shape: { kind: 'plane' }, friction: 0.6 }, ...buildPegs()],
  };
}

/** A small turn about x: rings and loops come down slanted. */
function turned(half: number): readonly [number, number, number, number] {
  const length = Math.sqrt(1 + half * half);
  return [half / length, 0, 0, 1 / length];
}

function buildPegs(): ObstacleDef[] {
  return Array.from({ length: PEGS * PEGS }, (_, i) => {
    const x = ((i % PEGS) - 0.5 * (PEGS - 1)) * PEG_APART;
    const z = (Math.floor(i / PEGS) - 0.5 * (PEGS - 1)) * PEG_APART;
    return { name: `peg ${i}`, shape: PEG, position: [x, 0.3, z], friction: 0.4 };
  });
}

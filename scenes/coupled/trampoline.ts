/** The trampoline of [Shinar2008, Fig. 4]: ten rigid balls and ten rings of flesh on a sheet whose frame tosses them up and catches them. */

import type { Vec3 } from '../../src/body/body-def.js';
import type { AnyBodyDef } from '../../src/body/kinds/any-body-def.js';
import type { ClothDef } from '../../src/body/kinds/cloth-def.js';
import type { ObstacleDef } from '../../src/collision/obstacles/obstacle.js';
import { createRandom } from '../../src/math/random.js';
import type { AnySceneDef, PlacementDef } from '../../src/scene/scene-def.js';
import { buildSheet, buildSoftTorus, rigidBody } from '../cast/coupled-bodies.js';

/** Side of the sheet [m], its cells along a side, and where it is. */
const SIDE = 3.6;
const CELLS = 18;
const HEIGHT = 1.4;
/** Of each of the two kinds. */
const EACH = 10;
/** How the frame goes up and down [m] at these times [s], again and again. */
const TIMES = [0, 1.6, 1.72, 1.9, 3];
const HEAVE = [0, -0.13, 0.13, 0.13, 0];

/** Builds the scene. */
export function buildTrampolineScene(): AnySceneDef {
  const random = createRandom(4);
  const kinds: AnyBodyDef[] = [
    rigidBody('ball', { kind: 'sphere', radius: 0.14 }, 300),
    buildSoftTorus('soft ring', 0.14, 0.06, 14, JELLY),
  ];
  const bodies = Array.from({ length: 2 * EACH }, (_, n): PlacementDef<AnyBodyDef> => {
    const body = kinds[n % kinds.length];
    const shift = () => random.range(-0.05, 0.05);
    const layer = Math.floor(n / 10);
    const [column, row] = [n % 5, Math.floor((n % 10) / 5)];
    const position: Vec3 = [(column - 2) * 0.42 + shift(), HEIGHT + 0.5 + 0.5 * layer, (row - 0.5) * 0.6 + shift()];
    return { name: `${body.name} ${n}`, body, position, friction: 0.4 };
  });
  const drives = [
    {
      kind: 'pose',
      body: 'sheet',
      bone: 'hem',
      times: TIMES,
      offsets: HEAVE.map((y): Vec3 => [0, y, 0]),
      loop: true,
    } as const,
  ];
  return {
    name: 'trampoline',
    description: 'Balls and soft rings are tossed and caught by a sheet in a frame.',
    solver: { kind: 'coupled', substeps: 4 },
    dt: 1 / 60,
    iterations: 10,
    bodies: [{ body: buildTrampoline(), position: [0, HEIGHT, 0], friction: 0.4 }, ...bodies],
    obstacles: [{ name: 'floor', shape: { kind: 'plane' }, friction: 0.6 }, ...buildFrame()],
    drives,
  };
}

const JELLY = { model: 'corotated', youngModulus: 3e5, poissonRatio: 0.3, density: 400 } as const;

/** A rubber sheet whose border is one bone that is moved from outside. */
function buildTrampoline(): ClothDef {
  const hem: number[] = [];
  for (let i = 0; i <= CELLS; i++) {
    for (let j = 0; j <= CELLS; j++) {
      if (i % CELLS === 0 || j % CELLS === 0) hem.push(i * (CELLS + 1) + j);
    }
  }
  const material = { youngModulus: 8e5, poissonRatio: 0.3, density: 600 };
  return {
    ...buildSheet('sheet', [CELLS, CELLS], [SIDE, SIDE], 0.012, material),
    bones: [{ name: 'hem', vertices: hem, kinematic: true }],
  };
}

/** Four bars around the sheet that go up and down with its hem. */
function buildFrame(): ObstacleDef[] {
  const half = SIDE / 2 + 0.09;
  const shape = { kind: 'capsule', radius: 0.05, halfLength: half } as const;
  const turn = Math.SQRT1_2;
  const bars = [
    { at: [half, 0], rotation: [turn, 0, 0, turn] },
    { at: [-half, 0], rotation: [turn, 0, 0, turn] },
    { at: [0, half], rotation: [0, 0, turn, turn] },
    { at: [0, -half], rotation: [0, 0, turn, turn] },
  ] as const;
  return bars.map(({ at: [x, z], rotation }, i) => ({
    name: `bar ${i}`,
    shape,
    rotation,
    position: [x, HEIGHT, z],
    path: { times: TIMES, positions: HEAVE.map((y): Vec3 => [x, HEIGHT + y, z]), loop: true },
    friction: 0.4,
  }));
}

/**
 * Creatures of [Shinar2008] in the coupled solver, moved by motors in their joints as data: maggots (Fig. 9), a fish on the ground (10), a snake that
 * winds over stairs (7); and the bar that is twisted by a bone at its end (5).
 */

import type { BodyDef, MaterialDef, Vec3 } from '../../src/body/body-def.js';
import type { AnyBodyDef } from '../../src/body/kinds/any-body-def.js';
import type { ObstacleDef } from '../../src/collision/obstacles/obstacle.js';
import { createRandom } from '../../src/math/random.js';
import { cos, sin } from '../../src/math/trig.js';
import type { MotorDrive } from '../../src/scene/drive-def.js';
import type { AnySceneDef, PlacementDef } from '../../src/scene/scene-def.js';
import { buildSoftBox, rigidBody } from '../cast/coupled-bodies.js';
import { buildFish } from '../cast/creatures/fish.js';
import { buildWorm, jointName } from '../cast/creatures/worm.js';

type Placed = PlacementDef<AnyBodyDef>;

const FLOOR = { name: 'floor', shape: { kind: 'plane' }, friction: 0.7 } as const;

/** What every one of these scenes has. */
function scene(
  name: string,
  description: string,
  rest: Pick<AnySceneDef, 'bodies' | 'obstacles' | 'drives'>,
  substeps = 4,
): AnySceneDef {
  const solver = { kind: 'coupled', substeps, gradientRows: 1500 };
  return { name, description, solver, dt: 1 / 60, iterations: 10, ...rest };
}

/** A wave of a joint about one direction: `size` to each side [rad]. */
const wave = (size: number, period: number, phase: number) =>
  ({ kind: 'wave', from: size, to: -size, period, phase: phase - Math.floor(phase) }) as const;

const GRUB: MaterialDef = { model: 'corotated', youngModulus: 6e4, poissonRatio: 0.4, density: 1000 };

function buildMaggot(): BodyDef {
  return buildWorm({
    name: 'maggot',
    bones: 3,
    length: 0.34,
    radii: [0.035, 0.06, 0.068, 0.066, 0.05, 0.03],
    cell: 0.06,
    material: GRUB,
  });
}

/** Both joints of a maggot bend up and down and from side to side, out of step. */
function wriggle(body: string, phase: number): MotorDrive[] {
  return [0, 1].map((i) => {
    const turn = [0, wave(0.5, 1.1, phase + 0.3 * i), wave(0.7, 0.8, phase + 0.25 * i)] as const;
    return { kind: 'motor', body, joint: jointName(i), turn, stiffness: 25, damping: 0.8 };
  });
}

/** One maggot on the ground, and three under a heavy plate, which they carry and rock. */
export function buildMaggotPlateScene(): AnySceneDef {
  const maggot = buildMaggot();
  const free: Placed = { name: 'maggot 0', body: maggot, position: [0.62, 0.075, 0], rotation: [0, 0, 0, 1] };
  const under = [-1, 0, 1].map(
    (row): Placed => ({ name: `maggot ${row + 2}`, body: maggot, position: [-0.15, 0.075, 0.2 * row] }),
  );
  const plate = rigidBody('plate', { kind: 'box', halfExtents: [0.26, 0.04, 0.34] }, PLATE);
  const maggots = [free, ...under].map((placed) => ({ ...placed, friction: 0.7 }));
  const drives = maggots.flatMap(({ name }, n) => wriggle(name ?? '', 0.37 * n));
  return scene('maggot-plate', 'A maggot wriggles on the ground, and three under a plate that weighs on them.', {
    bodies: [...maggots, { body: plate, position: [-0.15, 0.19, 0], friction: 0.5 }],
    obstacles: [FLOOR],
    drives,
  });
}

/** Density of the plate [kg/m³]: with 23 kg it is three times as heavy as the maggots under it. */
const PLATE = 800;

/** Bowls, by the number of bodies in a layer: how wide, where the lowest layer begins, and from one body to the next [m]. */
const BOWLS = { 4: { radius: 0.8, low: 0.3, apart: [0.34, 0.36] }, 9: { radius: 1, low: 0.45, apart: [0.36, 0.36] } };

/** Maggots in a bowl; with `tori` as many rings between them. */
export function buildMaggotsScene({ count = 20, tori = false } = {}): AnySceneDef {
  const side = tori ? 3 : 2;
  const { radius, low, apart } = BOWLS[tori ? 9 : 4];
  const random = createRandom(9);
  const maggot = buildMaggot();
  const ring = rigidBody('ring', { kind: 'torus', radius: 0.11, tubeRadius: 0.035 }, 500);
  const bodies = Array.from({ length: tori ? 2 * count : count }, (_, n): Placed => {
    const layer = Math.floor(n / (side * side));
    const isRing = tori && n % 2 === 1;
    const turn = 0.5 * random.range(0, 2 * Math.PI);
    const body = isRing ? ring : maggot;
    const [column, row] = [n % side, Math.floor(n / side) % side];
    const middle = 0.5 * (side - 1);
    const position: Vec3 = [(column - middle) * apart[0], low + 0.22 * layer, (row - middle) * apart[1]];
    const rotation = isRing ? undefined : ([0, sin(turn), 0, cos(turn)] as const);
    return { name: `${body.name} ${n}`, body, position, rotation, friction: 0.5 };
  });
  const drives = bodies.flatMap(({ name, body }, n) => (body === maggot ? wriggle(name ?? '', 0.37 * n) : []));
  const bowl: ObstacleDef = {
    name: 'bowl',
    shape: { kind: 'sphere', radius, container: true },
    position: [0, radius, 0],
    friction: 0.4,
  };
  const name = tori ? 'maggots-tori' : 'maggots';
  return scene(name, 'Maggots with bones and motors wriggle in a bowl.', { bodies, obstacles: [bowl], drives });
}

/** A fish on the ground, whose spine is bent this way and that by its motors. */
export function buildFloppingFishScene(): AnySceneDef {
  const fish = buildFish({ cell: 0.033 });
  const joints = fish.joints ?? [];
  const drives = joints.map(
    ({ name }, i): MotorDrive => ({
      kind: 'motor',
      body: 'fish',
      joint: name,
      angle: wave(0.16 + 0.06 * i, 0.55, 0.09 * i),
      stiffness: 6,
      damping: 0.06,
    }),
  );
  const half = 0.5 * 1.35;
  // on its side
  const rotation = [0, 0, sin(half), cos(half)] as const;
  return scene(
    'flopping-fish',
    'A fish with a spine of motors flops on the ground.',
    { bodies: [{ body: fish, position: [0, 0.3, 0], rotation, friction: 0.6 }], obstacles: [FLOOR], drives },
    6,
  );
}

const SNAKE: MaterialDef = { model: 'corotated', youngModulus: 1e5, poissonRatio: 0.35, density: 1000 };
const SNAKE_BONES = 13;
/** Waves along the snake, and how long one takes [s]. */
const WAVES = 1.25;
const PERIOD = 1.6;

/** A snake that sidewinds: its spine bends in a wave from side to side, and in one up and down a quarter behind. */
export function buildSidewinderScene(): AnySceneDef {
  const snake = buildWorm({
    name: 'snake',
    bones: SNAKE_BONES,
    length: 1.9,
    radii: [0.012, 0.028, 0.042, 0.048, 0.05, 0.05, 0.048, 0.042, 0.036, 0.045, 0.03],
    cell: 0.055,
    material: SNAKE,
  });
  const drives = Array.from({ length: SNAKE_BONES - 1 }, (_, i): MotorDrive => {
    const phase = (WAVES * i) / (SNAKE_BONES - 1);
    const turn = [0, wave(0.42, PERIOD, phase), wave(0.1, PERIOD, phase + 0.25)] as const;
    return { kind: 'motor', body: 'snake', joint: jointName(i), turn, stiffness: 90, damping: 3 };
  });
  const steps = [1, 2, 3, 2, 1].map(
    (level, i): ObstacleDef => ({
      name: `step ${i}`,
      shape: { kind: 'box', halfExtents: [1.5, 0.03 * level, 0.25] },
      position: [0, 0.03 * level, -0.75 - 0.5 * i],
      friction: 0.7,
    }),
  );
  // it goes away from who looks at it, over the stairs behind it
  const rotation = [0, 1, 0, 0] as const;
  const bodies = [{ body: snake, position: [0, 0.08, 0] as const, rotation, friction: 0.7 }];
  return scene('sidewinder', 'A snake with motors in its spine winds over stairs.', {
    bodies,
    obstacles: [FLOOR, ...steps],
    drives,
  });
}

const RUBBER: MaterialDef = { model: 'corotated', youngModulus: 4e5, poissonRatio: 0.35, density: 1000 };
const BAR_CELL = 0.1;
const BAR_CELLS = 14;

/** A bar between two bones: one is turned, the other, on a pivot, is taken along; a box on top falls off. */
export function buildTwistingBarScene(): AnySceneDef {
  const bar = buildSoftBox('bar', [BAR_CELLS, 2, 2], BAR_CELL, RUBBER);
  const half = 0.5 * BAR_CELLS * BAR_CELL;
  const within = (low: number, high: number) =>
    Array.from({ length: bar.positions.length / 3 }, (_, v) => v).filter(
      (v) => bar.positions[v * 3] > low - 1e-6 && bar.positions[v * 3] < high + 1e-6,
    );
  const body: BodyDef = {
    ...bar,
    bones: [
      { name: 'crank', vertices: within(-half, -half + BAR_CELL), kinematic: true },
      { name: 'wheel', vertices: within(half - BAR_CELL, half) },
    ],
    joints: [
      // turns hard, so that the bar is seen to twist
      { name: 'pivot', type: 'hinge', bones: ['wheel'], anchor: [half, 0, 0], axis: [1, 0, 0], motor: { damping: 15 } },
    ],
  };
  const times = Array.from({ length: 17 }, (_, i) => 1 + 0.5 * i);
  const eighth = (n: number) => [sin((Math.PI / 8) * n), 0, 0, cos((Math.PI / 8) * n)] as const;
  // two turns one way, and back
  const turns = times.map((_, i) => eighth(2 * (i <= 8 ? i : 16 - i)));
  const box = rigidBody('box', { kind: 'box', halfExtents: [0.15, 0.08, 0.09] }, 500);
  const bodies: Placed[] = [
    { body, position: [0, 0.7, 0], friction: 0.5 },
    { body: box, position: [0, 0.7 + BAR_CELL + 0.082, 0], friction: 0.5 },
  ];
  const post: ObstacleDef = {
    name: 'post',
    shape: { kind: 'box', halfExtents: [0.1, 0.4, 0.15] },
    position: [half + 0.13, 0.4, 0],
    friction: 0.5,
  };
  return scene('twisting-bar', 'A bar of flesh is twisted by a bone at one end and turns the one at the other.', {
    bodies,
    obstacles: [FLOOR, post],
    drives: [{ kind: 'pose', body: 'bar', bone: 'crank', times, turns, loop: true }],
  });
}

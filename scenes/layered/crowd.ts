/** Fifty people walk through a door at once, each pushed on by a goal of their own: the layered solver's crowd. */
import type { LayerDef } from '../../src/body/kinds/layer-def.js';
import { layerOfBody } from '../../src/character/build/kinds/layer-of-body.js';
import type { DriveDef } from '../../src/scene/drive-def.js';
import type { AnySceneDef } from '../../src/scene/scene-def.js';
import { buildHuman } from '../cast/human.js';
import { reposeLayer } from '../cast/repose.js';

/** People in a row, and rows. */
const ACROSS = 5;
/** Between people of a row, and between rows [m]. */
const APART = 0.85;
const BEHIND = 0.8;
/** Half the width of the door, and where it is [m]. */
const HALF_DOOR = 0.75;
const DOOR_AT = 1.4;
/** How fast people walk where nobody is in their way [m/s], and how long a double step takes [s]. */
const SPEED = 0.9;
const PERIOD = 1.2;
/** When the first want to be in the door, and how much later every row behind them: sooner than there is room [s]. */
const FIRST = 1.8;
const LATER = 0.75;
/** How long they walk [s]. */
const WALK = 30;
/** How hard a person pushes, per mass [m/s²]. */
const STRENGTH = 3;
/** How far arms, half spread in the cast, are taken down [rad]. */
const HANGING = 0.6;
/** Where people turn to the door: this far before it [m]. */
const BEFORE = 0.7;

/** Swing of each joint about the axis across the body, from and to [rad], and when in the step. */
const SWINGS = [
  ['thighLeft', -0.45, 0.4, 0],
  ['shinLeft', 0.08, 0.85, 0.2],
  ['thighRight', -0.45, 0.4, 0.5],
  ['shinRight', 0.08, 0.85, 0.7],
  ['upperArmLeft', -0.3, 0.3, 0.5],
  ['upperArmRight', -0.3, 0.3, 0],
] as const;

/** Builds the scene. */
export function buildCrowdScene(count = 50): AnySceneDef {
  const body = walker();
  const people = Array.from({ length: count }, (_, i) => {
    const row = Math.floor(i / ACROSS);
    const column = i % ACROSS;
    // rows are shifted against each other, so that nobody stands right behind another
    const x = (column - (ACROSS - 1) / 2 + (row % 2 === 0 ? 0.25 : -0.25)) * APART;
    return { name: `person ${i + 1}`, x, z: -row * BEHIND };
  });
  return {
    name: 'crowd',
    description: `${count} people walk through a door, pushing.`,
    solver: { kind: 'layered', driveFrequency: 4, driveStrength: STRENGTH },
    bodies: people.map(({ name, x, z }) => ({ body, name, position: [x, 0.01, z] as const })),
    drives: people.flatMap(({ name, x, z }, i) => walk(name, x, z, i)),
    obstacles: [
      { name: 'floor', shape: { kind: 'plane' }, friction: 0.4 },
      ...[-1, 1].map((side) => ({
        name: side < 0 ? 'left wall' : 'right wall',
        shape: { kind: 'box', halfExtents: [1.2, 1.1, 0.08] } as const,
        position: [side * (HALF_DOOR + 1.2), 1.1, DOOR_AT] as const,
        friction: 0.2,
      })),
    ],
    dt: 1 / 60,
  };
}

/** A human whose bones follow their drives and give way to what they touch. */
function walker(): LayerDef {
  const human = reposeLayer(layerOfBody(buildHuman({ cell: 0.06 })), {
    upperArmLeft: { axis: [0, 0, 1], angle: -HANGING },
    upperArmRight: { axis: [0, 0, 1], angle: HANGING },
  });
  const bones = human.bones.map((bone) => ({ ...bone, kinematic: 'tracked' as const, axis: [1, 0, 0] as const }));
  return { ...human, name: 'walker', bones };
}

/** The whole goes to the door, through it and on, three and two of a row side by side; legs and arms swing. */
function walk(body: string, x: number, z: number, i: number): DriveDef[] {
  const phase = ((i * 7) % 10) / 10;
  const column = i % ACROSS;
  const isSecond = column % 2 === 1;
  const inDoor = (0.62 * HALF_DOOR * (column - (ACROSS - 1) / 2)) / ((ACROSS - 1) / 2);
  const when = FIRST + LATER * (Math.floor(i / ACROSS) + (isSecond ? 0.5 : 0));
  const before = when - BEFORE / SPEED;
  return [
    {
      kind: 'pose',
      body,
      bone: 'torso',
      times: [0, before, when, WALK],
      offsets: [
        [0, 0, 0],
        [1.3 * inDoor - x, 0, DOOR_AT - BEFORE - z],
        [inDoor - x, 0, DOOR_AT - z],
        [2.5 * inDoor - x, 0, DOOR_AT - z + SPEED * (WALK - when)],
      ],
    },
    ...SWINGS.map(
      ([joint, from, to, at]): DriveDef => ({
        kind: 'bend',
        body,
        joints: [{ joint, angle: { kind: 'wave', from, to, period: PERIOD, phase: (at + phase) % 1 } }],
      }),
    ),
  ];
}

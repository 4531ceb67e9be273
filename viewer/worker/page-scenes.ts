/** The scenes of the page: the one it opens on, and those of `scenes/` on their shelves. */
import { buildHuman } from '../../scenes/cast/human.js';
import { buildScene, LATTICE_SCENES, LAYERED_SCENES, SCENES } from '../../scenes/index.js';
import { buildArmShoulderScene, buildCurlingHandScene } from '../../scenes/lattice.js';
import type { BodyDef, SceneDef } from '../../src/index.js';
import type { AnySceneDef } from '../../src/scene/scene-def.js';
import type { SceneTitle } from './scene-info.js';

/** What the page opens on. */
const OPENING = 'dancer';

/** What people look at first, in this order; what is there to be measured, or looks like another one, comes on a shelf of its own. */
const CHARACTERS = [
  ...[OPENING, 'ragdoll', 'quadruped', 'fish', 'snail', 'mermaid-rock', 'snake', 'hand', 'fist'],
  ...['stairs', 'drum', 'pile', 'aerial-silk', 'jelly-drop', 'bar'],
];
const TESTS = [
  ...['washing-machine', 'mermaid', 'aerial-silk-loose', 'jelly-bar', 'tubes', 'pendulum', 'chain'],
  ...[
    'incline',
    'mixed-stack',
    'ball-row',
    'winding-chain',
    'twisting-bar',
    'maggots-tori',
    'maggot-plate',
    'pile-1600',
    'tangled-tubes',
  ],
  ...['stretch', 'hourglass', 'cube-32'],
];

/** Too many bodies, or cells, for a page: seconds a picture. */
export const NOT_DRAWN: readonly string[] = ['torso', 'cube-64'];

/** Lattices of the page have fewer cells than those that are measured, so that they move in real time. */
const LIVE: ReadonlyMap<string, () => AnySceneDef> = new Map([
  ['arm-shoulder', () => buildArmShoulderScene(9000)],
  ['curling-hand', () => buildCurlingHandScene(9000)],
]);

/** All scenes in the order of the shelves; what is new in `scenes/` comes after the characters. */
export function listScenes(): SceneTitle[] {
  const known = new Set([...CHARACTERS, ...TESTS]);
  const all = new Map([...SCENES, ...LAYERED_SCENES, ...LATTICE_SCENES]);
  const others = [...all.keys()].filter((name) => !known.has(name) && !NOT_DRAWN.includes(name));
  const describe = (name: string): string =>
    name === OPENING ? 'a dancer whose torso is moved; the rest follows' : (all.get(name)?.description ?? name);
  const titles = (names: readonly string[], shelf: SceneTitle['shelf']): SceneTitle[] =>
    names
      .filter((name) => name === OPENING || all.has(name))
      .map((name) => ({ name, description: describe(name), shelf }));
  return [...titles([...CHARACTERS, ...others], 'characters'), ...titles(TESTS, 'tests')];
}

/** Builds a scene of the page. */
export function buildPageScene(name: string): AnySceneDef {
  return name === OPENING ? buildDancer() : (LIVE.get(name)?.() ?? buildScene(name));
}

/** Beats of the dance [s]. */
const BEAT = 0.62;
/** Where the torso is at each beat: sideways and up [m], and turned about y and z [rad]. */
const DANCE: readonly (readonly [x: number, y: number, turn: number, lean: number])[] = [
  [0, 0.02, 0, 0],
  [0.07, 0.11, 0.35, -0.07],
  [0.09, 0.01, 0.5, -0.1],
  [0.02, 0.12, 0.1, 0],
  [-0.07, 0.02, -0.4, 0.09],
  [-0.09, 0.12, -0.55, 0.1],
  [-0.03, 0.01, -0.2, 0.02],
  [0, 0.1, 0.05, 0],
];

/** A human whose torso dances: arms, legs and flesh follow, and can be taken hold of. */
function buildDancer(): SceneDef {
  const human = buildHuman({ cell: 0.08 });
  const body: BodyDef = {
    ...human,
    bones: (human.bones ?? []).map((bone) => ({ ...bone, kinematic: bone.name === 'torso' })),
  };
  // the last beat is the first one again
  const beats = [...DANCE, DANCE[0]];
  return {
    name: OPENING,
    description: 'Only the torso is moved. Take hold of an arm, or drop a model of yours on the page.',
    bodies: [{ body, position: [0, 0.03, 0] }],
    obstacles: [{ name: 'floor', shape: { kind: 'plane' }, friction: 0.5 }],
    drives: [
      {
        kind: 'pose',
        body: 'human',
        bone: 'torso',
        times: beats.map((_, i) => i * BEAT),
        offsets: beats.map(([x, y]) => [x, y, 0]),
        turns: beats.map(([, , turn, lean]) => turned(turn, lean)),
        loop: true,
      },
    ],
    solver: { kind: 'projective', integrator: 'bdf2' },
    dt: 1 / 60,
    iterations: 10,
  };
}

/** Turned about y, then leaning about z, as a quaternion x,y,z,w. */
function turned(turn: number, lean: number): [number, number, number, number] {
  const [sy, cy, sz, cz] = [Math.sin(turn / 2), Math.cos(turn / 2), Math.sin(lean / 2), Math.cos(lean / 2)];
  return [-sy * sz, sy * cz, cy * sz, cy * cz];
}

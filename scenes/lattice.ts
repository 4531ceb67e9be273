/**
 * Scenes of the lattice solver, after the examples of [McAdams2011]: far larger than the others, so they have a list of their own
 * and are not run by every test. Bodies are our own; counts of cells are the paper's.
 */
import type { BodyDef, BoneDef } from '../src/body/body-def.js';
import { buildLattice } from '../src/mesh/tets/tet-lattice.js';
import type { DriveDef } from '../src/scene/drive-def.js';
import type { SceneDef } from '../src/scene/scene-def.js';
import { buildArmBody } from './cast/arm.js';
import { buildHand } from './cast/hand.js';
import { buildHuman } from './cast/human.js';

/** Flesh of the paper's kind: only the ratio of its moduli matters where nothing but bones acts. */
const FLESH = { model: 'corotated', youngModulus: 5e4, poissonRatio: 0.3, density: 1000 } as const;
/** Steps from straight to bent at twelve degrees a step for the joint that bends most [s]. */
const RATE = 1 / 30;

function posed(body: BodyDef): BodyDef {
  const bones = (body.bones ?? []).map((bone): BoneDef => ({ ...bone, kinematic: true }));
  return { ...body, bones, materials: [FLESH] };
}

function lattice(
  name: string,
  description: string,
  body: BodyDef,
  cells: number,
  drives: readonly DriveDef[],
): SceneDef {
  return {
    name,
    description,
    bodies: [{ body, name }],
    solver: { kind: 'lattice', mode: 'quasistatic', cells, weight: false },
    drives,
    gravity: [0, 0, 0],
    dt: RATE,
  };
}

/** Bends joints to angles [rad] and back, at most twelve degrees a step. */
function bendJoints(body: string, angles: Readonly<Record<string, number>>): DriveDef[] {
  const most = Math.max(...Object.values(angles));
  // a wave is fastest in its middle: pi / 2 times its mean
  const half = Math.ceil((most * Math.PI) / 2 / (12 * (Math.PI / 180))) * RATE;
  const joints = Object.entries(angles).map(([joint, angle]) => ({ joint, angle }));
  return [{ kind: 'bend', body, amount: { kind: 'wave', from: 0, to: 1, period: 2 * half }, joints }];
}

/** A hand that curls its fingers, touching itself: 118,000 cells. */
export function buildCurlingHandScene(cells = 118_000): SceneDef {
  const angles: Record<string, number> = {};
  for (const finger of ['index', 'middle', 'ring', 'little']) {
    Object.assign(angles, { [`${finger}Knuckle`]: 0.9, [`${finger}Joint`]: 1.1, [`${finger}Tip`]: 0.5 });
  }
  const name = 'curling-hand';
  const scene = lattice(
    name,
    'A hand curls its fingers.',
    posed(buildHand({ cell: 0.0112 })),
    cells,
    bendJoints(name, angles),
  );
  return { ...scene, solver: { ...scene.solver!, selfContact: true } };
}

/** An arm with its shoulder that bends at the elbow, the wrist and the shoulder: as many cells as the paper's has. */
export function buildArmShoulderScene(cells = 31_000): SceneDef {
  const name = 'arm-shoulder';
  const angles = { elbow: 1.6, shoulder: 0.5, wrist: 0.5 };
  return lattice(name, 'An arm bends.', posed(buildArmBody()), cells, bendJoints(name, angles));
}

/** A human that moves its arms and a leg, in 107,000 cells. */
export function buildTorsoScene(cells = 107_000): SceneDef {
  const name = 'torso';
  const angles = { elbowLeft: 1.2, elbowRight: 1.2, hipLeft: 0.5, kneeLeft: 0.8 };
  return lattice(
    name,
    'A human moves arms and a leg.',
    posed(buildHuman({ cell: 0.06 })),
    cells,
    bendJoints(name, angles),
  );
}

/** A unit cube of n cells a side, both x faces held by bones of one layer; `drives` move the second. */
function clampedCube(name: string, description: string, n: number, drives: (name: string) => DriveDef[]): SceneDef {
  const mesh = buildLattice({ cells: [8, 4, 4], cellSize: [1 / 8, 1 / 4, 1 / 4] });
  const at = (x: number): number[] =>
    Array.from({ length: mesh.positions.length / 3 }, (_, v) => v).filter(
      (v) => Math.abs(mesh.positions[3 * v] - x) < 1e-9,
    );
  const bones = [
    { name: 'left', vertices: at(0) },
    { name: 'right', vertices: at(1) },
  ];
  const body: BodyDef = posed({ name, ...mesh, bones, materials: [FLESH] });
  const scene = lattice(name, description, body, n * n * n, drives(name));
  return { ...scene, solver: { ...scene.solver!, cell: 1 / n, volume: 'trace' } };
}

/** Twisted by a quarter turn and back. */
export function buildCubeScene(n: number): SceneDef {
  const [s, c] = [Math.SQRT1_2, Math.SQRT1_2];
  return clampedCube(`cube-${n}`, `A cube of ${n} cells a side, twisted.`, n, (body) => [
    {
      kind: 'pose',
      body,
      bone: 'right',
      times: [0, 8 * RATE, 16 * RATE],
      turns: [
        [0, 0, 0, 1],
        [s, 0, 0, c],
        [0, 0, 0, 1],
      ],
      loop: true,
    },
  ]);
}

/** Stretched to 2.4 times its length [McAdams2011, Fig. 2]. */
export function buildStretchScene(): SceneDef {
  return clampedCube('stretch', 'A cube stretched to 2.4 times its length.', 16, (body) => [
    {
      kind: 'pose',
      body,
      bone: 'right',
      times: [0, 0.5, 1],
      offsets: [
        [0, 0, 0],
        [1.4, 0, 0],
        [1.4, 0, 0],
      ],
    },
  ]);
}

/** The same with next to no stabilisation: the red-black modes that one point does not see [McAdams2011, Fig. 3]. */
export function buildHourglassScene(): SceneDef {
  const scene = buildStretchScene();
  return {
    ...scene,
    name: 'hourglass',
    description: 'A stretched cube without stabilisation.',
    solver: { ...scene.solver!, kappa: 1e-3 },
  };
}

/** A limb of three bones in flesh that falls over a rail and folds: bones that move by themselves, contact and friction. */
export function buildFallingLimbScene(): SceneDef {
  const side = 0.05;
  const mesh = buildLattice({ cells: [18, 3, 3], cellSize: side });
  const layers = [
    [1, 4],
    [7, 10],
    [13, 16],
  ];
  const inside = ([from, to]: readonly number[]): number[] =>
    Array.from({ length: mesh.positions.length / 3 }, (_, v) => v).filter((v) => {
      const [x, y, z] = [0, 1, 2].map((k) => Math.round(mesh.positions[3 * v + k] / side));
      return x >= from && x <= to && y > 0 && y < 3 && z > 0 && z < 3;
    });
  const middle = 1.5 * side;
  const body: BodyDef = {
    name: 'limb',
    ...mesh,
    materials: [{ ...FLESH, poissonRatio: 0.4 }],
    bones: layers.map((ends, n) => ({ name: `bone${n}`, vertices: inside(ends) })),
    joints: [1, 2].map((n) => ({
      name: `joint${n}`,
      type: 'ball',
      bones: [`bone${n - 1}`, `bone${n}`],
      anchor: [(6 * n - 0.5) * side, middle, middle],
    })),
  };
  return {
    name: 'falling-limb',
    description: 'A limb of three bones falls over a rail.',
    bodies: [{ body, name: 'limb', position: [0, 0.7, 0] }],
    obstacles: [
      { name: 'floor', shape: { kind: 'plane' } },
      {
        name: 'rail',
        shape: { kind: 'capsule', radius: 0.07, halfLength: 0.3 },
        position: [0.4, 0.45, middle],
        rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
        friction: 0.8,
      },
    ],
    solver: { kind: 'lattice', cells: 800 },
    dt: 1 / 60,
  };
}

/** Things that touch: inclines, stacks, bounces, weights that are carried, by the solvers that have contact. */
import { layerOfBody } from '../../src/character-index.js';
import type { AnyBodyDef, BodyDef, ObstacleDef, World } from '../../src/index.js';
import { contactForceOnObstacle } from '../../src/index.js';
import { buildLattice } from '../../src/mesh/tets/tet-lattice.js';
import { centre, G, inWorld, type VerifyCase } from './verify-case.js';

const STEEP = Math.PI / 6;
const RUBBER = { model: 'corotated', youngModulus: 1e6, poissonRatio: 0.3, density: 1000 } as const;

const floor = (friction: number, restitution = 0): ObstacleDef => {
  return { name: 'floor', shape: { kind: 'plane' }, friction, restitution };
};

/** A cube of 0.2 m on the floor, of flesh, or as one bone. */
function cube(isBone: boolean): BodyDef {
  const mesh = buildLattice({ cells: [2, 2, 2], cellSize: 0.1, origin: [-0.1, 0, -0.1] });
  const vertices = Array.from({ length: mesh.positions.length / 3 }, (_, v) => v);
  return { name: 'cube', ...mesh, bones: isBone ? [{ name: 'bone', vertices }] : [], materials: [RUBBER] };
}

const solid = (shape: 'box' | 'sphere'): AnyBodyDef => ({
  kind: 'rigid',
  name: shape,
  parts: [
    {
      name: shape,
      shape: shape === 'box' ? { kind: 'box', halfExtents: [0.1, 0.1, 0.1] } : { kind: 'sphere', radius: 0.1 },
    },
  ],
});

/** Gravity turned, so that the floor is an incline. */
const inclined = (angle: number) => [G * Math.sin(angle), -G * Math.cos(angle), 0] as const;

/** How far a body goes along the floor in a time [m]. */
function slide(body: AnyBodyDef, angle: number, friction: number, seconds: number, lift = 0, kind = 'projective') {
  const bodies = [{ body, position: [0, lift, 0] as const, friction }];
  const scene = { bodies, obstacles: [floor(friction)], gravity: inclined(angle), dt: 1 / 60, solver: { kind } };
  return inWorld(
    scene as Parameters<typeof inWorld>[0],
    kind === 'projective' ? { iterations: 20 } : {},
    (world, step) => {
      const start = centre(world.bodies[0])[0];
      step(Math.round(60 * seconds));
      return centre(world.bodies[0])[0] - start;
    },
  );
}

/** V52: worst relative error of the force under each of five cubes on each other after 5 s. */
function stack(): Promise<number> {
  const bodies = Array.from({ length: 5 }, (_, i) => ({ body: cube(true), position: [0, 0.2 * i, 0] as const }));
  return inWorld(
    { bodies, obstacles: [floor(0.5)], gravity: inclined(0), dt: 1 / 60 },
    { iterations: 20 },
    (world, step) => {
      step(300);
      const weight = G * world.bodies[0].model.totalMass;
      const errors = bodies.map((_, i) => forceBetween(world, i, i - 1) / ((5 - i) * weight) - 1);
      return Math.max(...errors.map(Math.abs));
    },
  );
}

/** Upward force on a body from another one; −1: from obstacles [N]. */
function forceBetween({ contacts }: World, first: number, second: number): number {
  let sum = 0;
  for (let c = 0; c < contacts.count; c++) {
    const [a, b] = [contacts.body[2 * c], contacts.body[2 * c + 1]];
    const sign = a === first && b === second ? 1 : b === first && a === second ? -1 : 0;
    sum += sign * contacts.force[3 * c + 1];
  }
  return sum;
}

/** V54: height of the first bounce over the height of the fall. */
function bounce(restitution: number): Promise<number> {
  const from = 1;
  const scene = {
    bodies: [{ body: cube(true), position: [0, from, 0] as const }],
    obstacles: [floor(0.5, restitution)],
  };
  return inWorld({ ...scene, gravity: inclined(0), dt: 1 / 240 }, { iterations: 10 }, (world, step) => {
    const rest = centre(world.bodies[0])[1] - from;
    let [highest, lowest] = [0, from];
    for (let n = 0; n < 240; n++) {
      step();
      const height = centre(world.bodies[0])[1] - rest;
      lowest = Math.min(lowest, height);
      if (lowest < 0.02) highest = Math.max(highest, height);
    }
    return highest / from;
  });
}

/** Weight on the floor over the weight of what lies on it, after 4 s. */
function carried(body: AnyBodyDef, kind: string, lift: number): Promise<number> {
  const scene = { bodies: [{ body, position: [0, lift, 0] as const }], obstacles: [floor(0.5)], solver: { kind } };
  return inWorld({ ...scene, gravity: inclined(0), dt: 1 / 60 } as Parameters<typeof inWorld>[0], {}, (world, step) => {
    step(240);
    return -contactForceOnObstacle(world, 0)[1] / (G * world.bodies[0].model.totalMass);
  });
}

const sliding = G * (Math.sin(STEEP) - 0.2 * Math.cos(STEEP));
const stepped = (sliding * 120 * 121) / 2 / 3600;

export const CONTACT_CASES: readonly VerifyCase[] = [
  ...[true, false].map(
    (isBone): VerifyCase => ({
      id: 'V50',
      solver: 'projective',
      name: `${isBone ? 'rigid' : 'soft'} cube sliding down 30°, μ = 0.2, 2 s`,
      unit: 'm',
      formula: 'g (sin α − μ cos α) h² n (n + 1) / 2',
      expected: stepped,
      tolerance: 1e-3 * stepped,
      run: () => slide(cube(isBone), STEEP, 0.2, 2),
    }),
  ),
  {
    id: 'V50',
    solver: 'projective',
    name: 'soft cube sticking on 30°, μ = 0.7, 5 s',
    unit: 'm',
    formula: '0 where μ > tan α',
    expected: 0,
    tolerance: 2e-3,
    run: () => slide(cube(false), STEEP, 0.7, 5),
  },
  {
    id: 'V52',
    solver: 'projective',
    name: 'forces under five cubes on each other, worst',
    unit: '',
    formula: 'f_k / ((5 − k) m g) − 1 = 0',
    expected: 0,
    tolerance: 0.01,
    run: stack,
  },
  ...[0.5, 0.9].map(
    (e): VerifyCase => ({
      id: 'V54',
      solver: 'projective',
      name: `first bounce of a rigid cube, e = ${e}, h = 1/240 s`,
      unit: '',
      formula: 'height / fall = e²',
      expected: e * e,
      tolerance: 0.04 * e * e,
      run: () => bounce(e),
    }),
  ),
  {
    id: 'V01b',
    solver: 'coupled',
    name: 'free fall of a ball, 1 s',
    unit: 'm',
    formula: 'g t² / 2',
    expected: G / 2,
    tolerance: 1e-6,
    run: () => slide(solid('sphere'), Math.PI / 2, 0, 1, 50, 'coupled'),
  },
  {
    id: 'V50',
    solver: 'coupled',
    name: 'box sliding down 30°, μ = 0.2, 2 s',
    unit: 'm',
    formula: 'g (sin α − μ cos α) t² / 2',
    expected: 2 * sliding,
    tolerance: 0.01 * 2 * sliding,
    run: () => slide(solid('box'), STEEP, 0.2, 2, 0.1, 'coupled'),
  },
  {
    id: 'V58',
    solver: 'coupled',
    name: 'ball rolling down 30°, 2 s',
    unit: 'm',
    formula: '5/7 g sin α t² / 2',
    expected: (10 / 7) * G * Math.sin(STEEP),
    tolerance: (0.1 / 7) * G * Math.sin(STEEP),
    run: () => slide(solid('sphere'), STEEP, 0.5, 2, 0.1, 'coupled'),
  },
  {
    id: 'V52',
    solver: 'layered',
    name: 'weight of a layered cube on the floor',
    unit: '',
    formula: 'force / (m g) = 1',
    expected: 1,
    tolerance: 0.01,
    run: () => carried(layerOfBody(cube(true)), 'layered', 0.01),
  },
  {
    id: 'V50',
    solver: 'layered',
    name: 'layered cube sliding down 30°, μ = 0.2, 2 s',
    unit: 'm',
    formula: 'g (sin α − μ cos α) h² n (n + 1) / 2',
    expected: stepped,
    tolerance: 0.01 * stepped,
    run: () => slide(layerOfBody(cube(true)), STEEP, 0.2, 2, 0, 'layered'),
  },
];

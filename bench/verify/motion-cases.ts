/** Bodies without contact: falls, spins, pendulums, chains, momentum, flesh at rest, beams. All by the projective solver. */
import { buildBar } from '../../scenes/cast/bar.js';
import type { BodyDef } from '../../src/body/body-def.js';
import { readJointForce } from '../../src/index.js';
import { svd3 } from '../../src/math/svd3.js';
import { buildLattice } from '../../src/mesh/tets/tet-lattice.js';
import { buildBoxChain, buildBoxes, plainFlesh } from '../figures/boxes.js';
import { centre, G, inWorld, mean, type VerifyCase } from './verify-case.js';

const DOWN = [0, -G, 0] as const;
const NONE = [0, 0, 0] as const;
/** Inertia of the uniform bar (1 m, 0.1 m thick) about its end over its mass [m²], and distance of its centre [m]. */
const INERTIA = 1 / 3 + 0.01 / 12;
const ARM = 0.5;

const softBar = (): BodyDef => buildBar({ cells: [10, 2, 2], cell: 0.1, boneLayers: 3, material: plainFlesh(5e4) });

/** V01: a soft bar with two bones for a second; how far its centre of mass fell [m]. */
function fall(): Promise<number> {
  return inWorld({ bodies: [{ body: softBar() }], gravity: DOWN, dt: 1 / 60 }, {}, (world, step) => {
    const before = centre(world.bodies[0])[1];
    step(60);
    return before - centre(world.bodies[0])[1];
  });
}

/** V03: spin of a free box after 3 s [rad/s]. */
function spin(omega: number, h: number): Promise<number> {
  const body = buildBoxes([{ name: 'box', centre: NONE, sides: [0.3, 0.2, 0.1] }], []);
  return inWorld({ bodies: [{ body }], gravity: NONE, dt: h }, { iterations: 40 }, (world, step) => {
    const { state } = world.bodies[0];
    const [turned, turning] = [(1 - Math.cos(omega * h)) / h, Math.sin(omega * h) / h];
    state.boneRates.set([turned, turning, 0, -turning, turned, 0]);
    const angle = (): number => Math.atan2(state.poses.rotations[3], state.poses.rotations[0]);
    step(Math.round(3 / h) - 1);
    const before = angle();
    step();
    return Math.atan2(Math.sin(angle() - before), Math.cos(angle() - before)) / h;
  });
}

/** The map Δ <- atan2(sin Δ, 2 − cos Δ) of backward Euler for as long [rad/s]. */
function spinMap(omega: number, h: number): number {
  let turn = omega * h;
  for (let n = 0; n < Math.round(3 / h); n++) turn = Math.atan2(Math.sin(turn), 2 - Math.cos(turn));
  return turn / h;
}

/** V06: angle of a bar on a pin, released level [rad]. */
function pendulum(h: number, seconds: number): Promise<number> {
  const body = buildBoxes(
    [{ name: 'bar', centre: [ARM, 0, 0], sides: [1, 0.1, 0.1] }],
    [{ name: 'pin', type: 'ball', bones: ['bar'], anchor: [0, 0, 0] }],
  );
  return inWorld({ bodies: [{ body }], gravity: DOWN, dt: h }, { iterations: 8 }, (world, step) => {
    step(Math.round(seconds / h));
    const { rotations } = world.bodies[0].state.poses;
    return Math.atan2(rotations[3], rotations[0]);
  });
}

/** θ <- arg[I (2 e^{iθ} − e^{iθ'}) − i g h² d], per unit of mass: the same map without a solver. */
function pendulumMap(h: number, seconds: number): number {
  let [before, now] = [0, 0];
  for (let n = 0; n < Math.round(seconds / h); n++) {
    const real = INERTIA * (2 * Math.cos(now) - Math.cos(before));
    const imaginary = INERTIA * (2 * Math.sin(now) - Math.sin(before)) - G * h * h * ARM;
    [before, now] = [now, Math.atan2(imaginary, real)];
  }
  return now;
}

/** V08: momentum that a bent, turning bar gained or lost, over √(2 E m). */
function momentumDrift(iterations: number): Promise<number> {
  const body = softBar();
  const startPositions = body.positions.map((x, i) => x + 0.05 * Math.sin(3 * body.positions[i - (i % 3)] + i));
  const placement = { body, startPositions, velocity: [1, 2, -0.5], angularVelocity: [2, -1, 3] } as const;
  return inWorld({ bodies: [placement], gravity: NONE, dt: 1 / 60 }, { iterations }, (world, step) => {
    const [{ model, state }] = world.bodies;
    let energy = 0;
    for (let i = 0; i < state.velocities.length; i++) {
      energy += 0.5 * model.masses[Math.floor(i / 3)] * state.velocities[i] * state.velocities[i];
    }
    const before = mean(world.bodies[0], state.velocities);
    step(60);
    const after = mean(world.bodies[0], state.velocities);
    const drift = Math.hypot(...after.map((v, k) => v - before[k])) * model.totalMass;
    return drift / Math.sqrt(2 * energy * model.totalMass);
  });
}

/** V10: mean shift of the flesh between two bones that hang from each other [mm]. */
function settled(h: number): Promise<number> {
  const mesh = buildLattice({ cells: [2, 2, 9], cellSize: 0.1, split: 'six' });
  const vertices = Array.from({ length: mesh.positions.length / 3 }, (_, v) => v);
  const z = (v: number): number => mesh.positions[3 * v + 2];
  const body: BodyDef = {
    name: 'hanging',
    ...mesh,
    bones: [
      { name: 'a', vertices: vertices.filter((v) => z(v) < 0.35) },
      { name: 'b', vertices: vertices.filter((v) => z(v) > 0.55) },
    ],
    joints: [
      { name: 'middle', type: 'ball', bones: ['a', 'b'], anchor: [0.1, 0.1, 0.45] },
      { name: 'pin', type: 'ball', bones: ['a'], anchor: [0.1, 0.1, 0.15] },
    ],
    materials: [{ model: 'arap', youngModulus: 1e6, poissonRatio: 0, density: 1000 }],
  };
  return inWorld({ bodies: [{ body }], gravity: [0, 0, G], dt: h }, { iterations: 20 }, (world, step) => {
    step(Math.round(8 / h));
    const [{ model, state }] = world.bodies;
    const flesh = vertices.filter((v) => model.bones.ofVertex[v] < 0);
    return (1000 * flesh.reduce((sum, v) => sum + state.positions[3 * v + 2] - z(v), 0)) / flesh.length;
  });
}

/** V15: largest relative error of the joint forces of a chain of five that hangs along gravity. */
function chainForces(): Promise<number> {
  const chain = buildBoxChain(5);
  const pin = { name: 'pin', type: 'ball', bones: ['b0'], anchor: [0, 0, 0] } as const;
  const body: BodyDef = { ...chain, joints: [pin, ...chain.joints!] };
  return inWorld({ bodies: [{ body }], gravity: [G, 0, 0], dt: 1 / 60 }, { iterations: 20 }, (world, step) => {
    step(120);
    const { mass, count } = world.bodies[0].model.bones;
    const errors = Array.from({ length: count }, (_, k) => {
      const below = G * mass.subarray(k).reduce((sum, m) => sum + m, 0);
      return Math.abs(Math.hypot(...readJointForce(world.bodies[0], k === 0 ? 'pin' : `j${k - 1}`)) / below - 1);
    });
    return Math.max(...errors);
  });
}

/** V25: tip of a cantilever with two cells through its thickness over Timoshenko's. */
function cantilever(): Promise<number> {
  const [length, n, nu, young] = [5, 2, 0.3, 1e6];
  const mesh = buildLattice({ cells: [length * n, n, n], cellSize: 1 / n, split: 'six' });
  const vertices = Array.from({ length: mesh.positions.length / 3 }, (_, v) => v);
  const pins = vertices.filter((v) => mesh.positions[3 * v] < 1e-9);
  const tip = vertices.filter((v) => mesh.positions[3 * v] > length - 1e-9);
  const kappa = (10 * (1 + nu)) / (12 + 11 * nu);
  const timoshenko = length ** 3 / ((3 * young) / 12) + length / ((kappa * young) / (2 * (1 + nu)));
  const load = (3e-3 * length) / timoshenko;
  const materials = [{ model: 'corotated', youngModulus: young, poissonRatio: nu, density: 100 } as const];
  const body: BodyDef = { name: 'cantilever', ...mesh, pins, materials };
  return inWorld({ bodies: [{ body }], gravity: NONE, dt: 1 / 15 }, { iterations: 20 }, (world, step) => {
    const [{ state, model }] = world.bodies;
    for (const v of tip) state.forces[3 * v + 1] = load / tip.length;
    step(500);
    const sum = tip.reduce((total, v) => total + state.positions[3 * v + 1] - model.positions[3 * v + 1], 0);
    return sum / tip.length / (load * timoshenko);
  });
}

/** V35: worst relative error of U S Vᵀ against F over random matrices, some of them flat, mirrored or tiny. */
async function svdError(): Promise<number> {
  const [u, s, v, f] = [9, 3, 9, 9].map((length) => new Float64Array(length));
  let bits = 1;
  const random = (): number => {
    bits = (Math.imul(bits, 1664525) + 1013904223) >>> 0;
    return bits / 2 ** 31 - 1;
  };
  let worst = 0;
  for (let n = 0; n < 20000; n++) {
    const scale = n % 5 === 0 ? 1e-12 : n % 7 === 0 ? 1e12 : 1;
    for (let i = 0; i < 9; i++) f[i] = scale * random();
    // two columns alike: no volume
    if (n % 3 === 0) for (let i = 0; i < 3; i++) f[3 * i + 2] = f[3 * i + 1];
    if (!svd3(u, 0, s, 0, v, 0, f, 0)) return Number.NaN;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        let sum = 0;
        for (let k = 0; k < 3; k++) sum += u[3 * i + k] * s[k] * v[3 * j + k];
        worst = Math.max(worst, Math.abs(sum - f[3 * i + j]) / scale);
      }
    }
  }
  return worst;
}

const projective = { solver: 'projective' } as const;

export const MOTION_CASES: readonly VerifyCase[] = [
  {
    id: 'V01',
    ...projective,
    name: 'free fall of a soft bar with two bones, 1 s',
    unit: 'm',
    run: fall,
    formula: 'g h² n (n + 1) / 2',
    expected: (G * 60 * 61) / 2 / 3600,
    tolerance: 1e-6,
  },
  {
    id: 'V03',
    ...projective,
    name: 'spin of a free box after 3 s, h = 1/30 s',
    unit: 'rad/s',
    formula: 'Δ ← atan2(sin Δ, 2 − cos Δ), Δ = ω h',
    expected: spinMap(2 * Math.PI, 1 / 30),
    tolerance: 1e-6,
    run: () => spin(2 * Math.PI, 1 / 30),
  },
  {
    id: 'V06',
    ...projective,
    name: 'pendulum after 3 s, h = 0.01 s',
    unit: 'rad',
    formula: 'θ ← arg[I (2e^{iθ} − e^{iθ′}) − i g h² d]',
    expected: pendulumMap(0.01, 3),
    tolerance: 1e-9,
    run: () => pendulum(0.01, 3),
  },
  {
    id: 'V06b',
    ...projective,
    name: 'its tip off Runge-Kutta after 3 s: what backward Euler costs',
    unit: 'm',
    formula: '2 sin(½ (θ − θ_RK4))',
    expected: 0.839,
    tolerance: 0.00839,
    run: async () => Math.abs(2 * Math.sin(((await pendulum(0.01, 3)) + 3.0734361633) / 2)),
  },
  ...[1, 10, 80].map(
    (iterations): VerifyCase => ({
      id: 'V08',
      ...projective,
      name: `momentum of a bent, turning bar over 1 s, ${iterations} iterations`,
      unit: '',
      formula: '|Σ m Δv| / √(2 E m) = 0',
      expected: 0,
      tolerance: 1e-9,
      run: () => momentumDrift(iterations),
    }),
  ),
  ...[30, 120].map(
    (rate): VerifyCase => ({
      id: 'V10',
      ...projective,
      name: `flesh between hanging bones at rest, h = 1/${rate} s`,
      unit: 'mm',
      formula: 'ρ g l² / k',
      expected: 0.0981,
      tolerance: 0.000981,
      run: () => settled(1 / rate),
    }),
  ),
  {
    id: 'V15',
    ...projective,
    name: 'joint forces of a hanging chain of five, worst',
    unit: '',
    formula: '|f_k| / (weight below) − 1 = 0',
    expected: 0,
    tolerance: 1e-6,
    run: chainForces,
  },
  {
    id: 'V25',
    ...projective,
    name: 'cantilever, six tets a cell, two cells thick, over Timoshenko',
    unit: '',
    formula: 'tip / (P L³/3EI + P L/κGA), independent program',
    expected: 0.507,
    tolerance: 0.002,
    run: cantilever,
  },
  {
    id: 'V35',
    solver: 'all',
    name: 'singular values of 20,000 matrices put together again, worst',
    unit: '',
    formula: '|U S Vᵀ − F| / |F| = 0',
    expected: 0,
    tolerance: 1e-13,
    run: svdError,
  },
];

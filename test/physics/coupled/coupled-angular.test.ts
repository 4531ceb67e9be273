/**
 * Angular momentum of coupled worlds as the certificate has it: kept in free flight and where bodies meet in the air, rigid ones and flesh, a conservation law; on the ground
 * explained by the ground.
 */
import { describe, expect, it } from 'vitest';
import { rigidBody } from '../../../scenes/cast/coupled-bodies.js';
import type { AnyBodyDef } from '../../../src/body/kinds/any-body-def.js';
import { createWorld, stepWorld } from '../../../src/index.js';
import { createRandom } from '../../../src/math/random.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import type { AnySceneDef, PlacementDef } from '../../../src/scene/scene-def.js';
import { CoupledCore } from '../../../src/solvers/coupled/coupled-core.js';
import { ball, box } from '../../support/models/coupled.js';
import { placeSoft, RUBBER, softBox } from '../../support/models/coupled-soft.js';

const BOX = rigidBody('box', { kind: 'box', halfExtents: [0.2, 0.1, 0.15] });

const FLESH = {
  name: 'cube',
  ...buildLattice({ cells: [2, 2, 2], cellSize: 0.1, origin: [-0.1, -0.1, -0.1] }),
  materials: [RUBBER],
};

/** Sum and largest of the unexplained change over a run [kg m²/s]. */
async function drift(
  bodies: readonly PlacementDef<AnyBodyDef>[],
  substeps: number,
  steps: number,
  extra: Partial<AnySceneDef> = {},
): Promise<number> {
  const solver = { kind: 'coupled', substeps };
  const world = await createWorld({ name: 'angular', description: '', solver, bodies, ...extra });
  let sum = 0;
  for (let n = 0; n < steps; n++) {
    expect(stepWorld(world)).toBe(true);
    sum += world.certificate.angularDrift ?? Number.NaN;
  }
  return sum;
}

describe('angular momentum', () => {
  it('of a tumbling box under gravity is explained to rounding', async () => {
    const thrown = { body: BOX, position: [3, 1, 2] as const, velocity: [1, 4, 0] as const };
    const left = await drift([{ ...thrown, angularVelocity: [3, 5, -2] as const }], 1, 60);
    // 12 kg at some metres and metres per second: hundreds of kg m²/s
    expect(left).toBeLessThan(1e-10);
  });

  it('of a box that lies on the floor comes from the floor', async () => {
    const obstacles = [{ name: 'floor', shape: { kind: 'plane' as const } }];
    const left = await drift([{ body: BOX, position: [2, 0.1, 1] }], 2, 30, { obstacles });
    // gravity alone would bring 12 · 9.81 · 2.2 · 0.5 = 130
    expect(left).toBeLessThan(1e-6);
  });

  // the law: what the floor gives, when and where it gives it, is all there is. 3.8, 2.6, 0.19, 0.095 and 0.053 of 25 kg m²/s were counted as unexplained while all of it was taken to come at the end of the substep
  it('of a box that lands askew and tumbles is explained by the floor to rounding', async () => {
    const obstacles = [{ name: 'floor', shape: { kind: 'plane' as const }, friction: 0.5 }];
    for (const substeps of [1, 2, 4, 8, 16]) {
      // from heights of all kinds: the time of a substep at which it lands is another each time
      for (let n = 0; n < 4; n++) {
        const position = [0, 0.5 + 0.02 * n, 0] as const;
        const thrown = { body: BOX, position, velocity: [2, 0, 0.5] as const, angularVelocity: [1, 2, 3] as const };
        expect(await drift([thrown], substeps, 60, { obstacles })).toBeLessThan(1e-11);
      }
    }
  });

  // the closed form: a body that does not turn and lands without friction goes straight on, down to where it touches, along the floor from there; the blow m v at that time and place is all that the floor gives.
  // Its moment about the origin is (x(τ) × m v ŷ), at the end of the substep it would be another: by (1 − τ) h × 3 m/s × m v
  it('of a box that lands flat and slides is that of its motion, which is exact, at any time of the substep', async () => {
    const [height, speed, fall, dt] = [0.1, 3, 2, 1 / 60];
    const obstacles = [{ name: 'floor', shape: { kind: 'plane' as const }, friction: 0 }];
    const solver = { kind: 'coupled', substeps: 1 };
    for (const tau of [0.1, 0.4, 0.9]) {
      const velocity = [speed, -fall, 0] as const;
      const body = { body: BOX, position: [0, height + tau * fall * dt, 0] as const, velocity };
      const gravity = [0, 0, 0] as const;
      const world = await createWorld({ name: 'slide', description: '', solver, bodies: [body], obstacles, gravity });
      for (let n = 1; n <= 3; n++) {
        expect(stepWorld(world)).toBe(true);
        const [x, y] = world.bodies[0].state.poses.translations;
        expect(Math.abs(x - speed * n * dt)).toBeLessThan(1e-12);
        expect(Math.abs(y - height)).toBeLessThan(1e-9);
        expect(world.certificate.angularDrift).toBeLessThan(1e-12);
      }
    }
  });

  it('of boxes that meet in the air is kept to rounding, with one substep as with sixteen', async () => {
    const pair = [
      {
        body: BOX,
        position: [-0.3, 0, 0] as const,
        velocity: [2, 0.6, 0] as const,
        angularVelocity: [1, 2, 3] as const,
      },
      { body: BOX, name: 'other', position: [0.3, 0.1, 0.05] as const, velocity: [-2, 0, 0] as const },
    ];
    const free = { gravity: [0, 0, 0] as const };
    // a few kg m²/s are there, of 24 kg at 2 m/s and some tenths of a metre; 0.57 and 0.014 were lost before it was given back
    expect(await drift(pair, 1, 30, free)).toBeLessThan(1e-12);
    expect(await drift(pair, 16, 30, free)).toBeLessThan(1e-12);
    // under gravity too: it has no moment about the centre of mass
    expect(await drift(pair, 1, 30)).toBeLessThan(1e-11);
  });

  it('of a box that meets flesh in the air, and of flesh that meets flesh, is kept to rounding', async () => {
    const thrown = { body: FLESH, position: [0.2, 0.1, 0.05] as const, velocity: [-2, 0, 0] as const };
    const free = { gravity: [0, 0, 0] as const };
    for (const body of [BOX, { ...FLESH, name: 'other' }]) {
      const pair = [{ body, position: [-0.35, 0, 0] as const, velocity: [2, 0.6, 0] as const }, thrown];
      // 0.43 and 0.04 kg m²/s were lost with 1 and 16 substeps before it was given back
      expect(await drift(pair, 1, 24, free)).toBeLessThan(1e-11);
      expect(await drift(pair, 16, 24, free)).toBeLessThan(1e-11);
      expect(await drift(pair, 2, 24)).toBeLessThan(1e-10);
    }
  });

  it('of flesh that spins is kept, and comes to nothing else: it turns on as a rigid body would', async () => {
    const solver = { kind: 'coupled', substeps: 1 };
    const bodies = [{ body: FLESH, angularVelocity: [5, 9, 2] as const }];
    const world = await createWorld({ name: 'spin', description: '', solver, bodies, gravity: [0, 0, 0] });
    const { model, state } = world.bodies[0];
    const energy = () => {
      let sum = 0;
      for (let i = 0; i < state.velocities.length; i++)
        sum += 0.5 * model.masses[Math.floor(i / 3)] * state.velocities[i] ** 2;
      return sum;
    };
    const started = energy();
    let settled = 0;
    for (let n = 1; n <= 300; n++) {
      expect(stepWorld(world)).toBe(true);
      expect(world.certificate.angularDrift).toBeLessThan(1e-12);
      if (n === 100) settled = energy();
    }
    // with as much angular momentum a body that is as large has as much energy: 86 % of it were gone after 100 steps before; it is as large to a percent
    expect(Math.abs(energy() / started - 1)).toBeLessThan(0.02);
    expect(Math.abs(energy() / settled - 1)).toBeLessThan(1e-6);
  });

  it('of a loop of rods that tumbles and folds on itself is kept, and no energy comes of it', () => {
    const rods = Array.from({ length: 6 }, (_, i) =>
      box([0.1, 0.02, 0.03], 0.5, {
        position: [0.2 * i, 0, 0],
        velocity: [0, 0.4 * (i - 2.5), 0.1 * i],
        angularVelocity: [0, 0, 2],
      }),
    );
    const joints = Array.from({ length: 5 }, (_, i) => ({
      ...{ type: 'ball' as const, a: i, b: i + 1, anchorA: [0.1, 0, 0], anchorB: [-0.1, 0, 0] },
    }));
    const core = new CoupledCore({ rigid: rods, joints, gravity: [0, 0, 0] }, { substeps: 1 });
    core.step(1 / 60);
    const started = energyOf(core);
    let most = 0;
    for (let n = 0; n < 300; n++) {
      core.balance.begin();
      core.step(1 / 60);
      expect(core.balance.end()).toBeLessThan(1e-12);
      most = Math.max(most, energyOf(core));
    }
    expect(most).toBeLessThan(1.01 * started);
  });
});

// energy is kept by a pendulum: what is missing after 2 s is of second order in the substep, because the joint pulls where it is while it pulls (0.19, 0.11 and 0.059 of 0.49 J with 4, 8 and 16 substeps when it pulled where it was at the end)
it('a rod that swings from a ball joint loses energy to second order in the substep, and never gains any', () => {
  const [half, mass, g] = [0.1, 0.5, 9.81];
  const lost = [4, 8, 16].map((substeps) => {
    const pivot = box([0.01, 0.01, 0.01], 0, { position: [0, 0, 0] });
    const rod = box([half, 0.02, 0.02], mass, { position: [half, 0, 0] });
    const joint = { type: 'ball' as const, a: 0, b: 1, anchorA: [0, 0, 0], anchorB: [-half, 0, 0] };
    const core = new CoupledCore(
      { rigid: [pivot, rod].map((body) => ({ ...body, shape: 'none' as const })), joints: [joint] },
      { substeps },
    );
    let left = 0;
    for (let n = 0; n < 120; n++) {
      core.step(1 / 60);
      left = energyOf(core) + mass * g * core.rigid.x[4];
      expect(left).toBeLessThan(1e-9);
    }
    return -left;
  });
  expect(lost[0] / lost[1]).toBeGreaterThan(3.5);
  expect(lost[1] / lost[2]).toBeGreaterThan(3.5);
  expect(lost[2]).toBeLessThan(0.01 * mass * g * half);
});

/** Kinetic energy of rigid bodies [J]. */
function energyOf({ rigid }: CoupledCore): number {
  const omega = new Float64Array(3);
  return sumOf(rigid.count, (b) => {
    rigid.spinOf(b, omega);
    return 0.5 * sumOf(3, (k) => rigid.mass[b] * rigid.v[b * 3 + k] ** 2 + omega[k] * rigid.l[b * 3 + k]);
  });
}

it('spins die away at the rate that is asked for, and the balance knows of it', () => {
  const spin = [3, -2, 1];
  const core = new CoupledCore(
    { rigid: [ball(0.1, 1, { angularVelocity: spin })], gravity: [0, 0, 0] },
    { substeps: 4, spinDamping: 0.5 },
  );
  core.balance.begin();
  for (let n = 0; n < 60; n++) core.step(1 / 60);
  expect(core.balance.end()).toBeLessThan(1e-14);
  // implicit Euler of dL/dt = −c L in steps of h = 1/240: L (1 + c h)⁻²⁴⁰
  const kept = (1 + 0.5 / 240) ** -240;
  const out = new Float64Array(3);
  core.rigid.spinOf(0, out);
  for (let k = 0; k < 3; k++) expect(Math.abs(out[k] - kept * spin[k])).toBeLessThan(1e-12);
});

it('spins of flesh die away at that rate too, and nothing else of its velocities does', () => {
  const random = createRandom(3);
  const core = new CoupledCore({ soft: [placeSoft(softBox([2, 1, 1], 0.1), [0.1, 0.2, 0.3])], gravity: [0, 0, 0] }, {});
  const { soft, balance } = core;
  for (let i = 0; i < soft.v.length; i++) {
    soft.x[i] += random.range(-0.01, 0.01);
    soft.v[i] = random.range(-1, 1);
  }
  const before = soft.v.slice();
  const linear = (v: Float64Array) => [0, 1, 2].map((k) => sumOf(soft.vertexCount, (i) => soft.mass[i] * v[i * 3 + k]));
  balance.begin();
  balance.dampSpins(0.5, 2);
  // half of it is left: L (1 + c h)⁻¹; what was taken is explained
  expect(balance.end()).toBeLessThan(1e-14);
  linear(soft.v).forEach((p, k) => {
    expect(Math.abs(p - linear(before)[k])).toBeLessThan(1e-14);
  });
  const halved = soft.v.slice();
  const taken = before.map((v, i) => v - halved[i]);
  balance.dampSpins(0.5, 2);
  // a rigid rotation was taken: it lengthens no edge, and the next time half as much of it is
  for (let i = 0; i < soft.v.length; i++) expect(Math.abs(halved[i] - soft.v[i] - 0.5 * taken[i])).toBeLessThan(1e-13);
  for (let i = 1; i < soft.vertexCount; i++) {
    const along = sumOf(3, (k) => (soft.x[i * 3 + k] - soft.x[k]) * (taken[i * 3 + k] - taken[k]));
    expect(Math.abs(along)).toBeLessThan(1e-14);
  }
  expect(Math.max(...taken.map(Math.abs))).toBeGreaterThan(1e-3);
});

function sumOf(count: number, term: (n: number) => number): number {
  let sum = 0;
  for (let n = 0; n < count; n++) sum += term(n);
  return sum;
}

/** What a free body keeps: linear momentum always (V08), the balance of torques once converged (V09). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { JointType, Vec3 } from '../../src/body/body-def.js';
import { grabBody, moveGrab, releaseGrab } from '../../src/world/grab.js';
import {
  inertialTarget,
  kineticEnergy,
  linearMomentum,
  measured,
  momentOf,
  norm,
  type Single,
  single,
} from '../support/checks/measure.js';
import { buildChain, buildFleshBar, STIFF } from '../support/models/bodies.js';

const TYPES: readonly JointType[] = ['ball', 'hinge', 'universal', 'fixed'];

/** A start that is bent: every vertex moved by a smooth wave of the given height [m]. */
function bent(positions: Float64Array, height: number): Float64Array {
  return positions.map((x, i) => x + height * Math.sin(3 * positions[i - (i % 3)] + i));
}

/** Gives the vertices of flesh, and each bone as a whole, random velocities. */
function stir({ model, state }: Single, seed: number): void {
  let bits = seed;
  const random = () => {
    bits = (Math.imul(bits, 1664525) + 1013904223) >>> 0;
    return bits / 2 ** 31 - 1;
  };
  for (let v = 0; v < model.vertexCount * 3; v++) state.velocities[v] = random();
  for (let bone = 0; bone < model.bones.count; bone++) {
    const rates = state.boneRates;
    const spin = [random(), random(), random()].map((value) => 3 * value);
    const velocity = [random(), random(), random()];
    const o = bone * 12;
    // columns of spin* R with R = 1 at the start
    rates.set([0, spin[2], -spin[1], -spin[2], 0, spin[0], spin[1], -spin[0], 0, ...velocity], o);
    for (let n = model.bones.vertexStart[bone]; n < model.bones.vertexStart[bone + 1]; n++) {
      const v = model.bones.vertices[n] * 3;
      for (let k = 0; k < 3; k++) {
        let value = rates[o + 9 + k];
        for (let p = 0; p < 3; p++) {
          value += rates[o + p * 3 + k] * (model.positions[v + p] - model.bones.centre[bone * 3 + p]);
        }
        state.velocities[v + k] = value;
      }
    }
  }
}

async function worstDrift(s: Single, steps: number): Promise<number> {
  const start = linearMomentum(s.model, s.state);
  const scale = Math.sqrt(2 * kineticEnergy(s.model, s.state) * s.model.totalMass);
  let worst = 0;
  for (let n = 0; n < steps; n++) {
    s.step();
    const now = linearMomentum(s.model, s.state);
    worst = Math.max(worst, norm(now.map((p, k) => p - start[k])) / scale);
  }
  return worst;
}

describe('V08 linear momentum of a free body is constant, converged or not (conservation law)', () => {
  it('flesh between two jointed bones, 1 to 80 iterations, any joint, any stiffness', async () => {
    let worst = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(1, 2, 3, 7, 20, 80),
        fc.constantFrom(...TYPES),
        fc.constantFrom(1e3, 1e5, 1e7),
        fc.constantFrom('arap', 'corotated'),
        fc.constantFrom<'exact' | 'published'>('exact', 'published'),
        fc.constantFrom<'backwardEuler' | 'bdf2'>('backwardEuler', 'bdf2'),
        fc.integer({ min: 0, max: 2 ** 31 }),
        async (iterations, joint, youngModulus, model, bones, integrator, seed) => {
          const material = { ...STIFF, model, youngModulus, poissonRatio: 0.3 } as const;
          const body = buildFleshBar({ cells: [5, 1, 1], cell: 0.2, layers: 2, material, joint });
          const startPositions = bent(body.positions, 0.05);
          const s = await single(body, { iterations, bones, integrator, dt: 1 / 60, placement: { startPositions } });
          stir(s, seed);
          worst = Math.max(worst, await worstDrift(s, 30));
          expect(worst).toBeLessThan(1e-9);
        },
      ),
      { numRuns: 40, seed: 8 },
    );
    measured('V08 flesh', worst);
  });

  it('chains of bones alone', async () => {
    let worst = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 80 }),
        fc.integer({ min: 1, max: 8 }),
        fc.constantFrom(...TYPES),
        fc.integer({ min: 0, max: 2 ** 31 }),
        async (iterations, count, type, seed) => {
          const s = await single(buildChain(count, { type }), { iterations, dt: 1 / 60 });
          stir(s, seed);
          worst = Math.max(worst, await worstDrift(s, 30));
          expect(worst).toBeLessThan(1e-9);
        },
      ),
      { numRuns: 25, seed: 9 },
    );
    measured('V08 bones', worst);
  });
});

describe('momentum when something lets go, with BDF2 (conservation law)', () => {
  // BDF2 carries a third of the last change of momentum into the next step: a free body went on gaining 1.7 to 3 % of what it was given
  it.each(['grip', 'bone'] as const)('a %s that is let go of leaves no pull behind', async (what) => {
    const body = buildFleshBar({ cells: [5, 1, 1], cell: 0.2, layers: 2, material: STIFF });
    const s = await single(body, { dt: 1 / 60, integrator: 'bdf2' });
    const grab = what === 'grip' ? grabBody(s.world, 0, [1, 0.1, 0.1]) : undefined;
    s.state.kinematic[1] = grab ? 0 : 1;
    for (let n = 0; n < 20; n++) {
      if (grab) moveGrab(grab, [1 + 0.01 * n, 0.1 + 0.0005 * n * n, 0.1]);
      else s.state.boneTargets[7 + 4] += 0.0005 * n;
      s.step();
    }
    if (grab) releaseGrab(s.world, grab);
    s.state.kinematic[1] = 0;
    const before = linearMomentum(s.model, s.state);
    expect(norm(before)).toBeGreaterThan(10);
    for (let n = 0; n < 5; n++) {
      s.step();
      const lost = linearMomentum(s.model, s.state).map((p, k) => p - before[k]);
      expect(norm(lost) / norm(before)).toBeLessThan(1e-12);
      expect(s.world.certificate.momentumDrift).toBeLessThan(1e-11 * norm(before));
    }
  });
});

describe('damping', () => {
  it('takes 1/(1 + damping h) of the momentum per step, and the certificate counts none of it as drift', async () => {
    const body = buildFleshBar({ cells: [5, 1, 1], cell: 0.2, layers: 2, material: STIFF });
    const s = await single(body, {
      dt: 1 / 60,
      damping: 3,
      placement: { velocity: [1, 2, 3], angularVelocity: [1, 0, 2] },
    });
    for (let n = 1; n <= 100; n++) {
      s.step();
      const p = linearMomentum(s.model, s.state);
      expect(p[2] / s.model.totalMass).toBeCloseTo(3 / 1.05 ** n, 10);
      expect(s.world.certificate.momentumDrift).toBeLessThan(1e-9 * s.model.totalMass);
    }
  });
});

describe('V09 torques balance at any iteration count with the exact bone step, and not with the published one', () => {
  const h = 1 / 60;
  // The bar of golden.json (staticBias), free, k = 1e5, turning and bent.
  const body = buildFleshBar({ cells: [9, 2, 2], cell: 0.1, layers: 4, material: STIFF });
  const placement = { startPositions: bent(body.positions, 0.02), angularVelocity: [1, 2, 3] as Vec3 };

  /** ‖Σ m x × (x − y)‖/h² after one step: the torque that nothing explains [N m]. */
  async function torqueLeft(iterations: number, bones: 'exact' | 'published'): Promise<number> {
    const s = await single(body, { iterations, bones, dt: h, placement });
    let worst = 0;
    for (let n = 0; n < 3; n++) {
      const y = inertialTarget(s.state, h);
      s.step();
      const x = s.state.positions;
      worst = Math.max(
        worst,
        norm(
          momentOf(
            s.model,
            x,
            x.map((value, i) => value - y[i]),
          ),
        ) /
          (h * h),
      );
    }
    return worst;
  }

  // The end of a step turns a free body until its moments balance: at any iteration count, to rounding (moments here are up to 10 N m).
  it.each([1, 3, 10, 80])('exact, %i iterations: below 1e-9 N m', async (iterations) => {
    const torque = await torqueLeft(iterations, 'exact');
    measured(`V09 exact ${iterations}`, torque);
    expect(torque).toBeLessThan(1e-9);
  });

  it('published Alg. 1 stalls: more than 1 N m is left after 300 iterations', async () => {
    const torque = await torqueLeft(300, 'published');
    measured('V09 published 300', torque);
    expect(torque).toBeGreaterThan(1);
  });

  it('then the angular momentum changes by h Σ m v_new × v_old, the law of backward Euler', async () => {
    const s = await single(body, { iterations: 2, dt: h, placement });
    for (let n = 0; n < 10; n++) {
      const old = s.state.velocities.slice();
      const before = momentOf(s.model, s.state.positions, old);
      s.step();
      const after = momentOf(s.model, s.state.positions, s.state.velocities);
      const explained = momentOf(s.model, s.state.velocities, old);
      const rest = after.map((l, k) => l - before[k] - h * explained[k]);
      expect(norm(rest)).toBeLessThan(1e-9 * h);
    }
  });
});

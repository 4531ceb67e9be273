/** Steps that are hard: odd time steps, no iterations, forces that are no numbers, other units, far away. */
import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../../src/body/body-def.js';
import { buildModel } from '../../src/body/model.js';
import { TendonError } from '../../src/errors.js';
import { createWorld, resetWorld } from '../../src/world/create-world.js';
import { stepWorld } from '../../src/world/step.js';
import {
  angleAboutZ,
  centreOf,
  kineticEnergy,
  linearMomentum,
  maxDifference,
  measured,
  norm,
  single,
  wholeState,
} from '../support/checks/measure.js';
import { pendulumMap, turnBetween } from '../support/checks/pendulum-map.js';
import { buildBoxes, buildFleshBar, lumpedSides, STIFF } from '../support/models/bodies.js';

const GRAVITY = [0, -9.81, 0] as const;
const def = buildFleshBar({ cells: [5, 1, 1], cell: 0.2, layers: 2, material: STIFF });
const spinning = { angularVelocity: [1, 2, 3] as Vec3 };

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return error instanceof TendonError ? error.code : String(error);
  }
  return 'none';
}

describe('the time step', () => {
  it('0 does nothing; negative, NaN, infinite and too long ones are refused and do nothing', async () => {
    const s = await single(def, { placement: spinning });
    s.step(3);
    const before = wholeState(s.state);
    expect(stepWorld(s.world, 0)).toBe(true);
    expect(codeOf(() => stepWorld(s.world, -1 / 60))).toBe('E_RANGE');
    expect(codeOf(() => stepWorld(s.world, 0.1))).toBe('E_RANGE');
    expect(codeOf(() => stepWorld(s.world, Number.NaN))).toBe('E_NOT_FINITE');
    expect(codeOf(() => stepWorld(s.world, Number.POSITIVE_INFINITY))).toBe('E_NOT_FINITE');
    expect(wholeState(s.state)).toEqual(before);
    expect(s.world.stepCount).toBe(3);
  });

  it('may change from step to step: the result is that of a world made for it', async () => {
    const one = await single(def, { dt: 1 / 60, placement: spinning, gravity: GRAVITY });
    const two = await single(def, { dt: 1 / 100, placement: spinning, gravity: GRAVITY });
    for (let n = 0; n < 10; n++) expect(stepWorld(one.world, 1 / 100)).toBe(true);
    two.step(10);
    expect(one.state.positions).toEqual(two.state.positions);
  });

  it('tiny ones are fine: 1e-6 s', async () => {
    const s = await single(def, { dt: 1e-6, placement: spinning });
    const start = s.state.velocities.slice();
    s.step(50);
    // rigid motion to first order: x + t v, with the start's velocities; what is left is ½ ω² r t² = 2e-8 m at most
    const straight = s.model.positions.map((x, i) => x + 50e-6 * start[i]);
    expect(maxDifference(s.state.positions, straight)).toBeLessThan(2e-8);
  });
});

describe('iterations', () => {
  it.each([0, 1, 2])(
    '%i: 2000 steps stay finite, momentum is exact, bones are rigid, joints closed',
    async (iterations) => {
      const s = await single(def, { dt: 1 / 60, iterations, placement: spinning });
      const start = linearMomentum(s.model, s.state);
      const scale = Math.sqrt(2 * kineticEnergy(s.model, s.state) * s.model.totalMass);
      for (let n = 0; n < 2000; n++) {
        s.step();
        expect(s.world.certificate.jointGap).toBeLessThan(1e-10 * s.model.size);
        expect(s.world.certificate.rigidity).toBeLessThan(1e-12);
      }
      expect(norm(linearMomentum(s.model, s.state).map((p, k) => p - start[k]))).toBeLessThan(1e-9 * scale);
      expect(s.state.positions.every(Number.isFinite)).toBe(true);
    },
  );

  it.each([-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 1e9])('%f are refused', async (iterations) => {
    await expect(single(def, { iterations })).rejects.toBeInstanceOf(TendonError);
  });
});

describe('a step that is not finite', () => {
  const vertexOf = { flesh: 2, bone: 0 } as const;
  it.each([
    ['flesh', Number.NaN, 10],
    ['flesh', Number.POSITIVE_INFINITY, 10],
    ['flesh', Number.NaN, 0],
    ['bone', Number.NaN, 10],
    ['bone', Number.NEGATIVE_INFINITY, 1],
    ['bone', Number.NaN, 0],
    ['flesh', 1e308, 10],
    ['bone', 1e308, 10],
  ] as const)(
    'force on %s: %f, %i iterations: undone, reported, and the next good step is as if nothing was',
    async (part, force, iterations) => {
      const make = () => single(def, { dt: 1 / 60, iterations, placement: spinning, gravity: GRAVITY });
      const s = await make();
      expect(s.model.bones.ofVertex[vertexOf[part]] >= 0).toBe(part === 'bone');
      s.step(3);
      s.state.forces[vertexOf[part] * 3 + 1] = force;
      const before = wholeState(s.state);
      expect(stepWorld(s.world)).toBe(false);
      expect(s.world.fault?.code).toBe('E_DIVERGED');
      expect(wholeState(s.state)).toEqual(before);
      expect(s.world.stepCount).toBe(3);
      s.state.forces.fill(0);
      s.step();
      expect(s.world.fault).toBeUndefined();
      const same = await make();
      same.step(4);
      expect(wholeState(s.state)).toEqual(wholeState(same.state));
    },
  );

  it('of one body leaves all bodies of the world where they were', async () => {
    const world = await createWorld(
      { name: 'w', description: '', bodies: [{ body: def }, { body: def, position: [0, 3, 0] }] },
      { dt: 1 / 60 },
    );
    const before = world.bodies.map((body) => wholeState(body.state));
    world.bodies[1].state.forces[0] = Number.NaN;
    before[1] = wholeState(world.bodies[1].state);
    expect(stepWorld(world)).toBe(false);
    expect(world.bodies.map((body) => wholeState(body.state))).toEqual(before);
  });
});

describe('reset', () => {
  it.each(['backwardEuler', 'bdf2'] as const)(
    '%s: every number of the state is as at the start, and so is the next step',
    async (integrator) => {
      const s = await single(def, { dt: 1 / 60, integrator, placement: spinning, gravity: GRAVITY });
      const start = wholeState(s.state);
      s.step(5);
      const later = wholeState(s.state);
      s.step(5);
      resetWorld(s.world);
      expect(wholeState(s.state)).toEqual(start);
      s.step(5);
      expect(wholeState(s.state)).toEqual(later);
    },
  );
});

describe('units: sizes from 1e-3 to 1e3 m, masses from 1e-9 to 1e9 kg', () => {
  it.each([
    [1e-3, 1e-9],
    [1e-3, 1e-6],
    [1e-2, 1e-3],
    [1, 1e-3],
    [1, 1],
    [1, 1e3],
    [1e2, 1e3],
    [1e3, 1e3],
    [1e3, 1e9],
  ])('V06 at %f m, %f kg: the same map within 1e-9 rad', async (length, mass) => {
    const h = 0.01;
    const sides = lumpedSides([length, 0.1 * length, 0.1 * length]);
    const body = buildBoxes(
      [{ name: 'bar', centre: [length / 2, 0, 0], sides }],
      [{ name: 'pin', type: 'ball', bones: ['bar'], anchor: [0, 0, 0] }],
      { ...STIFF, density: mass / (sides[0] * sides[1] * sides[2]) },
    );
    const s = await single(body, { dt: h, iterations: 8, gravity: [0, -9.81 * length, 0] });
    expect(s.model.totalMass / mass).toBeCloseTo(1, 12);
    const map = pendulumMap(1 / 3 + 0.01 / 12, 0.5, 9.81, h, 0);
    let worst = 0;
    for (let n = 0; n < 300; n++) {
      s.step();
      worst = Math.max(worst, Math.abs(turnBetween(angleAboutZ(s.state, 0), map())));
    }
    measured(`V06 at ${length} m, ${mass} kg`, worst);
    expect(worst).toBeLessThan(1e-9);
  });

  it.each([
    [1e-7, 1000],
    [1e7, 1000],
    [1, 1e9],
    [1, 1e-9],
  ])('a bar of %f m and %f kg/m³ is a slip of units and refused', (length, density) => {
    const sides: Vec3 = [length, 0.1 * length, 0.1 * length];
    const body = buildBoxes([{ name: 'bar', centre: [0, 0, 0], sides }], [], { ...STIFF, density });
    expect(codeOf(() => buildModel(body))).toBe('E_RANGE');
  });

  it.each([1e-3, 1e-2, 1e2, 1e3])('V10 at %f m: the flesh hangs and settles in the same shape', async (length) => {
    // gravity ~ length and stiffness ~ length² leave all dimensionless numbers as they are, time included
    const hang = async (scale: number, steps: number) => {
      const body = buildFleshBar({
        cells: [1, 1, 5],
        cell: 0.2 * scale,
        layers: 2,
        axis: 2,
        material: { ...STIFF, youngModulus: 1e5 * scale * scale },
        joints: [{ name: 'pin', type: 'ball', bones: ['a'], anchor: [0.1 * scale, 0.1 * scale, 0.1 * scale] }],
      });
      const s = await single(body, { dt: 1 / 60, iterations: 20, gravity: [0, 0, 9.81 * scale] });
      s.step(steps);
      return s.state.positions.map((x, i) => (x - s.model.positions[i]) / scale);
    };
    for (const steps of [5, 400]) {
      const [here, reference] = [await hang(length, steps), await hang(1, steps)];
      const worst = maxDifference(here, reference);
      measured(`V10 shape at ${length} m, ${steps} steps`, [worst, Math.max(...reference)]);
      // Target 1e-9. The flesh is f32: positions are rounded to 6e-8 of the size, differently at each scale.
      expect(worst).toBeLessThan(1e-6);
      expect(Math.max(...reference)).toBeGreaterThan(1e-3);
    }
  });

  it('lengths and masses by powers of two change no bit at all', async () => {
    const run = async (length: number, mass: number) => {
      const material = { ...STIFF, youngModulus: (1e5 * mass) / length, density: (1000 * mass) / length ** 3 };
      const body = buildFleshBar({ cells: [5, 1, 1], cell: 0.25 * length, layers: 2, material });
      const gravity = [0, -9.81 * length, 0] as const;
      const s = await single(body, { dt: 1 / 60, gravity, placement: { angularVelocity: [1, 2, 3] } });
      s.step(60);
      return s.state.positions.map((x) => x / length);
    };
    const reference = await run(1, 1);
    expect(await run(1 / 8, 1)).toEqual(reference);
    expect(await run(16, 1024)).toEqual(reference);
    expect(await run(0.5, 1 / 256)).toEqual(reference);
  });
});

describe('far from the origin', () => {
  it.each([1e3, 1e5])(
    '%f m away a spinning bar of flesh moves as at the origin, within the rounding of positions',
    async (far) => {
      const run = async (position: Vec3) => {
        const s = await single(def, { dt: 1 / 60, placement: { ...spinning, position } });
        s.step(60);
        return s.state.positions.map((x, i) => x - position[i % 3]);
      };
      const [away, here] = [await run([far, -far, far]), await run([0, 0, 0])];
      const worst = maxDifference(away, here);
      measured(`far ${far}`, worst);
      // one unit in the last place of a position is 1.5e-11 m at 1e5 m; the rest is f32 noise of the flesh, which differs with the place (measured 1.6e-6)
      expect(worst).toBeLessThan(5e-6);
    },
  );

  it('1e5 m away the pendulum still follows its map to 1e-8 rad', async () => {
    const h = 0.01;
    const body = buildBoxes(
      [{ name: 'bar', centre: [0.5, 0, 0], sides: lumpedSides([1, 0.1, 0.1]) }],
      [{ name: 'pin', type: 'ball', bones: ['bar'], anchor: [0, 0, 0] }],
    );
    const placement = { position: [1e5, 1e5, 0] as Vec3 };
    const s = await single(body, { dt: h, iterations: 8, gravity: GRAVITY, placement });
    const map = pendulumMap(1 / 3 + 0.01 / 12, 0.5, 9.81, h, 0);
    let worst = 0;
    for (let n = 0; n < 300; n++) {
      s.step();
      worst = Math.max(worst, Math.abs(turnBetween(angleAboutZ(s.state, 0), map())));
    }
    measured('far pendulum', worst);
    expect(worst).toBeLessThan(1e-8);
    expect(centreOf(s.model, s.state.positions)[0]).toBeGreaterThan(9e4);
  });
});

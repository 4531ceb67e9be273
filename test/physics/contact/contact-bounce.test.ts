/** Bounces from obstacles with restitution against Newton's law v⁺ = −e v⁻ and the height it makes. V54. */
import { describe, expect, it } from 'vitest';
import type { BodyDef } from '../../../src/body/body-def.js';
import type { PlacementDef, WorldOptions } from '../../../src/index.js';
import {
  centre,
  contactWorld,
  floor,
  G,
  meanVelocity,
  motionEnergy,
  run,
  runFor,
  topSpeed,
  totalMomentum,
} from '../../support/checks/contact-measure.js';
import { measured } from '../../support/checks/measure.js';
import { RUBBER, standingBox } from '../../support/models/contact-shapes.js';

const H = 1 / 240;
const RIGID = standingBox('rigid', { cells: [2, 2, 2] });
const SOFT = standingBox('soft', { cells: [2, 2, 2], material: { ...RUBBER, youngModulus: 1e5, poissonRatio: 0.3 } });

/** A body dropped on a floor with restitution; `height` of its lower side and `energy` for each kilogram, as they are now. */
async function dropped(
  body: BodyDef,
  restitution: number,
  from: number,
  dt = H,
  more: Partial<PlacementDef> = {},
  options: WorldOptions = {},
) {
  const bodies: PlacementDef[] = [{ body, position: [0, from, 0], ...more }];
  const world = await contactWorld({ bodies, obstacles: [floor(0.5, restitution)], dt }, options);
  const rest = centre(world.bodies[0])[1] - from;
  const height = () => centre(world.bodies[0])[1] - rest;
  const energy = () => motionEnergy(world) / world.bodies[0].model.totalMass + G * height();
  return { world, height, speed: () => meanVelocity(world.bodies[0])[1], energy };
}

/** Apexes after the hits of a number of steps, speeds at the surface around the first one, and the most energy any step added. */
async function bounces(restitution: number, from: number, steps: number, dt = H, options: WorldOptions = {}) {
  const { world, height, speed, energy } = await dropped(RIGID, restitution, from, dt, {}, options);
  const apexes: number[] = [];
  let [landing, leaving, growth, before, rising] = [0, 0, 0, energy(), false];
  // the parabola on which the steps of backward Euler lie has their velocity half a step earlier: v² + 2 g y is constant there
  const atSurface = () => Math.sqrt(speed() ** 2 + 2 * G * (height() - 0.5 * dt * speed() + (G * dt * dt) / 8));
  run(world, steps, () => {
    if (speed() > 1e-6 && !rising) apexes.push(0);
    rising = speed() > 1e-6;
    if (apexes.length === 0 && speed() < -1e-6) landing = atSurface();
    if (apexes.length === 1 && leaving === 0) leaving = atSurface();
    if (apexes.length > 0) apexes[apexes.length - 1] = Math.max(apexes[apexes.length - 1], height());
    growth = Math.max(growth, energy() - before);
    before = energy();
  });
  return { apexes, landing, leaving, growth: growth / (G * from) };
}

describe('a bounce', () => {
  it.each([0.5, 0.9])('with restitution %d gives that share of the speed back, from any height (V54)', async (e) => {
    for (const from of [0.3, 0.5, 0.7, 1]) {
      const { apexes, landing, leaving, growth } = await bounces(e, from, 300);
      measured(`V54 ${e} ${from}`, { ratios: apexes.map((apex) => apex / from), landing, leaving, growth });
      // v⁺ = −e v⁻
      expect(Math.abs(leaving / landing - e)).toBeLessThan(1e-9);
      // apex: e² of the height
      expect(Math.abs(apexes[0] / (e * e * from) - 1)).toBeLessThan(0.02);
      expect(growth).toBeLessThan(1e-9);
    }
  });

  it('without restitution does not happen, and no energy appears (V54)', async () => {
    for (const from of [0.3, 0.5, 0.7, 1]) {
      const { apexes, growth } = await bounces(0, from, 150);
      expect(Math.max(0, ...apexes)).toBeLessThan(1e-9);
      expect(growth).toBeLessThan(1e-9);
    }
  });

  it('follows bounce after bounce, at 60 steps per second too: e² of the height each time', async () => {
    const { apexes, growth } = await bounces(0.7, 1, 120, 1 / 60);
    measured('V54 60 Hz', { apexes, growth });
    expect(apexes.length).toBeGreaterThan(2);
    for (let n = 0; n < 3; n++) expect(Math.abs(apexes[n] / 0.49 ** (n + 1) - 1)).toBeLessThan(0.02);
    expect(growth).toBeLessThan(1e-9);
  });

  it.each([0.1, 0.2, 0.99, 1])(
    'with restitution %d neither adds energy nor rises above e² of the height',
    async (e) => {
      for (const from of [0.2, 0.31, 0.45]) {
        const { apexes, growth } = await bounces(e, from, 480);
        measured(`bounce ${e} ${from}`, { first: apexes[0] / (e * e * from), growth });
        expect(growth).toBeLessThan(1e-9);
        // g h²/8: what the apex of a parabola can be above the highest end of a step
        expect(apexes[0] ?? 0).toBeLessThan(e * e * from + (G * H * H) / 8);
      }
    },
  );

  it('from a wall without gravity is e of the speed to eight digits', async () => {
    for (const start of [0.11, 0.113, 0.119]) {
      const bodies: PlacementDef[] = [{ body: RIGID, position: [0, start, 0], velocity: [0, -2, 0] }];
      const world = await contactWorld({ bodies, obstacles: [floor(0, 0.6)], gravity: [0, 0, 0] });
      run(world, 20);
      // v⁺ = −e v⁻
      expect(meanVelocity(world.bodies[0])[1] / 1.2).toBeCloseTo(1, 7);
    }
  });

  it('from a floor that rises is e of the speed against it', async () => {
    const rising = { ...floor(0, 0.5), velocity: [0, 1, 0] as const };
    const bodies: PlacementDef[] = [{ body: RIGID, position: [0, 0.2, 0], velocity: [0, -1, 0] }];
    const world = await contactWorld({ bodies, obstacles: [rising], gravity: [0, 0, 0] });
    run(world, 20);
    // v⁺ − V = −e (v⁻ − V): 1 + 0.5 · 2
    expect(meanVelocity(world.bodies[0])[1]).toBeCloseTo(2, 7);
  });
});

// BDF2 takes the velocity of a step from the two before: one that looks back past a hit takes it for a rebound
describe('a bounce with BDF2', () => {
  const BDF2 = { integrator: 'bdf2' } as const;

  it.each([60, 240])('adds no energy, %d steps per second', async (rate) => {
    for (const e of [0, 0.5, 0.9, 1]) {
      for (const from of [0.3, 0.5, 1]) {
        const { apexes, growth } = await bounces(e, from, 4 * rate, 1 / rate, BDF2);
        measured(`BDF2 bounce ${rate} ${e} ${from}`, { apexes: apexes.slice(0, 3).map((apex) => apex / from), growth });
        expect(growth).toBeLessThan(1e-9);
        if (e === 0) expect(Math.max(0, ...apexes)).toBeLessThan(1e-9);
        // v⁺ = −e v⁻: e² of the height; the steps around the hit are of first order
        if (e > 0) expect(Math.abs(apexes[0] / (e * e * from) - 1)).toBeLessThan(rate === 240 ? 0.005 : 0.04);
      }
    }
  });

  // what pushes anywhere makes all steps backward Euler's: the bounce is then its bounce
  it.each([60, 240])('is as high beside a body at rest, %d steps per second', async (rate) => {
    const bodies: PlacementDef[] = [
      { body: RIGID, position: [0, 0.3, 0] },
      { body: RIGID, position: [2, 0, 0] },
    ];
    const world = await contactWorld({ bodies, obstacles: [floor(0.5, 0.9)], dt: 1 / rate }, BDF2);
    let [lowest, apex] = [0.3, 0];
    run(world, rate, () => {
      const height = centre(world.bodies[0])[1] - 0.1;
      lowest = Math.min(lowest, height);
      if (height > lowest + 1e-3 && lowest < 0.1) apex = Math.max(apex, height);
    });
    measured(`BDF2 beside another ${rate}`, apex / 0.3);
    // e² of the height
    expect(Math.abs(apex / (0.81 * 0.3) - 1)).toBeLessThan(0.02);
  });

  it('adds no energy where it is switched on right after the hit', async () => {
    for (const e of [0.5, 0.9]) {
      const { world, speed, energy } = await dropped(RIGID, e, 0.5, 1 / 60);
      let [growth, before] = [0, energy()];
      run(world, 60, () => {
        if (speed() > 0.1) world.options.integrator = 'bdf2';
        growth = Math.max(growth, (energy() - before) / (G * 0.5));
        before = energy();
      });
      measured(`BDF2 switched on after a hit ${e}`, growth);
      // conservation of energy; with the hit as its past BDF2 made 1.6 m out of 0.4
      expect(world.options.integrator).toBe('bdf2');
      expect(growth).toBeLessThan(1e-9);
    }
  });

  it('of a soft box ends at rest', async () => {
    const { world } = await dropped(SOFT, 0.5, 0.5, 1 / 60, {}, BDF2);
    runFor(world, 6);
    expect(topSpeed(world)).toBeLessThan(1e-5);
  });

  it('of two boxes against each other keeps their momentum', async () => {
    const bodies: PlacementDef[] = [
      { body: SOFT, position: [0, 0, 0], velocity: [1, 0, 0] },
      { body: SOFT, position: [0.25, 0.05, 0.02] },
    ];
    const world = await contactWorld({ bodies, gravity: [0, 0, 0] }, BDF2);
    const before = totalMomentum(world);
    let touched = 0;
    run(world, 120, () => {
      touched += world.contacts.count > 0 ? 1 : 0;
      // conservation of momentum
      for (let k = 0; k < 3; k++) expect(Math.abs(totalMomentum(world)[k] - before[k]) / before[0]).toBeLessThan(1e-9);
    });
    expect(touched).toBeGreaterThan(0);
    const speeds = world.bodies.map((body) => meanVelocity(body)[0]);
    expect(speeds[1]).toBeGreaterThan(speeds[0]);
  });
});

describe('on a floor with restitution 0.9', () => {
  it.each<[string, number, BodyDef]>([
    ['rigid', 60, RIGID],
    ['rigid', 240, RIGID],
    ['soft', 60, SOFT],
    ['soft', 240, SOFT],
  ])('a %s box comes to rest, %d steps per second', async (name, rate, body) => {
    const { world, height, energy } = await dropped(body, 0.9, 0.05, 1 / rate);
    let [growth, before] = [0, energy()];
    runFor(world, 6, () => {
      if (name === 'rigid') growth = Math.max(growth, energy() - before);
      before = energy();
    });
    measured(`rest ${name} ${rate}`, { height: height(), speed: topSpeed(world), growth });
    // geometric series: all bounces take √(2H/g) (1+e)/(1−e) = 1.9 s
    expect(topSpeed(world)).toBeLessThan(1e-3);
    expect(growth).toBeLessThan(1e-9 * G);
  });

  it('a box that spins fast and lands on an edge gains no energy', async () => {
    const { world, energy } = await dropped(RIGID, 0.9, 0.3, H, { angularVelocity: [3, 5, 40] });
    const start = energy();
    let most = 0;
    run(world, 480, () => {
      most = Math.max(most, energy());
    });
    measured('spinning', { start, most, end: energy() });
    expect(most).toBeLessThan(start * (1 + 1e-9));
  });
});

describe('along the inside of a drum with restitution', () => {
  it('a small box slides on the circle, and does not fly off the planes of its steps', async () => {
    const small = standingBox('rigid', { sides: [0.02, 0.02, 0.02], cells: [1, 1, 1] });
    const drum = {
      name: 'drum',
      shape: { kind: 'cylinder', radius: 1, halfLength: 1, container: true },
      rotation: [Math.SQRT1_2, 0, 0, Math.SQRT1_2],
      friction: 0,
      restitution: 0.5,
    } as const;
    const bodies: PlacementDef[] = [{ body: small, position: [0, -0.9999, 0], velocity: [4, 0, 0] }];
    const world = await contactWorld({ bodies, obstacles: [drum] });
    let deepest = 0;
    run(world, 60, () => {
      const { positions } = world.bodies[0].state;
      for (let i = 0; i < positions.length; i += 3) {
        deepest = Math.max(deepest, Math.hypot(positions[i], positions[i + 1]) - 1);
      }
    });
    measured('drum', { deepest, speed: topSpeed(world) });
    // a plane laid where a step begins is (h v)²/2R = 2.2 mm off where it ends
    expect(deepest).toBeLessThan(2e-4);
    // ½ v² + g y never grows: v² ≤ v0² at the bottom
    expect(topSpeed(world)).toBeLessThan(4.01);
  });
});

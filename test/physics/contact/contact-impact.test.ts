/** Collisions: momentum, merged velocity and bullets. V53, V57. Bodies meet without restitution. */
import { describe, expect, it } from 'vitest';
import type { BodyDef } from '../../../src/body/body-def.js';
import type { PlacementDef, World } from '../../../src/index.js';
import {
  centre,
  contactWorld,
  deepestOverlap,
  massOf,
  meanVelocity,
  motionEnergy,
  run,
  totalMomentum,
  totalSpin,
} from '../../support/checks/contact-measure.js';
import { measured, norm } from '../../support/checks/measure.js';
import { buildFleshBar } from '../../support/models/bodies.js';
import { ball, RUBBER, standingBox, withPins } from '../../support/models/contact-shapes.js';

const FEW = [2, 2, 2] as const;
const BALL = ball('soft', 0.1, 4);

/** Two bones with a ball joint between them and flesh all around. */
const JOINTED = buildFleshBar({ cells: [8, 2, 2], cell: 0.05, layers: 3, material: { ...RUBBER, youngModulus: 1e5 } });

/** Change of the momentum of all bodies against the largest that any of them had [1]. */
class MomentumWatch {
  worst = 0;
  readonly #world: World;
  readonly #start: number[];
  readonly #scale: number;

  constructor(world: World) {
    this.#world = world;
    this.#start = totalMomentum(world);
    this.#scale = Math.sqrt(2 * motionEnergy(world) * massOf(world));
  }

  look(): void {
    const now = totalMomentum(this.#world);
    this.worst = Math.max(this.worst, norm(now.map((value, k) => value - this.#start[k])) / this.#scale);
  }
}

describe('two free bodies that collide off centre', () => {
  const soft = standingBox('soft');
  const rigid = standingBox('rigid', { cells: FEW });
  it.each<[string, BodyDef, BodyDef]>([
    ['soft and soft', soft, soft],
    ['soft and rigid', soft, rigid],
    ['rigid and rigid', rigid, rigid],
    ['ball and ball', BALL, BALL],
    ['jointed character and box', JOINTED, rigid],
  ])('keep their momentum: %s', async (name, a, b) => {
    const [left, right] = [a, b].map(({ positions }) => Math.max(...positions.filter((_, i) => i % 3 === 0)));
    const apart = left + right + 0.02;
    const bodies: PlacementDef[] = [
      { body: a, velocity: [1, 0, 0] },
      { body: b, position: [apart, 0.05, 0.03], velocity: [-1.5, 0.1, 0] },
    ];
    const world = await contactWorld({ bodies, gravity: [0, 0, 0] });
    const watch = new MomentumWatch(world);
    const spin = totalSpin(world);
    const approach = meanVelocity(world.bodies[1])[0] - meanVelocity(world.bodies[0])[0];
    run(world, 60, () => watch.look());
    const spinChange = norm(totalSpin(world).map((value, k) => value - spin[k])) / norm(spin);
    const parting = meanVelocity(world.bodies[1])[0] - meanVelocity(world.bodies[0])[0];
    measured(`collision ${name}`, {
      momentum: watch.worst,
      spinChange,
      approach,
      parting,
      overlap: deepestOverlap(world),
    });
    expect(watch.worst).toBeLessThan(1e-9);
    // they did meet
    expect(parting).toBeGreaterThan(-0.5);
    expect(deepestOverlap(world)).toBeLessThan(2e-3);
  });
});

describe('a row of five', () => {
  it.each<[string, BodyDef]>([
    ['rigid boxes', standingBox('rigid', { cells: FEW })],
    ['soft boxes', standingBox('soft', { cells: FEW })],
    ['rigid balls', ball('rigid', 0.1, 4)],
    ['soft balls', BALL],
  ])('keeps its momentum when the first hits the others: %s (V53)', async (name, body) => {
    const bodies = [0, 1, 2, 3, 4].map((i): PlacementDef => {
      return { body, position: [i === 0 ? -0.1 : i * 0.2, 0, 0], velocity: [i === 0 ? 1 : 0, 0, 0] };
    });
    const world = await contactWorld({ bodies, gravity: [0, 0, 0] });
    const watch = new MomentumWatch(world);
    let overlap = 0;
    run(world, 60, () => {
      watch.look();
      overlap = Math.max(overlap, deepestOverlap(world, 1));
    });
    const speeds = world.bodies.map((one) => meanVelocity(one)[0]);
    measured(`V53 ${name}`, { momentum: watch.worst, overlap, speeds });
    expect(watch.worst).toBeLessThan(1e-9);
    expect(overlap).toBeLessThan(1e-3 * 0.2);
    // bodies do not pass each other, and the last has been hit
    for (let i = 1; i < 5; i++) expect(speeds[i]).toBeGreaterThan(speeds[i - 1] - 1e-3);
    expect(speeds[4]).toBeGreaterThan(0.15);
    // without restitution what is rigid goes on together: m v / (N m)
    for (const speed of name.startsWith('rigid') ? speeds : []) expect(Math.abs(5 * speed - 1)).toBeLessThan(0.01);
  });
});

describe('a row of five with gaps', () => {
  it.each([5e-4, 2e-3])('goes on together, %f m apart at the start (V53)', async (apart) => {
    const body = standingBox('rigid', { cells: FEW });
    const bodies = [0, 1, 2, 3, 4].map((i): PlacementDef => {
      return { body, position: [i === 0 ? -0.1 : i * (0.2 + apart), 0, 0], velocity: [i === 0 ? 1 : 0, 0, 0] };
    });
    const world = await contactWorld({ bodies, gravity: [0, 0, 0] });
    let deepest = 0;
    run(world, 60, () => {
      deepest = Math.max(deepest, deepestOverlap(world, 1));
    });
    const speeds = world.bodies.map((one) => meanVelocity(one)[0]);
    measured(`V53 ${apart}`, { deepest, speeds });
    // all are hit within few steps, some within the same one: m v / (N m), without restitution
    for (const speed of speeds) expect(Math.abs(5 * speed - 1)).toBeLessThan(0.01);
    expect(deepest).toBeLessThan(1e-3 * 0.2);
  });
});

describe('a bullet', () => {
  // a plate of flesh, 1 cm thick and 40 cm wide, pinned at its rim
  const material = { ...RUBBER, youngModulus: 1e5 };
  const whole = standingBox('soft', { sides: [0.01, 0.4, 0.4], cells: [1, 16, 16], material });
  const plate = withPins(whole, (_x, y, z) => y < 1e-6 || y > 0.399 || Math.abs(z) > 0.199);

  it.each([20, 50, 65, 80, 100, 120, 200])(
    'of %d m/s does not pass a plate of flesh, or it is said (V57)',
    async (speed) => {
      const bullet = standingBox('rigid', { sides: [0.03, 0.03, 0.03], cells: [1, 1, 1] });
      const bodies: PlacementDef[] = [
        { body: plate },
        { body: bullet, position: [-0.7, 0.185, 0], velocity: [speed, 0, 0] },
      ];
      const world = await contactWorld({ bodies, gravity: [0, 0, 0] });
      let reported = 0;
      run(world, 60, () => {
        reported += world.certificate.unswept;
      });
      const end = centre(world.bodies[1])[0];
      measured(`V57 ${speed}`, { end, reported, speed: meanVelocity(world.bodies[1]) });
      // a second later the plate hangs at x = 0 again: the bullet is on the side it came from
      expect(reported > 0 || end < 0).toBe(true);
    },
  );
});

/** A soft ball pressed on a rigid plane against Hertz: V60. Small strain, without friction, at rest. */
import { describe, expect, it } from 'vitest';
import { setObstaclePose } from '../../../src/collision/obstacles/obstacle-motion.js';
import type { World } from '../../../src/index.js';
import { contactWorld, floor, forceBetween, run } from '../../support/checks/contact-measure.js';
import { measured } from '../../support/checks/measure.js';
import { softBody, withPins } from '../../support/models/contact-shapes.js';
import { gradedBall } from '../../support/models/graded-ball.js';

const YOUNG = 1e5;
const POISSON = 0.3;
const DEPTHS = [0.005, 0.01, 0.02, 0.03, 0.04, 0.05];

/** F = 4/3 E* √R d^1.5 with E* = E/(1 − ν²) for a rigid plane and R = 1 m [N]. */
const hertz = (depth: number) => ((4 / 3) * YOUNG * depth ** 1.5) / (1 - POISSON * POISSON);

/** Distance of the farthest vertex that pushes from the middle of the contact [m]. */
function contactRadius({ contacts, bodies }: World): number {
  let radius = 0;
  for (let c = 0; c < contacts.count; c++) {
    const at = contacts.feature[c] * 3;
    const { positions } = bodies[0].state;
    if (contacts.force[c * 3 + 1] > 0) radius = Math.max(radius, Math.hypot(positions[at], positions[at + 2]));
  }
  return radius;
}

/**
 * Forces and contact radii of a ball of radius 1 m at growing depths. Hertz's depth is how far the plane comes near distant
 * points of the ball: here the upper quarter of its height, which is held. Nearly without mass, so that each step ends at rest.
 */
async function press(cell: number, depths: readonly number[]) {
  const material = { model: 'corotated', youngModulus: YOUNG, poissonRatio: POISSON, density: 1 } as const;
  const body = withPins(softBody('ball', gradedBall(cell), material), (_x, y) => y > 0.5);
  const plane = { ...floor(0), position: [0, -1, 0] as const };
  const settings = { gravity: [0, 0, 0], dt: 1 / 15, iterations: 40, selfContact: false } as const;
  const world = await contactWorld({ bodies: [{ body }], obstacles: [plane], ...settings });
  return depths.map((depth) => {
    setObstaclePose(world.obstacles, 0, [0, depth - 1, 0], [0, 0, 0, 1]);
    run(world, 3);
    return { depth, force: forceBetween(world, 0, -1)[1], radius: contactRadius(world) };
  });
}

describe('a soft ball on a plane', () => {
  it('pushes back by 4/3 E* √R d^1.5, with a circle of contact of radius √(R d) (V60)', async () => {
    const pressed = await press(0.06, DEPTHS);
    const ratios = pressed.map(({ depth, force }) => force / hertz(depth));
    const [first, last] = [pressed[0], pressed[pressed.length - 1]];
    const exponent = Math.log(last.force / first.force) / Math.log(last.depth / first.depth);
    const radii = pressed.map(({ depth, radius }) => radius / Math.sqrt(depth));
    measured('V60', { ratios, exponent, radii });
    for (const ratio of ratios) expect(Math.abs(ratio - 1)).toBeLessThan(0.1);
    expect(Math.abs(exponent / 1.5 - 1)).toBeLessThan(0.02);
    // to the size of a cell
    for (const { depth, radius } of pressed) expect(Math.abs(radius - Math.sqrt(depth))).toBeLessThan(0.06);
  });

  it('comes nearer to Hertz with smaller cells (V60)', async () => {
    const depths = [0.005, 0.01, 0.02];
    const errors: number[] = [];
    for (const cell of [0.1, 0.06, 0.04]) {
      const ratios = (await press(cell, depths)).map(({ depth, force }) => force / hertz(depth));
      measured(`V60 cell ${cell}`, ratios);
      errors.push(Math.max(...ratios.map((ratio) => Math.abs(ratio - 1))));
    }
    expect(errors[1]).toBeLessThan(errors[0]);
    expect(errors[2]).toBeLessThan(errors[1]);
    expect(errors[2]).toBeLessThan(0.05);
  });
});

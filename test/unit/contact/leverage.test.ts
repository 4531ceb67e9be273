/** How many times further a contact's bodies move than the heaviest that presses on them, by hand. */
import { describe, expect, it } from 'vitest';
import type { ContactBuffer } from '../../../src/collision/contact-buffer.js';
import { Leverage } from '../../../src/contact/leverage.js';
import { contactWorld, floor, forceBetween, G, run } from '../../support/checks/contact-measure.js';
import { standingBox } from '../../support/models/contact-shapes.js';
import { projectiveOf } from '../../support/projective-inside.js';

/** Leverage of contacts between bodies (-1: an obstacle) that give way by so much each. */
function leverageOf(gives: readonly number[], pairs: readonly (readonly [number, number])[]): Leverage {
  const leverage = new Leverage(pairs.length, gives.length);
  leverage.begin();
  for (const pair of pairs) for (const body of pair) if (body >= 0) leverage.add(body, gives[body]);
  const contacts = { body: Int32Array.from(pairs.flat()) } as unknown as ContactBuffer;
  leverage.spread(
    contacts,
    Int32Array.from(pairs, (_, c) => c),
    pairs.length,
  );
  return leverage;
}

describe('leverage', () => {
  it('is one for bodies alone and for equals', () => {
    const { precision, beyond, largest } = leverageOf(
      [1, 1, 7],
      [
        [0, 1],
        [0, -1],
        [2, -1],
        [2, 2],
      ],
    );
    expect([...precision]).toEqual([1, 1, 1, 1]);
    expect([...beyond]).toEqual([1, 1, 1, 1]);
    expect(largest[0]).toBe(1);
  });

  it('is that of the heaviest that is reached through others', () => {
    // floor, light, light, heavy: 1, 1 and 0.01
    const { beyond, largest } = leverageOf(
      [1, 1, 0.01],
      [
        [0, -1],
        [0, 1],
        [1, 2],
      ],
    );
    expect(beyond[0]).toBeCloseTo(100, 9);
    expect(beyond[1]).toBeCloseTo(100, 9);
    // the heavy one is what presses
    expect(beyond[2]).toBeCloseTo(1, 9);
    expect(largest[0]).toBeCloseTo(100, 9);
  });

  it('is not made of what nothing can move', () => {
    const { precision } = leverageOf(
      [0, 1e-15, 1, 2],
      [
        [0, 1],
        [1, 2],
        [2, 3],
        [0, -1],
      ],
    );
    expect(precision[0]).toBe(1);
    expect(precision[1]).toBeCloseTo(2 / 2, 9);
    expect(precision[2]).toBeCloseTo(1.5, 3);
    expect(precision[3]).toBe(1);
  });

  it('forgets the step before', () => {
    const leverage = leverageOf([1, 1e-6], [[0, 1]]);
    expect(leverage.largest[0]).toBeGreaterThan(1e5);
    leverage.begin();
    leverage.add(0, 1);
    leverage.spread({ body: Int32Array.of(0, -1) } as unknown as ContactBuffer, Int32Array.of(0), 1);
    expect(leverage.largest[0]).toBe(1);
  });
});

describe('kinematic bodies that touch', () => {
  it('push neither each other nor make work of what lies on them', async () => {
    const box = standingBox('rigid', { cells: [2, 2, 2] });
    const still = { ...box, bones: box.bones?.map((bone) => ({ ...bone, kinematic: true })) };
    const soft = standingBox('soft', { cells: [2, 2, 2] });
    const bodies = [
      { body: still },
      { body: still, position: [0.199, 0, 0] as const },
      { body: soft, position: [0, 0.2, 0] as const },
    ];
    const world = await contactWorld({ bodies, obstacles: [] });
    let largest = 0;
    run(world, 30, () => {
      largest = Math.max(largest, projectiveOf(world).contactSolver.leverage.largest[0]);
      expect(forceBetween(world, 0, 1)).toEqual([0, 0, 0]);
    });
    expect(largest).toBeLessThan(10);
    // it is carried: balance of forces
    const weight = world.bodies[2].model.totalMass * G;
    expect(forceBetween(world, 2, 0)[1] + forceBetween(world, 2, 1)[1]).toBeGreaterThan(0.9 * weight);
  });

  it('let go of the force they had while they could be moved', async () => {
    const bodies = [{ body: standingBox('rigid', { cells: [2, 2, 2] }) }];
    const world = await contactWorld({ bodies, obstacles: [floor()] });
    run(world, 20);
    const weight = world.bodies[0].model.totalMass * G;
    expect(forceBetween(world, 0, -1)[1]).toBeCloseTo(weight, 6);
    world.bodies[0].state.kinematic[0] = 1;
    run(world, 2);
    expect(forceBetween(world, 0, -1)).toEqual([0, 0, 0]);
    world.bodies[0].state.kinematic[0] = 0;
    run(world, 20);
    // balance of forces
    expect(forceBetween(world, 0, -1)[1]).toBeCloseTo(weight, 6);
  });
});

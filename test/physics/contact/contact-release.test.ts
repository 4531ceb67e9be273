/** Bodies that touch are pulled apart: contacts push and never pull. V59. */
import { describe, expect, it } from 'vitest';
import type { PlacementDef, World, WorldBody } from '../../../src/index.js';
import {
  centre,
  contactWorld,
  floor,
  forceBetween,
  G,
  meanVelocity,
  run,
} from '../../support/checks/contact-measure.js';
import { measured } from '../../support/checks/measure.js';
import { type Kind, RUBBER, standingBox } from '../../support/models/contact-shapes.js';

const CELLS = [2, 2, 2] as const;

/** Pulls on all vertices of a body, each by its mass: `acceleration` [m/s²] upwards. */
function pull({ model, state }: WorldBody, acceleration: number): void {
  for (let v = 0; v < model.vertexCount; v++) state.forces[v * 3 + 1] = acceleration * model.masses[v];
}

/** Least push of any contact along its normal [N]: below 0 it would pull. */
function leastPush({ contacts }: World): number {
  let least = 0;
  for (let c = 0; c < contacts.count; c++) {
    let push = 0;
    for (let k = c * 3; k < c * 3 + 3; k++) push += contacts.normal[k] * contacts.force[k];
    least = Math.min(least, push);
  }
  return least;
}

describe('a body that is pulled off', () => {
  it.each<[Kind, 'a floor' | 'a body']>([
    ['rigid', 'a floor'],
    ['soft', 'a floor'],
    ['rigid', 'a body'],
    ['soft', 'a body'],
  ])('%s, from %s: is let go of when the pull exceeds its weight, and not before (V59)', async (kind, from) => {
    const box = { cells: CELLS, material: { ...RUBBER, youngModulus: 1e5, poissonRatio: 0.3 } };
    const lower: PlacementDef[] = from === 'a body' ? [{ body: standingBox('rigid', box) }] : [];
    const bodies = [...lower, { body: standingBox(kind, box), position: [0, 0.2 * lower.length, 0] as const }];
    const world = await contactWorld({ bodies, obstacles: [floor(0.5, 0)] });
    const upper = world.bodies[lower.length];
    const weight = G * upper.model.totalMass;
    run(world, 60);
    let [least, worst] = [0, 0];
    // the pull grows to 0.9 of the weight: the rest is carried, (1 − share) m g
    run(world, 120, (step) => {
      pull(upper, (0.9 * G * step) / 120);
      least = Math.min(least, leastPush(world));
      const carried = forceBetween(world, lower.length, lower.length - 1)[1] / weight;
      worst = Math.max(worst, Math.abs(carried - 1 + (0.9 * (step - 1)) / 120));
    });
    const start = centre(upper)[1];
    // then to 1.5 of it: free, with an acceleration of g/2; nothing sticks
    pull(upper, 1.5 * G);
    run(world, 30, () => {
      least = Math.min(least, leastPush(world));
    });
    const speed = meanVelocity(upper)[1] / (0.5 * G * 30 * world.dt);
    measured(`V59 ${kind} ${from}`, { least: least / weight, worst, speed, rise: centre(upper)[1] - start });
    expect(least).toBeGreaterThan(-1e-12 * weight);
    expect(worst).toBeLessThan(0.02);
    // v = n h g/2, and for flesh what its compression gives back
    expect(Math.abs(speed - 1)).toBeLessThan(0.01);
    expect(forceBetween(world, lower.length, lower.length - 1)[1]).toBe(0);
  });

  it('jerked off within one step feels no force at all (V59)', async () => {
    const world = await contactWorld({
      bodies: [{ body: standingBox('rigid', { cells: CELLS }) }],
      obstacles: [floor()],
    });
    run(world, 30);
    world.bodies[0].state.velocities.fill(0);
    pull(world.bodies[0], 11 * G);
    run(world, 1);
    // v = h (11 − 1) g, however fast the contact was pressed before
    expect(leastPush(world)).toBe(0);
    expect(forceBetween(world, 0, -1)[1]).toBe(0);
    expect(meanVelocity(world.bodies[0])[1] / (10 * G * world.dt)).toBeCloseTo(1, 9);
  });
});

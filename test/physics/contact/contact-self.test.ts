/** Bodies that touch themselves: nothing passes through itself, and what is merely bent does not touch itself. */
import { describe, expect, it } from 'vitest';
import type { World } from '../../../src/index.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import { contactWorld, motionEnergy, run, topSpeed } from '../../support/checks/contact-measure.js';
import { measured } from '../../support/checks/measure.js';
import { hairpin, RUBBER, softBody, withPins } from '../../support/models/contact-shapes.js';

const CELL = 0.05;
const JELLY = { ...RUBBER, youngModulus: 1e5, poissonRatio: 0.3 };

/** Lowest that the underside of the upper arm is over the lower arm's top, which is pinned at y = 0.1 [m]. */
function clearance({ bodies }: World): number {
  const { model, state } = bodies[0];
  let lowest = Number.POSITIVE_INFINITY;
  for (let v = 0; v < model.vertexCount; v++) {
    const [x, y] = model.positions.subarray(v * 3, v * 3 + 2);
    if (x < 3 * CELL || y < 3 * CELL) continue;
    lowest = Math.min(lowest, state.positions[v * 3 + 1] - 2 * CELL);
  }
  return lowest;
}

const selfContacts = ({ contacts }: World) =>
  Array.from({ length: contacts.count }, (_, c) => contacts.body[c * 2] === contacts.body[c * 2 + 1]).filter(Boolean)
    .length;

describe('a body that folds up', () => {
  it.each([2, 4])('comes to lie on itself and not in itself, its arms %d cells apart', async (apart) => {
    const body = withPins(hairpin(apart), (_x, y) => y < 2 * CELL + 1e-9);
    const world = await contactWorld({ bodies: [{ body }] }, { selfContact: true, damping: 0.5 });
    let lowest = Number.POSITIVE_INFINITY;
    run(world, 180, () => {
      lowest = Math.min(lowest, clearance(world));
    });
    measured(`hairpin ${apart}`, {
      lowest,
      end: clearance(world),
      energy: motionEnergy(world),
      contacts: selfContacts(world),
    });
    // the pinned arm is a plane: how deep the other one gets is read off directly
    expect(lowest).toBeGreaterThan(-0.01 * world.certificate.bodySize);
    expect(clearance(world)).toBeLessThan(0.01);
    expect(selfContacts(world)).toBeGreaterThan(0);
  });

  it('passes through itself without contact with itself: the test above would notice', async () => {
    const body = withPins(hairpin(4), (_x, y) => y < 2 * CELL + 1e-9);
    const world = await contactWorld({ bodies: [{ body }] }, { selfContact: false, damping: 0.5 });
    run(world, 180);
    expect(clearance(world)).toBeLessThan(-0.01);
  });

  it('keeps its momentum when it closes on itself in free flight', async () => {
    const body = hairpin(4);
    const world = await contactWorld({ bodies: [{ body }], gravity: [0, 0, 0] }, { selfContact: true });
    const { model, state } = world.bodies[0];
    // the ends of the arms fly at each other
    for (let v = 0; v < model.vertexCount; v++) {
      const [x, y] = model.positions.subarray(v * 3, v * 3 + 2);
      state.velocities[v * 3 + 1] = (y > 3 * CELL ? -8 : 8) * Math.max(0, x - 2 * CELL);
    }
    const { centre, scale } = momentumOf(world);
    let touched = 0;
    let worst = 0;
    run(world, 40, () => {
      touched = Math.max(touched, selfContacts(world));
      const now = momentumOf(world).centre;
      worst = Math.max(worst, Math.hypot(...now.map((value, k) => value - centre[k])) / scale);
    });
    measured('closing hairpin', { touched, worst, speed: topSpeed(world) });
    expect(touched).toBeGreaterThan(0);
    expect(worst).toBeLessThan(1e-9);
  });
});

function momentumOf({ bodies }: World) {
  const { model, state } = bodies[0];
  const centre = [0, 0, 0];
  let scale = 0;
  for (let i = 0; i < state.velocities.length; i++) {
    const p = model.masses[Math.floor(i / 3)] * state.velocities[i];
    centre[i % 3] += p;
    scale += Math.abs(p);
  }
  return { centre, scale };
}

describe('a bar that is merely bent', () => {
  it.each([0.5, 1, 2])('by %d quarter turns does not touch itself', async (quarters) => {
    const mesh = buildLattice({ cells: [24, 2, 2], cellSize: CELL });
    const length = 24 * CELL;
    const angle = (quarters * Math.PI) / 2;
    const radius = length / angle;
    const startPositions = mesh.positions.slice();
    for (let i = 0; i < startPositions.length; i += 3) {
      const [x, y] = mesh.positions.subarray(i, i + 2);
      const turn = (x / length) * angle;
      startPositions[i] = (radius - y) * Math.sin(turn);
      startPositions[i + 1] = radius - (radius - y) * Math.cos(turn);
    }
    const body = softBody('bar', mesh, JELLY);
    const world = await contactWorld({ bodies: [{ body, startPositions }], gravity: [0, 0, 0] }, { selfContact: true });
    let most = 0;
    run(world, 20, () => {
      most = Math.max(most, world.contacts.count);
    });
    expect(most).toBe(0);
  });
});

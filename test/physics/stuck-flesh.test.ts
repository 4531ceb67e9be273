/**
 * Neo-Hookean flesh that is drawn out far resists a change of its volume a hundred times as much as the constant matrix knows. Ten iterations then moved nothing: a vertex 20 edges
 * away flew on, and the next steps took as long. Compared with the same step taken with 400 iterations, and with the momentum the body has.
 */
import { expect, it } from 'vitest';
import { longestEdge } from '../../bench/whole.js';
import { buildBar } from '../../scenes/cast/bar.js';
import { createWorld, disposeWorld, stepWorld } from '../../src/index.js';

const CELL = 0.06;
const SPEED = 3.6;

/** A free bar, one corner of whose flesh is `far` edges away and goes on; the corner and the bar after one step and after another forty. */
async function drawnOut(far: number, iterations: number) {
  const material = { model: 'stableNeoHookean', youngModulus: 1e5, poissonRatio: 0.45, density: 1000 } as const;
  const body = buildBar({ cells: [9, 2, 2], cell: CELL, boneLayers: 2, material });
  const world = await createWorld(
    { name: 'drawn out', description: '', bodies: [{ body }], gravity: [0, 0, 0] },
    { iterations },
  );
  const [bar] = world.bodies;
  const { model, state } = bar;
  const place = (v: number) => state.positions[v * 3] + state.positions[v * 3 + 1];
  const flesh = [...model.masses.keys()].filter((v) => model.bones.ofVertex[v] < 0);
  const corner = flesh.reduce((best, v) => (place(v) > place(best) ? v : best)) * 3;
  state.positions[corner + 1] += far * CELL;
  state.velocities[corner + 1] = SPEED;
  const start = state.positions[corner + 1];
  expect(stepWorld(world)).toBe(true);
  const [moved, edge] = [state.positions[corner + 1] - start, longestEdge(bar)];
  for (let n = 0; n < 40; n++) expect(stepWorld(world)).toBe(true);
  let momentum = 0;
  for (let v = 0; v < model.vertexCount; v++) momentum += model.masses[v] * state.velocities[v * 3 + 1];
  const result = { moved, edge, edgeAfter: longestEdge(bar), momentum, given: model.masses[corner / 3] * SPEED };
  disposeWorld(world);
  return result;
}

it.each([12, 20, 60])('flesh that is drawn out by %d edges is back within a step', async (far) => {
  const few = await drawnOut(far, 10);
  const many = await drawnOut(far, 400);
  // as far as it goes in the converged step, to a tenth
  expect(Math.abs(few.moved - many.moved)).toBeLessThan(0.1 * Math.abs(many.moved));
  expect(few.edge).toBeLessThan(3);
  expect(few.edgeAfter).toBeLessThan(1.01);
  expect(Math.abs(few.momentum - few.given)).toBeLessThan(1e-9 * few.given);
});

/**
 * Random hands on small bodies: no fault lasts, joints stay closed, no edge gets ten times as long, and five seconds after everything was
 * let go the rest shape is back (strain of all edges, root mean square, without gravity). `tendon bench hands` does the same at length.
 */
import { expect, it } from 'vitest';
import { handle } from '../../../bench/hands/hands.js';
import { buildBar } from '../../../scenes/cast/bar.js';
import { buildHand } from '../../../scenes/cast/hand.js';

const CELLS = { cells: [17, 3, 3], cell: 0.06 } as const;
const NEO_HOOKEAN = { model: 'stableNeoHookean', youngModulus: 7e4, poissonRatio: 0.45, density: 1000 } as const;

it.each([
  ['bones and corotated flesh', buildBar({ ...CELLS, boneLayers: 4 }), 1],
  ['bones and neo-Hookean flesh', buildBar({ ...CELLS, boneLayers: 4, material: NEO_HOOKEAN }), 2],
  ['flesh held at one end', buildBar({ ...CELLS, boneLayers: 0, pinLayers: 1, material: NEO_HOOKEAN }), 3],
])('%s', async (_name, body, seed) => {
  const row = await handle('bar', body, 100, seed);
  expect(row.steps).toBe(700);
  expect(row.lasting).toBe(0);
  expect(row.longestEdge).toBeLessThan(10);
  // a body that nothing has moved would pass everything else
  expect(row.longestEdge).toBeGreaterThan(1.2);
  expect(row.jointGap).toBeLessThan(1e-9);
  expect(row.shapeAfter).toBeLessThan(0.01);
});

it('a hand whose bones are sent away is not drawn farther by accelerated iterations than by plain ones', async () => {
  // plain iterations: 2.5; mixed moves that nobody looked after: 5.1
  const row = await handle('hand', buildHand({ cell: 0.0112 }), 12, 1);
  expect(row.faults).toBe(0);
  expect(row.longestEdge).toBeGreaterThan(1.5);
  expect(row.longestEdge).toBeLessThan(3);
  expect(row.shapeAfter).toBeLessThan(0.01);
});

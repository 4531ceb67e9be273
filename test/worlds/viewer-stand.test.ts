/** A model that is dropped on the page: it stands, its arms hang, and it goes limp when told to. */
import { expect, it } from 'vitest';
import { layOutFrame } from '../../host/frames/frame-layout.js';
import type { Action } from '../../viewer/worker/protocol.js';
import { Simulation } from '../../viewer/worker/simulation.js';
import { figureGlb } from '../support/models/odd-rigs.js';

/** Heights of bones after so many steps [m]. */
function heights(simulation: Simulation, steps: number, names: readonly string[]): number[] {
  const { bodies, obstacles } = simulation.info;
  const out = new Float32Array(simulation.length);
  simulation.advance(steps, 1, out);
  const { poses } = layOutFrame(bodies, obstacles.length).bodies[0];
  return names.map((name) => out[poses + 7 * bodies[0].bones.findIndex((bone) => bone.name === name) + 5]);
}

it('stands with hanging arms, and folds when it is let go', async () => {
  const files = [{ name: 'figure.glb', bytes: figureGlb() as Uint8Array<ArrayBuffer> }];
  const source = { kind: 'files', id: 1, name: 'figure.glb', files } as const;
  const simulation = await Simulation.create({ source, settings: { quality: 'full', iterations: 4 } });
  const names = ['head', 'shin.L', 'forearm.L'];
  const rest = heights(simulation, 0, names);
  const standing = heights(simulation, 120, names);
  // head and legs stay within 2 cm of the rest pose, arms that stuck out to the side hang half a metre lower
  expect(Math.abs(standing[0] - rest[0])).toBeLessThan(0.02);
  expect(Math.abs(standing[1] - rest[1])).toBeLessThan(0.02);
  expect(standing[2] - rest[2]).toBeLessThan(-0.25);
  const limp: Action = { kind: 'play', clip: undefined };
  simulation.act(limp);
  const folded = heights(simulation, 120, names);
  expect(folded[0] - rest[0]).toBeLessThan(-0.2);
  simulation.act({ kind: 'play', clip: '' });
  expect(heights(simulation, 0, names)).toEqual(rest);
  expect(Math.abs(heights(simulation, 60, names)[0] - rest[0])).toBeLessThan(0.02);
  simulation.dispose();
});

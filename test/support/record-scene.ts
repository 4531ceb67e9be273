/** What the page would record of a scene or of files. */
import type { TakeWithForces } from '../../src/record/take.js';
import { takeOf } from '../../viewer/page/recorded-take.js';
import { Simulation } from '../../viewer/worker/simulation.js';

export type RecordedSource = Parameters<typeof Simulation.create>[0]['source'];

/** Simulates for some seconds and gives the take. */
export async function recordScene(source: RecordedSource, seconds: number): Promise<TakeWithForces> {
  const simulation = await Simulation.create({ source, settings: {} });
  simulation.act({ kind: 'record' });
  const buffer = new Float32Array(simulation.length);
  const steps = Math.round(seconds / simulation.info.dt);
  for (let step = 0; step < steps; step++) simulation.advance(1, 1, buffer);
  const take = takeOf(simulation.info, simulation.answer('recording')!, []);
  simulation.dispose();
  return take;
}

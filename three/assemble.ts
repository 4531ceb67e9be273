/** Puts a soft body together: starts its simulation, waits for its materials, shows its first picture. */
import type { Material } from 'three';
import { disposeMaterial, type Look } from './load-look.js';
import type { FrameNews, SimulationSource } from './protocol.js';
import { type Prepared, prepareSimulation, type SoftBodyOptions } from './soft-options.js';
import { SoftSimulation } from './soft-simulation.js';

/** What a body is made of, once all of it is there. */
export interface SoftParts {
  readonly simulation: SoftSimulation;
  readonly prepared: Prepared;
  /** Of the file; freed with the body. */
  readonly materials: readonly Material[];
  readonly options: SoftBodyOptions;
  /** Hands the body every picture. */
  readonly screen: { show?: (numbers: Float32Array, news: FrameNews) => void };
}

/** Builds everything; where a part fails, what was made of the others is freed. `look` is waited for, if there is one. */
export async function assembleSoftBody(
  source: SimulationSource,
  options: SoftBodyOptions,
  look?: Promise<Look>,
): Promise<SoftParts> {
  const prepared = prepareSimulation(source, options);
  const screen: SoftParts['screen'] = {};
  const started = SoftSimulation.start(prepared.spec, options, (numbers, news) => screen.show?.(numbers, news));
  const [simulation, materials] = await Promise.allSettled([started, look]);
  if (simulation.status === 'fulfilled' && materials.status === 'fulfilled' && !options.signal?.aborted) {
    return { simulation: simulation.value, prepared, materials: materials.value?.materials ?? [], options, screen };
  }
  if (simulation.status === 'fulfilled') simulation.value.dispose();
  if (materials.status === 'fulfilled') materials.value?.materials.forEach(disposeMaterial);
  options.signal?.throwIfAborted();
  throw simulation.status === 'rejected' ? simulation.reason : (materials as PromiseRejectedResult).reason;
}

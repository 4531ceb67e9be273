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
  /** Of the files, one list for each character; freed with the body. */
  readonly materials: readonly (readonly Material[])[];
  readonly options: SoftBodyOptions;
  /** Hands the body every picture. */
  readonly screen: { show?: (numbers: Float32Array, news: FrameNews) => void };
}

/** Builds everything; where a part fails, what was made of the others is freed. `looks` are waited for, one for each character. */
export async function assembleSoftBody(
  source: SimulationSource,
  options: SoftBodyOptions,
  looks: readonly Promise<Look>[] = [],
): Promise<SoftParts> {
  const prepared = prepareSimulation(source, options);
  const screen: SoftParts['screen'] = {};
  const started = SoftSimulation.start(prepared.spec, options, (numbers, news) => screen.show?.(numbers, news));
  const [[simulation], found] = await Promise.all([Promise.allSettled([started]), Promise.allSettled(looks)]);
  const materials = found.map((look) => (look.status === 'fulfilled' ? look.value.materials : []));
  const failed = [simulation, ...found].find((one) => one.status === 'rejected');
  if (simulation.status === 'fulfilled' && !failed && !options.signal?.aborted) {
    return { simulation: simulation.value, prepared, materials, options, screen };
  }
  if (simulation.status === 'fulfilled') simulation.value.dispose();
  materials.flat().forEach(disposeMaterial);
  options.signal?.throwIfAborted();
  throw failed?.reason;
}

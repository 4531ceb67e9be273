/** Draco's decoder, as three ships it, for the worker. Fetched only by pages that are given a packed model. */
import type { DracoModule } from '../../src/io/gltf/draco.js';

/** Starts the decoder. */
export async function loadDraco(): Promise<DracoModule> {
  const [{ default: start }, { default: wasm }] = await Promise.all([
    import('three/examples/jsm/libs/draco/gltf/draco_wasm_wrapper.js'),
    import('three/examples/jsm/libs/draco/gltf/draco_decoder.wasm?url'),
  ]);
  return (await start({ locateFile: () => wasm })) as DracoModule;
}

/** Decoders of packed glTF for the command line; only loaded for files that need them. */
import { createRequire } from 'node:module';
import type { GltfDecoders } from '../../src/io/gltf/gltf-unpack.js';

export const DECODERS: GltfDecoders = {
  draco: () => createRequire(import.meta.url)('draco3dgltf').createDecoderModule(),
};

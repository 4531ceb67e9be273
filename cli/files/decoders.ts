/** Decoders of packed glTF for the command line; only loaded for files that need them. */
import { createRequire } from 'node:module';
import type { GltfDecoders } from '../../src/io/gltf/gltf-unpack.js';

/** The decoders a file asks for. */
export async function findDecoders(bytes: Uint8Array): Promise<GltfDecoders> {
  if (!Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes('KHR_draco_mesh_compression')) return {};
  const { createDecoderModule } = createRequire(import.meta.url)('draco3dgltf');
  return { draco: await createDecoderModule() };
}

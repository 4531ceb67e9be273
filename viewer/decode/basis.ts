/**
 * Pictures in KTX2, as glTF has them (`KHR_texture_basisu`), as textures of plain pixels. three's own KTX2Loader starts its worker from a blob:, which the
 * page's policy forbids. Fetched only by pages that are given such a picture.
 */
import { DataTexture, LinearFilter, LinearMipmapLinearFilter } from 'three';
import type { KTX2Loader } from 'three/addons/loaders/KTX2Loader.js';
import type { BasisAnswer } from './basis-worker.js';

let worker: Worker | undefined;
let asked = 0;

/** Asks the worker for the pixels of a picture. */
function transcode(bytes: Uint8Array): Promise<BasisAnswer> {
  worker ??= new Worker(new URL('./basis-worker.ts', import.meta.url), { type: 'module' });
  const [line, id] = [worker, ++asked];
  return new Promise((resolve) => {
    const fail = (): void => resolve({ id, error: 'the transcoder cannot be started' });
    line.addEventListener('error', fail, { once: true });
    line.addEventListener('message', function hear({ data }: MessageEvent<BasisAnswer>) {
      if (data.id !== id) return;
      line.removeEventListener('message', hear);
      line.removeEventListener('error', fail);
      resolve(data);
    });
    line.postMessage({ id, bytes });
  });
}

/** The texture of a KTX2 picture; throws where it cannot be read. */
export async function readKtx2(bytes: Uint8Array): Promise<DataTexture> {
  const answer = await transcode(bytes);
  if ('error' in answer) throw new Error(answer.error);
  const texture = new DataTexture(answer.pixels, answer.width, answer.height);
  texture.generateMipmaps = true;
  texture.magFilter = LinearFilter;
  texture.minFilter = LinearMipmapLinearFilter;
  texture.needsUpdate = true;
  return texture;
}

/** What three's GLTFLoader takes for a KTX2Loader. */
export const ktx2Loader = {
  isKTX2Loader: true,
  parse(buffer: ArrayBuffer, done: (texture: DataTexture) => void, failed: (error: unknown) => void): void {
    readKtx2(new Uint8Array(buffer)).then(done, failed);
  },
} as unknown as KTX2Loader;

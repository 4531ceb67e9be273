/**
 * Basis Universal's transcoder, as three ships it, in a worker of its own: it makes functions from text, which the server's policy allows here and nowhere
 * else (`cli/server.ts`), where there is no page to reach.
 */
import start, { type BasisModule } from 'three/examples/jsm/libs/basis/basis_transcoder.js';
import wasm from 'three/examples/jsm/libs/basis/basis_transcoder.wasm?url';

/** The transcoder's number for r,g,b,a of eight bits each. */
const RGBA32 = 13;

/** What comes back: pixels, or why there are none. */
export type BasisAnswer = { readonly id: number } & (
  | { readonly width: number; readonly height: number; readonly pixels: Uint8Array<ArrayBuffer> }
  | { readonly error: string }
);

let transcoder: Promise<BasisModule> | undefined;

async function startTranscoder(): Promise<BasisModule> {
  const module = await start({ locateFile: () => wasm });
  module.initializeBasis();
  return module;
}

/** The first layer and face of a KTX2 picture, full size. */
async function transcode(id: number, bytes: Uint8Array): Promise<BasisAnswer> {
  transcoder ??= startTranscoder();
  const { KTX2File } = await transcoder;
  const file = new KTX2File(bytes);
  try {
    if (!file.isValid() || file.isHDR() || !file.startTranscoding())
      return { id, error: 'not Basis Universal in KTX2' };
    const { origWidth: width, origHeight: height } = file.getImageLevelInfo(0, 0, 0);
    const pixels = new Uint8Array(file.getImageTranscodedSizeInBytes(0, 0, 0, RGBA32));
    const done = file.transcodeImage(pixels, 0, 0, 0, RGBA32, 0, -1, -1) && pixels.length === 4 * width * height;
    return done ? { id, width, height, pixels } : { id, error: 'the picture is damaged' };
  } finally {
    file.close();
    file.delete();
  }
}

const scope = globalThis as unknown as { postMessage(answer: BasisAnswer, transfer: Transferable[]): void };

addEventListener('message', ({ data }: MessageEvent<{ id: number; bytes: Uint8Array }>) => {
  transcode(data.id, data.bytes)
    .catch((error: unknown): BasisAnswer => ({ id: data.id, error: String(error) }))
    .then((answer) => scope.postMessage(answer, 'pixels' in answer ? [answer.pixels.buffer] : []));
});

/** Pictures of a recording, one per state, drawn as `tendon simulate -o out.png` draws them. Only fetched by pages that need it. */
import { numbered } from '../../src/record/formats/numbered.js';
import { BakedFilm } from '../film/baked-film.js';

/** Of the pictures [pixels]; that of the terminal. */
const SIZE = [1280, 720] as const;

/** The files of the pictures of a `.glb` at these times [s], by name; `told` how much of it is done. */
export async function drawFrames(
  glb: Uint8Array<ArrayBuffer>,
  times: readonly number[],
  name: string,
  told: (share: number) => void,
): Promise<Map<string, Uint8Array<ArrayBuffer>>> {
  const film = await BakedFilm.read(glb.buffer, document.createElement('canvas'), SIZE);
  const files = new Map<string, Uint8Array<ArrayBuffer>>();
  try {
    for (const [i, time] of times.entries()) {
      files.set(numbered(`${name}.png`, i), bytesOf(film.draw(time)));
      told((i + 1) / times.length);
      // the page goes on in between
      await new Promise((resolve) => setTimeout(resolve));
    }
  } finally {
    film.dispose();
  }
  return files;
}

/** Of a data: address. */
function bytesOf(address: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(address.slice(address.indexOf(',') + 1)), (letter) => letter.charCodeAt(0));
}

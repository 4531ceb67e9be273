/**
 * A page without controls that draws the frames of a baked `.glb`, one when it is asked: `tendon simulate -o out.mp4` opens it in a
 * browser that nobody sees. The address says the file: film.html?file=/file/out.glb&dark.
 */
import { BakedFilm } from './baked-film.js';

declare global {
  interface Window {
    /** Draws what is seen at a time of the animation [s]; the picture as a data: address. */
    tendonFilm?: (time: number) => string;
    tendonFilmError?: string;
  }
}

async function begin(): Promise<void> {
  const address = new URLSearchParams(location.search).get('file') ?? '';
  const bytes = await (await fetch(address)).arrayBuffer();
  const film = await BakedFilm.read(bytes, document.querySelector('canvas')!);
  window.tendonFilm = (time) => film.draw(time);
}

begin().catch((error: unknown) => {
  window.tendonFilmError = error instanceof Error ? error.message : String(error);
});

/** Pictures and films of a bake: its `.glb`, drawn by a browser frame after frame, and put together by FFmpeg. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { TendonError } from '../../src/errors.js';
import { writeOutput } from '../files/write-file.js';
import { Progress } from '../progress.js';
import { startViewerServer } from '../server.js';
import { HiddenPage } from './browser.js';

/** How FFmpeg is to write each kind of film. */
const FILMS: Readonly<Record<string, readonly string[]>> = {
  mp4: [
    '-c:v',
    'libx264',
    '-preset',
    'medium',
    '-crf',
    '18',
    '-pix_fmt',
    'yuv420p',
    '-movflags',
    '+faststart',
    '-f',
    'mp4',
  ],
  webm: ['-c:v', 'libvpx-vp9', '-crf', '30', '-b:v', '0', '-row-mt', '1', '-pix_fmt', 'yuv420p', '-f', 'webm'],
};
/** Endings of what is drawn. */
export const FILM_ENDINGS: readonly string[] = ['png', ...Object.keys(FILMS)];

/** What is to be drawn. */
export interface FilmPlan {
  /** A file per picture with its number for `.png`, one file for films. */
  readonly paths: readonly string[];
  readonly glb: Uint8Array;
  readonly times: readonly number[];
  readonly fps: number;
  /** [pixels] */
  readonly size: readonly [number, number];
  /** Name of the file of a picture. */
  readonly pictureName: (path: string, index: number) => string;
}

/** Whether a file of that name is drawn. */
export function isFilm(path: string): boolean {
  return FILM_ENDINGS.includes(endingOf(path));
}

/** Draws every frame once, for all files. */
export async function drawFilm(plan: FilmPlan): Promise<void> {
  const root = fileURLToPath(new URL('../../viewer/', import.meta.url));
  if (!existsSync(`${root}film.html`)) throw new TendonError('E_EMPTY', 'viewer', root, 'run "npm run build" first');
  const films = plan.paths.filter((path) => endingOf(path) !== 'png').map((path) => new FilmWriter(path, plan.fps));
  const pictures = plan.paths.filter((path) => endingOf(path) === 'png');
  const server = await startViewerServer({ root, port: 0, file: { name: 'bake.glb', body: Buffer.from(plan.glb) } });
  let page: HiddenPage | undefined;
  try {
    page = await HiddenPage.open(`${server.url}film.html?file=/file/bake.glb`, ...plan.size);
    await waitFor(page);
    const progress = new Progress('drawing', plan.times.length);
    for (const [i, time] of plan.times.entries()) {
      const address = String(await page.ask(`window.tendonFilm(${time})`));
      const picture = Buffer.from(address.slice(address.indexOf(',') + 1), 'base64');
      for (const path of pictures) writeOutput(plan.pictureName(path, i), picture);
      for (const film of films) await film.add(picture);
      progress.update(i + 1);
    }
    for (const film of films) await film.finish();
  } finally {
    for (const film of films) film.abandon();
    await page?.close();
    await server.close();
  }
}

/** Waits until the page has read the model. */
async function waitFor(page: HiddenPage): Promise<void> {
  const ready = `new Promise((resolve) => {
    const look = () => (window.tendonFilm || window.tendonFilmError ? resolve(window.tendonFilmError ?? '') : setTimeout(look, 20));
    look();
  })`;
  const error = await page.ask(ready);
  if (error !== '') throw new TendonError('E_PROGRAM', 'chromium', error, 'the page cannot draw the bake');
}

/** A film that grows picture by picture and gets its name at the end. */
class FilmWriter {
  readonly #path: string;
  readonly #temporary: string;
  readonly #child: ChildProcess;
  readonly #ended: Promise<string>;
  #said = '';

  constructor(path: string, fps: number) {
    this.#path = path;
    this.#temporary = `${path}.${process.pid}.part`;
    const input = [
      '-hide_banner',
      '-loglevel',
      'error',
      '-y',
      '-f',
      'image2pipe',
      '-framerate',
      String(fps),
      '-i',
      '-',
    ];
    // both codecs want even sides
    const even = ['-vf', 'crop=trunc(iw/2)*2:trunc(ih/2)*2'];
    this.#child = spawn('ffmpeg', [...input, ...even, ...FILMS[endingOf(path)], this.#temporary], {
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    this.#child.stderr?.on('data', (text) => {
      this.#said += text;
    });
    this.#child.stdin?.on('error', () => {});
    this.#ended = new Promise((resolve) => {
      this.#child.on('error', () => resolve('the program is missing: apt-get install ffmpeg'));
      this.#child.on('close', (code) => resolve(code === 0 ? '' : `FFmpeg failed: ${this.#said.trim() || code}`));
    });
  }

  async add(picture: Buffer): Promise<void> {
    const isTaken = new Promise<string>((resolve) => {
      this.#child.stdin?.write(picture, () => resolve(''));
    });
    const problem = await Promise.race([isTaken, this.#ended]);
    if (problem !== '') throw new TendonError('E_PROGRAM', 'ffmpeg', this.#path, problem);
  }

  async finish(): Promise<void> {
    this.#child.stdin?.end();
    const problem = await this.#ended;
    if (problem !== '') throw new TendonError('E_PROGRAM', 'ffmpeg', this.#path, problem);
    renameSync(this.#temporary, this.#path);
  }

  /** Leaves nothing behind; does nothing once it is finished. */
  abandon(): void {
    this.#child.kill('SIGKILL');
    rmSync(this.#temporary, { force: true });
  }
}

function endingOf(path: string): string {
  return path.slice(path.lastIndexOf('.') + 1).toLowerCase();
}

/**
 * The packed library in somebody's project, in a real browser: built and served by Vite and webpack with the settings they
 * come with, and on a page without any bundler.
 */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { build, createLogger, createServer, type Logger } from 'vite';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Chromium, launchChromium, PATIENCE, type StaticServer, startServer } from '../support/pages/chromium.js';
import { armFile } from '../support/pages/three-page.js';
import { makeUserProject, type UserProject } from '../support/pages/user-project.js';

vi.setConfig({ testTimeout: 3 * PATIENCE, hookTimeout: 2 * PATIENCE });

const MAIN = `
import { SoftCharacter } from 'tendon/three';
import { HemisphereLight, PerspectiveCamera, Scene, WebGLRenderer } from 'three';

const renderer = new WebGLRenderer();
renderer.setSize(160, 120);
document.body.append(renderer.domElement);
const camera = new PerspectiveCamera(45, 4 / 3).translateZ(3);
const direct = location.hash === '#direct';
SoftCharacter.load('character.glb', { build: { tets: 800 }, worker: !direct, threads: 2 }).then((character) => {
  const scene = new Scene().add(new HemisphereLight('white', 'tan', 3), character);
  globalThis.simulation = character.simulation;
  renderer.setAnimationLoop(() => {
    character.step(1 / 60);
    renderer.render(scene, camera);
  });
});
`;
const PAGE = '<!doctype html><meta charset="utf-8" /><title>user</title><link rel="icon" href="data:," />';
const IMPORT_MAP = {
  imports: {
    three: '/user/node_modules/three/build/three.module.js',
    'three/addons/': '/user/node_modules/three/examples/jsm/',
    'tendon/three': '/user/node_modules/tendon/dist/three/index.js',
  },
};
/** Making it small takes a minute and changes nothing here; names tell which file is the threads'. */
const WEBPACK = `
import webpack from 'webpack';

const optimization = { minimize: false, chunkIds: 'named' };
const output = { path: import.meta.dirname + '/webpack' };
webpack({ mode: 'production', entry: './main.js', output, optimization, performance: false }, (error, stats) => {
  if (error) throw error;
  const { errors, warnings } = stats.compilation;
  const told = [...errors, ...warnings].map(({ message }) => message);
  console.log(JSON.stringify(told.filter((text) => !text.includes('runtimeChunk'))));
});
`;

let project: UserProject;
let chromium: Chromium;
let server: StaticServer;

beforeAll(async () => {
  project = makeUserProject(['three', '@gltf-transform/core', 'property-graph', 'webpack']);
  project.write('main.js', MAIN);
  project.write('index.html', `${PAGE}<script type="module" src="/main.js"></script>`);
  project.write('public/character.glb', await armFile(0));
  project.write('character.glb', await armFile(0));
  server = await startServer({ isolated: true, folders: { user: project.folder } });
  chromium = await launchChromium();
});

afterAll(async () => {
  await chromium?.close();
  await server?.close();
  project?.remove();
});

/** What the page of the project leaves for tests. */
declare const simulation: { readonly stepCount: number; readonly transport: string };

interface Seen {
  readonly transport: string;
  readonly messages: string[];
  /** A helper thread was started: its script was sent. */
  readonly threaded: boolean;
}

/** Opens a page and waits until its character has moved for a while. */
async function see(url: string): Promise<Seen> {
  const { page } = await chromium.open('about:blank', { drawn: false });
  const messages: string[] = [];
  server.answers.length = 0;
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) messages.push(message.text());
  });
  page.on('pageerror', (error) => messages.push(String(error)));
  await page.goto(url);
  await page.waitForFunction(() => 'simulation' in globalThis && simulation.stepCount > 20);
  const transport = await page.evaluate(() => simulation.transport);
  await page.close();
  return { transport, messages, threaded: server.answers.some((answer) => /^200 .*thread/.test(answer)) };
}

/** Software drawing is slow, and the browser says so. */
function withoutDrawing(messages: readonly string[]): string[] {
  return messages.filter((text) => !/GL Driver Message|software WebGL/.test(text));
}

/** A logger that keeps what Vite warns of, except that three.js is large. */
function listen(): { logger: Logger; warnings: string[] } {
  const warnings: string[] = [];
  const logger = createLogger('warn', { allowClearScreen: false });
  const keep = (text: string): void => {
    if (!/Some chunks are larger|PLUGIN_TIMINGS/.test(text)) warnings.push(text);
  };
  logger.warn = logger.warnOnce = logger.error = keep;
  return { logger, warnings };
}

it('works after `vite build` with default settings, in a worker and on the page', async () => {
  const { logger, warnings } = listen();
  await build({ configFile: false, root: project.folder, base: './', customLogger: logger });
  const page = `${server.url}/user/dist/index.html`;
  const inWorker = await see(page);
  expect(inWorker.transport).toBe('shared memory');
  expect(inWorker.threaded).toBe(true);
  const direct = await see(`${page}#direct`);
  expect(direct.transport).toBe('main thread');
  expect(warnings).toEqual([]);
  expect(withoutDrawing([...inWorker.messages, ...direct.messages])).toEqual([]);
});

it('works on the dev server without a warning', async () => {
  const { logger, warnings } = listen();
  const dev = await createServer({
    configFile: false,
    root: project.folder,
    customLogger: logger,
    server: { port: 0, host: '127.0.0.1', hmr: { port: 0 } },
  });
  try {
    await dev.listen();
    const seen = await see(dev.resolvedUrls!.local[0]);
    expect(seen.transport).toBe('transfer');
    expect(withoutDrawing(seen.messages)).toEqual([]);
    expect(warnings).toEqual([]);
  } finally {
    await dev.close();
  }
});

it('works with an import map and no bundler', async () => {
  const map = `<script type="importmap">${JSON.stringify(IMPORT_MAP)}</script>`;
  project.write('plain.html', `${PAGE}${map}<script type="module" src="main.js"></script>`);
  const seen = await see(`${server.url}/user/plain.html`);
  expect(seen.transport).toBe('shared memory');
  expect(seen.threaded).toBe(true);
  expect(withoutDrawing(seen.messages)).toEqual([]);
  const direct = await see(`${server.url}/user/plain.html#direct`);
  expect(direct.transport).toBe('main thread');
});

it('works bundled by webpack', async () => {
  project.write('bundle.mjs', WEBPACK);
  const { stdout } = await promisify(execFile)(process.execPath, ['bundle.mjs'], { cwd: project.folder });
  expect(JSON.parse(stdout)).toEqual([]);
  project.write('webpack/index.html', `${PAGE}<body></body><script src="main.js"></script>`);
  project.write('webpack/character.glb', await armFile(0));
  const seen = await see(`${server.url}/user/webpack/index.html`);
  expect(seen.transport).toBe('shared memory');
  expect(seen.threaded).toBe(true);
  expect(withoutDrawing(seen.messages)).toEqual([]);
});

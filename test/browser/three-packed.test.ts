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

/** A solver that the library does not know: vertices fall. */
const TOY_KIND = `
import { addSolverKind, ContactBuffer, createReport, planState } from 'tendon/solver';

addSolverKind({
  name: 'toy',
  takes: ['flesh'],
  stages: ['fall', 'contact'],
  readOptions: () => ({}),
  create(site, plan) {
    const planned = site.bodies.map(({ model }) => planState(plan, model));
    let states = [];
    return {
      contacts: new ContactBuffer(0, []),
      reports: site.bodies.map(() => createReport(['fall', 'contact'])),
      jointMultipliers: site.bodies.map(() => new Float64Array(0)),
      warmStart: [],
      fault: undefined,
      start: () => (states = planned.map((make) => make())),
      reset() {},
      hold() {},
      step(h) {
        for (const { positions, velocities } of states) {
          for (let i = 1; i < positions.length; i += 3) {
            velocities[i] += h * site.gravity[1];
            positions[i] += h * velocities[i];
          }
        }
        site.obstacles.commit();
        return 'done';
      },
    };
  },
});
`;
const TOY_WORKER = `
import './toy-kind.js';
import 'tendon/three/worker';
`;
const TOY = `
import './toy-kind.js';
import { SoftBody } from 'tendon/three';

const positions = Float64Array.of(0, 0, 0, 0.1, 0, 0, 0, 0.1, 0, 0, 0, 0.1);
const materials = [{ model: 'corotated', youngModulus: 1e5, poissonRatio: 0.4, density: 1000 }];
const body = { name: 'tet', positions, tets: Int32Array.of(0, 1, 2, 3), materials };
const scene = { name: 'toy', description: 'falls', solver: { kind: 'toy' }, bodies: [{ body }] };

/** How far it falls in ten steps, on the page's thread or in a worker that knows the solver too. */
globalThis.fall = async (inWorker) => {
  const worker = inWorker && (() => new Worker(new URL('./toy-worker.js', import.meta.url), { type: 'module' }));
  const soft = await SoftBody.fromScene(scene, { worker });
  const height = () => soft.skins[0].geometry.getAttribute('position').array[1];
  const from = height();
  await soft.simulation.advance(10);
  const fallen = height() - from;
  soft.dispose();
  return fallen;
};
`;
const MAIN = `
import './toy.js';
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
    'tendon/solver': '/user/node_modules/tendon/dist/src/solver-index.js',
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
  project.write('toy.js', TOY);
  project.write('toy-kind.js', TOY_KIND);
  project.write('toy-worker.js', TOY_WORKER);
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
declare const fall: (inWorker: boolean) => Promise<number>;

/** How far the toy falls in ten steps of a sixtieth of a second by symplectic Euler, g h² n (n + 1) / 2 [m]. */
const FALLEN = (-9.81 * 10 * 11) / 2 / 60 ** 2;

interface Seen {
  readonly transport: string;
  readonly messages: string[];
  /** A helper thread was started: its script was sent. */
  readonly threaded: boolean;
  /** How far the toy fell, on the page's thread and in a worker of the project's own, where that was asked for [m]. */
  readonly fallen: number[];
}

/** Opens a page and waits until its character has moved for a while; then lets the toy fall in these places. */
async function see(url: string, ...places: ('page' | 'worker')[]): Promise<Seen> {
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
  const fallen: number[] = [];
  for (const place of places) fallen.push(await page.evaluate((inWorker) => fall(inWorker), place === 'worker'));
  await page.close();
  return { transport, messages, fallen, threaded: server.answers.some((answer) => /^200 .*thread/.test(answer)) };
}

function expectFallen({ fallen }: Seen, times: number): void {
  expect(fallen).toHaveLength(times);
  // f32 on the way to the page
  for (const one of fallen) expect(one).toBeCloseTo(FALLEN, 6);
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
  const inWorker = await see(page, 'page', 'worker');
  expect(inWorker.transport).toBe('shared memory');
  // one table of solvers for tendon and tendon/three; a worker has its own, and the project's knows the toy too
  expectFallen(inWorker, 2);
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
    // not in the worker: the server reads it only when it is asked for, and then has the page loaded again
    const seen = await see(dev.resolvedUrls!.local[0], 'page');
    expect(seen.transport).toBe('transfer');
    expectFallen(seen, 1);
    expect(withoutDrawing(seen.messages)).toEqual([]);
    expect(warnings).toEqual([]);
  } finally {
    await dev.close();
  }
});

it('works with an import map and no bundler', async () => {
  const map = `<script type="importmap">${JSON.stringify(IMPORT_MAP)}</script>`;
  project.write('plain.html', `${PAGE}${map}<script type="module" src="main.js"></script>`);
  const seen = await see(`${server.url}/user/plain.html`, 'page');
  expect(seen.transport).toBe('shared memory');
  expectFallen(seen, 1);
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
  const seen = await see(`${server.url}/user/webpack/index.html`, 'page', 'worker');
  expect(seen.transport).toBe('shared memory');
  expectFallen(seen, 2);
  expect(seen.threaded).toBe(true);
  expect(withoutDrawing(seen.messages)).toEqual([]);
});

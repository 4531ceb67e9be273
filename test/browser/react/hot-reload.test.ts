/**
 * `tendon/react` while somebody writes the page: Vite's dev server with React's Fast Refresh, in a real browser. A file is saved, and the
 * character on the page goes on where it was, or is given up and loaded again; never are there two.
 */
import react from '@vitejs/plugin-react';
import { createServer, type ViteDevServer } from 'vite';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type Chromium, launchChromium, PATIENCE } from '../../support/pages/chromium.js';
import { armFile } from '../../support/pages/three-page.js';
import { makeUserProject, type UserProject } from '../../support/pages/user-project.js';

vi.setConfig({ testTimeout: 3 * PATIENCE, hookTimeout: 3 * PATIENCE });

const PAGE =
  '<!doctype html><meta charset="utf-8" /><title>user</title><link rel="icon" href="data:," />' +
  '<style>#root { width: 400px; height: 300px }</style><div id="root"></div><script type="module" src="/main.jsx"></script>';
const MAIN = `
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.jsx';

createRoot(document.getElementById('root')).render(<StrictMode><App /></StrictMode>);
`;
/** The page's own component, as it is saved: with this title, and this key of the character. */
const app = (title: string, key: string): string => `
import { Canvas } from '@react-three/fiber';
import { SoftCharacter } from 'tendon/react';

globalThis.told ??= { characters: [], errors: [] };
const build = { tets: 800 };

export function App() {
  return (
    <>
      <h1>${title}</h1>
      <Canvas camera={{ position: [0.5, 0, 2.5] }}>
        <ambientLight intensity={3} />
        <SoftCharacter
          key="${key}"
          url="/character.glb"
          floor={-1}
          build={build}
          onReady={(character) => told.characters.push(character)}
          onError={(error) => told.errors.push(String(error))}
        />
      </Canvas>
    </>
  );
}
`;

/** What the page leaves for tests. */
declare const told: { characters: import('../../../three/index.js').SoftCharacter[]; errors: string[] };

let project: UserProject;
let chromium: Chromium;
let server: ViteDevServer;

beforeAll(async () => {
  const packages = ['three', 'react', 'react-dom', '@react-three/fiber', '@gltf-transform/core', 'property-graph'];
  project = makeUserProject(packages);
  project.write('main.jsx', MAIN);
  project.write('app.jsx', app('first', 'one'));
  project.write('index.html', PAGE);
  project.write('public/character.glb', await armFile(0));
  server = await createServer({
    configFile: false,
    root: project.folder,
    logLevel: 'error',
    plugins: [react()],
    server: { port: 0, host: '127.0.0.1', hmr: { port: 0 }, watch: { usePolling: true, interval: 100 } },
  });
  await server.listen();
  chromium = await launchChromium();
});

afterAll(async () => {
  await chromium?.close();
  await server?.close();
  project?.remove();
});

it('goes on where it was when the page around it is saved, and is loaded anew under another key', async () => {
  const { page, errors } = await chromium.open(server.resolvedUrls!.local[0], { drawn: false });
  const title = () => page.textContent('h1');
  const ready = () => page.evaluate(() => told.characters.length);
  const steps = (which: number) => page.evaluate((i) => told.characters[i].simulation.stepCount, which);
  await page.waitForFunction(() => 'told' in globalThis && told.characters[0]?.simulation.stepCount > 20);
  // told of nothing but this page's life: a page that was loaded anew would have lost it
  await page.evaluate(() => Object.assign(globalThis, { samePage: true }));

  const before = await steps(0);
  project.write('app.jsx', app('second', 'one'));
  await expect.poll(title, { timeout: PATIENCE }).toBe('second');
  await expect.poll(() => steps(0), { timeout: PATIENCE }).toBeGreaterThan(before + 20);
  expect(await ready()).toBe(1);
  expect(page.workers().length).toBe(1);

  project.write('app.jsx', app('third', 'another'));
  await expect.poll(ready, { timeout: PATIENCE }).toBe(2);
  await expect.poll(() => steps(1), { timeout: PATIENCE }).toBeGreaterThan(20);
  await expect.poll(() => page.workers().length, { timeout: PATIENCE }).toBe(1);
  expect(await page.evaluate(() => told.characters.map(({ simulation }) => simulation.state))).toEqual([
    'disposed',
    'running',
  ]);
  expect(await page.evaluate(() => 'samePage' in globalThis)).toBe(true);
  expect(await page.evaluate(() => told.errors)).toEqual([]);
  expect(errors).toEqual([]);
});

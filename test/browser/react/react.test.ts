/** `tendon/react` in somebody's project, in a real browser and in StrictMode: loads once, moves, is pulled at, and leaves nothing. */

import { build } from 'vite';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { writeGltf } from '../../../src/io/gltf/gltf-write.js';
import { armModel } from '../../support/models/rigged-model.js';
import {
  type Chromium,
  launchChromium,
  PATIENCE,
  type StaticServer,
  startServer,
} from '../../support/pages/chromium.js';
import { armFile } from '../../support/pages/three-page.js';
import { makeUserProject, type UserProject } from '../../support/pages/user-project.js';

vi.setConfig({ testTimeout: 3 * PATIENCE, hookTimeout: 3 * PATIENCE });

const MAIN = `
import { Canvas } from '@react-three/fiber';
import { createElement as h, StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { SoftCharacter } from 'tendon/react';

globalThis.told = { ready: 0, errors: [] };
const root = createRoot(document.getElementById('root'));
const show = (props) => root.render(
  h(StrictMode, null,
    h(Canvas, { camera: { position: [0.5, 0, 2.5] } },
      h('ambientLight', { intensity: 3 }),
      props && h(SoftCharacter, {
        ...props,
        build: { tets: 800 },
        onReady: (character) => { told.ready++; told.character = character; },
        onError: (error) => told.errors.push(String(error)),
      }))));
globalThis.show = show;
show({ url: 'character.glb', floor: -1, grab: true });
`;
const PAGE =
  '<!doctype html><meta charset="utf-8" /><title>user</title><link rel="icon" href="data:," />' +
  '<style>#root { width: 400px; height: 300px }</style><div id="root"></div><script type="module" src="/main.js"></script>';

/** What the page leaves for tests. */
declare const told: {
  ready: number;
  errors: string[];
  character: import('../../../three/index.js').SoftCharacter;
};
declare const show: (props: object | undefined) => void;

let project: UserProject;
let chromium: Chromium;
let server: StaticServer;

beforeAll(async () => {
  const packages = ['three', 'react', 'react-dom', '@react-three/fiber', '@gltf-transform/core', 'property-graph'];
  project = makeUserProject(packages);
  project.write('main.js', MAIN);
  project.write('index.html', PAGE);
  project.write('public/character.glb', await armFile(0));
  project.write('public/still.glb', await writeGltf(armModel()));
  await build({ configFile: false, root: project.folder, base: './', logLevel: 'error' });
  server = await startServer({ isolated: true, folders: { user: project.folder } });
  chromium = await launchChromium();
});

afterAll(async () => {
  await chromium?.close();
  await server?.close();
  project?.remove();
});

it('shows one soft character in StrictMode, which can be pulled at and taken away', async () => {
  const { page, errors } = await chromium.open(`${server.url}/user/dist/index.html`, { drawn: false });
  await page.waitForFunction(() => told.ready > 0 && told.character.simulation.stepCount > 20);
  // mounted twice, as StrictMode does: the first one was given up
  expect(await page.evaluate(() => told.ready)).toBe(1);
  await expect.poll(() => page.workers().length, { timeout: PATIENCE }).toBe(1);
  const place = () => page.evaluate(() => told.character.bone('elbow').position.y);
  const before = await place();
  // the arm lies along x, in the middle of the picture; pulled up from near its end
  await page.mouse.move(255, 150);
  await page.mouse.down();
  for (let i = 1; i <= 20; i++) {
    await page.mouse.move(255, 150 - 3 * i);
    await page.waitForTimeout(30);
  }
  await expect.poll(place, { timeout: PATIENCE }).toBeGreaterThan(before + 0.05);
  await page.mouse.up();
  await page.evaluate(() => show(undefined));
  await expect.poll(() => page.workers().length, { timeout: PATIENCE }).toBe(0);
  expect(await page.evaluate(() => told.character.simulation.state)).toBe('disposed');
  expect(await page.evaluate(() => told.errors)).toEqual([]);
  expect(errors).toEqual([]);
});

it('loads another character for another address, and tells of one that is not there', async () => {
  const { page } = await chromium.open(`${server.url}/user/dist/index.html`, { drawn: false });
  await page.waitForFunction(() => told.ready > 0);
  await page.evaluate(() => show({ url: 'nobody.glb' }));
  await page.waitForFunction(() => told.errors.length > 0);
  expect(await page.evaluate(() => told.errors[0])).toContain('E_FORMAT');
  await page.evaluate(() => show({ url: 'character.glb' }));
  await page.waitForFunction(() => told.ready === 2);
  await expect.poll(() => page.workers().length, { timeout: PATIENCE }).toBe(1);
});

it('takes another address together with a clip that only the new model has, and tells of a clip that none has', async () => {
  const { page, errors } = await chromium.open(`${server.url}/user/dist/index.html`, { drawn: false });
  await page.evaluate(() => show({ url: 'still.glb' }));
  await page.waitForFunction(() => told.character?.clips.length === 0);
  await page.evaluate(() => show({ url: 'character.glb', clip: 'swing', kinematic: 'all' }));
  await page.waitForFunction(() => told.character.clips.length > 0 && told.character.simulation.stepCount > 5);
  expect(await page.evaluate(() => told.errors)).toEqual([]);
  await page.evaluate(() => show({ url: 'character.glb', clip: 'juggle', kinematic: 'all' }));
  await page.waitForFunction(() => told.errors.length > 0);
  expect(await page.evaluate(() => told.errors[0])).toContain('the clips are: swing');
  // what is around it stays, and so does the character
  expect(await page.evaluate(() => told.character.simulation.state)).toBe('running');
  expect(errors).toEqual([]);
});

/** Models dropped on the viewer in a real browser: they become soft, or the page says why not. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { buildScene } from '../../scenes/index.js';
import { createWorld, disposeWorld, stepWorld } from '../../src/index.js';
import { writeGltf } from '../../src/io/gltf/gltf-write.js';
import { readScene, writeScene } from '../../src/scene-file-index.js';
import { armModel } from '../support/models/rigged-model.js';
import {
  PATIENCE,
  positionsOf,
  press,
  readPicture,
  resetPaused,
  startViewer,
  takeSteps,
  type ViewerRig,
  waitForScene,
  waitForSteps,
} from '../support/pages/viewer-page.js';

type Viewer = import('../../viewer/page/inspect.js').Inspection;
declare const tendonViewer: Viewer;

vi.setConfig({ testTimeout: 2 * PATIENCE, hookTimeout: PATIENCE });

/** A cube of 20 cm. */
const CUBE = `${[0, 1, 2, 3, 4, 5, 6, 7].map((i) => `v ${(i & 1) * 0.2} ${((i >> 1) & 1) * 0.2} ${(i >> 2) * 0.2}`).join('\n')}
f 1 3 4 2
f 5 6 8 7
f 1 2 6 5
f 3 7 8 4
f 1 5 7 3
f 2 4 8 6
`;

let viewer: ViewerRig;
let arm: Buffer;
beforeAll(async () => {
  const model = armModel();
  const materials = [{ name: 'blue', pbrMetallicRoughness: { baseColorFactor: [0.02, 0.1, 0.9, 1] } }];
  const meshes = model.meshes.map((mesh) => ({
    ...mesh,
    primitives: mesh.primitives.map((primitive) => ({ ...primitive, material: 0 })),
  }));
  arm = Buffer.from(await writeGltf({ ...model, meshes, look: { ...model.look, materials } }));
  viewer = await startViewer({ name: 'my arm.glb', body: arm });
});
afterAll(() => viewer?.close());

/** Drops a file on the page as a visitor does. */
async function drop(page: Page, name: string, bytes: Buffer): Promise<void> {
  await page.evaluate(
    ([file, text]) => {
      const content = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], file));
      for (const kind of ['dragenter', 'dragover', 'drop']) {
        document.body.dispatchEvent(new DragEvent(kind, { dataTransfer: transfer, bubbles: true, cancelable: true }));
      }
    },
    [name, bytes.toString('base64')] as const,
  );
}

/** Share of the picture's points that are more blue than red. */
async function blueShare(page: Page): Promise<number> {
  const data = await readPicture(page);
  let blue = 0;
  for (let i = 0; i < data.length; i += 4) if (data[i + 2] > data[i] + 60) blue++;
  return blue / (data.length / 4);
}

describe('files in the viewer', () => {
  it('makes a dropped GLB soft, in its own colours, and shows how far it is', async () => {
    const { page, errors } = await viewer.open('#pendulum', { drawn: true });
    const stages = await page.evaluateHandle(() => {
      const seen: string[] = [];
      const box = document.getElementById('notice') as HTMLElement;
      const look = () => seen.push(`${box.textContent?.trim()} ${box.querySelector('progress')?.hidden}`);
      new MutationObserver(look).observe(box, { subtree: true, childList: true, characterData: true });
      return seen;
    });
    await drop(page, 'arm.glb', arm);
    await waitForScene(page, 'arm.glb');
    expect(await stages.evaluate((seen) => seen.join('\n'))).toMatch(/Filling the skin …\s*× false/);
    expect(await page.textContent('#scene-description')).toContain('held by shoulder');
    await expect.poll(() => blueShare(page), { timeout: PATIENCE }).toBeGreaterThan(0.005);
    expect(await page.getAttribute('body', 'data-drop')).toBe('');
    await resetPaused(page);
    const start = await positionsOf(page);
    await takeSteps(page, 30);
    const later = await positionsOf(page);
    const moves = later.map((value, i) => Math.abs(value - start[i]));
    // Held by the shoulder, the free end sinks to the floor.
    expect(Math.max(...moves)).toBeGreaterThan(0.005);
    expect(Math.max(...moves)).toBeLessThan(0.5);
    expect(await page.getAttribute('#certificate', 'data-state')).toBe('good');
    // Settings build it again without the file being read anew; the link cannot hold it.
    await press(page, '#share');
    expect(await page.textContent('#notice-text')).toContain('not a file of yours');
    expect(errors).toEqual([]);
  });

  it('makes a chosen OBJ a soft body that stands on the floor', async () => {
    const { page, errors } = await viewer.open('#pendulum');
    await page.setInputFiles('#file', { name: 'cube.obj', mimeType: 'text/plain', buffer: Buffer.from(CUBE) });
    await waitForScene(page, 'cube.obj');
    await resetPaused(page);
    await takeSteps(page, 60);
    const low = Math.min(...(await positionsOf(page)).filter((_, i) => i % 3 === 1));
    expect(low).toBeGreaterThan(-0.03);
    expect(low).toBeLessThan(0.01);
    expect(errors).toEqual([]);
  });

  it('runs a scene file, as it runs without the page, and takes the models it names that are dropped with it', async () => {
    const { page, errors } = await viewer.open('#bar', { drawn: true });
    const text = writeScene({ ...buildScene('pendulum'), gravity: [0, -3, 0] });
    const named = { name: 'arms', description: 'one arm', bodies: [], tendonScene: 1 };
    const bodyDefs = { arm: { file: 'models/arm.glb' } };
    const arms = { ...named, bodyDefs, bodies: [{ body: 'arm', position: [0, 1, 0] }] };
    const asFile = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/octet-stream', buffer });
    await page.setInputFiles('#file', asFile('swing.json', Buffer.from(text)));
    await waitForScene(page, 'swing.json');
    await resetPaused(page);
    await takeSteps(page, 40);

    const world = await createWorld(await readScene(text));
    for (let n = 0; n < 40; n++) expect(stepWorld(world)).toBe(true);
    const { quats, translations } = world.bodies[0].state.poses;
    const shown = await page.evaluate(() => tendonViewer.bones());
    // f32 on the way to the page
    expect(shown.slice(0, 7).map(Math.fround)).toEqual(
      [...quats.subarray(0, 4), ...translations.subarray(0, 3)].map(Math.fround),
    );
    disposeWorld(world);

    await page.setInputFiles('#file', asFile('arms.json', Buffer.from(JSON.stringify(arms))));
    await page.waitForSelector('#notice[data-kind="failed"]');
    expect(await page.textContent('#notice-text')).toMatch(
      /bodyDefs\/arm\/file.*drop this file together with the scene/s,
    );
    await page.setInputFiles('#file', [asFile('arms.json', Buffer.from(JSON.stringify(arms))), asFile('arm.glb', arm)]);
    await waitForScene(page, 'arms.json');
    // its own colours
    await expect.poll(() => blueShare(page), { timeout: PATIENCE }).toBeGreaterThan(0.005);
    expect(errors).toEqual([]);
  });

  it.each([
    ['broken.glb', Buffer.from('glTF and then nothing'), /^broken\.glb cannot be used\.\nE_FORMAT/],
    ['notes.txt', Buffer.from('hello'), /^notes\.txt cannot be used\.\nE_FORMAT at files: drop a model/],
    ['points.obj', Buffer.from('v 0 0 0\nv 1 0 0\nv 0 1 0\n'), /^points\.obj cannot be used\.\nE_/],
  ])('says why %s cannot be used, and goes on with what was there', async (name, bytes, message) => {
    const { page, errors } = await viewer.open('#pendulum');
    await drop(page, name, bytes);
    await page.waitForSelector('#notice[data-kind="failed"]');
    expect(await page.textContent('#notice-text')).toMatch(message);
    await waitForSteps(page, 5);
    expect(await page.evaluate(() => tendonViewer.scene)).toBe('pendulum');
    await page.click('#notice-close');
    expect(await page.isVisible('#notice')).toBe(false);
    expect(errors).toEqual([]);
  });

  it('opens the file that `tendon view` was given', async () => {
    const { page, errors } = await viewer.open('#file:my%20arm.glb');
    await waitForSteps(page, 3);
    expect(errors).toEqual([]);
  });

  it('says of files that cannot be used what to do about it, and goes on with the scene', async () => {
    const { page, errors } = await viewer.open('#pendulum');
    const chunk = Buffer.from('{"asset":{"version":"2.0"}} ');
    const header = Buffer.alloc(20);
    [0x46546c67, 2, 20 + chunk.length, chunk.length, 0x4e4f534a].forEach(
      (word, i) => void header.writeUInt32LE(word, 4 * i),
    );
    const asked = JSON.stringify({ asset: { version: '2.0' }, buffers: [{ uri: 'data.bin', byteLength: 4 }] });
    const bad: readonly (readonly [string, Buffer, string])[] = [
      ['empty.glb', Buffer.alloc(0), 'download or export it again'],
      ['cut.glb', arm.subarray(0, 1000), 'cut off after 1000 bytes: copy, download or export it again'],
      ['start.glb', arm.subarray(0, 10), 'download or export it again'],
      ['notes.txt', Buffer.from('hello'), 'save other models as .glb first'],
      ['renamed.glb', Buffer.from('hello'), 'Export the model as glTF 2.0'],
      ['bones.glb', Buffer.concat([header, chunk]), 'export its meshes too'],
      ['lines.obj', Buffer.from('v 0 0 0\nv 1 0 0\nl 1 2\n'), 'no triangles'],
      ['alone.gltf', Buffer.from(asked), 'give both together, or save the model as one .glb'],
      ['other.json', Buffer.from('{ "colour": "red" }'), '`tendon scene NAME` writes one'],
    ];
    for (const [name, bytes, advice] of bad) {
      await drop(page, name, bytes);
      await page.waitForFunction((file) => {
        const box = document.getElementById('notice');
        return box?.dataset.kind === 'failed' && box.textContent?.includes(`${file} cannot be used`);
      }, name);
      expect(await page.textContent('#notice-text'), name).toContain(advice);
      await page.keyboard.press('Escape');
      expect(await page.isVisible('#notice')).toBe(false);
    }
    await waitForSteps(page, 3);
    expect(await page.evaluate(() => tendonViewer.scene)).toBe('pendulum');
    expect(errors).toEqual([]);
  });
});

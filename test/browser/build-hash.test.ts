/** A character built in Chromium is the one built in Node, to the bit. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { GltfModel } from '../../src/io/gltf/gltf-model.js';
import { armModel } from '../support/models/rigged-model.js';
import { hashBuild, packModel } from '../support/pages/build-hash.js';
import { type Chromium, launchChromium, type StaticServer, startServer } from '../support/pages/chromium.js';

let chromium: Chromium;
let server: StaticServer;

beforeAll(async () => {
  server = await startServer({ isolated: false });
  chromium = await launchChromium();
});

afterAll(async () => {
  await chromium?.close();
  await server?.close();
});

/** The arm with a hole in its skin, so that its inside is found by winding numbers. */
function openArm(): GltfModel {
  const model = armModel({ swing: 0.8 });
  const meshes = model.meshes.map(({ name, primitives }) => ({
    name,
    primitives: primitives.map((part) => ({ ...part, indices: part.indices.slice(0, -6) })),
  }));
  return { ...model, meshes };
}

describe('building', () => {
  it.each([
    ['closed', armModel({ swing: 0.8 })],
    ['open', openArm()],
  ])('gives the same character in Chromium as in Node, its skin %s', async (_name, model) => {
    const packed = packModel(model);
    const node = await hashBuild(new URL('../../dist/src/', import.meta.url).href, packed);
    const { page, errors } = await chromium.open(`${server.url}/blank`);
    // As text: vitest rewrites the imports of functions it sees.
    const call = `hashBuild(${JSON.stringify(`${server.url}/dist/src/`)}, ${JSON.stringify(packed)})`;
    const there = await page.evaluate<string>(`import('/test/support/pages/build-hash.js').then((it) => it.${call})`);
    await page.close();
    expect(errors).toEqual([]);
    expect(there).toBe(node);
  });
});

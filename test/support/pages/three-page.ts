/** Bundles pages that use `tendon/three` as a user's bundler would, with the compiled library, and puts models beside it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'vite';
import type { GltfModel } from '../../../src/io/gltf/gltf-model.js';
import { writeGltf } from '../../../src/io/gltf/gltf-write.js';
import { hasAssets, readAsset } from '../assets.js';
import { packByDraco, packByMeshopt, picturedArm } from '../files/packed-models.js';
import { armModel, colouredArm } from '../models/rigged-model.js';
import { ROOT } from '../source-rules.js';

type Models = Readonly<Record<string, Uint8Array>>;

let page: Promise<string> | undefined;

/** The folder of the page of the tests, with the models of all of them, built once for all files of a test process. */
export function buildThreePage(): Promise<string> {
  const models = async (): Promise<Models> => ({
    'arm.glb': await armFile(0),
    'fine.glb': await armFile(1),
    'fine-arm.glb': await armFile(3),
    'shapes.glb': await writeGltf(colouredArm()),
    'plain.glb': await writeGltf(armModel()),
    'draco.glb': (await packByDraco()).bytes,
    'meshopt.glb': await packByMeshopt(),
    'png.glb': await picturedArm('png'),
    'etc1s.glb': await picturedArm('etc1s'),
    'uastc.glb': await picturedArm('uastc'),
    ...(hasAssets('hand.glb') && { 'hand.glb': readAsset('hand.glb') }),
  });
  // the page is typed by the sources but made of what is shipped
  page ??= models().then((all) => bundle('test/browser/three-page', 'index.html', '../../../three/index.js', all));
  return page;
}

/** The folder of the example page. */
export async function buildExamplePage(): Promise<string> {
  return bundle('examples', 'three-glb.html', 'tendon/three', { 'character.glb': await armFile(0) });
}

async function bundle(folder: string, name: string, library: string, models: Models): Promise<string> {
  const outDir = mkdtempSync(join(tmpdir(), 'tendon-page-'));
  process.once('exit', () => rmSync(outDir, { recursive: true, force: true }));
  await build({
    configFile: false,
    root: join(ROOT, folder),
    base: './',
    logLevel: 'error',
    resolve: { alias: [{ find: library, replacement: join(ROOT, 'dist/three/index.js') }] },
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      minify: false,
      chunkSizeWarningLimit: 5000,
      rollupOptions: { input: join(ROOT, folder, name) },
    },
    worker: { format: 'es' },
  });
  for (const [model, bytes] of Object.entries(models)) writeFileSync(join(outDir, model), bytes);
  return outDir;
}

/** One white pixel. */
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8/5+hHgAHggJ/PchI7wAAAABJRU5ErkJggg==';

/** A rigged arm with a clip and a texture, its skin divided `times` times: 302, 1202, 4802 or 19202 vertices. */
export async function armFile(times: number): Promise<Uint8Array> {
  const model = armModel({ swing: 0.8 });
  const look: GltfModel['look'] = {
    materials: [{ name: 'skin', pbrMetallicRoughness: { baseColorTexture: { index: 0 }, metallicFactor: 0 } }],
    textures: [{ source: 0 }],
    samplers: [],
    images: [{ name: 'pixel', mimeType: 'image/png', bytes: new Uint8Array(Buffer.from(PIXEL, 'base64')) }],
  };
  let [primitive] = model.meshes[0].primitives;
  for (let i = 0; i < times; i++) primitive = divide(primitive);
  return writeGltf({ ...model, look, meshes: [{ name: 'arm', primitives: [primitive] }] });
}

type Primitive = GltfModel['meshes'][number]['primitives'][number];

/** Cuts every triangle into four. */
function divide(from: Primitive): Primitive {
  const positions = [...from.positions];
  const uvs = [...from.uvs[0]];
  const joints = [...from.joints!];
  const weights = [...from.weights!];
  const middles = new Map<string, number>();
  const middle = (a: number, b: number): number => {
    const key = `${Math.min(a, b)}/${Math.max(a, b)}`;
    let found = middles.get(key);
    if (found === undefined) {
      found = positions.length / 3;
      middles.set(key, found);
      for (let k = 0; k < 3; k++) positions.push((positions[3 * a + k] + positions[3 * b + k]) / 2);
      for (let k = 0; k < 2; k++) uvs.push((uvs[2 * a + k] + uvs[2 * b + k]) / 2);
      for (let k = 0; k < 4; k++) {
        joints.push(joints[4 * a + k]);
        weights.push(weights[4 * a + k]);
      }
    }
    return found;
  };
  const indices: number[] = [];
  for (let t = 0; t < from.indices.length; t += 3) {
    const [a, b, c] = from.indices.subarray(t, t + 3);
    const [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
    indices.push(a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca);
  }
  return {
    ...from,
    positions: Float32Array.from(positions),
    indices: Uint32Array.from(indices),
    uvs: [Float32Array.from(uvs)],
    joints: Uint16Array.from(joints),
    weights: Float32Array.from(weights),
  };
}

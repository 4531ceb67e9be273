/** The materials and textures of a model, through three's own loader, so that the skin looks as it does anywhere else. */
import type { Material, Texture, Vector2 } from 'three';
import type { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { TendonError } from '../src/errors.js';
import { openGltf } from '../src/io/gltf/gltf-container.js';
import { packGlb } from '../src/io/gltf/gltf-pack.js';
import { resolveLimits } from '../src/io/text/io-limits.js';

/** Materials in the order of the file. */
export interface Look {
  readonly materials: readonly Material[];
}

/** What materials with normal maps have. */
interface Bumpy {
  readonly normalScale?: Vector2;
  readonly clearcoatNormalScale?: Vector2;
}

/** What of a file is for the eye, and what that needs. */
const KEPT = ['asset', 'materials', 'textures', 'samplers', 'images', 'bufferViews', 'buffers'];
const BASIS = 'KHR_texture_basisu';

/** Loads the materials of a `.glb` or `.gltf`; `path` is where outside files are looked for, `given` a loader that knows more. */
export async function loadLook(bytes: Uint8Array, path: string, given?: GLTFLoader): Promise<Look> {
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  const loader = given ?? new GLTFLoader();
  const { parser } = await loader.parseAsync(withoutShapes(bytes, loader), path);
  const count: number = parser.json.materials?.length ?? 0;
  const materials: Material[] = [];
  for (let i = 0; i < count; i++) {
    const material: Material = await parser.getDependency('material', i);
    // Without tangents in the mesh three works them out the other way up, as its loader knows.
    const { normalScale, clearcoatNormalScale } = material as Bumpy;
    if (normalScale) normalScale.y *= -1;
    if (clearcoatNormalScale) clearcoatNormalScale.y *= -1;
    materials.push(material);
  }
  return { materials };
}

/** The file with its materials alone: meshes may be packed in ways that the loader was not told of, and are read in the worker anyway. */
function withoutShapes(bytes: Uint8Array, loader: GLTFLoader): ArrayBuffer {
  const { json, bin } = openGltf(bytes, resolveLimits({}));
  const ofTextures = (value: unknown): string[] =>
    Array.isArray(value) ? value.filter((name) => /^[A-Z]+_(texture|materials)_/.test(String(name))) : [];
  const extensionsUsed = ofTextures(json.extensionsUsed);
  const extensionsRequired = ofTextures(json.extensionsRequired);
  if (extensionsRequired.includes(BASIS) && !loader.ktx2Loader) {
    throw new TendonError('E_FORMAT', 'loader', BASIS, 'the pictures are KTX2: give a loader that has a KTX2Loader');
  }
  const kept = Object.fromEntries(Object.entries(json).filter(([key]) => KEPT.includes(key)));
  const look = { ...kept, extensionsUsed, extensionsRequired };
  if (bin) return packGlb(look, [bin]).buffer as ArrayBuffer;
  return new TextEncoder().encode(JSON.stringify(look)).buffer as ArrayBuffer;
}

/** Frees a material, its textures, and the pictures they were made of. */
export function disposeMaterial(material: Material): void {
  for (const value of Object.values(material)) {
    if (!(value as Texture | null)?.isTexture) continue;
    const texture = value as Texture;
    texture.dispose();
    (texture.source.data as { close?: () => void } | null)?.close?.();
  }
  material.dispose();
}

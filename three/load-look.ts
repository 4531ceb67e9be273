/** The materials and textures of a model, through three's own loader, so that the skin looks as it does anywhere else. */
import type { Material, Texture, Vector2 } from 'three';
import type { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';

/** Materials in the order of the file. */
export interface Look {
  readonly materials: readonly Material[];
}

/** What materials with normal maps have. */
interface Bumpy {
  readonly normalScale?: Vector2;
  readonly clearcoatNormalScale?: Vector2;
}

/** Loads the materials of a `.glb` or `.gltf`; `path` is where outside files are looked for, `given` a loader that knows more. */
export async function loadLook(bytes: ArrayBuffer, path: string, given?: GLTFLoader): Promise<Look> {
  const { GLTFLoader } = await import('three/addons/loaders/GLTFLoader.js');
  const { parser } = await (given ?? new GLTFLoader()).parseAsync(bytes, path);
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

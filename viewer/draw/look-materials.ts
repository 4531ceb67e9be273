/** Materials of a skin that came with pictures; a picture is put on once it is decoded. */
import { Color, type MeshPhysicalMaterial, RepeatWrapping, SRGBColorSpace, Texture } from 'three';
import type { SkinLook, SkinPiece } from '../worker/scene-info.js';
import { createSkinMaterial, FLESH, setSeeThrough } from './skin-material.js';

/** One material per piece of a skin. */
export class LookMaterials {
  readonly materials: MeshPhysicalMaterial[];
  readonly #changed: () => void;
  #disposed = false;

  constructor(look: SkinLook, changed: () => void) {
    this.#changed = changed;
    this.materials = look.pieces.map((piece) => {
      const material = createSkinMaterial();
      material.color = piece.colour ? new Color(...piece.colour) : FLESH.clone();
      // Painted skin brings its own warmth.
      material.sheen = 0.2;
      material.flatShading = piece.flat;
      if (piece.picture) this.#load(piece.picture, material);
      return material;
    });
  }

  setSeeThrough(seeThrough: boolean): void {
    for (const material of this.materials) setSeeThrough(material, seeThrough);
  }

  dispose(): void {
    this.#disposed = true;
    for (const material of this.materials) {
      material.map?.dispose();
      material.dispose();
    }
  }

  async #load(picture: NonNullable<SkinPiece['picture']>, material: MeshPhysicalMaterial): Promise<void> {
    const texture = await readPicture(picture).catch((error: unknown) => {
      console.warn(`A picture (${picture.type}) cannot be shown; the colour of its material is.`, error);
    });
    if (!texture) return;
    if (this.#disposed) {
      texture.dispose();
      return;
    }
    texture.colorSpace = SRGBColorSpace;
    texture.flipY = false;
    texture.wrapS = texture.wrapT = RepeatWrapping;
    texture.anisotropy = 4;
    texture.needsUpdate = true;
    material.map = texture;
    material.needsUpdate = true;
    this.#changed();
  }
}

async function readPicture({ bytes, type }: NonNullable<SkinPiece['picture']>): Promise<Texture> {
  if (type === 'image/ktx2') return (await import('../decode/basis.js')).readKtx2(bytes);
  return new Texture(await createImageBitmap(new Blob([bytes], { type }), { colorSpaceConversion: 'none' }));
}

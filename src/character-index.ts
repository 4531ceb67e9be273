/**
 * The public API of `tendon/character`: from a rigged model to a physical body. Apart from `tendon` itself, because it brings
 * the glTF library with it, which a game that builds its bodies elsewhere does not need.
 * @module tendon/character
 */

export { addBellies, type BellyOptions } from './character/build/belly-fibres.js';
export {
  type CellCharacter,
  type LatticeBuildOptions,
  latticeOfCharacter,
  latticeOfLayer,
  latticeOfSurface,
} from './character/build/kinds/lattice-of.js';
export {
  type LayerCharacter,
  type LayerCharacterOptions,
  layerOfCharacter,
} from './character/build/kinds/layer-character.js';
export { layerOfBody } from './character/build/kinds/layer-of-body.js';
export type { MaterialWish, RegionWish } from './character/build/regions.js';
export type { BuildOptions } from './character/build/rigged.js';
export type {
  BoneInfo,
  Character,
  CharacterClip,
  CharacterReport,
  CharacterSkin,
  JointLimit,
  SkinMorph,
  SkinSurface,
} from './character/character.js';
export { readCharacter, writeCharacter } from './character/character-file.js';
export { bonesToDrive, ClipPlayer } from './character/clips/clip-player.js';
export {
  characterScene,
  latticeScene,
  loadCharacter,
  loadCharacterScene,
  loadLattice,
  loadLayered,
} from './character/load-character.js';
export { SkinUpdater } from './character/skin-updater.js';

/**
 * The public API of `tendon/character`: from a rigged model to a physical body. Apart from `tendon` itself, because it brings
 * the glTF library with it, which a game that builds its bodies elsewhere does not need.
 */
export type {
  BoneInfo,
  Character,
  CharacterClip,
  CharacterReport,
  CharacterSkin,
  JointLimit,
  SkinSurface,
} from './character/character.js';
export { readCharacter, writeCharacter } from './character/character-file.js';
export { bonesToDrive, ClipPlayer } from './character/clip-player.js';
export type { BuildOptions } from './character/rigged.js';
export { SkinUpdater } from './character/skin-updater.js';
export { characterScene, loadCharacter, loadCharacterScene } from './load-character.js';

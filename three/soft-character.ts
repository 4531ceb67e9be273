/** Characters for a three.js scene: a rigged model, or one built before, made soft. */
import type { CharacterReport } from '../src/character/character.js';
import { assembleCharacters, type CharacterPlace, type ModelSource, type PlayOptions, playClip } from './characters.js';
import type { ClipInfo } from './protocol.js';
import { SoftBody } from './soft-body.js';
import type { SoftBodyOptions } from './soft-options.js';

/** How a character is built, put and held. */
export interface SoftCharacterOptions extends SoftBodyOptions, CharacterPlace {}

/** A soft character with its skin, its materials, its bones and its motions. */
export class SoftCharacter extends SoftBody {
  /**
   * Loads a `.glb` or `.gltf`: a rigged model, which is filled with flesh first, or a character file, which loads at once.
   * Materials and textures are the file's, through three's GLTFLoader.
   */
  static async load(source: ModelSource, options: SoftCharacterOptions = {}): Promise<SoftCharacter> {
    const character = new SoftCharacter(await assembleCharacters([{ ...options, source }], options));
    await character.simulation.advance(0);
    return character;
  }

  /** Motions that came with the file. */
  get clips(): readonly ClipInfo[] {
    return this.simulation.info.characters[0].clips;
  }

  /** How the character was made of the file. */
  get report(): CharacterReport {
    return this.simulation.info.characters[0].report;
  }

  /** Plays a motion, over and over: kinematic bones follow it, the others and the flesh follow them. */
  playClip(name: string, options: PlayOptions = {}): void {
    playClip(this.simulation, 0, name, options);
  }

  /** Ends the motion; kinematic bones stay where they are. */
  stopClip(): void {
    this.simulation.act({ kind: 'stop', body: 0 });
  }
}

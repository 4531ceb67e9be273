/** Characters for a three.js scene: a rigged model, or one built before, made soft. */
import type { CharacterReport } from '../src/character/character.js';
import {
  assembleCharacters,
  type CharacterPlace,
  DEFAULT_BLEND,
  type FollowOptions,
  followBone,
  type ModelSource,
  type PlayOptions,
  playClip,
  setMorph,
  setStrength,
} from './characters.js';
import type { BoneMode, ClipInfo, RootMode } from './protocol.js';
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

  /** Names of the morph targets that came with the file. */
  get morphs(): readonly string[] {
    return this.simulation.info.bodies[0].morphs ?? [];
  }

  /** Blends a morph target in, 0 to 1, on top of how the flesh is deformed; clips that drive it have the last word. */
  setMorph(name: string, value: number): void {
    setMorph(this.simulation, 0, name, value);
  }

  /** Plays a motion, over and over: kinematic bones follow it exactly, the others as hard as `strength` says, the flesh follows them. */
  playClip(name: string, options: PlayOptions = {}): void {
    playClip(this.simulation, 0, name, options);
  }

  /** How hard bones that are not kinematic follow clips [Hz]: they give way when pushed, and recover. 0, the default: they hang. */
  setStrength(strength: number | undefined, bone?: string): void {
    setStrength(this.simulation, 0, strength, bone);
  }

  /** Makes a bone go exactly with the clip, be led along by its motor, or hang; it gets there without a jump. */
  setBone(bone: string, mode: BoneMode, options: FollowOptions = {}): void {
    followBone(this.simulation, 0, bone, mode, options);
  }

  /** What holds the root: it is sent, led by a force from outside (`certificate.assistForce`), or nothing but the ground. */
  setRoot(root: RootMode, { blend = DEFAULT_BLEND }: FollowOptions = {}): void {
    this.simulation.act({ kind: 'follow', body: 0, root, blend });
  }

  /** Ends the motion; kinematic bones stay where they are. */
  stopClip(): void {
    this.simulation.act({ kind: 'stop', body: 0 });
  }
}

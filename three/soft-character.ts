/** Characters for a three.js scene: a rigged model, or one built before, made soft. */
import type { CharacterReport } from '../src/character/character.js';
import { TendonError } from '../src/errors.js';
import { assembleSoftBody } from './assemble.js';
import { fetchModel } from './fetch-model.js';
import { loadLook } from './load-look.js';
import type { BuildSettings, ClipInfo, KinematicBones, Quat, Vec3 } from './protocol.js';
import { SoftBody } from './soft-body.js';
import type { SoftBodyOptions } from './soft-options.js';

/** How a character is built, put and held. */
export interface SoftCharacterOptions extends SoftBodyOptions {
  /** How a rigged model becomes a character; of no use for files that hold one already. */
  readonly build?: BuildSettings;
  /** Bones that go where they are sent: the root (default), all, none, or those named. The others follow the physics. */
  readonly kinematic?: KinematicBones;
  /** Where the rest shape is put in the object's space [m], and how it is turned, quaternion x,y,z,w. */
  readonly position?: Vec3;
  readonly rotation?: Quat;
}

/** How a clip is played. */
export interface PlayOptions {
  /** 1 is as fast as it was made. */
  readonly speed?: number;
  /** Time from the rest shape into the clip [s]; default 0.5. */
  readonly fadeIn?: number;
}

/** A soft character with its skin, its materials, its bones and its motions. */
export class SoftCharacter extends SoftBody {
  /**
   * Loads a `.glb` or `.gltf`: a rigged model, which is filled with flesh first, or a character file, which loads at once.
   * Materials and textures are the file's, through three's GLTFLoader.
   */
  static async load(
    source: string | URL | ArrayBuffer | Uint8Array,
    options: SoftCharacterOptions = {},
  ): Promise<SoftCharacter> {
    const { build = {}, kinematic = 'root', position, rotation } = options;
    const { bytes, resources, path } = await fetchModel(source, options);
    const look = options.material ? undefined : loadLook(bytes.buffer, path);
    const put = { ...(position && { position }), ...(rotation && { rotation }) };
    const parts = await assembleSoftBody(
      { kind: 'character', bytes, resources, build, kinematic, ...put },
      options,
      look,
    );
    const character = new SoftCharacter(parts);
    await character.simulation.advance(0);
    return character;
  }

  /** Motions that came with the file. */
  get clips(): readonly ClipInfo[] {
    return this.simulation.info.clips;
  }

  /** How the character was made of the file. */
  get report(): CharacterReport {
    return this.simulation.info.report as CharacterReport;
  }

  /** Plays a motion, over and over: kinematic bones follow it, the others and the flesh follow them. */
  playClip(name: string, { speed = 1, fadeIn }: PlayOptions = {}): void {
    if (!this.clips.some((clip) => clip.name === name)) {
      const known = this.clips.map((clip) => clip.name).join(', ') || 'none';
      throw new TendonError('E_UNKNOWN', 'clip', name, `the clips are: ${known}`);
    }
    this.simulation.act({ kind: 'play', clip: name, speed, ...(fadeIn !== undefined && { fadeIn }) });
  }

  /** Ends the motion; kinematic bones stay where they are. */
  stopClip(): void {
    this.simulation.act({ kind: 'stop' });
  }
}

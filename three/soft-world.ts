/** Several characters in one simulation: they touch, push and carry each other, and the same obstacles. */
import type { Object3D, Vector3 } from 'three';
import type { AnyBodyDef } from '../src/body/kinds/any-body-def.js';
import { TendonError } from '../src/errors.js';
import type { PlacementDef } from '../src/scene/scene-def.js';
import type { BodyView } from './body-view.js';
import {
  assembleCharacters,
  type CharacterEntry,
  DEFAULT_BLEND,
  type FollowOptions,
  followBone,
  type PlayOptions,
  playClip,
  setMorph,
  setStrength,
} from './characters.js';
import type { BoneMode, CharacterInfo, RootMode } from './protocol.js';
import { SoftBody } from './soft-body.js';
import type { SoftGrip } from './soft-grip.js';
import type { SoftBodyOptions } from './soft-options.js';

/** One character of a world, or one of its other bodies. Points are in the scene's space. */
export class SoftMember {
  /** Its number among the bodies of the world, as `contact` tells it. */
  readonly body: number;
  readonly #world: SoftWorld;

  constructor(world: SoftWorld, body: number) {
    this.#world = world;
    this.body = body;
  }

  /** Its objects: skin and bones. */
  get view(): BodyView {
    return this.#world.bodies[this.body];
  }

  /** Its clips, and how it was made of its file; throws for what is no character. */
  get info(): CharacterInfo {
    const info = this.#world.simulation.info.characters[this.body];
    if (!info) throw new TendonError('E_UNKNOWN', 'member', this.body, 'this body is no character');
    return info;
  }

  /** Takes hold of it around a point; see `SoftBody.grab`. */
  grab(point: Vector3, radius?: number): SoftGrip {
    return this.#world.grab(point, { body: this.body, ...(radius !== undefined && { radius }) });
  }

  /** Gives an impulse [N s] to what is around a point. */
  push(point: Vector3, impulse: Vector3): void {
    this.#world.push(point, impulse, { body: this.body });
  }

  /** The object that moves with a bone. */
  bone(name: string): Object3D {
    return this.#world.bone(name, this.body);
  }

  /** Makes a bone kinematic or dynamic. */
  setKinematic(name: string, kinematic: boolean): void {
    this.#world.setKinematic(name, kinematic, this.body);
  }

  /** Blends a morph target in, 0 to 1; their names are `simulation.info.bodies[body].morphs`. */
  setMorph(name: string, value: number): void {
    setMorph(this.#world.simulation, this.body, name, value);
  }

  /** Plays a motion, over and over. */
  playClip(name: string, options: PlayOptions = {}): void {
    playClip(this.#world.simulation, this.body, name, options);
  }

  /** How hard bones that are not kinematic follow clips [Hz]: they give way when pushed, and recover. 0, the default: they hang. */
  setStrength(strength: number | undefined, bone?: string): void {
    setStrength(this.#world.simulation, this.body, strength, bone);
  }

  /** Makes a bone go exactly with the clip, be led along by its motor, or hang; it gets there without a jump. */
  setBone(bone: string, mode: BoneMode, options: FollowOptions = {}): void {
    followBone(this.#world.simulation, this.body, bone, mode, options);
  }

  /** What holds the root: it is sent, led by a force from outside (`certificate.assistForce`), or nothing but the ground. */
  setRoot(root: RootMode, { blend = DEFAULT_BLEND }: FollowOptions = {}): void {
    this.#world.simulation.act({ kind: 'follow', body: this.body, root, blend });
  }

  /** Ends the motion; kinematic bones stay where they are. */
  stopClip(): void {
    this.#world.simulation.act({ kind: 'stop', body: this.body });
  }
}

/** What a world of characters can have beside them. */
export interface SoftWorldOptions extends SoftBodyOptions {
  /** Further bodies, numbered after the characters: rigid ones, cloth, flesh; see `rigidFromMesh`, `clothFromMesh`. The solver then is 'coupled' unless said otherwise. */
  readonly bodies?: readonly PlacementDef<AnyBodyDef>[];
}

/** A world of characters. Made by `load`; everything else is as for `SoftBody`. */
export class SoftWorld extends SoftBody {
  /** In the order they were given. */
  readonly members: readonly SoftMember[] = this.bodies.map((_, i) => new SoftMember(this, i));

  /** Loads characters, each from its own model or from one they share, and what else there is, into one simulation. */
  static async load(characters: readonly CharacterEntry[], options: SoftWorldOptions = {}): Promise<SoftWorld> {
    const world = new SoftWorld(await assembleCharacters(characters, options, options.bodies));
    await world.simulation.advance(0);
    return world;
  }
}

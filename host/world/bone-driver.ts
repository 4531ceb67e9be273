/** Drives the bones of a character along its clips, wherever it was put: kinematic ones exactly, tracked ones by their motors. */

import type { Character, CharacterClip } from '../../src/character/character.js';
import { bonesToDrive, ClipPlayer, POSE_STRIDE } from '../../src/character/clips/clip-player.js';
import { multiplyQuat, rotateVec3 } from '../../src/math/quat.js';
import { setBoneKinematic } from '../../src/world/bone-control.js';
import { placedRest } from '../../src/world/placed-rest.js';
import type { BoneMode } from '../../src/world/tracking/bone-modes.js';
import { BoneTracker, type RootMode } from '../../src/world/tracking/bone-tracker.js';
import type { World, WorldBody } from '../../src/world/world.js';

/** Time from being led to being sent, and back [s]. */
const BLEND = 0.3;

/**
 * Plays one clip at a time. Bones that are not kinematic are left to the physics, or led by their motors where a strength is given; those between
 * two kinematic ones are driven as long as a clip is played.
 */
export class BoneDriver {
  readonly #world: World;
  readonly #character: Character;
  readonly #body: WorldBody;
  readonly #poses: Float64Array;
  /** Where the poses are in the world. */
  readonly #placed: Float64Array;
  #tracker: BoneTracker | undefined;
  /** Bones that are kinematic only because a clip is played. */
  #between: readonly number[] = [];
  #player: ClipPlayer | undefined;
  #clip: CharacterClip | undefined;
  #speed = 1;
  #fadeIn: number | undefined;
  /** Time into the clip [s]. */
  #time = 0;

  /** Weights of morph targets as the clip has them; undefined where it drives none. */
  morphs: Float64Array | undefined;

  constructor(world: World, character: Character, body: WorldBody) {
    this.#world = world;
    this.#character = character;
    this.#body = body;
    this.#poses = new Float64Array(POSE_STRIDE * character.skeleton.length);
    this.#placed = new Float64Array(this.#poses.length);
    this.#stand();
  }

  /** Whether bones can be led: some solvers have no motors, and their bones can only be sent. */
  get hasMotors(): boolean {
    return 'motors' in this.#body.state;
  }

  /** How hard bones that are not kinematic follow [Hz]; 0: they hang. Without a clip they keep the pose they were in last. */
  get strength(): number {
    return this.#tracker?.strength ?? 0;
  }

  set strength(hertz: number) {
    if (!this.#tracker && hertz === 0) return;
    this.#track().strength = hertz;
  }

  /** How hard one bone follows [Hz]; undefined: as all do. */
  setStrength(bone: number, hertz: number | undefined): void {
    this.#track().setStrength(bone, hertz);
  }

  /** Makes a bone go with the clip, be led along, or hang; arrived at after `blend` [s]. */
  setBone(bone: number, mode: BoneMode, weight?: number, blend?: number): void {
    this.#track().setBone(bone, mode, weight, blend);
  }

  /** What holds the root. */
  setRoot(mode: RootMode, blend?: number): void {
    this.#track().setRoot(mode, blend);
  }

  /** Leads all bones, the root by a force from outside, with `blend` of the strength [Hz]; 0: all are sent. */
  followAll(hertz: number, blend: number): void {
    const tracker = this.#track();
    tracker.strength = hertz;
    for (let bone = 0; bone < this.#character.skeleton.length; bone++) {
      const wanted = hertz > 0 ? 'tracked' : 'kinematic';
      if (tracker.mode(bone) !== wanted || hertz > 0) tracker.setBone(bone, wanted, blend, BLEND);
    }
    tracker.setRoot(hertz > 0 ? 'assisted' : 'kinematic', BLEND);
  }

  /** Ends the motion, and all bones hang. */
  letGo(): void {
    this.stop();
    this.#tracker?.release();
    this.#tracker = undefined;
  }

  /** How far tracked joints are from the clip, rms [rad]. */
  get error(): number {
    return this.#tracker?.error ?? 0;
  }

  /** Starts a clip from its beginning; `fadeIn`: time from the rest shape into it [s]. */
  play(name: string, speed: number, fadeIn?: number): void {
    this.#player ??= new ClipPlayer(this.#character, this.#body.model);
    this.#clip = this.#player.clip(name);
    const shapes = this.#character.skin.morphs?.length ?? 0;
    this.morphs = this.#clip.morphs && new Float64Array(shapes);
    this.#speed = speed;
    this.#fadeIn = fadeIn;
    this.#time = 0;
    this.#freeBetween();
    this.#driveBetween();
  }

  /** Kinematic bones stay where they are. */
  stop(): void {
    this.#clip = undefined;
    this.morphs = undefined;
    this.#freeBetween();
  }

  /** Back at the start: nothing is played, and poses are those of the rest shape. */
  reset(): void {
    this.letGo();
    this.#stand();
  }

  /** Makes a bone kinematic or dynamic, while a clip is played or not. */
  setKinematic(bone: number, kinematic: boolean): void {
    this.#freeBetween();
    if (this.#tracker) this.#tracker.setBone(bone, kinematic ? 'kinematic' : 'tracked');
    else setBoneKinematic(this.#body, bone, kinematic);
    if (this.#clip) this.#driveBetween();
  }

  /** Sends the bones to where the clip has them at the end of a step of length `dt` [s]. */
  beforeStep(dt: number): void {
    if (this.#clip && this.#player) {
      this.#time += dt * this.#speed;
      this.#player.pose(this.#clip, this.#time, this.#poses, this.#fadeIn);
      if (this.morphs) this.#player.blendMorphs(this.#clip, this.#time, this.morphs, this.#fadeIn);
      this.#place();
    }
    if (this.#tracker) {
      this.#tracker.track(this.#placed, dt);
      return;
    }
    const { boneTargets, kinematic } = this.#body.state;
    for (let bone = 0; this.#clip && bone < kinematic.length; bone++) {
      if (kinematic[bone] === 0) continue;
      for (let k = POSE_STRIDE * bone; k < POSE_STRIDE * (bone + 1); k++) boneTargets[k] = this.#placed[k];
    }
  }

  #track(): BoneTracker {
    const root = this.#character.skeleton.findIndex(({ parent }) => parent < 0);
    this.#tracker ??= new BoneTracker(this.#world, this.#body, { root: Math.max(0, root), strength: 0 });
    return this.#tracker;
  }

  /** The pose of the rest shape where the character was put. */
  #stand(): void {
    for (let bone = 0; bone < this.#character.skeleton.length; bone++) {
      this.#placed.set(placedRest(this.#body, bone), POSE_STRIDE * bone);
    }
  }

  #place(): void {
    const { rotation, position } = this.#body.placement;
    for (let o = 0; o < this.#poses.length; o += POSE_STRIDE) {
      multiplyQuat(this.#placed, o, rotation, 0, this.#poses, o);
      rotateVec3(this.#placed, o + 4, rotation, 0, this.#poses, o + 4);
      for (let k = 0; k < 3; k++) this.#placed[o + 4 + k] += position[k];
    }
  }

  #driveBetween(): void {
    const { kinematic } = this.#body.state;
    const driven = bonesToDrive(this.#character.skeleton, (bone) => kinematic[bone] === 1);
    this.#between = [...driven.keys()].filter((bone) => driven[bone] === 1 && kinematic[bone] === 0);
    for (const bone of this.#between) setBoneKinematic(this.#body, bone, true);
  }

  #freeBetween(): void {
    for (const bone of this.#between) setBoneKinematic(this.#body, bone, false);
    this.#between = [];
  }
}

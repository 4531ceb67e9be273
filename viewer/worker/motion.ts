/** Plays the motions a character came with: its bones are driven, or led by their motors, and the flesh follows; stopped, it goes limp. */
import { BoneDriver } from '../../host/world/bone-driver.js';
import type { Character } from '../../src/character/character.js';
import type { Handling } from './handling.js';
import type { Lane } from './lane.js';
import type { ClipInfo } from './scene-info.js';

/** How hard a character that stands keeps its pose [Hz]: it does not sag, and gives way to a hand. */
const STANDING = 2;
/** What hangs from one that stands: arms, tails, what is worn; with all that hangs on them. */
const HANGING = /arm(?!at)|hand|wrist|elbow|finger|thumb|palm|tail|hair|cape|skirt/i;

/** The motions of the first body, the same in every lane that has its bones. */
export class Motion {
  readonly clips: readonly ClipInfo[];
  readonly #drivers: readonly BoneDriver[];
  readonly #handling: Handling;
  readonly #skeleton: Character['skeleton'];
  #clip: string | undefined;
  /** Whether it keeps its rest pose while no clip is played. */
  #stands: boolean;
  /** How hard bones follow [Hz], 0: exactly; and how much of that, 0 to 1. */
  #strength = 0;
  #blend = 1;

  constructor(lanes: readonly Lane[], handling: Handling, character: Character | undefined) {
    this.#handling = handling;
    this.#skeleton = character?.skeleton ?? [];
    this.#stands = this.#skeleton.length > 0;
    this.clips = (character?.clips ?? []).map(({ name, duration }) => ({ name, duration }));
    for (const lane of lanes) {
      const [body] = lane.world.bodies;
      // Bones that are imitated by flesh cannot be driven.
      const driven = character && body.model.bones.count === character.skeleton.length;
      if (driven) lane.drivers.push(new BoneDriver(lane.world, character, body));
    }
    this.#drivers = lanes.flatMap(({ drivers }) => drivers);
    this.start();
  }

  /** Chooses a clip, or none; it begins with the next `start`. */
  choose(clip: string | undefined): void {
    this.#clip = clip;
  }

  /** From the beginning of the clip, for bodies that were just put back to their start. */
  start(): void {
    if (this.#clip === undefined) {
      if (this.#stands) this.#stand();
      return;
    }
    for (const driver of this.#drivers) driver.play(this.#clip, 1);
    this.#hold();
  }

  /** Sets how hard bones follow [Hz] (0: they go exactly where the clip has them) and how much of that, 0 to 1. */
  follow(strength: number, blend: number): void {
    if (strength === this.#strength && blend === this.#blend) return;
    this.#strength = strength;
    this.#blend = blend;
    if (this.#clip !== undefined) this.#hold();
  }

  /** Bones are sent, or led. */
  #hold(): void {
    const isLed = this.#strength > 0 && this.#drivers.every(({ hasMotors }) => hasMotors);
    if (!isLed && this.#drivers.every(({ strength }) => strength === 0)) {
      this.#handling.drive(0, true);
      return;
    }
    for (const driver of this.#drivers) driver.followAll(this.#strength, this.#blend);
  }

  /** Keeps the rest pose from the next `start` on. */
  stand(): void {
    this.#clip = undefined;
    this.#stands = this.#skeleton.length > 0;
  }

  /** One that stands goes limp. */
  relax(): void {
    if (this.#clip === undefined && this.#stands) this.stop();
  }

  /** Legs, spine and head keep the pose of the model, softly; what hangs, hangs. The root is held as the scene says. */
  #stand(): void {
    const limp = this.#skeleton.map(() => false);
    this.#skeleton.forEach(({ name, parent }, bone) => {
      limp[bone] = parent >= 0 && (limp[parent] || HANGING.test(name));
    });
    for (const driver of this.#drivers) {
      // what follows its bones, as a lattice does, stays where they are
      if (!driver.hasMotors) continue;
      driver.strength = STANDING;
      limp.forEach((isLimp, bone) => {
        if (isLimp) driver.setBone(bone, 'limp');
      });
    }
  }

  /** Bones that are not held are left to the physics. */
  stop(): void {
    this.#clip = undefined;
    this.#stands = false;
    for (const driver of this.#drivers) driver.letGo();
    this.#handling.drive(0, false);
  }
}

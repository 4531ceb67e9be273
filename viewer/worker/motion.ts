/** Plays the motions a character came with: its bones are driven, or led by their motors, and the flesh follows; stopped, it goes limp. */
import { BoneDriver } from '../../host/world/bone-driver.js';
import type { Character } from '../../src/character/character.js';
import type { Handling } from './handling.js';
import type { Lane } from './lane.js';
import type { ClipInfo } from './scene-info.js';

/** The motions of the first body, the same in every lane that has its bones. */
export class Motion {
  readonly clips: readonly ClipInfo[];
  readonly #drivers: readonly BoneDriver[];
  readonly #handling: Handling;
  #clip: string | undefined;
  /** How hard bones follow [Hz], 0: exactly; and how much of that, 0 to 1. */
  #strength = 0;
  #blend = 1;

  constructor(lanes: readonly Lane[], handling: Handling, character: Character | undefined) {
    this.#handling = handling;
    this.clips = (character?.clips ?? []).map(({ name, duration }) => ({ name, duration }));
    for (const lane of lanes) {
      const [body] = lane.world.bodies;
      // Bones that are imitated by flesh cannot be driven.
      const driven = character && body.model.bones.count === character.skeleton.length;
      if (driven) lane.drivers.push(new BoneDriver(lane.world, character, body));
    }
    this.#drivers = lanes.flatMap(({ drivers }) => drivers);
  }

  /** Chooses a clip, or none; it begins with the next `start`. */
  choose(clip: string | undefined): void {
    this.#clip = clip;
  }

  /** From the beginning of the clip, for bodies that were just put back to their start. */
  start(): void {
    if (this.#clip === undefined) return;
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
    const isLed = this.#strength > 0;
    if (!isLed && this.#drivers.every(({ strength }) => strength === 0)) {
      this.#handling.drive(0, true);
      return;
    }
    for (const driver of this.#drivers) driver.followAll(this.#strength, this.#blend);
  }

  /** Bones that are not held are left to the physics. */
  stop(): void {
    this.#clip = undefined;
    for (const driver of this.#drivers) driver.letGo();
    this.#handling.drive(0, false);
  }
}

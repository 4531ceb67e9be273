/**
 * Where the bones are: a unit quaternion and a translation each, and the rotation matrix they imply. The transform of a
 * bone takes its rest points, relative to its centre of mass, to the world: x = R (X − centre) + t. One more pose than
 * bones: the last one is the frame of the world's joints, which a body placed in a scene is turned and moved by.
 */
import { quatToMat3 } from '../math/quat.js';
import { turnQuat } from '../math/rotation.js';

/** Poses as flat arrays; `rotations` always belongs to `quats`. */
export class BonePoses {
  readonly count: number;
  /** x, y, z, w per bone. */
  readonly quats: Float64Array;
  /** Row major, 9 per bone. */
  readonly rotations: Float64Array;
  /** Place of the centre of mass, 3 per bone [m]. */
  readonly translations: Float64Array;
  readonly #turn = new Float64Array(3);

  constructor(
    count: number,
    quats: Float64Array = new Float64Array(count * 4),
    rotations: Float64Array = new Float64Array(count * 9),
    translations: Float64Array = new Float64Array(count * 3),
  ) {
    this.count = count;
    this.quats = quats;
    this.rotations = rotations;
    this.translations = translations;
  }

  /** Copies all poses. */
  copy(from: BonePoses): void {
    this.quats.set(from.quats);
    this.rotations.set(from.rotations);
    this.translations.set(from.translations);
  }

  /** Call after writing to `quats`. */
  updateRotation(bone: number): void {
    quatToMat3(this.rotations, bone * 9, this.quats, bone * 4);
  }

  /** R ← R·cayley(ω), t ← t + R l, with ω and l in the bone's own frame at s[o..o+6) [rad, m]. */
  move(bone: number, s: Float64Array, o: number): void {
    const r = bone * 9;
    const turn = this.#turn;
    for (let i = 0; i < 3; i++) {
      const row = r + i * 3;
      turn[i] = this.rotations[row] * s[o] + this.rotations[row + 1] * s[o + 1] + this.rotations[row + 2] * s[o + 2];
      this.translations[bone * 3 + i] +=
        this.rotations[row] * s[o + 3] + this.rotations[row + 1] * s[o + 4] + this.rotations[row + 2] * s[o + 5];
    }
    turnQuat(this.quats, bone * 4, turn, 0);
    this.updateRotation(bone);
  }

  /** Writes the transform as four rows of three (columns of R, then t) at out[o..o+12) [Li2019 eq. 8]. */
  writeAffine(bone: number, out: Float64Array, o: number): void {
    for (let p = 0; p < 3; p++) {
      for (let i = 0; i < 3; i++) out[o + p * 3 + i] = this.rotations[bone * 9 + i * 3 + p];
    }
    for (let i = 0; i < 3; i++) out[o + 9 + i] = this.translations[bone * 3 + i];
  }
}

/** What `tendon deform` says of a clip beside linear blending: how much of the skin's volume is kept, and how hard its vertices jerk. */
import type { Character } from '../src/character/character.js';
import { blendLinear } from '../src/character/deform/blend-skin.js';
import type { ClipPoses } from '../src/character/deform/clip-poses.js';
import { surfaceVolume } from '../src/mesh/surface/surface.js';

/** One way to move the skin, measured frame by frame. */
class SkinMeasure {
  /** Least volume so far, relative to the rest shape. */
  volume = Infinity;
  /** Largest second difference of a vertex over three frames so far, squared [m²]. */
  jerk = 0;
  readonly #triangles: ArrayLike<number>;
  readonly #rest: number;
  #last: Float32Array | undefined;
  #before: Float32Array | undefined;

  constructor({ triangles, positions }: Character['skin']) {
    this.#triangles = triangles;
    this.#rest = surfaceVolume(triangles, positions);
  }

  add(now: Float32Array): void {
    this.volume = Math.min(this.volume, surfaceVolume(this.#triangles, now) / this.#rest);
    const [b, a] = [this.#last, this.#before];
    for (let i = 0; a !== undefined && b !== undefined && i < now.length; i += 3) {
      let sum = 0;
      for (let k = i; k < i + 3; k++) sum += (now[k] - 2 * b[k] + a[k]) * (now[k] - 2 * b[k] + a[k]);
      this.jerk = Math.max(this.jerk, sum);
    }
    this.#before = this.#last;
    this.#last = now.slice();
  }
}

/** Measures a deformed clip and the same one by linear blending. */
export class DeformCheck {
  readonly #character: Character;
  readonly #deformed: SkinMeasure;
  readonly #linear: SkinMeasure;
  readonly #blended: Float32Array;

  constructor(character: Character) {
    this.#character = character;
    this.#deformed = new SkinMeasure(character.skin);
    this.#linear = new SkinMeasure(character.skin);
    this.#blended = new Float32Array(character.skin.positions.length);
  }

  add(deformed: Float32Array, { transforms }: ClipPoses): void {
    blendLinear(this.#character.skin, transforms, this.#blended);
    this.#deformed.add(deformed);
    this.#linear.add(this.#blended);
  }

  /** Least volume inside the skin so far, relative to the rest shape. */
  get volume(): number {
    return this.#deformed.volume;
  }

  get linearVolume(): number {
    return this.#linear.volume;
  }

  /** Largest acceleration of a vertex so far, relative to linear blending; 1 where nothing moves. */
  get jerk(): number {
    return this.#linear.jerk > 0 ? Math.sqrt(this.#deformed.jerk / this.#linear.jerk) : 1;
  }

  describe(): string {
    const percent = (share: number): string => `${(100 * share).toFixed(1)} %`;
    return (
      `skin: keeps at least ${percent(this.volume)} of its volume, linear blending ${percent(this.linearVolume)}; ` +
      `largest acceleration of a vertex ${this.jerk.toFixed(2)} times that of linear blending`
    );
  }
}

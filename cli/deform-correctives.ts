/** `tendon deform --bake correctives`: the deformed clip as the file's own skeleton and a few shapes that the pose drives. */
import type { Character } from '../src/character/character.js';
import { POSE_STRIDE } from '../src/character/clips/clip-player.js';
import { blendLinear } from '../src/character/deform/blend-skin.js';
import type { ClipPoses } from '../src/character/deform/clip-poses.js';
import { writeModelGlb } from '../src/record/glb/write-model-glb.js';

/** Keeps what a corrective bake needs of every frame. */
export class CorrectiveRecorder {
  readonly #character: Character;
  readonly #positions: Float32Array[] = [];
  readonly #poses: Float64Array[] = [];
  #squares = 0;
  #most = 0;

  constructor(character: Character) {
    this.#character = character;
  }

  /** A frame; what linear blending makes of it is measured on the way. */
  add(deformed: Float32Array, { transforms, pose }: ClipPoses): void {
    this.#positions.push(deformed.slice());
    this.#poses.push(pose.slice());
    const blended = new Float32Array(deformed.length);
    blendLinear(this.#character.skin, transforms, blended);
    for (let i = 0; i < deformed.length; i += 3) {
      let sum = 0;
      for (let k = i; k < i + 3; k++) sum += (deformed[k] - blended[k]) * (deformed[k] - blended[k]);
      this.#squares += sum;
      this.#most = Math.max(this.#most, sum);
    }
  }

  /** The file, and how far it and linear blending alone are from the deformed clip. */
  async write(clip: string, rate: number, shapes: number): Promise<{ bytes: Uint8Array<ArrayBuffer>; note: string }> {
    const { skeleton } = this.#character;
    const bones = skeleton.map(({ name }, bone) => ({
      name,
      poses: Float32Array.from(
        this.#poses.flatMap((pose) => [...pose.subarray(POSE_STRIDE * bone, POSE_STRIDE * bone + 7)]),
      ),
    }));
    const { bytes, error, targets } = await writeModelGlb(
      {
        character: this.#character,
        times: this.#positions.map((_, i) => i / rate),
        positions: this.#positions,
        bones,
        centres: skeleton.flatMap(({ place }) => [...place]),
      },
      { correctives: shapes, clip: `${clip} deformed` },
    );
    const count = this.#positions.reduce((sum, state) => sum + state.length / 3, 0);
    const linear = `${millimetres(Math.sqrt(this.#squares / count))} in the mean, at most ${millimetres(Math.sqrt(this.#most))}`;
    const note =
      `${targets} morph targets driven by the pose: vertices off by ${millimetres(error.rms)} in the mean, at most ` +
      `${millimetres(error.max)}; linear blending alone by ${linear}`;
    return { bytes, note };
  }
}

function millimetres(metres: number): string {
  return `${(1000 * metres).toPrecision(3)} mm`;
}

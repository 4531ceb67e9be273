/** Keeps the frames that `tendon deform` makes, beside blended ones, and writes them in any format. */
import type { Character } from '../src/character/character.js';
import { POSE_STRIDE } from '../src/character/clips/clip-player.js';
import { blendDualQuaternions, blendLinear } from '../src/character/deform/blend-skin.js';
import type { ClipPoses } from '../src/character/deform/clip-poses.js';
import { type SkinTrack, skinMotionModel } from '../src/character/deform/skin-motion.js';
import { SkinUpdater } from '../src/character/skin-updater.js';
import { writeGltf } from '../src/io/gltf/gltf-write.js';
import { bakeTakeFiles, type TakeEnding } from '../src/record/bake-take.js';
import { POSE, type TakeWithForces } from '../src/record/take.js';

/** A way to blend a skin that is set beside the deformed one. */
export type Way = 'linear' | 'dual';

/** Keeps what every skin looks like at every frame. */
export class FrameRecorder {
  readonly #character: Character;
  readonly #updater: SkinUpdater;
  readonly #ways: readonly Way[];
  /** Quaternion and place of every bone, frame by frame. */
  readonly #poses: Float64Array[] = [];
  readonly #tracks: { name: string; positions: Float32Array[]; normals: Float32Array[] }[];

  constructor(character: Character, ways: readonly Way[]) {
    this.#character = character;
    this.#updater = new SkinUpdater(character);
    this.#ways = ways;
    const names = ['deformed', ...ways.map((way) => (way === 'linear' ? 'linear blend' : 'dual quaternions'))];
    this.#tracks = names.map((name) => ({ name, positions: [], normals: [] }));
  }

  add(deformed: Float32Array, { transforms, pose }: ClipPoses): void {
    this.#keep(0, deformed);
    this.#poses.push(pose.slice());
    const blended = new Float32Array(deformed.length);
    this.#ways.forEach((way, i) => {
      const { skin } = this.#character;
      if (way === 'linear') blendLinear(skin, transforms, blended);
      else blendDualQuaternions(skin, transforms, pose, POSE_STRIDE, blended);
      this.#keep(i + 1, blended);
    });
  }

  #keep(track: number, positions: Float32Array): void {
    this.#updater.place(positions);
    this.#tracks[track].positions.push(positions.slice());
    this.#tracks[track].normals.push(this.#updater.normals.slice());
  }

  /** The files of all frames, by path: an animation, a cache of points, or a file for each frame, as the ending says. */
  async files(path: string, clip: string, rate: number): Promise<Map<string, Uint8Array>> {
    const dot = path.lastIndexOf('.');
    const ending = path.slice(dot + 1).toLowerCase() as TakeEnding;
    const tracks = this.#besideEachOther();
    const times = Float32Array.from(this.#poses, (_, i) => i / rate);
    if (ending === 'glb')
      return new Map([[path, await writeGltf(skinMotionModel(this.#character, clip, times, tracks))]]);
    return bakeTakeFiles(this.#take(clip, times, tracks), ending, path.slice(0, dot));
  }

  /** The same as plain data for all other formats; the bones go with the deformed skin. */
  #take(name: string, times: Float32Array, tracks: readonly SkinTrack[]): TakeWithForces {
    const { skin, skeleton } = this.#character;
    const bones = skeleton.map((bone, b) => ({
      name: bone.name,
      poses: Float32Array.from(this.#poses.flatMap((pose) => [...pose.subarray(POSE * b, POSE * (b + 1))])),
    }));
    const look = { uvs: [], pieces: [], gltf: skin.look };
    const bodies = tracks.map(({ offset, ...track }, i) => {
      return { ...track, triangles: skin.triangles, bones: i === 0 ? bones : [], look, offset };
    });
    // bones are where the clip has them: nothing bears anything
    const forces = this.#poses.map(() => ({ joints: new Float32Array(0), contacts: new Float32Array(0) }));
    return { name, times: [...times], bodies, obstacles: [], joints: [], forces };
  }

  /** The tracks, side by side along x. */
  #besideEachOther(): SkinTrack[] {
    let [low, high] = [Infinity, -Infinity];
    for (const { positions } of this.#tracks) {
      for (const frame of positions) {
        for (let i = 0; i < frame.length; i += 3) {
          low = Math.min(low, frame[i]);
          high = Math.max(high, frame[i]);
        }
      }
    }
    return this.#tracks.map((track, i) => ({ ...track, offset: [1.1 * i * (high - low), 0, 0] }));
  }
}

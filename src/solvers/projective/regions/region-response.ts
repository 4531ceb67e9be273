/**
 * How bones and turning regions of flesh answer pushes on each other, for contacts. With P the bones' answer to wrenches while all regions turn
 * freely, H and C as in turning-regions.ts and G = H⁻¹Cᵀ in the bones' turns and shifts,
 *
 *     bones to wrenches  P        bones to moments on regions  −P Gᵀ        regions to moments  H⁻¹ + G P Gᵀ
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import type { BoneStep } from '../bones/bone-step.js';
import type { BoneResponse } from '../outside/bone-response.js';
import type { TurningRegions } from './turning-regions.js';

/** Fills the answers of one body. */
export class RegionResponse {
  readonly #boneCount: number;
  readonly #all: Int32Array;
  /** P, 6 rows and columns per bone. */
  readonly #answers: Float64Array;
  /** Rows of G, three per region that is felt, in the order in which they are. */
  readonly #rows: Float64Array;
  /** P times one of them, what pulls at the bones' transforms, and how regions turn. */
  readonly #moved: Float64Array;
  readonly #pull: Float64Array;
  readonly #turns: Float64Array;

  constructor(boneCount: number, regionCount: number) {
    this.#boneCount = boneCount;
    this.#all = Int32Array.from({ length: boneCount }, (_, bone) => bone);
    this.#answers = new Float64Array(boneCount * boneCount * 36);
    this.#rows = new Float64Array(regionCount * 3 * boneCount * 6);
    this.#moved = new Float64Array(boneCount * 6);
    this.#pull = new Float64Array(boneCount * 12);
    this.#turns = new Float64Array(regionCount * 3);
  }

  /** Writes the answers of what is felt to `felt.inverse`; what is numbered there like bones beyond the last one is a region. */
  fill(poses: BonePoses, step: BoneStep, regions: TurningRegions, felt: BoneResponse): void {
    const bones = this.#boneCount;
    for (let bone = 0; bone < bones; bone++) {
      step.respond(poses, bone, this.#all, bones, this.#answers, bone * 6, bones * 6);
    }
    const width = felt.count * 6;
    felt.inverse.fill(0, 0, width * width);
    for (let n = 0; n < felt.count; n++) {
      if (felt.bones[n] < bones) this.#copyBone(n, felt);
      else for (let k = 0; k < 3; k++) this.#addMoment(n, k, poses, regions, felt);
    }
  }

  /** How felt bone n and the other felt bones answer each other. */
  #copyBone(n: number, { bones, count, inverse }: BoneResponse): void {
    const width = count * 6;
    for (let other = 0; other < count; other++) {
      if (bones[other] >= this.#boneCount) continue;
      for (let i = 0; i < 6; i++) {
        const from = (bones[n] * 6 + i) * this.#boneCount * 6 + bones[other] * 6;
        for (let k = 0; k < 6; k++) inverse[(n * 6 + i) * width + other * 6 + k] = this.#answers[from + k];
      }
    }
  }

  /** How what is felt answers a moment about axis k on the region that is felt as number n: bones, and the regions up to this one. */
  #addMoment(n: number, k: number, poses: BonePoses, regions: TurningRegions, felt: BoneResponse): void {
    const { bones, count, inverse } = felt;
    const width = count * 6;
    const column = n * 6 + k;
    const turns = this.#turns;
    const length = this.#moved.length;
    const region = bones[n] - this.#boneCount;
    regions.answerMoment(region * 3 + k, turns, this.#pull);
    this.#readWrenches(poses, (region * 3 + k) * length);
    this.#moveBones((region * 3 + k) * length);
    for (let other = 0; other < count; other++) {
      const bone = bones[other];
      if (bone >= this.#boneCount && other > n) continue;
      for (let i = 0; i < (bone < this.#boneCount ? 6 : 3); i++) {
        const at = other * 6 + i;
        // of the same region only the axes before this one are known
        if (at > column && other === n) break;
        const row = (bone - this.#boneCount) * 3 + i;
        const value = bone < this.#boneCount ? -this.#moved[bone * 6 + i] : turns[row] + this.#alongRow(row * length);
        inverse[at * width + column] = value;
        inverse[column * width + at] = value;
      }
    }
  }

  /** A row of G: `pull` on the bones' transforms as moments and forces. */
  #readWrenches({ rotations }: BonePoses, from: number): void {
    const pull = this.#pull;
    const rows = this.#rows;
    for (let bone = 0; bone < this.#boneCount; bone++) {
      const to = from + bone * 6;
      rows.fill(0, to, to + 3);
      for (let p = 0; p < 3; p++) {
        const r = bone * 9 + p;
        const o = bone * 12 + p * 3;
        rows[to] += rotations[r + 3] * pull[o + 2] - rotations[r + 6] * pull[o + 1];
        rows[to + 1] += rotations[r + 6] * pull[o] - rotations[r] * pull[o + 2];
        rows[to + 2] += rotations[r] * pull[o + 1] - rotations[r + 3] * pull[o];
      }
      for (let k = 0; k < 3; k++) rows[to + 3 + k] = pull[bone * 12 + 9 + k];
    }
  }

  /** P times the row of G that begins at `from`. */
  #moveBones(from: number): void {
    const length = this.#moved.length;
    for (let i = 0; i < length; i++) {
      let sum = 0;
      for (let j = 0; j < length; j++) sum += this.#answers[i * length + j] * this.#rows[from + j];
      this.#moved[i] = sum;
    }
  }

  /** Product of the row of G that begins at `from` with how the bones have moved. */
  #alongRow(from: number): number {
    let sum = 0;
    for (let j = 0; j < this.#moved.length; j++) sum += this.#rows[from + j] * this.#moved[j];
    return sum;
  }
}

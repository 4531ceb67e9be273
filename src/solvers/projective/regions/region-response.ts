/**
 * How bones and turning regions of flesh answer pushes on each other, for contacts. With P the bones' answer to wrenches while all regions turn
 * freely, H and C as in turning-regions.ts and G = H⁻¹Cᵀ in the bones' turns and shifts,
 *
 *     bones to wrenches  P        bones to moments on regions  −P Gᵀ        regions to moments  H⁻¹ + G P Gᵀ
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import type { MemoryPlan, Slot } from '../../../kernels/memory.js';
import type { BoneStep } from '../bones/bone-step.js';
import type { BoneResponse } from '../outside/bone-response.js';
import type { TurningRegions } from './turning-regions.js';

/** Fills the answers of one body. */
export class RegionResponse {
  readonly #boneCount: number;
  readonly #all: Int32Array;
  /** P, 6 rows and columns per bone. */
  readonly #answers: Slot<Float64Array>;
  /** Rows of G and of GP, three per region that is felt, in the order in which they are, and G P Gᵀ among those. */
  readonly #rows: Slot<Float64Array>;
  readonly #moved: Slot<Float64Array>;
  readonly #turned: Slot<Float64Array>;

  constructor(plan: MemoryPlan, boneCount: number, regionCount: number) {
    this.#boneCount = boneCount;
    this.#all = Int32Array.from({ length: boneCount }, (_, bone) => bone);
    const length = regionCount > 0 ? boneCount * 6 : 0;
    this.#answers = plan.f64(length * length);
    this.#rows = plan.f64(regionCount * 3 * length);
    this.#moved = plan.f64(regionCount * 3 * length);
    this.#turned = plan.f64(regionCount * regionCount * 9);
  }

  /** Writes the answers of what is felt to `felt.inverse`; what is numbered there like bones beyond the last one is a region. */
  fill(poses: BonePoses, step: BoneStep, regions: TurningRegions, felt: BoneResponse): void {
    const bones = this.#boneCount;
    const length = bones * 6;
    const answers = this.#answers;
    for (let bone = 0; bone < bones; bone++) {
      step.respond(poses, bone, this.#all, bones, answers.view, bone * 6, length);
    }
    let rows = 0;
    for (let n = 0; n < felt.count; n++) {
      if (felt.bones[n] >= bones) this.#readRows(poses, regions, felt.bones[n] - bones, rows++ * 3);
    }
    const [g, moved, turned] = [this.#rows.address, this.#moved.address, this.#turned.address];
    const { kernels } = regions.matrices;
    kernels.denseProduct(length, rows * 3, length, answers.address, g, moved);
    kernels.denseProduct(rows * 3, rows * 3, length, g, moved, turned);
    felt.inverse.fill(0, 0, felt.count * felt.count * 36);
    for (let n = 0, row = 0; n < felt.count; n++) {
      if (felt.bones[n] < bones) this.#copyBone(n, felt);
      else this.#copyRegion(n, 3 * row++, rows * 3, regions, felt);
    }
  }

  /** How felt bone n and the other felt bones answer each other. */
  #copyBone(n: number, { bones, count, inverse }: BoneResponse): void {
    const width = count * 6;
    const answers = this.#answers.view;
    for (let other = 0; other < count; other++) {
      if (bones[other] >= this.#boneCount) continue;
      for (let i = 0; i < 6; i++) {
        const from = (bones[n] * 6 + i) * this.#boneCount * 6 + bones[other] * 6;
        for (let k = 0; k < 6; k++) inverse[(n * 6 + i) * width + other * 6 + k] = answers[from + k];
      }
    }
  }

  /** Three rows of G of a region, from `row` on, in the world's axes: those of the matrices are in the bones'. */
  #readRows({ rotations }: BonePoses, { matrices }: TurningRegions, region: number, row: number): void {
    const out = this.#rows.view;
    const answers = matrices.answers.view;
    const { length, unknowns } = matrices;
    for (let half = 0; half < unknowns; half += 3) {
      const r = (half - (half % 6)) * 1.5;
      for (let k = 0; k < 3; k++) {
        const from = half * length + region * 3 + k;
        const x = answers[from];
        const y = answers[from + length];
        const z = answers[from + 2 * length];
        const to = (row + k) * unknowns + half;
        for (let i = 0; i < 3; i++) {
          const o = r + i * 3;
          out[to + i] = rotations[o] * x + rotations[o + 1] * y + rotations[o + 2] * z;
        }
      }
    }
  }

  /** How what is felt answers moments on the region that is felt as number n and has rows from `row` on, of `rows`. */
  #copyRegion(n: number, row: number, rows: number, { matrices }: TurningRegions, felt: BoneResponse): void {
    const { bones, count, inverse } = felt;
    const width = count * 6;
    const length = this.#boneCount * 6;
    const moved = this.#moved.view;
    const turned = this.#turned.view;
    const own = matrices.inverse.view;
    const region = (bones[n] - this.#boneCount) * 3;
    for (let k = 0; k < 3; k++) {
      const column = n * 6 + k;
      let place = 0;
      for (let other = 0; other < count; other++) {
        const bone = bones[other];
        if (bone < this.#boneCount) {
          for (let i = 0; i < 6; i++) {
            const value = -moved[(row + k) * length + bone * 6 + i];
            inverse[(other * 6 + i) * width + column] = value;
            inverse[column * width + other * 6 + i] = value;
          }
          continue;
        }
        const from = (region + k) * matrices.length + (bone - this.#boneCount) * 3;
        for (let i = 0; i < 3; i++) {
          inverse[column * width + other * 6 + i] = own[from + i] + turned[(row + k) * rows + place + i];
        }
        place += 3;
      }
    }
  }
}

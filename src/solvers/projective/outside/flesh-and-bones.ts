/**
 * How contact sides of one body of the projective solver move each other: through the flesh with the bones held where they are, and with
 * the rigid, jointed bones. Filled by `ContactResponse` for the sides that push.
 */
import { FELT_BONES, SIDE_WORDS, type SideResponse } from '../../../contact/side-response.js';
import type { KernelTable } from '../../../kernels/kernel-table.js';
import type { MemoryPlan } from '../../../kernels/memory.js';
import { BoneResponse } from './bone-response.js';
import { FleshResponse } from './flesh-response.js';

/** W of one body in two parts. */
export class FleshAndBones implements SideResponse {
  readonly flesh: FleshResponse;
  readonly bones: BoneResponse;

  /** Whether there is flesh that gives way: a body of bones alone need not ask it. */
  readonly isSoft: boolean;

  /** Bones, and dimensions each extends in; `turning`: regions that can turn, `regionCount`: regions of the surface; `isSoft`: false for bodies of bones alone. */
  constructor(
    plan: MemoryPlan,
    sideCapacity: number,
    { count, rank }: { readonly count: number; readonly rank: ArrayLike<number> },
    turning: number,
    regionCount: number,
    isSoft: boolean,
  ) {
    this.isSoft = isSoft;
    this.flesh = new FleshResponse(plan, isSoft ? sideCapacity : 0, regionCount);
    this.bones = new BoneResponse(plan, sideCapacity, count + turning, rank);
  }

  start(kernels?: KernelTable): void {
    this.flesh.start();
    this.bones.start(kernels);
  }

  describe(words: Int32Array, positions: number): void {
    const all = [positions, this.isSoft ? 1 : 0, ...this.flesh.words, 0, ...this.bones.words];
    if (all.length !== SIDE_WORDS) throw new RangeError(`a body has ${SIDE_WORDS} words, not ${all.length}`);
    words.set(all);
  }

  refresh(words: Int32Array): void {
    words[FELT_BONES] = this.bones.count;
  }

  clear(sides: number): void {
    if (this.isSoft) this.flesh.clear(sides);
    this.bones.clear(sides);
  }

  push(side: number, force: Float64Array, sign: number, positions: Float64Array): void {
    if (this.isSoft) this.flesh.push(side, force, sign, positions);
    if (this.bones.count > 0) this.bones.push(side, force, sign);
  }

  addPosition(side: number, out: Float64Array): void {
    if (this.isSoft) this.flesh.addPosition(side, out);
    this.bones.addPosition(side, out);
  }

  addBlock(i: number, j: number, scale: number, out: Float64Array): void {
    if (this.isSoft) {
      const w = scale * this.flesh.between(i, j);
      for (let k = 0; k < 3; k++) out[k * 4] += w;
    }
    this.bones.addBlock(i, j, scale, out);
  }

  largestTurn(): number {
    return this.bones.largestTurn();
  }

  /** Three per entry of the flesh's W, and the bones' motion for each side. */
  sweepWork(sides: number): number {
    return 3 * this.flesh.entryCount + 18 * this.bones.count * sides;
  }
}

/**
 * How contact sides of one body of the projective solver move each other: through the flesh with the bones held where they are, and with
 * the rigid, jointed bones. Filled by `ContactResponse` for the sides that push.
 */
import type { SideResponse } from '../../../contact/side-response.js';
import { BoneResponse } from './bone-response.js';
import { FleshResponse } from './flesh-response.js';

/** W of one body in two parts. */
export class FleshAndBones implements SideResponse {
  readonly flesh: FleshResponse;
  readonly bones: BoneResponse;

  constructor(sideCapacity: number, boneCount: number, regionCount: number) {
    this.flesh = new FleshResponse(sideCapacity, regionCount);
    this.bones = new BoneResponse(sideCapacity, boneCount);
  }

  clear(sides: number): void {
    this.flesh.clear(sides);
    this.bones.clear(sides);
  }

  push(side: number, force: Float64Array, sign: number, positions: Float64Array): void {
    this.flesh.push(side, force, sign, positions);
    if (this.bones.count > 0) this.bones.push(side, force, sign);
  }

  addPosition(side: number, out: Float64Array): void {
    this.flesh.addPosition(side, out);
    this.bones.addPosition(side, this.bones.motion, 0, out, 0);
  }

  addBlock(i: number, j: number, scale: number, out: Float64Array): void {
    const w = scale * this.flesh.between(i, j);
    for (let k = 0; k < 3; k++) out[k * 4] += w;
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

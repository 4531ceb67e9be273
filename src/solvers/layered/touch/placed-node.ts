/** A node without contact forces, where contacts that follow from the skin as a whole are made: between characters, and with thin obstacles. */
import type { LayerBody } from '../layer-body.js';
import { nodeRotation, skinNode } from '../skin/skinning.js';
import { addDent } from './meeting-body.js';

/** Where a node of a body is without contact forces, dent included: at the start and at the end of the step, turned by Q. */
export class PlacedNode {
  readonly end = new Float64Array(3);
  readonly start = new Float64Array(3);
  readonly rotation = new Float64Array(9);
  readonly #startRotation = new Float64Array(9);

  place(body: LayerBody, p: number, kept: number): void {
    const { model, state, free } = body;
    nodeRotation(model, free.quats, p, this.rotation, 0);
    skinNode(model, model.positions, body.freeMatrices, p, this.end, 0);
    skinNode(model, model.positions, body.startMatrices, p, this.start, 0);
    // nodes that cannot touch are dented as the one that stands for them
    const dented = model.standIn[p];
    if (body.isDented[dented] === 0) return;
    nodeRotation(model, state.poses.quats, p, this.#startRotation, 0);
    addDent(this.end, 0, this.rotation, state.dents, 3 * dented, kept);
    addDent(this.start, 0, this.#startRotation, state.dents, 3 * dented, 1);
  }
}

/** Nodes that are held where they are at rest, as rows of the contact solve: three directions each, pulled as well as pushed. Called before the obstacles. */
import type { LayerBody } from '../layer-body.js';
import { nodeRotation, skinNode } from '../skin/skinning.js';
import { setLocal } from './find-touches.js';
import { addDent } from './meeting-body.js';
import {
  ARM,
  GAP,
  HELD,
  NORMAL,
  PINNED,
  SIDE,
  SLIP_1,
  SLIP_2,
  TANGENT_1,
  TANGENT_2,
  TOUCH,
  type TouchList,
} from './touch-list.js';

const ROTATION = new Float64Array(9);
const END = new Float64Array(3);
const START = new Float64Array(3);

/** Adds the pins of body number `index`. `kept`: share of its dents that the skin still has at the end of the step. */
export function findPins(index: number, body: LayerBody, kept: number, out: TouchList): void {
  const { model, state } = body;
  const { pins, positions, bones } = model;
  const { rotations: r, translations } = state.poses;
  const world = bones.count;
  for (let i = 0; i < pins.length; i++) {
    const p = pins[i];
    const c = out.add();
    const o = TOUCH * c;
    const { data } = out;
    out.obstacles[c] = PINNED;
    data[o + HELD] = 1;
    data[o + NORMAL] = 1;
    data[o + TANGENT_1 + 1] = 1;
    data[o + TANGENT_2 + 2] = 1;
    nodeRotation(model, state.poses.quats, p, ROTATION, 0);
    skinNode(model, model.positions, body.startMatrices, p, START, 0);
    addDent(START, 0, ROTATION, state.dents, 3 * p, 1);
    nodeRotation(model, body.free.quats, p, ROTATION, 0);
    skinNode(model, model.positions, body.freeMatrices, p, END, 0);
    addDent(END, 0, ROTATION, state.dents, 3 * p, kept);
    const s = 2 * c;
    const bone = model.owners[4 * p];
    out.bodies[s] = index;
    out.bones[s] = bone;
    out.nodes[s] = p;
    for (let k = 0; k < 3; k++) {
      const row = 9 * world + 3 * k;
      const x = r[row] * positions[3 * p] + r[row + 1] * positions[3 * p + 1] + r[row + 2] * positions[3 * p + 2];
      data[o + (k === 0 ? GAP : k === 1 ? SLIP_1 : SLIP_2)] = END[k] - x - translations[3 * world + k];
      out.sides[SIDE * s + ARM + k] = START[k] - body.fronts.reference[3 * bone + k];
    }
    setLocal(out, s, ROTATION);
  }
}

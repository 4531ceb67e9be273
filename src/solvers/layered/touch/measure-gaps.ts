/**
 * How deep nodes really are in obstacles at the end of a step: where their bones and their dents have taken them, against the shapes themselves. The solve
 * of contacts knows it to first order only: limbs turn, and round obstacles have no one normal. Between characters, and of thin obstacles, that is what is told. Called once
 * bones and dents are those of the end of the step, before obstacles are.
 */
import { intoObstacleAtEnd, type ObstacleSet } from '../../../collision/obstacles/obstacle.js';
import { probeShape, ShapeProbe } from '../../../collision/shapes/shape.js';
import type { LayerBody } from '../layer-body.js';
import { nodeRotation, skinMatrices, skinNode } from '../skin/skinning.js';
import type { ThinFinder } from './find-thin.js';
import { addDent } from './meeting-body.js';
import { GAP_AFTER, PINNED, TOUCH, type TouchList } from './touch-list.js';

/** Measures contacts with obstacles; owns its scratch. */
export class GapMeter {
  readonly #probe = new ShapeProbe();
  readonly #point = new Float64Array(3);
  readonly #rotation = new Float64Array(9);

  /** Writes GAP_AFTER of the contacts with obstacles. Leaves the bodies' start matrices those of the end of the step. */
  measure(bodies: readonly LayerBody[], obstacles: ObstacleSet, list: TouchList, thin: ThinFinder): void {
    const { data } = list;
    const probe = this.#probe;
    let last = -1;
    for (let c = 0; c < list.count; c++) {
      const i = list.obstacles[c];
      const b = list.bodies[2 * c];
      if (i < 0 || i === PINNED || thin.has(b, c)) continue;
      const body = bodies[b];
      const { model, state } = body;
      if (b !== last) skinMatrices(model, state.poses, body.startMatrices);
      last = b;
      this.#place(body, list.nodes[2 * c]);
      intoObstacleAtEnd(obstacles, i, this.#point, 0, probe.at);
      probe.reach[0] = model.deepest;
      probeShape(obstacles.defs[i].shape, probe);
      data[TOUCH * c + GAP_AFTER] = probe.distance[0];
    }
  }

  #place({ model, state, startMatrices, isDented }: LayerBody, p: number): void {
    skinNode(model, model.positions, startMatrices, p, this.#point, 0);
    if (isDented[p] === 0) return;
    nodeRotation(model, state.poses.quats, p, this.#rotation, 0);
    addDent(this.#point, 0, this.#rotation, state.dents, 3 * p, 1);
  }
}

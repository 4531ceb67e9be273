/**
 * Vertices of flesh and sheets that rigid bodies of the scene carry: hems in rings, flesh on a bone that is touched itself. They are bindings, as those of bones in flesh are, but the rigid body
 * has its own mass and its own outside. Where they are on it is measured once both are placed.
 */
import type { SolverSite } from '../../solver.js';
import type { CoreBinding } from '../core-scene.js';
import type { CoupledCore } from '../coupled-core.js';

/** A binding whose place on the rigid body is found later. */
export type AttachedVertex = CoreBinding & { readonly anchor: Float64Array };

/** All of a world, with places still to be found. */
export function listAttached({ bodies }: SolverSite, softOf: Int32Array, firstPart: Int32Array): AttachedVertex[] {
  return bodies.flatMap(({ attachments }, i) =>
    attachments.flatMap(({ body, bone, vertices }) => {
      const rigid = firstPart[body] + bone;
      return Array.from(vertices, (vertex) => ({ soft: softOf[i], vertex, rigid, anchor: new Float64Array(3) }));
    }),
  );
}

/** Notes where the vertices are on their rigid bodies, as both stand now. */
export function placeAttached(attached: readonly AttachedVertex[], { rigid, soft }: CoupledCore): void {
  for (const { soft: s, vertex, rigid: b, anchor } of attached) {
    const v = (soft.firstVertex[s] + vertex) * 3;
    const r = b * 9;
    for (let k = 0; k < 3; k++) {
      anchor[k] = 0;
      for (let m = 0; m < 3; m++) anchor[k] += rigid.rotation[r + m * 3 + k] * (soft.x[v + m] - rigid.x[b * 3 + m]);
    }
  }
}

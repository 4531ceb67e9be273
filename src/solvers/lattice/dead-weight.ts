/** Weight as part of the energy of a quasistatic body: minus mass times push times place. */

import type { EnergyTerm } from './descent-terms.js';
import type { LatticeBody } from './lattice-body.js';
import type { Vector } from './numbers/arithmetic.js';
import { floatOfPlace } from './numbers/quad-layout.js';

/** The weight of one body. */
export class DeadWeight implements EnergyTerm {
  /** Acceleration of everything free [m/s²]. */
  push: ArrayLike<number> = [0, 0, 0];
  readonly #places: Int32Array;
  readonly #masses: Float64Array;

  constructor({ lattice, layout, filling }: LatticeBody) {
    const masses = new Float64Array(lattice.nodes.length / 3);
    for (let at = 0; at < lattice.corners.length; at++) {
      masses[lattice.corners[at]] += (filling.mass?.[at >> 3] ?? 0) / 8;
    }
    const free = Int32Array.from(masses, (_, node) => node).filter((node) => !filling.held[node]);
    this.#places = free.map((node) => floatOfPlace(layout.placeOfNode[node], 0));
    this.#masses = Float64Array.from(free, (node) => masses[node]);
  }

  /** Nothing where nothing is heavy; else it acts on all nodes. */
  get count(): number | undefined {
    return this.push[0] === 0 && this.push[1] === 0 && this.push[2] === 0 ? 0 : undefined;
  }

  add(x: Vector, gradient: Vector): number {
    if (this.count === 0) return 0;
    const [px, py, pz] = [this.push[0], this.push[1], this.push[2]];
    let energy = 0;
    for (let n = 0; n < this.#places.length; n++) {
      const at = this.#places[n];
      const mass = this.#masses[n];
      energy -= mass * (px * x.view[at] + py * x.view[at + 4] + pz * x.view[at + 8]);
      gradient.view[at] -= mass * px;
      gradient.view[at + 4] -= mass * py;
      gradient.view[at + 8] -= mass * pz;
    }
    return energy;
  }
}

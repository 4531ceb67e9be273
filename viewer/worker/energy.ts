/** Elastic energy of a world's bodies, measured as often as there is time for. */
import { BodyEnergy } from '../../src/debug/body-energy.js';
import type { World } from '../../src/index.js';

/** Measured at most this often, and never for more than a tenth of the time [ms]. */
const EVERY = 200;
const SHARE = 10;

/** Measures one world; between two measurements it repeats itself. */
export class EnergyMeter {
  readonly #world: World;
  readonly #bodies: readonly BodyEnergy[];
  #last = 0;
  #next = 0;

  constructor(world: World) {
    this.#world = world;
    this.#bodies = world.bodies.map(({ model }) => new BodyEnergy(model));
  }

  /** Energy of all bodies [J]; `now`: the clock [ms]. */
  measure(now: () => number): number {
    const began = now();
    if (began < this.#next) return this.#last;
    this.#last = this.#bodies.reduce((sum, body, i) => sum + body.measure(this.#world.bodies[i].state.positions), 0);
    this.#next = began + Math.max(EVERY, SHARE * (now() - began));
    return this.#last;
  }
}

/** The obstacles of a soft body on the page's side: which there are, what they are called, and where their meshes went. */
import type { Matrix4, Mesh } from 'three';
import { TendonError } from '../../src/errors.js';
import type { Action, ObstacleDef } from '../protocol.js';
import { ObstacleMesh } from './obstacle-from-mesh.js';

/** Something bodies cannot enter: a mesh, which may move, or a description in the body's own space. */
export type ObstacleSource = Mesh | ObstacleDef;

interface Entry {
  readonly name: string;
  /** What the user knows it by. */
  readonly source: ObstacleSource | undefined;
  readonly def: ObstacleDef | undefined;
  /** Undefined where no mesh of the user's shows it. */
  readonly mesh: ObstacleMesh | undefined;
}

/** Keeps account of obstacles; everything is told to the simulation by `act`. */
export class SoftObstacles {
  readonly #act: (action: Action) => void;
  /** By number; numbers are given out once. */
  readonly #entries = new Map<number, Entry>();
  /** How many there were at the start. */
  readonly #first: number;
  #last: number;

  /** `names`: of all that the simulation started with; the last of them are `given`, the others are drawn by `drawn`. */
  constructor(
    names: readonly string[],
    given: readonly (ObstacleMesh | ObstacleDef)[],
    drawn: readonly Mesh[],
    act: (action: Action) => void,
  ) {
    this.#act = act;
    names.forEach((name, i) => {
      const known = given[i - (names.length - given.length)];
      const mesh = known instanceof ObstacleMesh ? known : undefined;
      const source = mesh ? mesh.mesh : ((known as ObstacleDef | undefined) ?? drawn[i]);
      this.#entries.set(i, { name, source, def: undefined, mesh });
    });
    this.#first = names.length;
    this.#last = names.length - 1;
  }

  /** Name of an obstacle, as its touches have its number; undefined for one that was removed. */
  nameOf(number: number): string | undefined {
    return this.#entries.get(number)?.name;
  }

  /** Adds an obstacle before the next step and returns its number. `space`: the body's own. */
  add(source: ObstacleSource, space: Matrix4): number {
    if ([...this.#entries.values()].some((entry) => entry.source === source)) {
      throw new TendonError('E_DUPLICATE', 'obstacle', source.name, 'it is an obstacle already');
    }
    const mesh = 'isMesh' in source ? new ObstacleMesh(source, {}, space) : undefined;
    const def = mesh ? mesh.def : (source as ObstacleDef);
    const number = ++this.#last;
    this.#entries.set(number, { name: def.name, source, def, mesh });
    this.#act({ kind: 'addObstacle', index: number, obstacle: def });
    return number;
  }

  /** Removes an obstacle, given as it was added or by its number, before the next step. Returns what shows it, or described it. */
  remove(obstacle: ObstacleSource | number): ObstacleSource | undefined {
    const found = [...this.#entries].find(([number, { source }]) => number === obstacle || source === obstacle);
    if (!found) {
      const name = typeof obstacle === 'number' ? obstacle : obstacle.name;
      throw new TendonError('E_UNKNOWN', 'obstacle', name, 'it is none of the obstacles');
    }
    this.#entries.delete(found[0]);
    this.#act({ kind: 'removeObstacle', index: found[0] });
    return found[1].source;
  }

  /** Sends obstacles to where their meshes are; `anew`: all that are not where they were when they came. */
  place(space: Matrix4, anew: boolean, jump: boolean): void {
    for (const [index, { mesh }] of this.#entries) {
      const pose = anew ? mesh?.displaced(space) : mesh?.moved(space);
      if (pose) this.#act({ kind: 'obstacle', index, jump, ...pose });
    }
  }

  /** Makes a simulation that has only the obstacles of the start have those of now. */
  replay(): void {
    for (let index = 0; index < this.#first; index++) {
      if (!this.#entries.has(index)) this.#act({ kind: 'removeObstacle', index });
    }
    for (const [index, { def }] of this.#entries) {
      if (def) this.#act({ kind: 'addObstacle', index, obstacle: def });
    }
  }
}

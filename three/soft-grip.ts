/** A hold on a soft body: made by `grab` and `pin`, moved by the user, ended by `release`. */
import { type Object3D, Vector3 } from 'three';
import type { SoftSimulation } from './soft-simulation.js';

/** Holds a point of a body. Points are in the scene's space. */
export class SoftGrip {
  /** Where the held point was in the last picture, in the space of the body's object [m]. */
  readonly localPoint = new Vector3();
  readonly #id: number;
  readonly #owner: Object3D;
  readonly #simulation: SoftSimulation;
  #held = true;

  constructor(id: number, owner: Object3D, simulation: SoftSimulation, point: Vector3) {
    this.#id = id;
    this.#owner = owner;
    this.#simulation = simulation;
    this.localPoint.copy(point);
  }

  /** Number of the grip among those of its body. */
  get id(): number {
    return this.#id;
  }

  /** False once it was let go of. */
  get held(): boolean {
    return this.#held;
  }

  /** Where the held point was in the last picture, in the scene [m]. */
  get point(): Vector3 {
    this.#owner.updateWorldMatrix(true, false);
    return this.localPoint.clone().applyMatrix4(this.#owner.matrixWorld);
  }

  /** Pulls the held point to a place in the scene [m]. */
  moveTo(target: Vector3): void {
    if (!this.#held) return;
    this.#owner.updateWorldMatrix(true, false);
    const local = this.#owner.worldToLocal(target.clone());
    this.#simulation.act({ kind: 'move', id: this.#id, target: local.toArray() });
  }

  /** Lets go. Letting go twice does nothing. */
  release(): void {
    if (!this.#held) return;
    this.#held = false;
    this.#simulation.act({ kind: 'release', id: this.#id });
  }

  /** The simulation let go on its own: it was reset or started anew. */
  forget(): void {
    this.#held = false;
  }
}

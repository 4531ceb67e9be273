/**
 * Slopes of a number by the state of a body, and how they go back over a step: what a solver offers to whoever wants the gradient of something at the
 * end of a rollout by all that led there. Solvers that can trace their steps give a tape (`Solver.tape`).
 */
import type { Model } from '../body/model.js';
import type { ContactBuffer } from '../collision/contact-buffer.js';

/** What a small change of each number of a state is worth; vertices of bones go with their bones. */
export class StateSlopes {
  /** By positions and velocities of flesh, now and one step earlier, 3 per vertex. */
  readonly positions: Float64Array;
  readonly velocities: Float64Array;
  readonly earlierPositions: Float64Array;
  readonly earlierVelocities: Float64Array;
  /** By the transforms of bones (12 each), and by their turns in their own axes (3 each), which come on top. */
  readonly bones: Float64Array;
  readonly turns: Float64Array;
  readonly boneRates: Float64Array;
  /** By transforms and rates one step earlier, 12 each per bone. */
  readonly earlierBones: Float64Array;
  readonly earlierRates: Float64Array;
  /** By the activations that muscles have of themselves, which follow motors. */
  readonly activations: Float64Array;

  constructor({ vertexCount, bones, muscles }: Model) {
    const n = vertexCount * 3;
    this.positions = new Float64Array(n);
    this.velocities = new Float64Array(n);
    this.earlierPositions = new Float64Array(n);
    this.earlierVelocities = new Float64Array(n);
    this.bones = new Float64Array(bones.count * 12);
    this.turns = new Float64Array(bones.count * 3);
    this.boneRates = new Float64Array(bones.count * 12);
    this.earlierBones = new Float64Array(bones.count * 12);
    this.earlierRates = new Float64Array(bones.count * 12);
    this.activations = new Float64Array(muscles?.count ?? 0);
  }
}

/** What a small change of what acts in one step is worth: turns of the motors' targets (axes of the first bone, 3 per pair), and activations. */
export class ControlSlopes {
  readonly targets: Float64Array;
  readonly activations: Float64Array;

  constructor({ joints, muscles }: Model) {
    this.targets = new Float64Array(joints.count * 3);
    this.activations = new Float64Array(muscles?.count ?? 0);
  }
}

/** What tapes read of the contacts of the step just taken. */
export interface ContactsOfStep {
  readonly contacts: ContactBuffer;
  /** Of all bodies of the world, as they are by now. */
  readonly states: readonly { readonly positions: Float64Array }[];
  /** Share of the speed that a hit on each obstacle gives back. */
  readonly obstacles: { readonly restitution: ArrayLike<number> };
  readonly options: { readonly contact: string };
}

/** The steps of one body since `start`, to go back over. */
export interface StepTape {
  /** Forgets everything: the next step recorded is the first. */
  start(): void;
  /** Remembers the step just taken; says why where it cannot be traced. */
  record(): string | undefined;
  /** Bodies that pushed this one in a step (0 is the first), or were pushed by it. */
  touched(step: number): readonly number[];
  /** From slopes by the state after a step (0 is the first) to those by the state before it, in place; fills slopes by what acted in it. `others`: tapes of the bodies that it is in touch with. `tolerance`: error of each step's solve that will do. */
  back(step: number, own: BodySlopes, others: readonly (readonly [StepTape, BodySlopes])[], tolerance: number): void;
}

/** Slopes of one body, one of each per number. */
export interface BodySlopes {
  readonly states: readonly StateSlopes[];
  readonly controls: readonly ControlSlopes[];
}

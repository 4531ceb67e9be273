/** Activating muscles while a world runs, and reading what they do. */
import { requireInRange, TendonError } from '../errors.js';
import { motorState } from './joint-control.js';
import type { WorldBody } from './world.js';

/** What a muscle does. */
export interface MusclePull {
  /** 0 to 1. */
  readonly activation: number;
  /** Tension of a line in the last step [N]; 0 for fibres. */
  readonly tension: number;
}

/** Activates a muscle from the next step on, 0 to 1; it stays so. Part of the state: snapshots keep it. */
export function setActivation(body: WorldBody, muscle: string, activation: number): void {
  const index = findMuscle(body, muscle);
  requireInRange(activation, 0, 1, `bodies/${body.name}/muscles/${muscle}/activation`);
  motorState(body).activations[index] = activation;
}

/** What a muscle does now. */
export function readMuscle(body: WorldBody, muscle: string): MusclePull {
  const index = findMuscle(body, muscle);
  const { activations, tensions } = motorState(body);
  return { activation: activations[index], tension: tensions[index] };
}

/** Number of the muscle of that name. */
export function findMuscle(body: WorldBody, name: string): number {
  const names = body.model.muscles?.names ?? [];
  const index = names.indexOf(name);
  if (index >= 0) return index;
  const known = names.join(', ') || 'none';
  throw new TendonError('E_UNKNOWN', `bodies/${body.name}/muscles`, name, `the body's muscles are: ${known}`);
}

/** The flesh's side of predict: where inertia and outside forces would take every vertex, and the point f32 is relative to. */
import type { Model } from '../../body/model.js';
import type { InertiaWeights } from './bones/bone-motion.js';
import type { FleshRows } from './flesh-rows.js';
import type { Layout } from './layout.js';
import type { ProjectiveState } from './projective-state.js';

/**
 * Fills targets, start positions and origin of the rows from a body's state. Iterations start where inertia alone leads,
 * without gravity and outside forces: a body at rest then starts at its equilibrium and stays there, however few the
 * iterations (started from the target a clamped bar sagged 0.233 m with 2 iterations, 0.225 m with 5 and 0.240 m with 20;
 * now 0.242 m with any). A body in free fall loses nothing: a common shift is solved exactly by one iteration. `pushed`
 * starts from the target all the same, for steps without iterations.
 */
export function predictFlesh(
  model: Model,
  layout: Layout,
  rows: FleshRows,
  state: ProjectiveState,
  weights: InertiaWeights,
  gravity: ArrayLike<number>,
  pushed: boolean,
): void {
  const target = rows.target.view;
  const x = rows.x.view;
  const { positions, velocities, earlierPositions, earlierVelocities, forces } = state;
  const { position, velocity, earlierPosition, earlierVelocity, acceleration } = weights;
  const { fleshVertices } = layout;
  for (let i = 0; i < fleshVertices.length; i++) {
    const v = fleshVertices[i];
    const row = rows.rowOfVertex[v] * 4;
    const perMass = acceleration / model.masses[v];
    for (let k = 0; k < 3; k++) {
      const at = v * 3 + k;
      const value =
        position * positions[at] +
        velocity * velocities[at] +
        earlierPosition * earlierPositions[at] +
        earlierVelocity * earlierVelocities[at];
      const reached = value + (acceleration * gravity[k] + perMass * forces[at]);
      target[row + k] = reached;
      x[row + k] = pushed ? reached : value;
    }
  }
  setOrigin(model, rows, state, weights.velocity);
}

/** The middle of the box around where the body is going: f32 then keeps the same digits wherever and however fast it is. */
function setOrigin(model: Model, rows: FleshRows, state: ProjectiveState, time: number): void {
  const { positions, velocities } = state;
  const end = model.vertexCount * 3;
  for (let k = 0; k < 3; k++) {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let at = k; at < end; at += 3) {
      const x = positions[at] + time * velocities[at];
      if (x < low) low = x;
      if (x > high) high = x;
    }
    rows.origin.view[k] = 0.5 * (low + high);
  }
}

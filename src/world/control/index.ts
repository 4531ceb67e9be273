/** Controls over rollouts, for programs and scenes. */
export type { ControlDef } from './controls.js';
export {
  type ControlGoal,
  goalSlopes,
  type OptimisedControls,
  type OptimiseOptions,
  optimiseControls,
  type SlopeMethod,
} from './optimise-controls.js';

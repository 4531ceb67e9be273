/** Controls over rollouts, for programs and scenes. */
export type { ControlDef } from './controls.js';
export {
  type ControlGoal,
  type ControlSearch,
  goalSlopes,
  type OptimisedControls,
  type OptimiseOptions,
  optimiseControls,
  type SlopeMethod,
  searchControls,
} from './optimise-controls.js';

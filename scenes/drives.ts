/** How scenes move their kinematic bones, by name: apart from the scenes, for those who step a world that others built. */
import type { World } from '../src/world/world.js';
import { driveFist } from './drive-fist.js';

/** Sends a scene's kinematic bones on their way: to be called before every step. */
export type SceneDrive = (world: World) => void;

/** Name of a scene -> its drive; most scenes have none. */
export const SCENE_DRIVES: ReadonlyMap<string, SceneDrive> = new Map([['fist', driveFist]]);

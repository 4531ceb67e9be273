/** When regions of flesh turn as one (turning-regions.ts): whether a body has any, and whether they may in a step. */
import { isAccelerated, type ProjectiveOptions } from '../options.js';
import type { ContactResponse } from '../outside/contact-response.js';

/**
 * Most contact sides of a body whose regions turn by themselves ('auto'). Where more of them feel all regions it takes more sweeps until they agree than an iteration has: a bar
 * that lies on 245 trembled, its steps 40 % off, for 0.03 with thirty times the sweeps. A snake that lies on 130 is better off with them (docs/decisions/0070).
 */
const MOST_TOUCHING = 192;

/** Most bones of such a body: all of them have to feel each other where regions turn, and more than these take more time than regions bring (docs/decisions/0029). A human with feet, neck and skull has 13. */
const MOST_BONES = 16;

/** Whether flesh under so many bones is divided into regions. */
export function isDivided(options: ProjectiveOptions, boneCount: number): boolean {
  const { turningRegions } = options;
  return isAccelerated(options) && (turningRegions === 'auto' ? boneCount <= MOST_BONES : turningRegions);
}

/** Whether they may turn in a step in which this touches the body. */
export function mayTurn({ turningRegions }: ProjectiveOptions, touch: ContactResponse | undefined): boolean {
  return turningRegions === true || !touch || touch.sides.count <= MOST_TOUCHING;
}

/** Every tolerance and default of the step, each with its unit and its reason. */

/** Longest step the library takes in one go [s]: beyond, nothing on screen would be recognisable. */
export const MAX_DT = 1 / 15;
/** Default time step [s]: one frame of a 60 Hz display. */
export const DEFAULT_DT = 1 / 60;
/** Default local/global iterations per step. */
export const DEFAULT_ITERATIONS = 10;
/** Joint gap, relative to the body's size, at which the bone step stops: a tenth of what is promised (1e-9). */
export const JOINT_TOLERANCE = 1e-10;
/** Bone steps after which the pull of the flesh is dropped, so that the joints close from any start. */
export const PULLED_BONE_STEPS = 10;
/** Bone steps after which limits are dropped too where nothing closes any further, so that the joints close where limits and joints contradict each other. */
export const LIMITED_BONE_STEPS = 35;
/** Most bone steps after that; hard starts needed 11. */
export const JOINT_STEPS = 15;
/** Angle by which a joint may exceed its limit when the bone step stops [rad]: a tenth of what is promised (1e-6). */
export const LIMIT_TOLERANCE = 1e-7;
/** Furthest a bone may turn [rad], or shift relative to the body's size, in one bone step. */
export const MAX_BONE_MOVE = 4;
/** Share of the largest inertia given to directions in which a bone has none (flat, straight or single-point bones). */
export const MISSING_INERTIA = 1e-6;
/** Largest Poisson ratio: flesh of 0.499 resists a change of its volume 500 times as much as one of its shape. */
export const MAX_POISSON_RATIO = 0.499;
/** Tets per part of the local step; smaller bodies are not worth cutting. */
export const TETS_PER_PART = 3000;
/**
 * Bodies of fewer tets, and factors of fewer rows, stay on the caller's thread: telling a helper of a job takes about as long as half of it. Of two threads a bar of 7,344 tets had
 * nothing (5.0 ms for 5.1), smaller ones lost up to a tenth, one of 31,821 had a quarter (17.1 for 22.4).
 */
export const TETS_FOR_THREADS = 12_000;
export const ROWS_FOR_THREADS = 3000;
/** Most parts a body is cut into; fixed by the data so that threads cannot change a bit. */
export const MAX_PARTS = 4;
/** Longest way a kinematic bone may go in one step, relative to the body's size: further, flesh cannot follow sensibly. */
export const MAX_KINEMATIC_MOVE = 0.25;
/** Furthest a kinematic bone may turn in one step [rad], as the sine of half the angle squared (half a radian). */
export const MAX_KINEMATIC_TURN_SQ = 0.0612;
/**
 * Contact sides one body answers at a time: three per vertex of its surface up to the first of these, as many again per vertex as the second says up to twice that, because each takes 3 to 7 kB. Beyond, the
 * nearest count; a report counts the rest. A human that a wall strikes at 5 m/s has 0.8 per vertex.
 */
export const MANY_SIDES = 6144;
export const SIDES_PER_VERTEX = 1;
/** Most contact sides one body feels explicit forces on: they cost no more than their storage. */
export const MAX_PENALTY_SIDES = 1 << 16;
/** Distance, relative to the body's size, within which a vertex counts as near an obstacle whatever its speed. */
export const CONTACT_MARGIN = 2e-3;
/**
 * Farthest a step may take a vertex from where inertia alone would, in sizes of its body: a bullet stopped dead from 1,000 m/s in a
 * sixtieth of a second comes to some hundred, a diverged step to any number.
 */
export const FARTHEST_PUSH = 1000;

/** Gap of a joint, in sizes of its body, from which a step that could have closed it has diverged: closed ones have 1e-10. */
export const TORN = 0.01;

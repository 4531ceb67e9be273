/**
 * A dog, 0.58 m at the withers, standing on the floor and facing +z: nineteen bones; hinges in elbows, knees, wrists and
 * hocks, balls in shoulders, hips, back, neck and tail.
 */
import type { BodyDef, JointDef, Vec3 } from '../body/body-def.js';
import { type BonePlan, meshCharacter } from './mesh-character.js';
import { ellipsoid, halfSpace, pointBetween, roundCone, type Shape, sphere } from './sdf.js';
import { mirrorX, smoothIntersection, smoothUnion, stretch } from './sdf-combine.js';
import { dogBody, dogHead, dogLegs } from './quadruped-parts.js';
import { splineLimb } from './spline-limb.js';

/** The public API of Tendon. Every name a user may rely on is exported here and nowhere else. */
export type { BodyDef, BoneDef, JointDef, JointType, MaterialDef, Vec3 } from './body/body-def.js';
export { MATERIALS } from './body/materials.js';
export {
  type BonePose,
  findBone,
  readBonePose,
  readJointForce,
  setBoneKinematic,
  setBoneTarget,
} from './bone-control.js';
export { buildBodyField, buildDistanceField } from './collision/build-distance-field.js';
export type { ContactBuffer } from './collision/contact-buffer.js';
export { type DistanceField, fieldDistance } from './collision/distance-field.js';
export type { ObstacleDef } from './collision/obstacle.js';
export { setObstaclePose } from './collision/obstacle-motion.js';
export type { ObstaclePath } from './collision/obstacle-path.js';
export type { ShapeDef } from './collision/shape.js';
export type { ContactOptions } from './contact/options.js';
export { type ContactEvent, type ContactPhase, type ContactTracker, trackContacts } from './contact/touch-events.js';
export { contactForceOnBody, contactForceOnObstacle, contactPoint } from './contacts.js';
export { TendonError, type TendonErrorCode } from './errors.js';
export { type Grab, type GrabOptions, grabBody, moveGrab, releaseGrab } from './grab.js';
export { addObstacle, removeObstacle } from './obstacle-control.js';
export type { PlacementDef, SceneDef } from './scene/scene-def.js';
export { hashWorld, restoreSnapshot, takeSnapshot } from './snapshot.js';
export type { BoneMethod } from './solvers/projective/options.js';
export { stepWorld } from './step.js';
export {
  type Certificate,
  createWorld,
  disposeWorld,
  resetWorld,
  type World,
  type WorldBody,
  type WorldOptions,
} from './world.js';

/**
 * The public API of Tendon. Every name a user may rely on is exported here and nowhere else.
 * @module tendon
 */

export type {
  BodyDef,
  BoneDef,
  JointDef,
  JointLimitsDef,
  JointMotorDef,
  JointType,
  MaterialDef,
  Vec3,
} from './body/body-def.js';
export type { AnyBodyDef } from './body/kinds/any-body-def.js';
export type { ClothDef, ClothMaterialDef } from './body/kinds/cloth-def.js';
export type { LatticeBoneDef, LatticeDef } from './body/kinds/lattice-def.js';
export type { LayerBoneDef, LayerDef } from './body/kinds/layer-def.js';
export type { RigidBodyDef, RigidPartDef, RigidShape } from './body/kinds/rigid-def.js';
export { MATERIALS } from './body/materials.js';
export type { FibreMuscleDef, FollowedMotor, LineMuscleDef, MuscleDef } from './body/muscle-def.js';
export type { ContactBuffer } from './collision/contact-buffer.js';
export type { ObstacleDef } from './collision/obstacles/obstacle.js';
export { setObstaclePose } from './collision/obstacles/obstacle-motion.js';
export type { ObstaclePath } from './collision/obstacles/obstacle-path.js';
export { buildBodyField, buildDistanceField } from './collision/shapes/build-distance-field.js';
export { type DistanceField, fieldDistance } from './collision/shapes/distance-field.js';
export type { ShapeDef } from './collision/shapes/shape.js';
export type { ContactOptions } from './contact/options.js';
export { type ContactEvent, type ContactPhase, type ContactTracker, trackContacts } from './contact/touch-events.js';
export { TendonError, type TendonErrorCode } from './errors.js';
export type {
  ActivationDrive,
  BendDrive,
  DriveDef,
  MotorDrive,
  PoseDrive,
  PushDrive,
  SignalDef,
  SignalVector,
  TrackDrive,
  WaterDrive,
} from './scene/drive-def.js';
export type { AnySceneDef, AttachmentDef, PlacementDef, SceneDef, SolverDef } from './scene/scene-def.js';
export type { BoneMethod } from './solvers/projective/options.js';
export {
  type BonePose,
  findBone,
  readBonePose,
  readJointForce,
  setBoneKinematic,
  setBoneTarget,
} from './world/bone-control.js';
export { contactForceOnBody, contactForceOnObstacle, contactPoint } from './world/contacts.js';
export {
  type ControlDef,
  type ControlGoal,
  type ControlSearch,
  goalSlopes,
  type OptimisedControls,
  type OptimiseOptions,
  optimiseControls,
  type SlopeMethod,
  searchControls,
} from './world/control/index.js';
export { createWorld, disposeWorld, resetWorld } from './world/create-world.js';
export { addDrive, type Drive, removeDrive } from './world/drives.js';
export { type Grab, type GrabOptions, grabBody, moveGrab, releaseGrab } from './world/grab.js';
export { clearJointMotor, type JointTorque, readJointTorque, setJointMotor } from './world/joint-control.js';
export { type MusclePull, readMuscle, setActivation } from './world/muscle-control.js';
export { addObstacle, removeObstacle } from './world/obstacle-control.js';
export { hashWorld, restoreSnapshot, takeSnapshot } from './world/snapshot.js';
export { stepWorld } from './world/step.js';
export type { BoneMode } from './world/tracking/bone-modes.js';
export { BoneTracker, type RootMode, type TrackOptions } from './world/tracking/bone-tracker.js';
export type { Certificate, World, WorldBody, WorldOptions } from './world/world.js';

/**
 * `tendon/three`: soft bodies and characters in a three.js scene. Every name a user may rely on is exported here.
 * @module tendon/three
 */

export { type ClothOptions, clothFromMesh, type RigidOptions, rigidFromMesh } from './bodies-from-meshes.js';
export type { CharacterEntry, CharacterPlace, FollowOptions, ModelSource, PlayOptions } from './characters.js';
export { CrowdMember, type CrowdPlayOptions } from './crowd/crowd-member.js';
export type { CrowdAction, CrowdInfo, CrowdModelInfo, CrowdNews } from './crowd/crowd-protocol.js';
export { type CrowdEvents, CrowdSimulation } from './crowd/crowd-simulation.js';
export { type CrowdEntry, SoftCrowd, type SoftCrowdOptions } from './crowd/soft-crowd.js';
export { type ObstacleOptions, obstacleFromMesh } from './obstacles/obstacle-from-mesh.js';
export { SceneObstacles } from './obstacles/scene-obstacles.js';
export type { ObstacleSource } from './obstacles/soft-obstacles.js';
export type { SimulationEvents, SimulationOptions } from './open-link.js';
export type {
  Action,
  BodyInfo,
  BuildSettings,
  CharacterInfo,
  CharacterSolver,
  ClipInfo,
  ContactNews,
  ContactPhase,
  FrameNews,
  KinematicBones,
  Quality,
  Quat,
  SimulationInfo,
  WorldSettings,
} from './protocol.js';
export { SoftBody, type TouchOptions } from './soft-body.js';
export { SoftCharacter, type SoftCharacterOptions } from './soft-character.js';
export { SoftGrip } from './soft-grip.js';
export type { SoftBodyOptions } from './soft-options.js';
export { SoftSimulation } from './soft-simulation.js';
export { SoftMember, SoftWorld, type SoftWorldOptions } from './soft-world.js';

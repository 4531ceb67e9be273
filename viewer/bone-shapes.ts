/** Bones for the overlay: the solids that `tendon/three` draws too, and whether the scene drives them. */
import type { Model } from '../src/body/model.js';
import { buildBoneShapes as buildSolids } from '../three/bone-shapes.js';
import type { BoneInfo } from './scene-info.js';

/** One solid per bone. */
export function buildBoneShapes(model: Model): BoneInfo[] {
  return buildSolids(model).map((solid, bone) => ({ ...solid, kinematic: model.bones.kinematic[bone] === 1 }));
}

/** Bodies of all kinds, as a scene may hold them. */
import { TendonError } from '../../errors.js';
import type { BodyDef } from '../body-def.js';
import { type BodyKind, buildModel, type Model } from '../model.js';
import type { ClothDef } from './cloth-def.js';
import { buildClothModel } from './cloth-model.js';
import type { LatticeDef } from './lattice-def.js';
import type { LayerDef } from './layer-def.js';
import type { RigidBodyDef } from './rigid-def.js';
import { buildRigidModel } from './rigid-model.js';

/** The description of a body of any kind. */
export type AnyBodyDef = BodyDef | RigidBodyDef | ClothDef | LatticeDef | LayerDef;

/** What fills a body of this description. */
export function kindOfBody(def: AnyBodyDef): BodyKind {
  return def.kind ?? 'flesh';
}

/** True for a body of tets. */
export function isFlesh(def: AnyBodyDef): def is BodyDef {
  return kindOfBody(def) === 'flesh';
}

/** The description as one of flesh; throws where it is of another kind. */
export function requireFlesh(def: AnyBodyDef, path = 'body'): BodyDef {
  if (isFlesh(def)) return def;
  throw new TendonError('E_UNKNOWN', `${path}/kind`, kindOfBody(def), 'a body of flesh is needed here');
}

/** Builds the model of a body that every solver may know; the other kinds are built by the solvers they belong to. */
export function buildAnyModel(def: AnyBodyDef, path: string): Model {
  if (def.kind === 'rigid') return buildRigidModel(def, path);
  if (def.kind === 'cloth') return buildClothModel(def, path);
  return buildModel(requireFlesh(def, path), path);
}

/**
 * From shapes to a body: fills the outer shape with tetrahedra and makes bones of the vertices inside the inner shapes.
 * What all procedural characters share.
 */
import type { BodyDef, BoneDef, JointDef, MaterialDef } from '../body/body-def.js';
import { requireInRange } from '../errors.js';
import { keepLargestComponent } from '../mesh/components.js';
import { stuffIsosurface } from '../mesh/iso-stuffing.js';
import { pickBoneVertices } from './pick-bone-vertices.js';
import type { Shape } from './sdf.js';

/** Soft tissue: between fat and relaxed muscle, nearly incompressible, as heavy as water. */
export const FLESH: MaterialDef = { model: 'corotated', youngModulus: 7e4, poissonRatio: 0.4, density: 1000 };

/** A character before it is meshed. */
export interface CharacterPlan {
  readonly name: string;
  /** The outside. */
  readonly skin: Shape;
  /** The rigid insides; where two overlap the earlier one has the vertex. */
  readonly bones: readonly { readonly name: string; readonly shape: Shape }[];
  readonly joints?: readonly JointDef[];
  /** Side of the lattice cubes [m]. */
  readonly cell: number;
  /** Default `FLESH`. */
  readonly material?: MaterialDef;
  alpha?: number;
}

/** Meshes a plan. The body is one connected piece; parts thinner than the lattice can hold are left out. */
export function meshCharacter(plan: CharacterPlan): BodyDef {
  requireInRange(plan.cell, 1e-4, 10, 'cell');
  const { skin, cell } = plan;
  const stuffed = stuffIsosurface({ distance: skin.distance, low: skin.low, high: skin.high, cell, alpha:plan.alpha });
  const mesh = keepLargestComponent(stuffed);
  const taken = new Uint8Array(mesh.positions.length / 3);
  const bones: BoneDef[] = plan.bones.map(({ name, shape }) => ({
    name,
    vertices: pickBoneVertices(mesh.positions, shape, taken, cell),
  }));
  return {
    name: plan.name,
    positions: mesh.positions,
    tets: mesh.tets,
    bones,
    joints: plan.joints ?? [],
    materials: [plan.material ?? FLESH],
  };
}

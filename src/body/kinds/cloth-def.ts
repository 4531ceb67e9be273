/** What a user writes down to describe a sheet: cloth, skin, a thin shell. Plain data. */
import type { BoneDef, JointDef } from '../body-def.js';

/** What a sheet is made of: it resists stretch and shear by its modulus times its thickness, and bending by the cube of it. */
export interface ClothMaterialDef {
  /** Young's modulus [Pa]. */
  readonly youngModulus: number;
  /** Poisson ratio in the plane, 0 to 0.499. */
  readonly poissonRatio: number;
  /** Mass per volume [kg/m³]; times the thickness it is the mass per area. */
  readonly density: number;
  /**
   * How hard the sheet is bent [N m]; default that of a plate, E t³/(12 (1 − ν²)). Woven cloth, whose threads slide, has a hundredth of it
   * and less.
   */
  readonly bendingStiffness?: number;
}

/** A sheet of triangles, flat at rest or not: a curved one springs back to a flat one as far as bending goes. */
export interface ClothDef {
  readonly kind: 'cloth';
  readonly name: string;
  /** Rest positions, x,y,z per vertex [m]. */
  readonly positions: ArrayLike<number>;
  /** Three vertices per triangle; no edge has more than two triangles. */
  readonly triangles: ArrayLike<number>;
  /** [m]: what the sheet weighs and resists goes by it, and things stop at half of it from the middle. */
  readonly thickness: number;
  readonly material: ClothMaterialDef;
  /** Vertices that move as one: hems held by a frame, plates sewn in. */
  readonly bones?: readonly BoneDef[];
  readonly joints?: readonly JointDef[];
  /** Vertices that stay where they are at rest. */
  readonly pins?: ArrayLike<number>;
}

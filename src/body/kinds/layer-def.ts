/** What a user writes down to describe a skinned character for the layered solver: a surface, bones in a tree, and weights. */
import type { JointLimitsDef, JointMotorDef, JointType, MaterialDef, Vec3 } from '../body-def.js';

/** A character of bones and skin. */
export interface LayerDef {
  readonly kind: 'layer';
  readonly name: string;
  /** Nodes of the skin at rest, welded, 3 numbers each [m]. */
  readonly positions: Float64Array;
  /** Three nodes each, seen counter-clockwise from outside. */
  readonly triangles: Int32Array;
  /** Bones in a tree, parents first. */
  readonly bones: readonly LayerBoneDef[];
  /** Four bones per node, and their weights, which add up to 1. */
  readonly owners: ArrayLike<number>;
  readonly weights: ArrayLike<number>;
  /** What lies between skin and bone; default relaxed muscle. */
  readonly material?: MaterialDef;
  /** Depth of the soft layer at each node, or everywhere [m]; found from the skin by default. */
  readonly depth?: number | ArrayLike<number>;
  /** Time in which a dent left alone goes back to a third [s]; default 0.03. */
  readonly relaxation?: number;
  /** Nodes nearer to each other than this share of the depth touch as one; 0: every node touches. Default 0.8. */
  readonly contactSpacing?: number;
  /** The same between characters, and of a character's limbs; default 1. */
  readonly meetingSpacing?: number;
  /** Whether skin bulges beside a dent; costs more. Default false. */
  readonly bulges?: boolean;
  /** Whether flesh lags behind its bones, or by how many modes of the skin; default 8 where the material is as soft as fat, else none. */
  readonly wobble?: boolean | number;
  /** Nodes that stay where they are at rest, pulled by the skin around them. */
  readonly pins?: ArrayLike<number>;
}

/** A bone and how it hangs on its parent. */
export interface LayerBoneDef {
  readonly name: string;
  /** Index of the parent, -1 for a root. */
  readonly parent: number;
  /** Where the joint to the parent is, at rest [m]; of no importance for a root. */
  readonly place: Vec3;
  /** How it turns against its parent; default ball. */
  readonly joint?: JointType;
  /** Axis of a hinge; first axis, fixed in the parent, of a universal joint. Default z. */
  readonly axis?: Vec3;
  /** Second axis of a universal joint, fixed in the bone, at a right angle to the first; of a ball, the direction the first angle of its cone is about. */
  readonly secondAxis?: Vec3;
  /** How far the joint goes; everywhere by default. */
  readonly limits?: JointLimitsDef;
  /** The motor the joint starts with; none by default. */
  readonly motor?: JointMotorDef;
  /** Starts out kinematic: goes exactly where it is sent; or tracked: turned there by its joint, gives way to what it touches. */
  readonly kinematic?: boolean | 'tracked';
}

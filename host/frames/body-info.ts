/** What a page is told of a body once, before its pictures come. Plain data that can be posted. */
import type { LimitLines } from './limit-lines.js';

/** A body to draw. Vertices are those of the drawn surface: a skin, or the body's own surface split where it has an edge. */
export interface BodyInfo {
  readonly name: string;
  readonly vertexCount: number;
  /** Three vertices per triangle. */
  readonly triangles: Uint32Array;
  readonly groups: readonly SurfaceGroup[];
  /** u,v per vertex, one array per set. */
  readonly uvs: readonly Float32Array[];
  /** Red, green, blue and opacity per vertex, linear, where the file has colours; white where only some pieces do. */
  readonly colours?: Float32Array;
  /** Names of morph targets that can be blended in. */
  readonly morphs?: readonly string[];
  /** Bone each vertex shows, -1 for flesh; undefined for a skin. */
  readonly boneOfVertex?: Int32Array;
  readonly bones: readonly BoneShape[];
  /** True where the bones are all there is to draw: a rigid body among very many. Bodies of one model then share their bones. */
  readonly isInParts?: boolean;
  /** True for a sheet, which is seen from both sides. */
  readonly isSheet?: boolean;
  /** What is under the surface, for pages that show it. */
  readonly inside?: BodyInside;
}

/** Triangles with one material. */
export interface SurfaceGroup {
  /** Offset and number of entries of `triangles`. */
  readonly start: number;
  readonly count: number;
  /** Index of the material in the file. */
  readonly material?: number;
  /** True where every triangle is flat. */
  readonly flat?: boolean;
}

/** A bone to draw, about its centre of mass [m]; empty where its vertices enclose no tet. */
export interface BoneShape {
  readonly name: string;
  readonly positions: Float32Array;
  readonly triangles: Uint32Array;
  /** True where its pose is given at the start. */
  readonly kinematic: boolean;
}

/** The mesh and the joints of a body. */
export interface BodyInside {
  /** Number of pairs of bones (or bone and world) held together. */
  readonly jointCount: number;
  /** Vertices of the mesh's own surface that come with a picture; 0 where the drawn surface has them all. */
  readonly cageCount: number;
  /** Two vertices per edge of the mesh's surface: of the cage where there is one, else of the drawn surface. */
  readonly edges: Uint32Array;
  /** x,y,z of each drawn vertex in the rest shape [m]: what is painted on a body is painted there. */
  readonly rest: Float32Array;
  /** Limits of the joints, as lines that go with bones. */
  readonly limits: readonly LimitLines[];
  /** Bone that the motor of each pair leads. */
  readonly led: Int32Array;
  /** Whether there are muscle fibres in its flesh. */
  readonly hasFibres: boolean;
}

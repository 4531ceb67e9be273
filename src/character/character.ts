/** What a character is: a body to simulate, the skin it wears, the motions it came with, and how it was made. */
import type { BodyDef } from '../body/body-def.js';
import type { GltfLook } from '../io/gltf/gltf-model.js';
import type { GltfSource } from '../io/gltf/gltf-source.js';
import type { Embedding } from '../mesh/embedding.js';

/** A character. `writeCharacter` and `readCharacter` keep all of it. */
export interface Character {
  readonly body: BodyDef;
  /** The skeleton as a tree, one entry per bone of the body, parents first. */
  readonly skeleton: readonly BoneInfo[];
  /** What is known of how far the joints go; at most one entry per joint. The body's joints carry them, and the step enforces them. */
  readonly limits: readonly JointLimit[];
  readonly skin: CharacterSkin;
  /** Binds the skin's vertices to the body's. */
  readonly embedding: Embedding;
  readonly clips: readonly CharacterClip[];
  readonly report: CharacterReport;
  /** Whether its tets share strains, so that it is as soft as if it were built of many more; of what is built now they do, of files that say nothing they do not. */
  readonly smoothed?: boolean;
  /** The file it was built from, where that was a glTF: it is written back with all that it had. */
  readonly source?: GltfSource;
}

/** Where a bone sits in the skeleton. */
export interface BoneInfo {
  readonly name: string;
  /** Index of the parent bone, -1 for the root. */
  readonly parent: number;
  /** Where the bone hangs on its parent, in the rest shape [m]. */
  readonly place: readonly [number, number, number];
  /** Where it ends, for show [m]. */
  readonly tip: readonly [number, number, number];
  /** Joints of the model that became this bone; the first is the bone's own. */
  readonly sources: readonly string[];
}

/** How far a joint goes: a hinge between two angles about its axis, any other within a cone and a twist [rad]. */
export interface JointLimit {
  readonly joint: string;
  readonly min?: number;
  readonly max?: number;
  /** Universal joints: the range about the second axis. */
  readonly secondRange?: readonly [number, number];
  /** How far the bone leans; where `swingAside` is given, that way about the third direction of the joint, and this about the second. */
  readonly swing?: number;
  readonly swingAside?: number;
  /** How far it twists, either way; or from where to where. */
  readonly twist?: number;
  readonly twistRange?: readonly [number, number];
  /** How the bone is turned against its parent in the middle of its cone, quaternion; the rest pose by default. */
  readonly middle?: readonly [number, number, number, number];
  /** What the limit was taken from. */
  readonly from: 'name' | 'clip' | 'default' | 'file';
}

/** The surface people see, in the rest shape. All its pieces lie one after the other in the same arrays. */
export interface CharacterSkin {
  /** x,y,z per vertex [m]. */
  readonly positions: Float32Array;
  /** x,y,z per vertex. */
  readonly normals: Float32Array;
  /** Three vertices per triangle, seen counter-clockwise from outside. */
  readonly triangles: Uint32Array;
  /** Four bones per vertex and their weights, for viewers without physics. */
  readonly bones: Uint16Array;
  readonly boneWeights: Float32Array;
  readonly surfaces: readonly SkinSurface[];
  /** Shapes the skin can be blended towards, on top of how the body is deformed. */
  readonly morphs?: readonly SkinMorph[];
  /** Materials and pictures. */
  readonly look: GltfLook;
}

/** A morph target: how far it moves some vertices of the skin at rest when it is fully on. */
export interface SkinMorph {
  readonly name: string;
  /** How far it is on at first. */
  readonly weight: number;
  /** Vertices it moves, and x,y,z for each of them [m]. */
  readonly vertices: Int32Array;
  readonly offsets: Float32Array;
}

/** A piece of the skin with one material. */
export interface SkinSurface {
  readonly name: string;
  readonly vertexStart: number;
  readonly vertexCount: number;
  /** Offsets into `triangles`, three per triangle. */
  readonly indexStart: number;
  readonly indexCount: number;
  /** u,v per vertex of this piece, one array per set. */
  readonly uvs: readonly Float32Array[];
  /** Red, green, blue and opacity per vertex of this piece, linear, where the file has colours. */
  readonly colours?: Float32Array;
  /** True where the file has no normals: every triangle is flat. */
  readonly flat?: boolean;
  /** Index into `look.materials`. */
  readonly material?: number;
}

/** A motion, sampled at equal times. */
export interface CharacterClip {
  readonly name: string;
  /** Length [s]. */
  readonly duration: number;
  readonly frameCount: number;
  /** How each bone is turned from the rest shape, quaternion x,y,z,w per frame and bone. */
  readonly rotations: Float32Array;
  /** Where the root bone's place is, x,y,z per frame [m]. */
  readonly rootPlaces: Float32Array;
  /** Weights of the skin's morph targets, all of them per frame; absent where the motion drives none. */
  readonly morphs?: Float32Array;
}

/** How a character was made. */
export interface CharacterReport {
  /** What was odd and how it was taken. */
  readonly notes: readonly string[];
  /** Factor from the file's units to metres. */
  readonly unitScale: number;
  /** Side of the lattice cubes [m]. */
  readonly cell: number;
  /** Volume inside the skin [m^3] and mass [kg]. */
  readonly skinVolume: number;
  readonly mass: number;
  /** Joints of the model that were merged into another bone. */
  readonly mergedJoints: readonly string[];
}

/** Each set of u,v for the whole skin; 0 where a surface does not have it. */
export function joinUvs(skin: CharacterSkin): Float32Array[] {
  const count = Math.max(0, ...skin.surfaces.map(({ uvs }) => uvs.length));
  return Array.from({ length: count }, (_, set) => {
    const all = new Float32Array((skin.positions.length / 3) * 2);
    for (const { uvs, vertexStart } of skin.surfaces) if (uvs[set]) all.set(uvs[set], vertexStart * 2);
    return all;
  });
}

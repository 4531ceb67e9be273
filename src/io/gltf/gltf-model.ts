/**
 * What `readGltf` gives and `writeGltf` takes: the parts of a glTF asset that characters are made of, as plain data.
 * Numbers are those of the file: metres, y up, right-handed by the glTF standard, though files in the wild differ.
 * Matrices are column-major. Indices point into the lists of the model, which are in the order of the file.
 */

/** Any value of a JSON text. Objects never carry the keys `__proto__`, `constructor` or `prototype`. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;
/** A JSON object. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** One glTF asset. */
export interface GltfModel {
  readonly meshes: readonly GltfMesh[];
  readonly skins: readonly GltfSkin[];
  /** A forest: every node has at most one parent and there are no cycles. */
  readonly nodes: readonly GltfNode[];
  /** Every node once, parents before their children. */
  readonly nodeOrder: Uint32Array;
  /** Root nodes of each scene. */
  readonly scenes: readonly GltfScene[];
  /** Index of the scene to show; absent where the file names none. */
  readonly scene?: number;
  readonly clips: readonly GltfClip[];
  readonly look: GltfLook;
  /** Extensions at the root of the file, with the bytes they point at. */
  readonly extensions: readonly GltfExtension[];
  /** The file's own notes about itself: version, generator, copyright. */
  readonly asset: JsonObject;
  /** What was odd but could be read. */
  readonly warnings: readonly string[];
}

/** A mesh: parts that each have one material. */
export interface GltfMesh {
  readonly name: string;
  readonly primitives: readonly GltfPrimitive[];
  /** Names of the morph targets, and how far each is on without animation, where the file says so. */
  readonly targetNames?: readonly string[];
  readonly targetWeights?: readonly number[];
}

/** Triangles with one material. Points and lines are left out. */
export interface GltfPrimitive {
  /** x,y,z per vertex, in the space of the mesh. */
  readonly positions: Float32Array;
  /** Three vertices per triangle; made where the file has none, strips and fans unrolled. */
  readonly indices: Uint32Array;
  /** x,y,z per vertex. */
  readonly normals?: Float32Array;
  /** True for a part of a file without normals, whose triangles are flat by the standard. */
  readonly flat?: boolean;
  /** u,v per vertex, one array per set (TEXCOORD_0, TEXCOORD_1, ...). */
  readonly uvs: readonly Float32Array[];
  /**
   * Influences per vertex: 4 per joint set, all sets side by side (8 with JOINTS_0 and JOINTS_1); 0 where not skinned.
   */
  readonly influenceCount: number;
  /** `influenceCount` per vertex: indices into the skin's `joints`. 0 where the weight is 0. */
  readonly joints?: Uint16Array;
  /** `influenceCount` per vertex, as in the file: not negative, the sum need not be 1. */
  readonly weights?: Float32Array;
  /** Index into `look.materials`. */
  readonly material?: number;
  /** Attributes of the file's own, one number per vertex, by name without the `_` they begin with: vertex groups. */
  readonly groups?: Readonly<Record<string, Float32Array>>;
  /** Red, green, blue and opacity per vertex, linear: what the material's colour is multiplied with. */
  readonly colours?: Float32Array;
  /** Morph targets, as differences from `positions` and `normals`; normals are written, not read. */
  readonly targets?: readonly { readonly positions: Float32Array; readonly normals?: Float32Array }[];
}

/** What binds a mesh to joints. */
export interface GltfSkin {
  readonly name: string;
  /** Node of each joint. */
  readonly joints: Uint32Array;
  /** 16 per joint, from mesh space to joint space at rest; identities where the file has none. */
  readonly inverseBindMatrices: Float32Array;
  /** The node the file calls the root of the skeleton. */
  readonly skeleton?: number;
}

/** A place in the tree. Its local transform is `matrix` where there is one, else T * R * S. */
export interface GltfNode {
  readonly name: string;
  /** -1 for a root. */
  readonly parent: number;
  readonly children: Uint32Array;
  /** x,y,z; taken from `matrix` where there is one. */
  readonly translation: Float64Array;
  /** Unit quaternion x,y,z,w; taken from `matrix` where there is one. */
  readonly rotation: Float64Array;
  /** x,y,z; taken from `matrix` where there is one. */
  readonly scale: Float64Array;
  /** 16 numbers, only where the file gives a matrix instead of the three above; it may shear. */
  readonly matrix?: Float64Array;
  readonly mesh?: number;
  readonly skin?: number;
}

/** Root nodes that are shown together. */
export interface GltfScene {
  readonly name: string;
  readonly nodes: Uint32Array;
}

/** A motion. */
export interface GltfClip {
  readonly name: string;
  readonly channels: readonly GltfChannel[];
}

/** What a channel moves: 3, 4, 3 numbers per key, or one per morph target. */
export type GltfPath = 'translation' | 'rotation' | 'scale' | 'weights';
/** How values between keys are found. */
export type GltfInterpolation = 'LINEAR' | 'STEP' | 'CUBICSPLINE';

/** One property of one node over time. */
export interface GltfChannel {
  readonly node: number;
  readonly path: GltfPath;
  readonly interpolation: GltfInterpolation;
  /** Time of each key [s], from 0 or later, never decreasing. */
  readonly times: Float32Array;
  /** Values of each key; CUBICSPLINE has in-tangent, value and out-tangent of each key one after the other. */
  readonly values: Float32Array;
}

/** Materials and pictures, passed through as the file has them. */
export interface GltfLook {
  readonly materials: readonly JsonObject[];
  /** `source` points into `images`, `sampler` into `samplers`. */
  readonly textures: readonly JsonObject[];
  readonly samplers: readonly JsonObject[];
  readonly images: readonly GltfImage[];
}

/** An encoded picture; never decoded here. */
export interface GltfImage {
  readonly name: string;
  /** `image/png`, `image/jpeg`, ...; empty where the file does not say. */
  readonly mimeType: string;
  readonly bytes: Uint8Array;
}

/** An extension at the root of the file. In the file its member `bufferViews` lists where `views` are kept. */
export interface GltfExtension {
  readonly name: string;
  /** Everything but `bufferViews`. */
  readonly json: JsonObject;
  readonly views: readonly Uint8Array[];
}

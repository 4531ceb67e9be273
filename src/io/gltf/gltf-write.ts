/**
 * Writes a `GltfModel` as a `.glb`. glTF-Transform lays out the numbers (meshes, skins, clips); what it has no words for
 * is put in afterwards as it was: materials and pictures, matrices of nodes, scenes, and extensions at the root.
 */
import {
  type Accessor,
  Document,
  Format,
  type GLTF,
  Logger,
  type Primitive,
  type TypedArray,
  VertexLayout,
  WebIO,
} from '@gltf-transform/core';
import { isObject } from '../text/safe-json.js';
import type { GltfModel, GltfPrimitive, JsonObject, JsonValue } from './gltf-model.js';
import { packGlb } from './gltf-pack.js';

/** The JSON of a file while it is put together: only what is touched here. */
type OpenJson = { -readonly [K in keyof GLTF.IGLTF]: GLTF.IGLTF[K] } & { extensions?: Record<string, unknown> };

/** Writes a `.glb` that any viewer opens; `readGltf` gives the same model again. Parts without triangles are left out. */
export async function writeGltf(model: GltfModel): Promise<Uint8Array> {
  const io = new WebIO().setLogger(new Logger(Logger.Verbosity.SILENT)).setVertexLayout(VertexLayout.SEPARATE);
  const { json, resources } = await io.writeJSON(buildDocument(model), { format: Format.GLB });
  const pieces = [Object.values(resources)[0] ?? new Uint8Array(0)];
  const open = json as unknown as OpenJson;
  patchStructure(open, model);
  patchLook(open, model, pieces);
  patchExtensions(open, model, pieces);
  return packGlb(open as unknown as JsonObject, pieces);
}

/** Everything that is made of numbers, in the order of the model. */
function buildDocument(model: GltfModel): Document {
  const asset = new Document().setLogger(new Logger(Logger.Verbosity.SILENT));
  const buffer = asset.createBuffer();
  const known = new Map<TypedArray, Accessor>();
  // Arrays that are shared stay shared, as times of channels mostly are.
  const accessor: AccessorOf = (array, type) => {
    const found = known.get(array);
    if (found?.getType() === type) return found;
    const made = asset
      .createAccessor()
      .setBuffer(buffer)
      .setType(type)
      .setArray(array as TypedArray & Float32Array<ArrayBuffer>);
    known.set(array, made);
    return made;
  };
  const meshes = model.meshes.map(({ name, primitives, targetNames, targetWeights }) => {
    const mesh = asset.createMesh(name);
    for (const part of primitives.filter(hasTriangles))
      mesh.addPrimitive(buildPrimitive(asset, part, targetNames ?? [], accessor));
    // some viewers need to be told that no target is on at first
    const targets = primitives[0]?.targets?.length ?? 0;
    if (targets > 0) mesh.setWeights([...(targetWeights ?? new Array<number>(targets).fill(0))]);
    return mesh;
  });
  const nodes = model.nodes.map((from) => {
    const node = asset.createNode(from.name);
    if (from.mesh !== undefined) node.setMesh(meshes[from.mesh]);
    return node;
  });
  for (const { name, joints, inverseBindMatrices, skeleton } of model.skins) {
    const skin = asset.createSkin(name).setInverseBindMatrices(accessor(inverseBindMatrices, 'MAT4'));
    for (const joint of joints) skin.addJoint(nodes[joint]);
    if (skeleton !== undefined) skin.setSkeleton(nodes[skeleton]);
  }
  for (const { name, channels } of model.clips) {
    const animation = asset.createAnimation(name);
    for (const { node, path, interpolation, times, values } of channels) {
      const type = path === 'weights' ? 'SCALAR' : path === 'rotation' ? 'VEC4' : 'VEC3';
      const sampler = asset.createAnimationSampler().setInterpolation(interpolation);
      sampler.setInput(accessor(times, 'SCALAR')).setOutput(accessor(values, type));
      const channel = asset.createAnimationChannel().setTargetNode(nodes[node]).setTargetPath(path);
      animation.addSampler(sampler).addChannel(channel.setSampler(sampler));
    }
  }
  return asset;
}

/** Gives the accessor of an array. */
type AccessorOf = (array: TypedArray, type: 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4' | 'MAT4') => Accessor;

function buildPrimitive(
  asset: Document,
  part: GltfPrimitive,
  targetNames: readonly string[],
  accessor: AccessorOf,
): Primitive {
  const primitive = asset.createPrimitive().setAttribute('POSITION', accessor(part.positions, 'VEC3'));
  primitive.setIndices(accessor(part.indices, 'SCALAR'));
  if (part.normals) primitive.setAttribute('NORMAL', accessor(part.normals, 'VEC3'));
  for (const [i, uvs] of part.uvs.entries()) primitive.setAttribute(`TEXCOORD_${i}`, accessor(uvs, 'VEC2'));
  if (part.colours) primitive.setAttribute('COLOR_0', accessor(part.colours, 'VEC4'));
  for (let set = 0; set < part.influenceCount / 4; set++) {
    primitive.setAttribute(`JOINTS_${set}`, accessor(takeSet(part.joints!, part.influenceCount, set), 'VEC4'));
    primitive.setAttribute(`WEIGHTS_${set}`, accessor(takeSet(part.weights!, part.influenceCount, set), 'VEC4'));
  }
  for (const [i, { positions, normals }] of (part.targets ?? []).entries()) {
    const target = asset
      .createPrimitiveTarget(targetNames[i] ?? '')
      .setAttribute('POSITION', accessor(positions, 'VEC3'));
    if (normals) target.setAttribute('NORMAL', accessor(normals, 'VEC3'));
    primitive.addTarget(target);
  }
  return primitive;
}

/** Transforms to every digit, the tree, scenes and notes. */
function patchStructure(json: OpenJson, model: GltfModel): void {
  json.asset = { ...model.asset, version: '2.0' } as GLTF.IAsset;
  for (const [i, node] of model.nodes.entries()) {
    const to = json.nodes![i] as unknown as Record<string, unknown>;
    for (const key of ['translation', 'rotation', 'scale', 'matrix'] as const) delete to[key];
    if (node.matrix) to.matrix = Array.from(node.matrix);
    else {
      if (node.translation.some((value) => !Object.is(value, 0))) to.translation = Array.from(node.translation);
      if (node.rotation.some((value, k) => !Object.is(value, k === 3 ? 1 : 0))) to.rotation = Array.from(node.rotation);
      if (node.scale.some((value) => value !== 1)) to.scale = Array.from(node.scale);
    }
    if (node.children.length > 0) to.children = Array.from(node.children);
    if (node.skin !== undefined) to.skin = node.skin;
  }
  for (const [i, mesh] of model.meshes.entries()) {
    for (const [k, part] of mesh.primitives.filter(hasTriangles).entries()) {
      if (part.material !== undefined) json.meshes![i].primitives[k].material = part.material;
    }
  }
  if (model.scenes.length > 0) {
    json.scenes = model.scenes.map(({ name, nodes }) => ({
      ...(name !== '' && { name }),
      ...(nodes.length > 0 && { nodes: Array.from(nodes) }),
    })) as GLTF.IScene[];
  }
  if (model.scene !== undefined) json.scene = model.scene;
}

function patchLook(json: OpenJson, { look }: GltfModel, pieces: Uint8Array[]): void {
  const { materials, textures, samplers, images } = look;
  if (materials.length > 0) json.materials = materials as unknown as GLTF.IMaterial[];
  if (textures.length > 0) json.textures = textures as unknown as GLTF.ITexture[];
  if (samplers.length > 0) json.samplers = samplers as unknown as GLTF.ISampler[];
  if (images.length > 0) {
    json.images = images.map(({ name, mimeType, bytes }) => ({
      bufferView: addView(json, pieces, bytes),
      ...(name !== '' && { name }),
      ...(mimeType !== '' && { mimeType }),
    }));
  }
}

function patchExtensions(json: OpenJson, model: GltfModel, pieces: Uint8Array[]): void {
  const used = new Set<string>();
  collectExtensions([...model.look.materials, ...model.look.textures], used);
  for (const { name, json: content, views } of model.extensions) {
    used.add(name);
    json.extensions ??= {};
    const list = views.map((view) => addView(json, pieces, view));
    json.extensions[name] = { ...content, ...(list.length > 0 && { bufferViews: list }) };
  }
  if (used.size > 0) json.extensionsUsed = [...used].sort();
}

/** Adds bytes to the file's one buffer; the number of their view. */
function addView(json: OpenJson, pieces: Uint8Array[], bytes: Uint8Array): number {
  let byteOffset = 0;
  for (const piece of pieces) byteOffset += piece.length + (-piece.length & 3);
  pieces.push(bytes);
  json.bufferViews ??= [];
  json.bufferViews.push({ buffer: 0, byteOffset, byteLength: bytes.length });
  return json.bufferViews.length - 1;
}

/** Names of all extensions used anywhere in a JSON value. */
export function collectExtensions(value: JsonValue, used: Set<string>): void {
  if (Array.isArray(value)) for (const member of value) collectExtensions(member, used);
  else if (isObject(value)) {
    for (const [key, member] of Object.entries(value)) {
      if (key === 'extensions' && isObject(member)) for (const name of Object.keys(member)) used.add(name);
      collectExtensions(member, used);
    }
  }
}

function hasTriangles(part: GltfPrimitive): boolean {
  return part.indices.length > 0;
}

function takeSet<T extends Uint16Array | Float32Array>(values: T, influenceCount: number, set: number): T {
  return values.filter((_, i) => Math.floor((i % influenceCount) / 4) === set) as T;
}

/** Changes to the file of a model that every bake into it makes. */
import type { OpenObject } from '../../io/gltf/gltf-edit.js';
import type { OpenedModel } from './model-motion.js';

/** What animations move has no matrix but its parts. */
export function prepareNode({ edit, model }: OpenedModel, node: number): void {
  const object = edit.list('nodes')[node];
  if (object.matrix === undefined) return;
  delete object.matrix;
  const { translation, rotation, scale } = model.nodes[node];
  Object.assign(object, { translation: [...translation], rotation: [...rotation], scale: [...scale] });
}

/** A mesh that no other node uses: its own, or a copy. */
export function ownMesh({ edit, model }: OpenedModel, node: number, used: Set<number>): OpenObject {
  const index = model.nodes[node].mesh!;
  const meshes = edit.list('meshes');
  if (!used.has(index)) {
    used.add(index);
    return meshes[index];
  }
  edit.list('nodes')[node].mesh = edit.add('meshes', structuredClone(meshes[index]));
  return meshes[meshes.length - 1];
}

/** The primitives of a mesh that have triangles, as the reader counts them. */
export function trianglesOf(mesh: OpenObject): OpenObject[] {
  return (mesh.primitives as OpenObject[]).filter(({ mode, attributes }) => {
    return ((mode as number | undefined) ?? 4) >= 4 && (attributes as OpenObject | undefined)?.POSITION !== undefined;
  });
}

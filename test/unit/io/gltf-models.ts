/** For tests of glTF files: any model, as an arbitrary. */
import fc from 'fast-check';
import type { GltfModel, GltfNode } from '../../../src/io/gltf/gltf.js';
import { name } from './arbitraries.js';

const floats = (length: number) =>
  fc.float32Array({ minLength: length, maxLength: length, noNaN: true, noDefaultInfinity: true });
export const model: fc.Arbitrary<GltfModel> = fc
  .record({ vertexCount: fc.integer({ min: 1, max: 9 }), nodeCount: fc.integer({ min: 1, max: 6 }), sets: fc.nat(2) })
  .chain(({ vertexCount, nodeCount, sets }) =>
    fc
      .record({
        positions: floats(3 * vertexCount),
        normals: fc.option(floats(3 * vertexCount), { nil: undefined }),
        uvs: fc.array(floats(2 * vertexCount), { maxLength: 2 }),
        indices: fc.array(fc.nat(vertexCount - 1), { minLength: 3, maxLength: 30 }),
        weights: fc.array(fc.float({ min: 0, max: 1, noNaN: true }), {
          minLength: 4 * sets * vertexCount,
          maxLength: 4 * sets * vertexCount,
        }),
        parents: fc.array(fc.nat(5), { minLength: nodeCount, maxLength: nodeCount }),
        translations: floats(3 * nodeCount),
        values: floats(6),
        bindMatrices: floats(16 * nodeCount),
        names: fc.array(name, { minLength: 4, maxLength: 4 }),
        image: fc.uint8Array({ maxLength: 9 }),
      })
      .map((r): GltfModel => {
        const parents = r.parents.map((parent, i) => (parent < i ? parent : -1));
        const nodes = parents.map(
          (parent, i): GltfNode => ({
            name: `${r.names[0]} ${i}`,
            parent,
            children: Uint32Array.from(parents.flatMap((other, child) => (other === i ? [child] : []))),
            translation: Float64Array.from(r.translations.subarray(3 * i, 3 * i + 3), (value) => value + 0),
            rotation: Float64Array.of(0, 0.6, 0, 0.8),
            scale: Float64Array.of(1, 1, 2),
            ...(i === 0 && { mesh: 0, ...(sets > 0 && { skin: 0 }) }),
          }),
        );
        const weights = Float32Array.from(r.weights, (weight) => weight + 0);
        const used = sets > 0;
        return {
          meshes: [
            {
              name: r.names[1],
              primitives: [
                {
                  positions: r.positions,
                  indices: Uint32Array.from(r.indices.slice(0, r.indices.length - (r.indices.length % 3))),
                  ...(r.normals ? { normals: r.normals } : { flat: true }),
                  uvs: r.uvs,
                  influenceCount: 4 * sets,
                  ...(used && {
                    joints: Uint16Array.from(weights, (weight, i) => (weight === 0 ? 0 : i % nodeCount)),
                    weights,
                  }),
                  material: 0,
                },
              ],
            },
          ],
          skins: used
            ? [{ name: r.names[2], joints: Uint32Array.from(nodes.keys()), inverseBindMatrices: r.bindMatrices }]
            : [],
          nodes,
          nodeOrder: breadthFirst(parents),
          scenes: [{ name: '', nodes: Uint32Array.of(0) }],
          clips: [
            {
              name: r.names[3],
              channels: [
                {
                  node: 0,
                  path: 'translation',
                  interpolation: 'STEP',
                  times: Float32Array.of(0, 0.5),
                  values: r.values,
                },
              ],
            },
          ],
          look: {
            materials: [{ extensions: { KHR_materials_unlit: {} }, name: r.names[0] }],
            textures: [],
            samplers: [],
            images: [{ name: '', mimeType: 'image/png', bytes: r.image }],
          },
          extensions: [{ name: 'TENDON_x', json: { a: [1, r.names[0]] }, views: [r.image, Uint8Array.of(1)] }],
          asset: { version: '2.0', generator: 'x' },
          warnings: [],
        };
      }),
  );

function breadthFirst(parents: readonly number[]): Uint32Array {
  const order = parents.flatMap((parent, i) => (parent < 0 ? [i] : []));
  for (let i = 0; i < order.length; i++)
    order.push(...parents.flatMap((parent, child) => (parent === order[i] ? [child] : [])));
  return Uint32Array.from(order);
}

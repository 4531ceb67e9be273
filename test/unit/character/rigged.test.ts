import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../src/body/model.js';
import { buildRigged } from '../../../src/character/build/rigged.js';
import type { Character } from '../../../src/character/character.js';
import type { GltfModel, GltfPrimitive } from '../../../src/io/gltf/gltf-model.js';
import { updateEmbedding } from '../../../src/mesh/embedding.js';
import { armModel } from '../../support/models/rigged-model.js';

const VOLUME = 0.12 * 0.12 * 6 * Math.sin(Math.PI / 6); // of a tube with 12 sides

function skinError({ skin, body, embedding }: Character): number {
  const rest = new Float64Array(skin.positions.length);
  updateEmbedding(embedding, body.positions, rest);
  return rest.reduce((worst, x, i) => Math.max(worst, Math.abs(x - skin.positions[i])), 0);
}

function withPrimitive(model: GltfModel, change: (from: GltfPrimitive) => GltfPrimitive): GltfModel {
  return { ...model, meshes: model.meshes.map((mesh) => ({ ...mesh, primitives: mesh.primitives.map(change) })) };
}

describe('buildRigged', () => {
  it('makes two bones and a hinge of an arm, as heavy as water', () => {
    const character = buildRigged(armModel(), { name: 'arm', tets: 1500 });
    const { body, skeleton, report } = character;
    expect(body.tets.length / 4).toBeGreaterThan(1300);
    expect(skeleton.map(({ name, parent }) => [name, parent])).toEqual([
      ['shoulder', -1],
      ['elbow', 0],
    ]);
    expect(skeleton[1].place[0]).toBeCloseTo(0.5, 6);
    expect(body.joints).toMatchObject([{ name: 'elbow', type: 'hinge', bones: ['shoulder', 'elbow'] }]);
    const model = buildModel(body);
    expect(model.totalMass / (1000 * VOLUME)).toBeCloseTo(1, 1);
    expect(model.totalMass).toBeCloseTo(report.mass, 9);
    expect([...model.bones.rank]).toEqual([3, 3]);
    // bones lie in the flesh, on their own side of the joint
    for (let n = 0; n < model.bones.vertices.length; n++) {
      const [x, y, z] = model.positions.subarray(3 * model.bones.vertices[n], 3 * model.bones.vertices[n] + 3);
      expect(Math.hypot(y, z)).toBeLessThan(0.12);
      expect(x < 0.5 ? 0 : 1).toBe(model.bones.ofVertex[model.bones.vertices[n]]);
    }
    expect(skinError(character)).toBeLessThan(1e-12);
    expect(character.skin.normals.some((x) => x !== 0)).toBe(true);
    expect(character.skin.surfaces[0]).toMatchObject({ material: 0, vertexCount: 302 });
  });

  it('merges tips and helpers, and says so', () => {
    const { skeleton, report } = buildRigged(armModel({ names: ['root', 'upper', 'lower', 'lower_end'] }), {
      tets: 1500,
    });
    expect(skeleton.map(({ name }) => name)).toEqual(['root', 'upper', 'lower']);
    expect(report.mergedJoints).toEqual(['lower_end']);
    expect(skeleton[2].sources).toEqual(['lower', 'lower_end']);
  });

  it('chains joints that lie side by side, by their names', () => {
    const names = [
      'wrist',
      'index-finger-phalanx-proximal',
      'index-finger-phalanx-intermediate',
      'index-finger-phalanx-distal',
    ];
    const { skeleton, body, report } = buildRigged(armModel({ names, flat: true }), { tets: 2000 });
    expect(skeleton.map(({ parent }) => parent)).toEqual([-1, 0, 1, 2]);
    expect(body.joints?.map(({ type }) => type)).toEqual(['ball', 'hinge', 'hinge']);
    expect(report.notes.join()).toContain('chained by their names');
  });

  it('takes large models as centimetres or millimetres and leaves odd sizes alone', () => {
    const sizes = [1, 170, 1700, 0.01, 10].map((length) => {
      const { report, body } = buildRigged(armModel({ length, radius: 0.12 * length }), { tets: 400 });
      const xs = body.positions.filter((_, i) => i % 3 === 0);
      return [
        report.unitScale,
        Math.max(...xs) - Math.min(...xs) > 0.9 * length * report.unitScale,
        report.notes.length,
      ];
    });
    expect(sizes).toEqual([
      [1, true, 0],
      [0.01, true, 1],
      [0.001, true, 1],
      // of an odd size, and of a mass that goes with it
      [1, true, 2],
      [1, true, 2],
    ]);
  });

  it('turns a model that stands along z', () => {
    const model = armModel({ names: ['foot', 'spine', 'head'] });
    const turned = {
      ...model,
      nodes: model.nodes.map((node, i) =>
        i === 1 ? { ...node, rotation: Float64Array.of(0, -Math.SQRT1_2, 0, Math.SQRT1_2) } : node,
      ),
    };
    const { skeleton, report } = buildRigged(turned, { tets: 800 });
    expect(report.notes.join()).toContain('z up');
    expect(skeleton[2].place[1] - skeleton[0].place[1]).toBeCloseTo(2 / 3, 6);
  });

  it.each<[string, (model: GltfModel) => GltfModel]>([
    ['no weights', (m) => withPrimitive(m, ({ joints: _j, weights: _w, ...rest }) => ({ ...rest, influenceCount: 0 }))],
    ['weights that add up to 3', (m) => withPrimitive(m, (p) => ({ ...p, weights: p.weights?.map((w) => 3 * w) }))],
    [
      'a mirrored root',
      (m) => ({ ...m, nodes: m.nodes.map((n) => (n.parent < 0 ? { ...n, scale: Float64Array.of(1, 1, -1) } : n)) }),
    ],
    [
      'a scaled root',
      (m) => ({ ...m, nodes: m.nodes.map((n) => (n.parent < 0 ? { ...n, scale: Float64Array.of(2, 1, 1) } : n)) }),
    ],
    ['an inside-out skin', (m) => withPrimitive(m, (p) => ({ ...p, indices: p.indices.slice().reverse() }))],
    [
      'a skin without end caps',
      (m) => withPrimitive(m, (p) => ({ ...p, indices: p.indices.filter((_, i) => i % (6 * 24 + 6) < 6 * 24) })),
    ],
    [
      'the mesh twice',
      (m) => ({
        ...m,
        nodes: [...m.nodes, m.nodes[0]],
        nodeOrder: Uint32Array.of(...m.nodeOrder, m.nodes.length),
        scenes: [],
        scene: undefined,
      }),
    ],
  ])('copes with %s', (_name, change) => {
    const character = buildRigged(change(armModel()), { tets: 1200 });
    expect(character.skeleton.map(({ name }) => name)).toEqual(['shoulder', 'elbow']);
    expect(() => buildModel(character.body)).not.toThrow();
    expect(skinError(character)).toBeLessThan(1e-10);
  });

  it('builds a body without bones where there is no rig', () => {
    const { skins: _s, ...bare } = armModel();
    const model = {
      ...bare,
      skins: [],
      nodes: [{ ...bare.nodes[0], skin: undefined }],
      nodeOrder: Uint32Array.of(0),
      scenes: [],
    };
    const character = buildRigged(model, { tets: 600 });
    expect(character.body.bones).toEqual([]);
    expect(skinError(character)).toBeLessThan(1e-12);
  });

  it('refuses a model without triangles', () => {
    expect(() => buildRigged({ ...armModel(), meshes: [{ name: '', primitives: [] }] })).toThrow(
      expect.objectContaining({ code: 'E_EMPTY' }),
    );
  });

  it('reports its progress to the end', () => {
    const shares: number[] = [];
    buildRigged(armModel(), { tets: 400, progress: (_stage, share) => shares.push(share) });
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
    expect(shares.at(-1)).toBe(1);
  });
});

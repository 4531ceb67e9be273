/** Rigged files with faults as layered characters: a typed error that names the place, or a repair that is noted. */
import { describe, expect, it } from 'vitest';
import type { LayerDef } from '../../../src/body/kinds/layer-def.js';
import { buildLayered } from '../../../src/character/build/kinds/layer-character.js';
import { TendonError } from '../../../src/errors.js';
import type { GltfModel } from '../../../src/io/gltf/gltf-model.js';
import { createWorld } from '../../../src/world/create-world.js';
import { stepWorld } from '../../../src/world/step.js';
import { armModel } from '../../support/models/rigged-model.js';

type Primitive = GltfModel['meshes'][number]['primitives'][number];

/** The arm with its mesh changed. */
function changed(change: (from: Primitive) => Partial<Primitive>, model = armModel()): GltfModel {
  const [from] = model.meshes[0].primitives;
  return { ...model, meshes: [{ name: 'arm', primitives: [{ ...from, ...change(from) }] }] };
}

/** Volume inside a surface that faces outward. */
function enclosed({ positions, triangles }: LayerDef): number {
  let six = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => positions.slice(3 * triangles[t + k], 3 * triangles[t + k] + 3));
    six += a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
  }
  return six / 6;
}

/** Steps the character on a floor; it must come to something. */
async function runs(model: GltfModel): Promise<void> {
  const { body } = buildLayered(model);
  const world = await createWorld({
    name: 'arm',
    description: 'an arm with a fault',
    solver: { kind: 'layered' },
    bodies: [{ body, position: [0, 0.2, 0] }],
    obstacles: [{ name: 'floor', shape: { kind: 'plane' } }],
  });
  for (let i = 0; i < 30; i++) expect(stepWorld(world)).toBe(true);
  expect(world.certificate.contacts).toBeGreaterThan(0);
  expect(world.certificate.dent).toBeGreaterThan(0);
}

describe('a rigged file', () => {
  it('is taken without a word where nothing is wrong', async () => {
    expect(buildLayered(armModel()).notes).toEqual([]);
    await runs(armModel());
  });

  it('without a skin is refused by name', () => {
    const model = armModel();
    const nodes = model.nodes.map(({ skin: _, ...node }) => node);
    const bare = changed(() => ({ joints: undefined, weights: undefined }), { ...model, nodes, skins: [] });
    const fault = (() => {
      try {
        buildLayered(bare);
      } catch (error) {
        return error;
      }
      return undefined;
    })();
    expect(fault).toBeInstanceOf(TendonError);
    expect((fault as TendonError).code).toBe('E_EMPTY');
    expect((fault as TendonError).message).toContain('skins');
  });

  it('whose weights do not add up is scaled, and that is noted', async () => {
    const model = changed(({ weights }) => ({ weights: weights!.map((w) => 0.4 * w) }));
    const { notes, body } = buildLayered(model);
    expect(notes.join()).toContain('did not add up to 1');
    for (let p = 0; p < body.weights.length; p += 4) {
      expect(body.weights[p] + body.weights[p + 1] + body.weights[p + 2] + body.weights[p + 3]).toBeCloseTo(1, 12);
    }
    await runs(model);
  });

  it('with a joint that owns no skin is taken without that joint, and that is noted', async () => {
    const model = changed(
      ({ joints }) => ({ joints: joints!.map((joint) => (joint === 2 ? 1 : joint)) }),
      armModel({ names: ['shoulder', 'elbow', 'wrist'] }),
    );
    const { notes, body } = buildLayered(model);
    expect(body.bones.length).toBe(2);
    expect(notes.join()).toContain('merged');
    await runs(model);
  });

  it('whose surface is inside out is turned, and that is noted', async () => {
    const model = changed(({ indices }) => ({ indices: indices!.slice().reverse() }));
    const { notes, body } = buildLayered(model);
    expect(notes.join()).toContain('faced inward');
    // the divergence theorem: a tube of radius 0.12 and length 1 encloses something less than π r²
    expect(enclosed(body)).toBeGreaterThan(0.9 * Math.PI * 0.12 ** 2);
    expect(enclosed(body)).toBeLessThan(Math.PI * 0.12 ** 2);
    await runs(model);
  });
});

/** What flesh is made of, place by place, and what it weighs. */
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../src/body/model.js';
import { type BuildOptions, buildRigged } from '../../../src/character/build/rigged.js';
import { MATERIALS } from '../../../src/index.js';
import type { GltfModel } from '../../../src/io/gltf/gltf-model.js';
import { armModel } from '../../support/models/rigged-model.js';

/** An arm along x from 0 to 1; the group `wrist` is its last quarter. */
function groupedArm(): GltfModel {
  const arm = armModel();
  const [primitive] = arm.meshes[0].primitives;
  const wrist = Float32Array.from({ length: primitive.positions.length / 3 }, (_, v) =>
    primitive.positions[3 * v] > 0.75 ? 1 : 0,
  );
  return { ...arm, meshes: [{ name: 'arm', primitives: [{ ...primitive, groups: { wrist } }] }] };
}

/** Stiffness of the flesh at places along the arm, below its middle line and at its skin. */
function stiffnessAt(options: BuildOptions) {
  const { body } = buildRigged(groupedArm(), { tets: 2000, ...options });
  const p = body.positions;
  return (x: number, away: number): number => {
    let best = 0;
    let least = Number.POSITIVE_INFINITY;
    for (let t = 0; t < body.tets.length / 4; t++) {
      const middle = [0, 1, 2].map((k) =>
        [0, 1, 2, 3].reduce((sum, c) => sum + p[3 * body.tets[4 * t + c] + k] / 4, 0),
      );
      const far = (middle[0] - x) ** 2 + (middle[1] + away) ** 2 + middle[2] ** 2;
      if (far < least) [least, best] = [far, t];
    }
    return body.materials[body.regions?.[best] ?? 0].youngModulus;
  };
}

describe('regions', () => {
  it('are found by bone, by mesh and by vertex group', () => {
    const byBone = stiffnessAt({ regions: [{ bone: 'elb*', material: 'rubber' }] });
    expect([byBone(0.2, 0.05), byBone(0.8, 0.05)]).toEqual([MATERIALS.muscle.youngModulus, 1e6]);
    const byGroup = stiffnessAt({ material: 'skin', regions: [{ group: 'wrist', material: 'fat' }] });
    expect([byGroup(0.6, 0.05), byGroup(0.9, 0.05)]).toEqual([1e5, 5e3]);
    const byMesh = stiffnessAt({ regions: [{ mesh: 'ARM', material: { ...MATERIALS.fat, youngModulus: 123 } }] });
    expect([byMesh(0.2, 0.05), byMesh(0.9, 0.05)]).toEqual([123, 123]);
  });

  it('can be a layer of fat: soft at the skin, flesh within', () => {
    const fat = stiffnessAt({ fat: 0.04, tets: 6000 });
    expect([fat(0.3, 0.1), fat(0.3, 0)]).toEqual([MATERIALS.fat.youngModulus, MATERIALS.muscle.youngModulus]);
  });

  it('that name nothing are refused, with what there is', () => {
    const wrong = (options: BuildOptions) => () => buildRigged(groupedArm(), { tets: 300, ...options });
    expect(wrong({ regions: [{ bone: 'knee', material: 'fat' }] })).toThrow(/shoulder, elbow/);
    expect(wrong({ regions: [{ group: 'belly', material: 'fat' }] })).toThrow(/wrist/);
    expect(wrong({ regions: [{ material: 'fat' }] })).toThrow(/name a bone/);
    expect(wrong({ material: 'jelly' as 'fat' })).toThrow(/fat, muscle/);
    expect(wrong({ fat: -1 })).toThrow(/positive/);
  });
});

describe('mass', () => {
  it('is what was asked for, whatever the materials, and what is implausible is said', () => {
    const heavy = buildRigged(groupedArm(), { tets: 500, mass: 80, fat: true });
    expect(heavy.report.mass).toBe(80);
    expect(buildModel(heavy.body).totalMass).toBeCloseTo(80, 9);
    expect(buildRigged(groupedArm(), { tets: 500 }).report.notes.join()).not.toMatch(/weighs/);
    const giant = buildRigged(armModel({ length: 15, radius: 2 }), { tets: 500 });
    expect(giant.report.notes.join()).toMatch(/weighs \d+ kg at 15.* m: .*--mass/);
  });
});

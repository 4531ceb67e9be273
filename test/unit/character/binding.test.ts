/** The binding obeys the rig: parts follow the bones their weights name, whatever lies beside them. */
import { describe, expect, it } from 'vitest';
import { buildRigged } from '../../../src/character/build/rigged.js';
import type { Character } from '../../../src/character/character.js';
import type { JsonObject } from '../../../src/io/gltf/gltf-model.js';
import { updateEmbedding } from '../../../src/mesh/embedding.js';
import { machineModel, partModel } from '../../support/models/part-rigs.js';
import { armModel } from '../../support/models/rigged-model.js';

/** Where the skin is after every bone, and the flesh of its vertices with it, was moved its own way up. */
function liftBones({ body, skeleton, skin, embedding }: Character, lift: (bone: string) => number): Float32Array {
  const moved = body.positions.slice();
  skeleton.forEach(({ name }, bone) => {
    for (const v of Array.from(body.bones![bone].vertices)) moved[3 * v + 1] += lift(name);
  });
  const out = new Float32Array(skin.positions.length);
  updateEmbedding(embedding, moved, out);
  return out;
}

describe('a machine of separate parts', () => {
  const machine = buildRigged(machineModel(), { name: 'machine', tets: 3000 });
  const parts = ['body', 'thigh', 'shin', 'foot', 'arm', 'hand'];

  it('has its foot on the shin, not on the controller, and says so', () => {
    const names = machine.skeleton.map(({ name }) => name);
    expect([...names].sort()).toEqual([...parts].sort());
    const parentOf = (name: string) => names[machine.skeleton[names.indexOf(name)].parent];
    expect(parentOf('foot')).toBe('shin');
    expect(parentOf('shin')).toBe('thigh');
    expect(parentOf('hand')).toBe('arm');
    expect(machine.report.notes.join()).toContain('foot hangs on body in the file but touches shin');
    const joint = machine.body.joints!.find(({ name }) => name === 'foot')!;
    expect(joint.bones).toEqual(['shin', 'foot']);
    expect(Array.from(joint.anchor)[1]).toBeCloseTo(0.12, 6);
  });

  it('has every part rigid with the bone its weights name', () => {
    expect(machine.report.notes.join()).toContain('6 piece(s) of the skin follow one bone each');
    const lifts = new Map(parts.map((name, i) => [name, 0.1 * (i + 1)]));
    const moved = liftBones(machine, (name) => lifts.get(name)!);
    parts.forEach((name, part) => {
      for (let v = 8 * part; v < 8 * part + 8; v++) {
        // corners of boxes, eight to a part: moved as far as their own bone, to rounding
        expect(moved[3 * v + 1] - machine.skin.positions[3 * v + 1]).toBeCloseTo(lifts.get(name)!, 5);
        expect(moved[3 * v]).toBeCloseTo(machine.skin.positions[3 * v], 5);
      }
    });
  });

  it('is flesh all over where that is asked for', () => {
    const soft = buildRigged(machineModel(), { name: 'machine', tets: 3000, hardParts: false });
    expect(soft.report.notes.join()).not.toContain('rigid');
  });
});

describe('a rig that says what hangs on what', () => {
  it('is left as it is, also where parts lie beside each other', () => {
    // two arms side by side, hands nearly touching: each hand stays on its own arm
    const model = partModel(
      [
        { name: 'trunk', place: [0, 1, 0] },
        { name: 'left', parent: 'trunk', place: [-0.2, 1, 0] },
        { name: 'leftHand', parent: 'left', place: [-0.2, 0.5, 0] },
        { name: 'right', parent: 'trunk', place: [0.2, 1, 0] },
        { name: 'rightHand', parent: 'right', place: [0.2, 0.5, 0] },
      ],
      [
        { joint: 'trunk', low: [-0.4, 0.9, -0.2], high: [0.4, 1.4, 0.2] },
        { joint: 'left', low: [-0.3, 0.45, -0.1], high: [-0.1, 0.95, 0.1] },
        { joint: 'leftHand', low: [-0.3, 0, -0.1], high: [-0.005, 0.5, 0.1] },
        { joint: 'right', low: [0.1, 0.45, -0.1], high: [0.3, 0.95, 0.1] },
        { joint: 'rightHand', low: [0.005, 0, -0.1], high: [0.3, 0.5, 0.1] },
      ],
    );
    const character = buildRigged(model, { tets: 2500 });
    const names = character.skeleton.map(({ name }) => name);
    const parents = character.skeleton.map(({ parent }) => names[parent]);
    expect(Object.fromEntries(names.map((name, i) => [name, parents[i]]))).toEqual({
      trunk: undefined,
      left: 'trunk',
      right: 'trunk',
      leftHand: 'left',
      rightHand: 'right',
    });
    const moved = liftBones(character, (name) => (name === 'leftHand' ? 0.3 : 0));
    const lifted = [0, 1, 2, 3, 4].map(
      (part) => moved[3 * (8 * part) + 1] - character.skin.positions[3 * (8 * part) + 1],
    );
    expect(lifted.map((y) => Math.round(1000 * y))).toEqual([0, 0, 300, 0, 0]);
  });
});

describe('a VRM figure', () => {
  const arm = armModel({ names: ['J_Bip_L_1', 'J_Bip_L_2'] });
  const asVrm = (name: string, json: object): Character =>
    buildRigged({ ...arm, extensions: [{ name, json: json as JsonObject, views: [] }] }, { tets: 600 });
  const nodes = { leftUpperArm: { node: 1 }, leftLowerArm: { node: 2 } };

  it.each([
    ['VRMC_vrm', { specVersion: '1.0', humanoid: { humanBones: nodes } }],
    [
      'VRM',
      {
        humanoid: { humanBones: Object.entries(nodes).map(([bone, { node }]) => ({ bone, node })) },
        secondaryAnimation: {},
      },
    ],
  ])('%s has the names of a human, and so a hinge at its elbow', (name, json) => {
    const { skeleton, body, report } = asVrm(name, json);
    expect(skeleton.map((bone) => bone.name)).toEqual(['leftUpperArm', 'leftLowerArm']);
    expect(body.joints?.[0].type).toBe('hinge');
    expect(report.notes.join()).toContain('2 joints have their humanoid names');
    expect(report.notes.join().includes('spring bones')).toBe(name === 'VRM');
  });
});

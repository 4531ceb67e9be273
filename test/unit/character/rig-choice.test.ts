/** Which joints become bones, how they hang together, and what joins them. */
import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../../../src/body/body-def.js';
import type { BoneInfo } from '../../../src/character/character.js';
import { guessJoint } from '../../../src/character/rig/joint-guess.js';
import { boneDistances, parentsFirst, planBones } from '../../../src/character/rig/rig-bones.js';
import { findParents } from '../../../src/character/rig/rig-hierarchy.js';

const at = (count: number): Vec3[] => Array.from({ length: count }, (_, i) => [i, 0, 0]);

describe('findParents', () => {
  const joints = (names: string[], parents?: number[]) =>
    names.map((name, i) => ({ name, node: i, parent: parents?.[i] ?? -1 }));

  it('leaves a tree as it is', () => {
    expect(findParents(joints(['a', 'b', 'c'], [-1, 0, 1]), at(3), [])).toEqual([-1, 0, 1]);
  });

  it('chains fingers to the wrist, whatever the order', () => {
    const names = [
      'thumb-tip',
      'thumb-phalanx-distal',
      'thumb-metacarpal',
      'middle-finger-phalanx-proximal',
      'middle-finger-tip',
      'wrist',
    ];
    expect(findParents(joints(names), at(6), [])).toEqual([1, 2, 5, 5, 3, -1]);
  });

  it('goes by nearness where names say nothing', () => {
    const notes: string[] = [];
    const places: Vec3[] = [
      [0, 0, 0],
      [3, 0, 0],
      [1, 0, 0],
      [2, 0, 0],
    ];
    expect(findParents(joints(['root', 'k', 'q', 'z']), places, notes)).toEqual([-1, 3, 0, 2]);
    expect(notes.join()).toContain('nearness');
  });
});

describe('planBones', () => {
  const plan = (names: string[], parents: number[], areas: number[]) =>
    planBones({ names, parents, places: at(names.length), areas }, 1);

  it('merges helpers without skin and tips into the bone above', () => {
    const { bones, boneOfJoint } = plan(
      ['root', 'hip', 'twist', 'leg', 'leg_end'],
      [-1, 0, 1, 2, 3],
      [0, 5, 0.2, 5, 9],
    );
    expect(bones.map(({ name, parent }) => [name, parent])).toEqual([
      ['hip', -1],
      ['leg', 0],
    ]);
    expect([...boneOfJoint]).toEqual([0, 0, 0, 1, 1]);
  });

  it('hangs bones without a common bone on the one with most skin below it', () => {
    const { bones } = plan(['root', 'leftLeg', 'spine', 'head', 'rightLeg'], [-1, 0, 0, 2, 0], [0, 3, 4, 4, 3]);
    expect(bones.map(({ name, parent }) => [name, parent])).toEqual([
      ['spine', -1],
      ['leftLeg', 0],
      ['head', 0],
      ['rightLeg', 0],
    ]);
  });

  it('always keeps one', () => {
    expect(plan(['a_end', 'b'], [-1, 0], [0.1, 0.2]).bones.map(({ name }) => name)).toEqual(['b']);
    expect(() => plan([], [], [])).toThrow(expect.objectContaining({ code: 'E_EMPTY' }));
  });

  it('orders parents first and counts the joints between bones', () => {
    expect(parentsFirst([2, 0, -1])).toEqual([2, 0, 1]);
    const distance = boneDistances([{ parent: -1 }, { parent: 0 }, { parent: 1 }, { parent: 0 }]);
    expect([distance(0, 0), distance(2, 0), distance(2, 3), distance(3, 2)]).toEqual([0, 2, 3, 3]);
  });
});

describe('guessJoint', () => {
  const chain = (...names: string[]): BoneInfo[] =>
    names.map((name, i) => ({
      name,
      parent: i - 1,
      place: [i, 0, 0],
      tip: [i + 1, i === 1 ? 0.4 : 0, 0],
      sources: [name],
    }));
  const typeOf = (...names: string[]) => guessJoint(chain(...names), names.length - 1, [], [0, 0, 1]).joint.type;

  it.each([
    [['Hips', 'LeftUpLeg', 'LeftLeg'], 'hinge'],
    [['Spine', 'LeftArm', 'LeftForeArm'], 'hinge'],
    [['torso', 'leg_joint_R_1', 'leg_joint_R_2'], 'hinge'],
    [['x', 'y', 'knee'], 'hinge'],
    [['hand', 'index-finger-phalanx-proximal', 'index-finger-phalanx-distal'], 'hinge'],
    [['Spine', 'LeftShoulder', 'LeftArm'], 'ball'],
    [['Hips', 'LeftUpLeg'], 'ball'],
    [['tail1', 'tail2'], 'ball'],
  ])('of %j is a %s', (names, type) => {
    expect(typeOf(...(names as string[]))).toBe(type);
  });

  it('bends across the plane of the limb', () => {
    const { joint, limit } = guessJoint(chain('hip', 'thigh', 'shin'), 2, [], [1, 0, 0]);
    expect(Math.abs(joint.axis?.[2] ?? 0)).toBeCloseTo(1, 6);
    expect(limit).toMatchObject({ joint: 'shin', from: 'name' });
  });
});

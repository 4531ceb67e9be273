/**
 * Knees and elbows at a right angle, with no options: what is left of a piece of the limb as long as it is thick, measured on a finely cut skin. Flesh keeps its
 * volume: 95 % is asked for, and more than linear blending leaves. RobotExpressive has no flesh at its joints.
 */
import { describe, expect, it } from 'vitest';
import { bendJoint } from '../../../bench/skeleton/bent-joint.js';
import type { Character } from '../../../src/character/character.js';
import { loadCharacter } from '../../../src/character/load-character.js';
import { writeGltf } from '../../../src/io/gltf/gltf-write.js';
import { hasAssets, readAsset } from '../../support/assets.js';
import { armModel } from '../../support/models/rigged-model.js';

const MODELS: readonly (readonly [string, readonly string[]])[] = [
  ['CesiumMan.glb', ['leg_joint_L_2', 'leg_joint_R_2', 'Skeleton_arm_joint_L__3_', 'Skeleton_arm_joint_R__2_']],
  ['RiggedFigure.glb', ['leg_joint_L_2', 'leg_joint_R_2', 'arm_joint_L_2', 'arm_joint_R_2']],
  ['Fox.glb', ['b_LeftLeg02_016', 'b_RightLeg02_020', 'b_LeftForeArm_010', 'b_RightForeArm_07']],
  ['RiggedSimple.glb', ['Bone.001']],
];

describe.each(MODELS)('%s at a right angle', (file, joints) => {
  // loaded once
  let model: Promise<Character> | undefined;

  it.runIf(hasAssets(file)).each(joints)('%s keeps its volume', async (joint) => {
    model ??= loadCharacter(readAsset(file));
    const character = await model;
    const { kept, linearKept, inverted, turn } = await bendJoint(character, joint, {});
    expect(turn).toBeGreaterThan(0.7);
    expect(inverted).toBe(0);
    expect(kept).toBeGreaterThan(0.95);
    // flesh that is pushed aside may bulge, but nothing is made
    expect(kept).toBeLessThan(1.02);
    expect(linearKept).toBeLessThan(kept - 0.1);
  });
});

describe('a bone that is not there', () => {
  it('is told with those that are', async () => {
    const character = await loadCharacter(await writeGltf(armModel({})));
    const { name } = character.skeleton[1];
    const wrong = bendJoint(character, 'knee', { cells: 500 });
    await expect(wrong).rejects.toMatchObject({
      code: 'E_UNKNOWN',
      place: 'joint',
      message: expect.stringContaining(name),
    });
    // the root hangs on nothing
    await expect(bendJoint(character, character.skeleton[0].name, {})).rejects.toMatchObject({ code: 'E_UNKNOWN' });
  });
});

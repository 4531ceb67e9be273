import { describe, expect, it } from 'vitest';
import { buildModel } from '../../../src/body/model.js';
import { buildRigged } from '../../../src/character/build/rigged.js';
import { bonesToDrive, ClipPlayer, POSE_STRIDE } from '../../../src/character/clips/clip-player.js';
import { sampleChannel } from '../../../src/character/rig/rig-channels.js';
import { rotateVec3 } from '../../../src/math/quat.js';
import { armModel } from '../../support/models/rigged-model.js';

const character = buildRigged(armModel({ names: ['base', 'shoulder', 'elbow'], swing: 1 }), { tets: 1500 });
const model = buildModel(character.body);
const player = new ClipPlayer(character, model);

/** Where a pose carries a rest point of a bone. */
function carry(pose: Float64Array, bone: number, point: readonly number[]): number[] {
  const arm = Float64Array.from(point, (x, k) => x - model.bones.centre[3 * bone + k]);
  rotateVec3(arm, 0, pose, POSE_STRIDE * bone, arm, 0);
  return [0, 1, 2].map((k) => arm[k] + pose[POSE_STRIDE * bone + 4 + k]);
}

describe('clips', () => {
  it('are kept under their names, and their range becomes a limit', () => {
    expect(character.clips.map(({ name, duration }) => [name, duration])).toEqual([['swing', 1]]);
    const limit = character.limits.find(({ joint }) => joint === 'elbow');
    expect(limit).toMatchObject({ from: 'clip' });
    expect(limit?.max).toBeCloseTo(1 + (25 * Math.PI) / 180, 2);
    expect(() => player.clip('dance')).toThrow(/swing/);
  });

  it('turn the bone by the angle of the clip', () => {
    const pose = new Float64Array(3 * POSE_STRIDE);
    player.pose(player.clip('swing'), 0.25, pose, 0);
    expect(2 * Math.atan2(pose[2 * POSE_STRIDE + 2], pose[2 * POSE_STRIDE + 3])).toBeCloseTo(1, 2);
    player.pose(player.clip('swing'), 7.25, pose);
    expect(2 * Math.atan2(pose[2 * POSE_STRIDE + 2], pose[2 * POSE_STRIDE + 3])).toBeCloseTo(1, 2);
  });

  it('hold every joint and start from the rest shape', () => {
    const pose = new Float64Array(3 * POSE_STRIDE);
    for (const time of [0, 0.1, 0.3, 0.8, 1.4]) {
      player.pose(player.clip('swing'), time, pose);
      for (const { bones, anchor } of character.body.joints ?? []) {
        const [a, b] = bones.map((name) =>
          carry(
            pose,
            character.skeleton.findIndex((bone) => bone.name === name),
            anchor,
          ),
        );
        for (let k = 0; k < 3; k++) expect(a[k]).toBeCloseTo(b[k], 12);
      }
      if (time === 0) {
        for (let bone = 0; bone < 3; bone++) {
          for (let k = 0; k < 3; k++)
            expect(pose[POSE_STRIDE * bone + 4 + k]).toBeCloseTo(model.bones.centre[3 * bone + k], 6);
        }
      }
    }
  });

  it('are refused for the model of another character', () => {
    const other = buildModel(buildRigged(armModel(), { tets: 400 }).body);
    expect(() => new ClipPlayer(character, other)).toThrow(expect.objectContaining({ code: 'E_RANGE' }));
  });
});

describe('bonesToDrive', () => {
  // 0 - 1 - 2 - 3, and 4 and 5 on 1
  const skeleton = [-1, 0, 1, 2, 1, 4].map((parent, i) => ({ ...character.skeleton[0], name: `${i}`, parent }));
  it.each([
    [[], []],
    [[3], [3]],
    [
      [0, 3],
      [0, 1, 2, 3],
    ],
    [
      [3, 5],
      [1, 2, 3, 4, 5],
    ],
    [
      [0, 1],
      [0, 1],
    ],
  ])('for %j are %j', (chosen, driven) => {
    const found = bonesToDrive(skeleton, (bone) => chosen.includes(bone));
    expect(skeleton.map((_, bone) => bone).filter((bone) => found[bone] === 1)).toEqual(driven);
  });
});

describe('a clip that is faded in', () => {
  it('starts from the rest shape even where no time is given for it', () => {
    const pose = new Float64Array(3 * POSE_STRIDE);
    player.pose(player.clip('swing'), 1 / 60, pose, 0);
    expect(Math.abs(pose[2 * POSE_STRIDE + 2])).toBeLessThan(0.01);
  });
});

describe('sampleChannel', () => {
  const base = { node: 0, path: 'translation' as const, times: Float32Array.of(1, 3) };
  const at = (interpolation: 'LINEAR' | 'STEP' | 'CUBICSPLINE', values: number[], time: number): number[] => {
    const out = new Float64Array(3);
    sampleChannel({ ...base, interpolation, values: Float32Array.from(values) }, time, out);
    return [...out];
  };

  it('holds the ends and interpolates in between', () => {
    const values = [0, 0, 0, 4, 8, 0];
    expect(at('LINEAR', values, 0)).toEqual([0, 0, 0]);
    expect(at('LINEAR', values, 2)).toEqual([2, 4, 0]);
    expect(at('LINEAR', values, 9)).toEqual([4, 8, 0]);
    expect(at('STEP', values, 2.9)).toEqual([0, 0, 0]);
  });

  it('follows cubic splines: values at the keys, slope in between', () => {
    // in-tangent, value, out-tangent of each key; a straight line of slope 2
    const line = [0, 0, 0, 1, 0, 0, 2, 0, 0, 2, 0, 0, 5, 0, 0, 0, 0, 0];
    expect(at('CUBICSPLINE', line, 1)[0]).toBeCloseTo(1, 6);
    expect(at('CUBICSPLINE', line, 1.5)[0]).toBeCloseTo(2, 6);
    expect(at('CUBICSPLINE', line, 3)[0]).toBeCloseTo(5, 6);
  });

  it('turns quaternions the short way at even speed', () => {
    const half = Math.PI / 4;
    const values = Float32Array.of(0, 0, 0, 1, 0, 0, -Math.sin(half), -Math.cos(half));
    const out = new Float64Array(4);
    sampleChannel(
      { node: 0, path: 'rotation', interpolation: 'LINEAR', times: Float32Array.of(0, 1), values },
      0.25,
      out,
    );
    expect(2 * Math.atan2(out[2], out[3])).toBeCloseTo(Math.PI / 8, 6);
  });
});

/** V14: rows of the joints and blocks of the bone problem against direct evaluation and finite differences. */
import { describe, expect, it } from 'vitest';
import type { JointType } from '../../../src/body/body-def.js';
import { BonePoses } from '../../../src/body/bone-poses.js';
import { BONE_BLOCK_LENGTH, fillBoneBlock, pullOnBone } from '../../../src/body/joints/bone-metric.js';
import { fillJointRows, ROW_STRIDE } from '../../../src/body/joints/joint-rows.js';
import { JOINT_TYPES, rowCount } from '../../../src/body/joints/joint-table.js';
import { buildModel } from '../../../src/body/model.js';
import { eigenSymmetricMat3 } from '../../../src/math/eigen3.js';
import { createRandom, type Random } from '../../../src/math/random.js';
import { BoneCurvature } from '../../../src/solvers/projective/bones/bone-curvature.js';
import { applyMat3, applyToVec3 } from '../../support/checks/spin.js';
import { buildBoxes } from '../../support/models/bodies.js';

const SCALE = 0.7;

function twoBones(type: JointType, random: Random) {
  const point = () => [random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)] as const;
  const axis = point();
  return buildModel(
    buildBoxes(
      [
        { name: 'a', centre: point(), sides: [0.3, 0.2, 0.1] },
        { name: 'b', centre: point(), sides: [0.2, 0.3, 0.4] },
      ],
      [{ name: 'j', type, bones: ['a', 'b'], anchor: point(), axis }],
    ),
  );
}

function randomPoses(count: number, random: Random): BonePoses {
  const poses = new BonePoses(count);
  for (let bone = 0; bone < count; bone++) {
    random.unitQuaternion(poses.quats, bone * 4);
    for (let k = 0; k < 3; k++) poses.translations[bone * 3 + k] = random.range(-1, 1);
    poses.updateRotation(bone);
  }
  return poses;
}

/** The matrix w* with w* v = w × v. */
function crossMatrix(w: ArrayLike<number>): number[] {
  return [0, -w[2], w[1], w[2], 0, -w[0], -w[1], w[0], 0];
}

/** R (1 + ω*) and t + R l: the substitution of [Li2019 eq. 14], exact and not rigid. */
function moveLinearly(poses: BonePoses, bone: number, s: ArrayLike<number>): { r: Float64Array; t: number[] } {
  const rotation = poses.rotations.slice(bone * 9, bone * 9 + 9);
  const turn = applyMat3(rotation, crossMatrix([s[0], s[1], s[2]]));
  const shift = applyToVec3(rotation, [s[3], s[4], s[5]]);
  return {
    r: rotation.map((value, i) => value + turn[i]),
    t: [0, 1, 2].map((k) => poses.translations[bone * 3 + k] + shift[k]),
  };
}

describe('V14 rows of the joints', () => {
  const types = JOINT_TYPES;

  it.each(types)('%s: the point rows are exact for any ω and l, Eq. 16 against direct evaluation', (type) => {
    const random = createRandom(14);
    for (let trial = 0; trial < 50; trial++) {
      const { joints } = twoBones(type, random);
      const poses = randomPoses(3, random);
      const jacobian = new Float64Array(rowCount(type) * ROW_STRIDE);
      const gaps = new Float64Array(rowCount(type));
      fillJointRows(joints, poses.rotations, poses.translations, SCALE, jacobian, gaps);
      const s = Array.from({ length: 12 }, () => random.range(-1, 1));
      const a = moveLinearly(poses, 0, s.slice(0, 6));
      const b = moveLinearly(poses, 1, s.slice(6));
      const atA = applyToVec3(a.r, joints.anchorA);
      const atB = applyToVec3(b.r, joints.anchorB);
      for (let i = 0; i < 3; i++) {
        let predicted = gaps[i];
        for (let k = 0; k < 12; k++) predicted += jacobian[i * ROW_STRIDE + k] * s[k];
        const direct = atA[i] + a.t[i] - atB[i] - b.t[i];
        expect(Math.abs(predicted - direct)).toBeLessThan(1e-13 * 10);
      }
    }
  });

  it.each(types)('%s: all rows against central differences of the rigid motion', (type) => {
    const random = createRandom(15);
    const rows = rowCount(type);
    for (let trial = 0; trial < 20; trial++) {
      const { joints } = twoBones(type, random);
      const poses = randomPoses(3, random);
      const jacobian = new Float64Array(rows * ROW_STRIDE);
      const spare = new Float64Array(rows * ROW_STRIDE);
      const gaps = new Float64Array(rows);
      fillJointRows(joints, poses.rotations, poses.translations, SCALE, jacobian, gaps);
      const step = 1e-5;
      for (let k = 0; k < 12; k++) {
        const sides = [step, -step].map((delta) => {
          const moved = new BonePoses(3);
          moved.copy(poses);
          const s = new Float64Array(6);
          s[k % 6] = delta;
          moved.move(k < 6 ? 0 : 1, s, 0);
          const g = new Float64Array(rows);
          fillJointRows(joints, moved.rotations, moved.translations, SCALE, spare, g);
          return g;
        });
        for (let row = 0; row < rows; row++) {
          const slope = (sides[0][row] - sides[1][row]) / (2 * step);
          expect(Math.abs(slope - jacobian[row * ROW_STRIDE + k])).toBeLessThan(1e-8);
        }
      }
    }
  });

  it('at rest every gap is zero; a turn the joint allows opens none, one it forbids does', () => {
    const random = createRandom(16);
    // free turns about the joint's own axes at the anchor: directions 0, 1, 2 of the frame
    const allowed = { ball: [0, 1, 2], universal: [0, 1], hinge: [0], fixed: [] } as const;
    for (const type of types) {
      const { joints, bones } = twoBones(type, random);
      const poses = new BonePoses(3);
      for (let bone = 0; bone < 3; bone++) {
        poses.quats[bone * 4 + 3] = 1;
        for (let k = 0; bone < 2 && k < 3; k++) poses.translations[bone * 3 + k] = bones.centre[bone * 3 + k];
        poses.updateRotation(bone);
      }
      const jacobian = new Float64Array(rowCount(type) * ROW_STRIDE);
      const gaps = new Float64Array(rowCount(type));
      expect(fillJointRows(joints, poses.rotations, poses.translations, SCALE, jacobian, gaps)).toBeLessThan(1e-15);
      for (let direction = 0; direction < 3; direction++) {
        const axis = joints.frame.subarray(direction * 3, direction * 3 + 3);
        const q = joints.anchorB;
        const s = new Float64Array(12);
        // bone b turns about the anchor: ω = axis, l = q × ω keeps q in place
        for (let k = 0; k < 3; k++) s[6 + k] = axis[k];
        const c = [q[1] * axis[2] - q[2] * axis[1], q[2] * axis[0] - q[0] * axis[2], q[0] * axis[1] - q[1] * axis[0]];
        for (let k = 0; k < 3; k++) s[9 + k] = c[k];
        let opened = 0;
        for (let row = 0; row < rowCount(type); row++) {
          let rate = 0;
          for (let k = 0; k < 12; k++) rate += jacobian[row * ROW_STRIDE + k] * s[k];
          opened = Math.max(opened, Math.abs(rate));
        }
        if ((allowed[type] as readonly number[]).includes(direction)) expect(opened).toBeLessThan(1e-13);
        else expect(opened).toBeGreaterThan(0.5 * SCALE);
      }
    }
  });
});

describe('V14 metric of the bone problem', () => {
  /** d vec(T) / ds: rows of T are the columns of R, then t; three numbers each. */
  function tangent(poses: BonePoses, bone: number, s: ArrayLike<number>): number[] {
    const { r, t } = moveLinearly(poses, bone, s);
    const out: number[] = [];
    for (let p = 0; p < 3; p++)
      for (let i = 0; i < 3; i++) out.push(r[i * 3 + p] - poses.rotations[bone * 9 + i * 3 + p]);
    for (let i = 0; i < 3; i++) out.push(t[i] - poses.translations[bone * 3 + i]);
    return out;
  }
  const unit = (k: number) => Array.from({ length: 6 }, (_, i) => (i === k ? 1 : 0));

  it('fillBoneBlock is Jᵀ (S ⊗ 1) J, and pullOnBone is Jᵀ g, within 1e-13', () => {
    const random = createRandom(17);
    const bones = 3;
    const rows = bones * 4;
    for (let trial = 0; trial < 20; trial++) {
      const poses = randomPoses(bones, random);
      const metric = new Float64Array(rows * rows);
      for (let i = 0; i < rows; i++) {
        for (let j = 0; j <= i; j++) metric[i * rows + j] = metric[j * rows + i] = random.range(-1, 1);
      }
      const g = Float64Array.from({ length: bones * 12 }, () => random.range(-1, 1));
      const block = new Float64Array(BONE_BLOCK_LENGTH);
      const pull = new Float64Array(6);
      for (let j = 0; j < bones; j++) {
        pullOnBone(pull, 0, g, j * 12, poses.rotations, j);
        for (let a = 0; a < 6; a++) {
          const left = tangent(poses, j, unit(a));
          const direct = left.reduce((sum, value, i) => sum + value * g[j * 12 + i], 0);
          expect(Math.abs(pull[a] - direct)).toBeLessThan(1e-13);
        }
        for (let k = 0; k < bones; k++) {
          fillBoneBlock(block, metric, rows, poses.rotations, j, k);
          for (let a = 0; a < 6; a++) {
            const left = tangent(poses, j, unit(a));
            for (let b = 0; b < 6; b++) {
              const right = tangent(poses, k, unit(b));
              let direct = 0;
              for (let p = 0; p < 4; p++) {
                for (let q = 0; q < 4; q++) {
                  for (let i = 0; i < 3; i++) {
                    direct += left[p * 3 + i] * metric[(j * 4 + p) * rows + k * 4 + q] * right[q * 3 + i];
                  }
                }
              }
              expect(Math.abs(block[a * 6 + b] - direct)).toBeLessThan(1e-13);
            }
          }
        }
      }
    }
  });
});

describe('curvature of the forces on a bone', () => {
  const types = JOINT_TYPES;

  it.each(types)('%s: the positive part of the second differences of λ·gap − pull·R', (type) => {
    const random = createRandom(18);
    const rows = rowCount(type);
    const jacobian = new Float64Array(rows * ROW_STRIDE);
    const gaps = new Float64Array(rows);
    for (let trial = 0; trial < 20; trial++) {
      const { joints } = twoBones(type, random);
      const poses = randomPoses(3, random);
      const multipliers = Float64Array.from({ length: rows }, () => random.range(-1, 1));
      const pull = Float64Array.from({ length: 24 }, () => random.range(-1, 1));
      const curvature = new BoneCurvature(2, joints, SCALE);
      curvature.fill(poses.rotations, multipliers, pull);
      for (let bone = 0; bone < 2; bone++) {
        /** What the forces have done after the bone has turned by ω. */
        const work = (omega: readonly number[]) => {
          const moved = new BonePoses(3);
          moved.copy(poses);
          moved.move(bone, Float64Array.of(...omega, 0, 0, 0), 0);
          fillJointRows(joints, moved.rotations, moved.translations, SCALE, jacobian, gaps);
          const affine = new Float64Array(12);
          moved.writeAffine(bone, affine, 0);
          let sum = gaps.reduce((total, gap, i) => total + gap * multipliers[i], 0);
          for (let i = 0; i < 9; i++) sum -= affine[i] * pull[bone * 12 + i];
          return sum;
        };
        const d = 1e-4;
        const hessian = new Float64Array(9);
        for (let i = 0; i < 3; i++) {
          for (let j = 0; j < 3; j++) {
            const at = (a: number, b: number) => work([0, 1, 2].map((k) => (k === i ? a : 0) + (k === j ? b : 0)));
            hessian[i * 3 + j] = (at(d, d) - at(d, -d) - at(-d, d) + at(-d, -d)) / (4 * d * d);
          }
        }
        const values = new Float64Array(3);
        const vectors = new Float64Array(9);
        eigenSymmetricMat3(values, 0, vectors, 0, hessian, 0);
        for (let i = 0; i < 3; i++) {
          for (let j = 0; j < 3; j++) {
            let expected = 0;
            for (let e = 0; e < 3; e++) expected += Math.max(values[e], 0) * vectors[i * 3 + e] * vectors[j * 3 + e];
            expect(Math.abs(curvature.values[bone * 9 + i * 3 + j] - expected)).toBeLessThan(1e-6);
          }
        }
      }
    }
  });
});

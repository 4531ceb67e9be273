/** Far bones that hardly feel each other are left out of the bones' matrix: the end of the bone problem is that of the whole matrix, an independent solution. */
import { describe, expect, it } from 'vitest';
import type { JointDef } from '../../../src/body/body-def.js';
import { BonePoses } from '../../../src/body/bone-poses.js';
import { buildModel } from '../../../src/body/model.js';
import { createRandom } from '../../../src/math/random.js';
import { COUPLED_BONES, DENSE_BONES, orderBones } from '../../../src/solvers/projective/bones/bone-order.js';
import { BoneStep } from '../../../src/solvers/projective/bones/bone-step.js';
import { boneMass } from '../../../src/solvers/projective/system.js';
import { type BoxDef, buildBoxes } from '../../support/models/bodies.js';

const LIMBS = 4;
const LENGTH = 4;
/** How strongly bones that are joined, and all others, are drawn along with each other, relative to their masses. */
const NEAR = 0.5;
const FAR = 1e-4;

/** A trunk with four limbs of four boxes each, that hang on each other by ball joints. */
function star() {
  const boxes: BoxDef[] = [{ name: 'trunk', centre: [0, 0, 0], sides: [0.2, 0.2, 0.2] }];
  const joints: JointDef[] = [];
  for (let limb = 0; limb < LIMBS; limb++) {
    const x = limb < 2 ? 1 - 2 * limb : 0;
    const z = limb < 2 ? 0 : 5 - 2 * limb;
    for (let n = 0; n < LENGTH; n++) {
      const at = (far: number) => [far * x, 0, far * z] as const;
      boxes.push({ name: `${limb}-${n}`, centre: at(0.2 + 0.2 * n), sides: [0.15, 0.1, 0.12] });
      const bones = [n === 0 ? 'trunk' : `${limb}-${n - 1}`, `${limb}-${n}`] as const;
      joints.push({ name: `joint-${limb}-${n}`, type: 'ball' as const, bones, anchor: at(0.1 + 0.2 * n) });
    }
  }
  return buildModel(buildBoxes(boxes, joints));
}
type Star = ReturnType<typeof star>;

/** Masses, and springs between all bones: positive definite, with something between any two. */
function metricOf(model: Star): Float64Array {
  const { bones, joints } = model;
  const m = bones.count;
  const rows = m * 4;
  const metric = new Float64Array(rows * rows);
  const near = new Set<number>();
  for (let pair = 0; pair < joints.count; pair++) near.add(joints.boneA[pair] * m + joints.boneB[pair]);
  const mass = (i: number, j: number) => boneMass(model, i >> 2, i & 3, j & 3);
  for (let i = 0; i < rows; i++) for (let j = i & ~3; j < (i & ~3) + 4; j++) metric[i * rows + j] = mass(i, j);
  const own = Float64Array.from({ length: rows }, (_, i) => metric[i * rows + i]);
  for (let j = 0; j < m; j++) {
    for (let k = 0; k < j; k++) {
      const share = near.has(j * m + k) || near.has(k * m + j) ? NEAR : FAR;
      for (let r = 0; r < 4; r++) {
        const [a, b] = [j * 4 + r, k * 4 + r];
        const spring = share * Math.min(own[a], own[b]);
        metric[a * rows + a] += spring;
        metric[b * rows + b] += spring;
        metric[a * rows + b] -= spring;
        metric[b * rows + a] -= spring;
      }
    }
  }
  return metric;
}

function restPoses({ bones }: Star): BonePoses {
  const poses = new BonePoses(bones.count + 1);
  for (let bone = 0; bone <= bones.count; bone++) {
    poses.quats[bone * 4 + 3] = 1;
    for (let k = 0; k < 3 && bone < bones.count; k++) poses.translations[bone * 3 + k] = bones.centre[bone * 3 + k];
    poses.updateRotation(bone);
  }
  return poses;
}

describe('bones that hardly feel each other', () => {
  const model = star();
  const metric = metricOf(model);
  const { count } = model.bones;

  it('are not coupled, limbs are narrow, and joint rows come after both of their bones', () => {
    const whole = orderBones(count, model.joints, metric, DENSE_BONES);
    const sparse = orderBones(count, model.joints, metric, COUPLED_BONES);
    expect(whole.coupled.length).toBe((count * (count + 1)) / 2);
    expect(sparse.coupled.length).toBe(count + model.joints.count);
    const width = (first: Int32Array) => first.reduce((sum, column, row) => sum + row - column, 0);
    expect(width(sparse.first)).toBeLessThan(0.4 * width(whole.first));
    for (let pair = 0; pair < model.joints.count; pair++) {
      const { boneA, boneB } = model.joints;
      const later = Math.max(sparse.start[boneA[pair]], sparse.start[boneB[pair]]);
      expect(sparse.start[count + pair]).toBeGreaterThan(later);
    }
    expect(new Set(sparse.start).size).toBe(count + model.joints.count);
  });

  it('end where the whole matrix ends, within 1e-9', () => {
    const random = createRandom(5);
    const pull = Float64Array.from(
      { length: count * 12 },
      (_, i) => (i % 12 < 9 ? 0.01 : 1) * random.range(-1, 1) * 0.2,
    );
    const ends = [DENSE_BONES, COUPLED_BONES].map((dense) => {
      const poses = restPoses(model);
      const step = new BoneStep(count, model.joints, metric, new Uint8Array(count), model.size, undefined, dense);
      step.restart(poses, undefined, 1 / 60);
      step.begin(poses);
      for (let n = 0; n < 40; n++) step.stepOnce(poses, pull);
      const gap = step.measureGap(poses);
      return { poses, gap };
    });
    const [whole, sparse] = ends;
    expect(sparse.gap).toBeLessThan(1e-10 * model.size);
    const moved = whole.poses.translations.map((x, i) => Math.abs(x - (i < count * 3 ? model.bones.centre[i] : 0)));
    expect(Math.max(...moved)).toBeGreaterThan(1e-3);
    const apart = whole.poses.translations.map((x, i) => Math.abs(x - sparse.poses.translations[i]));
    const turned = whole.poses.rotations.map((x, i) => Math.abs(x - sparse.poses.rotations[i]));
    expect(Math.max(...apart, ...turned)).toBeLessThan(1e-9);
  });
});

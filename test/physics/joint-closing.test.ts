/** The bone problem by itself, in the metric of the bones' mass: how fast joints close (V11), from any start (V12). */
import { describe, expect, it } from 'vitest';
import { BonePoses } from '../../src/body/bone-poses.js';
import { buildModel } from '../../src/body/model.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { axisAngleQuat } from '../../src/math/rotation.js';
import { BoneStep } from '../../src/solvers/projective/bone-step.js';
import { boneMass } from '../../src/solvers/projective/system.js';
import { buildChain } from '../support/bodies.js';
import { measured } from '../support/measure.js';

function chainModel(bones: number) {
  return buildModel(buildChain(bones));
}
type ChainModel = ReturnType<typeof chainModel>;

function massMetric(model: ChainModel): Float64Array {
  const rows = model.bones.count * 4;
  const metric = new Float64Array(rows * rows);
  for (let i = 0; i < rows; i++) {
    for (let j = i & ~3; j < (i & ~3) + 4; j++) metric[i * rows + j] = boneMass(model, i >> 2, i & 3, j & 3);
  }
  return metric;
}

/** Rest poses, each bone turned about its own centre by up to `angle` and shifted by up to `shift`. */
function perturbed(model: ChainModel, random: Random, angle: number, shift: number): BonePoses {
  const m = model.bones.count;
  const poses = new BonePoses(m + 1);
  const axis = new Float64Array(3);
  for (let bone = 0; bone <= m; bone++) {
    poses.quats[bone * 4 + 3] = 1;
    if (bone < m) {
      random.unitVector(axis, 0);
      axisAngleQuat(poses.quats, bone * 4, axis, 0, angle);
      random.unitVector(axis, 0);
      for (let k = 0; k < 3; k++) poses.translations[bone * 3 + k] = model.bones.centre[bone * 3 + k] + shift * axis[k];
    }
    poses.updateRotation(bone);
  }
  return poses;
}

function squareGap(step: BoneStep, poses: BonePoses): number {
  step.measureGap(poses);
  return step.gaps.reduce((sum, gap) => sum + gap * gap, 0);
}

/** Counts the solves of `stepUntilClosed`: it measures once at first and twice per solve. */
class CountedBoneStep extends BoneStep {
  measurements = 0;
  override measureGap(poses: BonePoses): number {
    this.measurements++;
    return super.measureGap(poses);
  }
}

function newStep(model: ChainModel): CountedBoneStep {
  const fixed = new Uint8Array(model.bones.count);
  // size 1 m: a box of the chain; the tolerance is then 1e-10 m
  return new CountedBoneStep(model.bones.count, model.joints, massMetric(model), fixed, 1);
}

describe('V11 joints close in a few Gauss-Newton steps [Li2019 Fig. 8]', () => {
  // Limits: the most steps an independent program needed over 40 starts.
  it.each([
    [2, 2, 4],
    [9, 2, 6],
    [30, 3, 13],
  ])('%i bones: Σ gap² < 1e-8 in %i steps, < 1e-20 in %i', (bones, first, second) => {
    const model = chainModel(bones);
    const random = createRandom(11);
    const step = newStep(model);
    const pull = new Float64Array(bones * 12);
    let most = [0, 0];
    for (let sample = 0; sample < 40; sample++) {
      const poses = perturbed(model, random, 0.1, 0.02);
      step.begin(poses);
      const needed = [99, 99];
      for (let n = 1; n <= 20; n++) {
        step.stepOnce(poses, pull);
        const gap = squareGap(step, poses);
        if (gap < 1e-8) needed[0] = Math.min(needed[0], n);
        if (gap < 1e-20) needed[1] = Math.min(needed[1], n);
      }
      most = most.map((worst, i) => Math.max(worst, needed[i]));
    }
    measured(`V11 ${bones} bones`, most);
    expect(most[0]).toBeLessThanOrEqual(first);
    expect(most[1]).toBeLessThanOrEqual(second);
  });
});

describe('V12 joints close from hard starts', () => {
  it.each([
    [9, 1, 0.2, 1000],
    [30, 1, 0, 1000],
  ])('%i bones turned by %f rad and shifted by %f m: all of %i seeds, gap² < 1e-16 in 20 steps', (bones, angle, shift, seeds) => {
    const model = chainModel(bones);
    const step = newStep(model);
    const pull = new Float64Array(bones * 12);
    const histogram: number[] = [];
    let open = 0;
    for (let seed = 0; seed < seeds; seed++) {
      const poses = perturbed(model, createRandom(seed), angle, shift);
      step.begin(poses);
      step.measurements = 0;
      step.stepUntilClosed(poses, pull, 0);
      const steps = (step.measurements - 1) / 2;
      histogram[steps] = (histogram[steps] ?? 0) + 1;
      if (!(squareGap(step, poses) < 1e-16)) open++;
    }
    measured(`V12 ${bones} bones: steps`, histogram);
    expect(open).toBe(0);
    expect(histogram.length - 1).toBeLessThanOrEqual(20);
  });
});

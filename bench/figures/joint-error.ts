/** Figure 8 of [Li2019]: how fast the joints close, by themselves, in the metric of the bones' mass. */
import { BonePoses } from '../../src/body/bone-poses.js';
import { buildModel, type Model } from '../../src/body/model.js';
import { createRandom, type Random } from '../../src/math/random.js';
import { axisAngleQuat } from '../../src/math/rotation.js';
import { BoneStep } from '../../src/solvers/projective/bones/bone-step.js';
import { boneMass } from '../../src/solvers/projective/system.js';
import { buildBoxChain } from './boxes.js';
import { COLORS, type Figure } from './svg-plot.js';

const SAMPLES = 40;
const ITERATIONS = 10;
const HARD_SAMPLES = 300;
const HARD_ITERATIONS = 20;
/** Σ gap² below which a chain counts as closed [m²]. */
const CLOSED = 1e-16;

/** Joint error Σ gap² [m²] at the start and after each iteration, over many starts. */
export interface JointErrorCurve {
  readonly bones: number;
  readonly median: readonly number[];
  readonly least: readonly number[];
  readonly most: readonly number[];
}

/** Everything Figure 8 shows. */
export interface JointErrorData {
  /** Bones turned by up to 0.1 rad and shifted by up to 2 cm. */
  readonly easy: readonly JointErrorCurve[];
  /**
   * Share of hard starts (9 bones, each turned by 1 rad and shifted by 0.2 m) that are still open at the start and after
   * each iteration: by the loop as published, and by ours, which drops the pull after ten.
   */
  readonly openPublished: readonly number[];
  readonly openOurs: readonly number[];
}

/** Runs the bone step on chains of 2, 9 and 30 bones from seeded starts. */
export function measureJointError(): JointErrorData {
  const easy = [2, 9, 30].map((bones) => {
    const model = buildModel(buildBoxChain(bones));
    const random = createRandom(11);
    const runs = Array.from({ length: SAMPLES }, () =>
      watch(model, perturb(model, random, [0, 0.1], [0, 0.02]), ITERATIONS, false),
    );
    return summarise(bones, runs);
  });
  return { easy, openPublished: shareOpen(false), openOurs: shareOpen(true) };
}

function shareOpen(dropPull: boolean): number[] {
  const model = buildModel(buildBoxChain(9));
  const open = new Array<number>(HARD_ITERATIONS + 1).fill(0);
  for (let seed = 0; seed < HARD_SAMPLES; seed++) {
    const squares = watch(model, perturb(model, createRandom(seed), [1, 1], [0.2, 0.2]), HARD_ITERATIONS, dropPull);
    squares.forEach((square, n) => {
      if (!(square < CLOSED)) open[n] += 1 / HARD_SAMPLES;
    });
  }
  return open;
}

/** Draws it. */
export function plotJointError(data: JointErrorData): Figure {
  const colors = [COLORS.blue, COLORS.green, COLORS.red];
  const share = (y: readonly number[]) => ({ x: y.map((_, n) => n), y, markers: true });
  return {
    description: 'Joint error per iteration of the joint solver, and share of hard starts that are still open.',
    panels: [
      {
        title: '(a) starts up to 0.1 rad and 2 cm off',
        x: { label: 'iterations of the joint solver', range: [0, ITERATIONS] },
        y: { label: 'joint error Σ‖gap‖² [m²]', scale: 'log', range: [1e-30, 1] },
        series: data.easy.map(({ bones, median, least, most }, i) => ({
          x: median.map((_, n) => n),
          y: median,
          band: { low: least, high: most },
          markers: true,
          label: `${bones} bones`,
          color: colors[i],
        })),
      },
      {
        title: '(b) hard starts: 9 bones, 1 rad and 20 cm off',
        x: { label: 'iterations of the joint solver', range: [0, HARD_ITERATIONS] },
        y: { label: 'share of starts with open joints', scale: 'log', range: [1e-3, 1] },
        series: [
          { ...share(data.openPublished), label: 'loop as published', color: COLORS.red },
          { ...share(data.openOurs), label: 'ours: pull dropped after 10', color: COLORS.blue },
        ],
      },
    ],
  };
}

/** One line for the terminal. */
export function describeJointError(data: JointErrorData): string {
  const parts = data.easy.map(({ bones, most }) => `${bones} bones ${most.findIndex((square) => square < 1e-20)}`);
  const left = (open: readonly number[]) => `${Math.round(open[HARD_ITERATIONS] * HARD_SAMPLES)} of ${HARD_SAMPLES}`;
  return `iterations to Σgap² < 1e-20, worst of ${SAMPLES} starts: ${parts.join(', ')}; hard starts open after 20: published ${left(data.openPublished)}, ours ${left(data.openOurs)}`;
}

/** Rest poses, each bone turned about its own centre [rad] and shifted [m] at random, from least to most. */
function perturb(model: Model, random: Random, turn: readonly number[], shift: readonly number[]): BonePoses {
  const m = model.bones.count;
  const poses = new BonePoses(m + 1);
  const axis = new Float64Array(3);
  for (let bone = 0; bone <= m; bone++) {
    poses.quats[bone * 4 + 3] = 1;
    if (bone < m) {
      random.unitVector(axis, 0);
      axisAngleQuat(poses.quats, bone * 4, axis, 0, random.range(turn[0], turn[1]));
      random.unitVector(axis, 0);
      const far = random.range(shift[0], shift[1]);
      for (let k = 0; k < 3; k++) poses.translations[bone * 3 + k] = model.bones.centre[bone * 3 + k] + far * axis[k];
    }
    poses.updateRotation(bone);
  }
  return poses;
}

/** Σ gap² at the start and after each of `count` steps. */
function watch(model: Model, poses: BonePoses, count: number, dropPull: boolean): number[] {
  const { bones, joints, size } = model;
  const step = new BoneStep(bones.count, joints, massMetric(model), new Uint8Array(bones.count), size);
  const still = new Float64Array(bones.count * 12);
  const squares: number[] = [];
  const note = () => {
    step.measureGap(poses);
    squares.push(step.gaps.reduce((sum, gap) => sum + gap * gap, 0));
  };
  step.begin(poses);
  note();
  for (let n = 0; n < count; n++) {
    // without a pull, counting changes from the current poses, a step is the smallest one onto the joints
    if (dropPull && n >= 10) step.begin(poses);
    step.stepOnce(poses, still);
    note();
  }
  return squares;
}

/** Mass of the bones as a metric on their transforms. */
function massMetric(model: Model): Float64Array {
  const rows = model.bones.count * 4;
  const metric = new Float64Array(rows * rows);
  for (let i = 0; i < rows; i++) {
    for (let j = i & ~3; j < (i & ~3) + 4; j++) metric[i * rows + j] = boneMass(model, i >> 2, i & 3, j & 3);
  }
  return metric;
}

function summarise(bones: number, runs: readonly (readonly number[])[]): JointErrorCurve {
  const sorted = runs[0].map((_, n) => runs.map((run) => run[n]).sort((a, b) => a - b));
  return {
    bones,
    median: sorted.map((values) => values[values.length >> 1]),
    least: sorted.map((values) => values[0]),
    most: sorted.map((values) => values[values.length - 1]),
  };
}

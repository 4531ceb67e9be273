/** Rotations for tests of bones, and states that turn as if the step before had been taken. */
import type { Model } from '../../../src/body/model.js';
import type { BodyState } from '../../../src/body/state.js';

/** Rotation matrix, row major, by Rodrigues' formula. */
export function rotationAbout(axis: readonly [number, number, number], angle: number): Float64Array {
  const length = Math.hypot(...axis);
  const [x, y, z] = axis.map((value) => value / length);
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  const t = 1 - c;
  return Float64Array.from([
    t * x * x + c,
    t * x * y - s * z,
    t * x * z + s * y,
    t * x * y + s * z,
    t * y * y + c,
    t * y * z - s * x,
    t * x * z - s * y,
    t * y * z + s * x,
    t * z * z + c,
  ]);
}

/** Product of two 3x3 matrices, row major. */
export function applyMat3(a: ArrayLike<number>, b: ArrayLike<number>): Float64Array {
  const out = new Float64Array(9);
  for (let i = 0; i < 3; i++) {
    for (let j = 0; j < 3; j++) {
      for (let k = 0; k < 3; k++) out[i * 3 + j] += a[i * 3 + k] * b[k * 3 + j];
    }
  }
  return out;
}

/** Product of a 3x3 matrix and a vector. */
export function applyToVec3(a: ArrayLike<number>, v: ArrayLike<number>, o = 0): [number, number, number] {
  return [0, 1, 2].map((i) => a[i * 3] * v[o] + a[i * 3 + 1] * v[o + 1] + a[i * 3 + 2] * v[o + 2]) as [
    number,
    number,
    number,
  ];
}

/** Rates of a bone as if it had come, in a step of `h`, from the rotation `before` about its centre of mass. */
export function setSpin(model: Model, state: BodyState, bone: number, before: Float64Array, h: number): void {
  const { rotations } = state.poses;
  const rate = new Float64Array(9);
  for (let i = 0; i < 9; i++) rate[i] = (rotations[bone * 9 + i] - before[i]) / h;
  for (let p = 0; p < 3; p++) {
    for (let i = 0; i < 3; i++) state.boneRates[bone * 12 + p * 3 + i] = rate[i * 3 + p];
  }
  for (let n = model.bones.vertexStart[bone]; n < model.bones.vertexStart[bone + 1]; n++) {
    const v = model.bones.vertices[n];
    const arm = [0, 1, 2].map((k) => model.positions[v * 3 + k] - model.bones.centre[bone * 3 + k]);
    applyToVec3(rate, arm).forEach((value, k) => {
      state.velocities[v * 3 + k] = value + state.boneRates[bone * 12 + 9 + k];
    });
  }
}

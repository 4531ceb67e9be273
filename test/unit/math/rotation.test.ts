/** Making rotations: closed forms of the Cayley map, and the defining property of each (where it takes a vector). */

import { describe, expect, it } from 'vitest';
import { rotateVec3 } from '../../../src/math/quat.js';
import { createRandom } from '../../../src/math/random.js';
import { axisAngleQuat, betweenDirectionsQuat, smallRotationQuat, turnQuat } from '../../../src/math/rotation.js';
import { crossVec3, distanceVec3, dotVec3, lengthVec3, perpendicularVec3, scaleVec3 } from '../../../src/math/vec3.js';

const q = new Float64Array(4);
const p = new Float64Array(4);
const a = new Float64Array(3);
const b = new Float64Array(3);
const c = new Float64Array(3);

function difference4(x: ArrayLike<number>, y: ArrayLike<number>): number {
  return Math.max(...[0, 1, 2, 3].map((k) => Math.abs(x[k] - y[k])));
}

describe('smallRotationQuat', () => {
  it('turns by 2 atan(|w| / 2) about w', () => {
    let worst = 0;
    for (const angle of [0, 1e-8, 0.01, 0.1, 1, 3, 100]) {
      scaleVec3(a, 0, [2 / 7, -3 / 7, 6 / 7], 0, 2 * Math.tan(angle / 200));
      expect(smallRotationQuat(q, 0, a, 0)).toBe(true);
      axisAngleQuat(p, 0, [2, -3, 6], 0, angle / 100);
      worst = Math.max(worst, difference4(q, p));
    }
    // A few roundings of unit numbers.
    expect(worst).toBeLessThanOrEqual(5e-16);
  });

  it('gives the identity when w is not finite', () => {
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY]) {
      expect(smallRotationQuat(q, 0, [0, bad, 0], 0)).toBe(false);
      expect(Array.from(q)).toEqual([0, 0, 0, 1]);
    }
  });
});

describe('turnQuat', () => {
  it('follows a constant angular velocity in the world frame with second-order accuracy', () => {
    const rate = [0.3, -1.1, 0.7];
    const start = [0.5, 0.5, -0.5, 0.5];
    const errors = [100, 200].map((steps) => {
      q.set(start);
      scaleVec3(a, 0, rate, 0, 1 / steps);
      for (let n = 0; n < steps; n++) turnQuat(q, 0, a, 0);
      // The world frame: turn about the fixed axis after the start.
      axisAngleQuat(p, 0, rate, 0, lengthVec3(rate, 0));
      rotateVec3(b, 0, start, 0, [1, 2, 3], 0);
      rotateVec3(b, 0, p, 0, b, 0);
      rotateVec3(c, 0, q, 0, [1, 2, 3], 0);
      return distanceVec3(b, 0, c, 0);
    });
    // Each step falls short by |w|^3 / 12: in all rate^3 / (12 steps^2) = 2e-5 rad for 100 steps, of a vector |3.7|.
    expect(errors[0]).toBeGreaterThan(1e-6);
    expect(errors[0]).toBeLessThanOrEqual(8e-5);
    // Half the step, a quarter of the error.
    expect(Math.abs(errors[0] / errors[1] - 4)).toBeLessThanOrEqual(0.01);
  });

  it('leaves q alone when w is not finite', () => {
    q.set([0.5, 0.5, -0.5, 0.5]);
    for (const bad of [Number.NaN, Number.POSITIVE_INFINITY, 1e200]) {
      expect(turnQuat(q, 0, [0, bad, 0], 0)).toBe(false);
      expect(Array.from(q)).toEqual([0.5, 0.5, -0.5, 0.5]);
    }
  });
});

describe('betweenDirectionsQuat', () => {
  it('takes a to b by the shortest way, from parallel to opposite', () => {
    const random = createRandom(81);
    let refused = 0;
    let miss = 0;
    let detour = 0;
    for (let n = 0; n < 50_000; n++) {
      random.unitVector(a, 0);
      random.unitVector(b, 0);
      if (n % 4 > 0) {
        // b = +-a turned by 10^-(0..17), and by 0.
        const tilt = n % 40 === 1 ? 0 : Number(`1e-${n % 18}`);
        const sign = n % 4 === 1 ? 1 : -1;
        perpendicularVec3(c, 0, a, 0);
        for (let k = 0; k < 3; k++) b[k] = sign * a[k] + tilt * c[k];
        const length = lengthVec3(b, 0);
        scaleVec3(b, 0, b, 0, 1 / length);
      }
      if (!betweenDirectionsQuat(q, 0, [3 * a[0], 3 * a[1], 3 * a[2]], 0, b, 0)) refused++;
      rotateVec3(c, 0, q, 0, a, 0);
      miss = Math.max(miss, distanceVec3(c, 0, b, 0));
      // The shortest way: the axis is perpendicular to both.
      detour = Math.max(detour, Math.abs(dotVec3(q, 0, a, 0)), Math.abs(dotVec3(q, 0, b, 0)));
    }
    expect(refused).toBe(0);
    // Ten roundings of 1.1e-16.
    expect(miss).toBeLessThanOrEqual(2e-15);
    expect(detour).toBeLessThanOrEqual(2e-15);
  });

  it('handles exactly equal and exactly opposite directions, and results in place', () => {
    for (const direction of [
      [1, 0, 0],
      [0, -1, 0],
      [0, 0, 1],
      [0.6, 0, 0.8],
      [2 / 7, -3 / 7, 6 / 7],
    ]) {
      const opposite = direction.map((x) => -x);
      expect(betweenDirectionsQuat(q, 0, direction, 0, direction, 0)).toBe(true);
      expect(difference4(q, [0, 0, 0, 1])).toBeLessThanOrEqual(2e-16);
      p.set(direction);
      expect(betweenDirectionsQuat(p, 0, p, 0, opposite, 0)).toBe(true);
      rotateVec3(c, 0, p, 0, direction, 0);
      expect(distanceVec3(c, 0, opposite, 0)).toBeLessThanOrEqual(1e-15);
    }
  });

  it('gives the identity when a direction is missing', () => {
    for (const bad of [
      [0, 0, 0],
      [Number.NaN, 0, 0],
      [Number.POSITIVE_INFINITY, 0, 0],
      [1e-160, 0, 0],
    ]) {
      expect(betweenDirectionsQuat(q, 0, bad, 0, [1, 0, 0], 0)).toBe(false);
      expect(Array.from(q)).toEqual([0, 0, 0, 1]);
      expect(betweenDirectionsQuat(q, 0, [1, 0, 0], 0, bad, 0)).toBe(false);
      expect(Array.from(q)).toEqual([0, 0, 0, 1]);
    }
  });
});

describe('axisAngleQuat', () => {
  it('turns a perpendicular vector by the angle, within its plane', () => {
    const random = createRandom(82);
    let refused = 0;
    let worst = 0;
    for (let n = 0; n < 20_000; n++) {
      const angle = random.range(-7, 7);
      random.unitVector(a, 0);
      perpendicularVec3(b, 0, a, 0);
      crossVec3(c, 0, a, 0, b, 0);
      if (!axisAngleQuat(q, 0, [5 * a[0], 5 * a[1], 5 * a[2]], 0, angle)) refused++;
      const expected = b.map((x, k) => Math.cos(angle) * x + Math.sin(angle) * c[k]);
      rotateVec3(c, 0, q, 0, b, 0);
      worst = Math.max(worst, distanceVec3(c, 0, expected, 0));
    }
    expect(refused).toBe(0);
    // Ten roundings, and 1e-15 of the sine and cosine of half the angle.
    expect(worst).toBeLessThanOrEqual(3e-15);
  });

  it('gives the identity when there is no axis or no angle', () => {
    expect(axisAngleQuat(q, 0, [0, 0, 0], 0, 1)).toBe(false);
    expect(Array.from(q)).toEqual([0, 0, 0, 1]);
    expect(axisAngleQuat(q, 0, [1, 0, 0], 0, Number.NaN)).toBe(false);
    expect(Array.from(q)).toEqual([0, 0, 0, 1]);
  });
});

import { describe, expect, it } from 'vitest';
import { leavesBy } from '../../../src/collision/surface/line-through-triangle.js';

// the face x + y + z = 1 of the tet in the corner of the axes, seen from inside
const X = Float64Array.of(1, 0, 0, 0, 1, 0, 0, 0, 1);
const FACE = Int32Array.of(0, 1, 2);
const weights = new Float64Array(3);
const leave = (p: readonly number[], d: readonly number[]) =>
  leavesBy(Float64Array.from(p), 0, Float64Array.from(d), X, FACE, 0, weights);

describe('leavesBy', () => {
  it('says how far it is to the face, and where it is met', () => {
    // p + way d on the plane: 0.1 + 0.2 + 0.3 + way = 1
    expect(leave([0.1, 0.2, 0.3], [1, 0, 0])).toBeCloseTo(0.4, 12);
    expect([...weights]).toEqual([0.5, 0.2, 0.3].map((value) => expect.closeTo(value, 12)));
    // twice as fast it takes half as long, and from outside the face lies behind
    expect(leave([0.1, 0.2, 0.3], [2, 0, 0])).toBeCloseTo(0.2, 12);
    expect(leave([0.9, 0.2, 0.3], [1, 0, 0])).toBeCloseTo(-0.4, 12);
  });

  it.each([
    ['back', [0.1, 0.2, 0.3], [-1, 0, 0]],
    ['along it', [0.1, 0.2, 0.3], [1, -1, 0]],
    ['beside it', [0.1, 0.9, 0.9], [1, 0, 0]],
  ])('is not a number for what goes %s', (_name, p, d) => {
    expect(leave(p, d)).toBeNaN();
  });
});

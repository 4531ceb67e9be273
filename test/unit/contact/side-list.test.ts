/** Sides of contacts: what they are given is what they tell the contact solver. Numbers by hand. */
import { describe, expect, it } from 'vitest';
import { SIDE_VERTICES, SideList } from '../../../src/contact/side-list.js';
import type { SideResponse } from '../../../src/contact/side-response.js';
import { createRandom } from '../../../src/math/random.js';
import { FleshAndBones } from '../../../src/solvers/projective/outside/flesh-and-bones.js';

/** A body that gives way by 2 m/N where it is pushed and nowhere else, at once. */
const SPRING: SideResponse = {
  clear: () => {},
  push: (side, force, sign, positions) => {
    for (let k = 0; k < 3; k++) positions[side * 3 + k] += 2 * sign * force[k];
  },
  addPosition: () => {},
  addBlock: (i, j, scale, out) => {
    if (i === j) for (let k = 0; k < 3; k++) out[k * 4] += 2 * scale;
  },
  largestTurn: () => 0,
  sweepWork: (sides) => 3 * sides,
};

function threeSides(response: SideResponse): SideList {
  const sides = new SideList(3, response);
  const vertices = Int32Array.of(5, 6, 7, 8);
  const weights = Float64Array.of(0.1, 0.2, 0.3, 0.4);
  for (let contact = 0; contact < 3; contact++) sides.add(contact, contact === 1 ? -1 : 1, vertices, weights, 0);
  sides.restart();
  return sides;
}

describe('a list of sides', () => {
  it('keeps vertices and weights, and is empty once cleared', () => {
    const sides = threeSides(SPRING);
    expect(sides.count).toBe(3);
    expect(Array.from(sides.vertices.subarray(SIDE_VERTICES, 2 * SIDE_VERTICES))).toEqual([5, 6, 7, 8]);
    expect(Array.from(sides.weights.subarray(0, SIDE_VERTICES))).toEqual([0.1, 0.2, 0.3, 0.4]);
    sides.meetsBodies = true;
    sides.clear();
    expect([sides.count, sides.meetsBodies]).toEqual([0, false]);
  });

  it('asks for the answer of a side once, in the order of asking', () => {
    const sides = threeSides(SPRING);
    for (const side of [2, 0, 2, 0]) sides.want(side);
    expect(sides.wantedCount).toBe(2);
    expect(Array.from(sides.wanted.subarray(0, 2))).toEqual([2, 0]);
    sides.restart();
    expect(sides.wantedCount).toBe(0);
  });

  it('moves as its response says, and back with the reaction', () => {
    const sides = threeSides(SPRING);
    sides.position.set([1, 1, 1], 3);
    sides.push(1, Float64Array.of(0, 3, 0), false);
    expect(Array.from(sides.at(1))).toEqual([1, 7, 1]);
    sides.push(1, Float64Array.of(0, 3, 0), true);
    expect(Array.from(sides.at(1))).toEqual([1, 1, 1]);
  });

  it('takes the forces of contacts with its sign and says what changed', () => {
    const sides = threeSides(SPRING);
    sides.readForces(Float64Array.of(1, 0, 0, 0, 10, 0, 0, 0, 0));
    expect(Array.from(sides.force)).toEqual([1, 0, 0, -0, -10, -0, 0, 0, 0]);
    expect(sides.hasForce).toBe(true);
    sides.readForces(Float64Array.of(1.5, 0, 0, 0, 10, 0, 0, 0, 0));
    expect(sides.change[0]).toBeCloseTo(0.5, 15);
    // half a newton is a twentieth of the largest force
    expect(sides.hasChanged(0.04)).toBe(true);
    expect(sides.hasChanged(0.06)).toBe(false);
    const sum = new Float64Array(3);
    sides.addForces(sum);
    expect(Array.from(sum)).toEqual([1.5, -10, 0]);
  });

  it('adds up the work of its forces from the positions kept', () => {
    const sides = threeSides(SPRING);
    sides.readForces(Float64Array.of(2, 0, 0, 0, 5, 0, 0, 0, 1));
    sides.keepPositions();
    sides.position[0] += 0.5;
    sides.position[4] += 0.1;
    // 2 N over 0.5 m, and −5 N over 0.1 m
    expect(sides.workSinceKept()).toBeCloseTo(0.5, 12);
  });
});

describe('flesh and bones', () => {
  it('move a side by its block of W times the force, whoever is pushed', () => {
    const random = createRandom(4);
    const response = new FleshAndBones(3, 2, 2, true);
    const sides = threeSides(response);
    fill(response, random);
    const force = Float64Array.of(0.3, -1.1, 0.7);
    for (let j = 0; j < 3; j++) {
      response.flesh.settle();
      response.bones.motion.fill(0);
      sides.position.fill(0);
      sides.push(j, force, false);
      for (let i = 0; i < 3; i++) {
        const block = new Float64Array(9);
        sides.addBlock(i, j, 1, block);
        const moved = Float64Array.from(sides.at(i));
        for (let k = 0; k < 3; k++) {
          const expected = block[3 * k] * force[0] + block[3 * k + 1] * force[1] + block[3 * k + 2] * force[2];
          // answers are kept in f32
          expect(moved[k]).toBeCloseTo(expected, 5);
        }
      }
    }
  });
});

/** Any symmetric flesh response of three sides in two regions, and two bones with any symmetric inverse. */
function fill({ flesh, bones }: FleshAndBones, random: { range(low: number, high: number): number }): void {
  for (let i = 0; i < 3; i++) for (let k = 0; k < 4; k++) flesh.setRegion(i, k, k % 2, 0.25);
  const w = [1, 2, 3].map((d) => [0.1, 0.1, 0.1].map((off, c) => (c === d - 1 ? d : off)));
  for (let i = 0; i < 3; i++) {
    flesh.beginRow(i);
    for (let region = 0; region < 2; region++) flesh.addRegion(i, region, 0.05);
    for (let j = 0; j < 3; j++) flesh.add(j, w[i][j]);
    flesh.endRow(i);
    bones.beginSide(i);
    for (let bone = 0; bone < 2; bone++) {
      bones.addEntry(
        bone,
        Float64Array.from([0, 1, 2, 3], () => random.range(-1, 1)),
      );
    }
    bones.endSide(i);
  }
  const n = bones.count * 6;
  for (let r = 0; r < n; r++) {
    for (let c = 0; c <= r; c++) {
      const value = r === c ? 2 : random.range(-0.1, 0.1);
      bones.inverse[r * n + c] = value;
      bones.inverse[c * n + r] = value;
    }
  }
  for (let i = 0; i < 3; i++) bones.solve(i);
}

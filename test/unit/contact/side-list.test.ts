/** Sides of contacts: what they are given is what they tell the contact solver. Numbers by hand. */
import { describe, expect, it } from 'vitest';
import { SIDE_VERTICES, SideList } from '../../../src/contact/side-list.js';
import type { SideResponse } from '../../../src/contact/side-response.js';
import { MemoryPlan } from '../../../src/kernels/memory.js';
import { createRandom } from '../../../src/math/random.js';
import { FleshAndBones } from '../../../src/solvers/projective/outside/flesh-and-bones.js';
import { fillResponse } from '../../support/side-responses.js';

function threeSides(plan = new MemoryPlan(), response?: SideResponse): SideList {
  const sides = new SideList(plan, 3, response);
  plan.allocate();
  sides.start();
  const vertices = Int32Array.of(5, 6, 7, 8);
  const weights = Float64Array.of(0.1, 0.2, 0.3, 0.4);
  for (let contact = 0; contact < 3; contact++) sides.add(contact, contact === 1 ? -1 : 1, vertices, weights, 0);
  sides.restart();
  return sides;
}

describe('a list of sides', () => {
  it('keeps vertices and weights, and is empty once cleared', () => {
    const sides = threeSides();
    expect(sides.count).toBe(3);
    expect(Array.from(sides.vertices.subarray(SIDE_VERTICES, 2 * SIDE_VERTICES))).toEqual([5, 6, 7, 8]);
    expect(Array.from(sides.weights.subarray(0, SIDE_VERTICES))).toEqual([0.1, 0.2, 0.3, 0.4]);
    sides.meetsBodies = true;
    sides.clear();
    expect([sides.count, sides.meetsBodies]).toEqual([0, false]);
  });

  it('asks for the answer of a side once, in the order of asking', () => {
    const sides = threeSides();
    for (const side of [2, 0, 2, 0]) sides.want(side);
    expect(sides.wantedCount).toBe(2);
    expect(Array.from(sides.wanted.subarray(0, 2))).toEqual([2, 0]);
    sides.restart();
    expect(sides.wantedCount).toBe(0);
  });

  it('takes the forces of contacts with its sign and says what changed', () => {
    const sides = threeSides();
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
    const sides = threeSides();
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
    const plan = new MemoryPlan();
    const response = new FleshAndBones(plan, 3, { count: 2, rank: [3, 3] }, 0, 2, true);
    const sides = threeSides(plan, response);
    fillResponse(response, 3, random);
    const force = Float64Array.of(0.3, -1.1, 0.7);
    for (let j = 0; j < 3; j++) {
      response.flesh.settle();
      response.bones.motion.fill(0);
      sides.position.fill(0);
      response.push(j, force, 1, sides.position);
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

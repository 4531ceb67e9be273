/** The kernel `solveContacts` against its f64 specification, bit for bit, and against forces by hand. */
import { describe, expect, it } from 'vitest';
import { ContactBuffer } from '../../src/collision/contact-buffer.js';
import { ContactKernel } from '../../src/contact/contact-kernel.js';
import { SideList } from '../../src/contact/side-list.js';
import { compileKernels, instantiateKernels } from '../../src/kernels/load-kernels.js';
import { MemoryPlan } from '../../src/kernels/memory.js';
import type { ContactProblem } from '../../src/kernels/reference/contact-problem.js';
import { solveContacts } from '../../src/kernels/reference/contact-sweeps.js';
import { createRandom } from '../../src/math/random.js';
import { FleshAndBones } from '../../src/solvers/projective/outside/flesh-and-bones.js';
import { fillResponse } from '../support/side-responses.js';

const SIDES = 24;

/** Two bodies, the second of bones alone where it is said so, and contacts with obstacles, between the two and of the first with itself. */
async function twoBodies(count: number, seed: number, isSoft = true) {
  const plan = new MemoryPlan();
  const responses = [true, isSoft].map(
    (soft) => new FleshAndBones(plan, SIDES, { count: 2, rank: [3, 3] }, 0, 2, soft),
  );
  const bodies = responses.map((response) => new SideList(plan, SIDES, response));
  const kernel = new ContactKernel(plan, count);
  const memory = plan.allocate();
  kernel.start(instantiateKernels(await compileKernels(false), memory));
  const random = createRandom(seed);
  // contacts of a body with itself are only taken where there is room for two
  const contacts = new ContactBuffer(count + 1, [SIDES, SIDES]);
  const sideOf = new Int32Array(2 * count).fill(-1);
  for (const list of bodies) list.start();
  for (let c = 0; c < count; c++) {
    const other = [-1, 1, 0][c % 3];
    expect(contacts.add(c % 2 === 1 && other < 0 ? 1 : 0, c, other, other < 0 ? 0 : -1)).toBe(c);
    const own = contacts.body[2 * c];
    sideOf[2 * c] = bodies[own].add(c, 1, contacts.vertices, contacts.weights, 0);
    if (other >= 0) sideOf[2 * c + 1] = bodies[other].add(c, -1, contacts.vertices, contacts.weights, 0);
    const direction = [0, 0, 0].map(() => random.range(-1, 1));
    const length = Math.hypot(...direction);
    for (let k = 0; k < 3; k++) {
      contacts.normal[3 * c + k] = direction[k] / length;
      contacts.stuck[3 * c + k] = random.range(-0.1, 0.1);
      contacts.force[3 * c + k] = c % 4 === 0 ? direction[k] : 0;
    }
    contacts.offset[c] = random.range(-0.5, 0.5);
    contacts.friction[c] = random.range(0, 1);
  }
  bodies.forEach((list, i) => {
    list.restart();
    fillResponse(responses[i], list.count, random);
    for (let n = 0; n < 3 * list.count; n++) list.position[n] = random.range(-0.1, 0.1);
  });
  const each = (low: number, high: number) => Float64Array.from({ length: count }, () => random.range(low, high));
  const measures = {
    contacts,
    sideOf,
    bodies,
    normalCompliance: each(2, 6),
    tangentCompliance: each(6, 9),
    softness: each(0, 0.3),
    leverage: { precision: each(1, 5) },
    active: Int32Array.from({ length: count }, (_, c) => c),
    activeCount: count,
  };
  const moving = () => [
    ...bodies.map((list) => list.position),
    ...responses.flatMap(({ bones }) => [bones.motion]),
    contacts.force,
  ];
  return { kernel, measures, responses, memory, moving };
}

type Setup = Awaited<ReturnType<typeof twoBodies>>;

/** The same contacts for the specification, which moves the bodies by their own methods. */
function problemOf({ measures, responses }: Setup): ContactProblem {
  const { contacts, sideOf, bodies, leverage } = measures;
  const second = new Float64Array(3);
  return {
    ...measures,
    normal: contacts.normal,
    stuck: contacts.stuck,
    force: contacts.force,
    offset: contacts.offset,
    friction: contacts.friction,
    precision: leverage.precision,
    count: contacts.count,
    place: (c, out) => {
      out.set(bodies[contacts.body[2 * c]].at(sideOf[2 * c]));
      if (sideOf[2 * c + 1] < 0) return;
      second.set(bodies[contacts.body[2 * c + 1]].at(sideOf[2 * c + 1]));
      for (let k = 0; k < 3; k++) out[k] -= second[k];
    },
    move: (c, force) => {
      for (let side = 0; side < 2 && sideOf[2 * c + side] >= 0; side++) {
        const body = contacts.body[2 * c + side];
        responses[body].push(sideOf[2 * c + side], force, side === 0 ? 1 : -1, bodies[body].position);
      }
    },
  };
}

describe('solveContacts', () => {
  it.each([
    [1, 40, true],
    [9, 3, true],
    [15, 80, true],
    [15, 150, false],
    [15, 2, false],
  ])('has the bits of its specification: %d contacts, %d sweeps, both soft: %s', async (count, sweeps, isSoft) => {
    const setup = await twoBodies(count, 10 * count + sweeps, isSoft);
    const before = new Uint8Array(setup.memory.buffer).slice();
    const force = setup.measures.contacts.force.slice();
    setup.kernel.solve(setup.measures, sweeps, 1e-9);
    const got = setup.moving().map((array) => array.slice());
    new Uint8Array(setup.memory.buffer).set(before);
    setup.measures.contacts.force.set(force);
    solveContacts(problemOf(setup), sweeps, 1e-9);
    const wanted = setup.moving();
    expect(wanted.some((array) => array.some((x) => x !== 0))).toBe(true);
    // toEqual tells zeros of different sign apart
    got.forEach((array, i) => {
      expect(Array.from(array)).toEqual(Array.from(wanted[i]));
    });
  });

  it('leaves contacts that push onto their planes where they stick, and the rest open with no force', async () => {
    const setup = await twoBodies(1, 3);
    const { contacts } = setup.measures;
    const problem = problemOf(setup);
    const here = new Float64Array(3);
    problem.place(0, here);
    const [x, y, z] = contacts.normal;
    const height = x * here[0] + y * here[1] + z * here[2];
    contacts.stuck.set(here);
    setup.measures.softness[0] = 0;
    const block = new Float64Array(9);
    setup.measures.bodies[0].addBlock(0, 0, 1, block);
    // no eigenvalue is larger than the trace
    setup.measures.normalCompliance[0] = setup.measures.tangentCompliance[0] = block[0] + block[4] + block[8];
    contacts.friction[0] = 10;
    contacts.force.fill(0);
    contacts.offset[0] = height - 0.1;
    setup.kernel.solve(setup.measures, 50, 0);
    expect(Array.from(contacts.force.subarray(0, 3))).toEqual([0, 0, 0]);
    contacts.offset[0] = height + 0.1;
    // what is wanted is the plane, at the place where it stuck
    for (let k = 0; k < 3; k++) contacts.stuck[k] += 0.1 * contacts.normal[k];
    setup.kernel.solve(setup.measures, 400, 0);
    problem.place(0, here);
    for (let k = 0; k < 3; k++) expect(here[k]).toBeCloseTo(contacts.stuck[k], 9);
  });

  it('keeps forces within their cones, and gives none to what nothing can move', async () => {
    const setup = await twoBodies(15, 5);
    const { contacts, normalCompliance } = setup.measures;
    normalCompliance[4] = 1e-15;
    contacts.force[12] = 1;
    setup.kernel.solve(setup.measures, 100, 0);
    expect(Array.from(contacts.force.subarray(12, 15))).toEqual([0, 0, 0]);
    for (let c = 0; c < 15; c++) {
      const [f, n] = [contacts.force, contacts.normal].map((array) => array.subarray(3 * c, 3 * c + 3));
      const push = f[0] * n[0] + f[1] * n[1] + f[2] * n[2];
      const drag = Math.hypot(f[0] - push * n[0], f[1] - push * n[1], f[2] - push * n[2]);
      expect(push).toBeGreaterThanOrEqual(-1e-12);
      expect(drag).toBeLessThanOrEqual(contacts.friction[c] * push + 1e-9);
    }
  });
});

/**
 * Joints and control of the coupled solver: the projection onto the joints [Shinar2008 §7.3] and its laws, chains and loops that stay
 * closed and keep momentum, springs against the recurrence of the scheme and against statics.
 */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../src/math/random.js';
import { ContactList } from '../../../src/solvers/coupled/contacts/contact-list.js';
import type { CoreRigid } from '../../../src/solvers/coupled/core-scene.js';
import { CoupledCore } from '../../../src/solvers/coupled/coupled-core.js';
import { ChainSolve } from '../../../src/solvers/coupled/rigid/chain-solve.js';
import type { CoupledJoint } from '../../../src/solvers/coupled/rigid/coupled-joint.js';
import { JointBlocks } from '../../../src/solvers/coupled/rigid/joint-blocks.js';
import { RigidBodies } from '../../../src/solvers/coupled/rigid/rigid-bodies.js';
import { IslandGradients } from '../../../src/solvers/coupled/rows/island-gradients.js';
import { IslandSolver } from '../../../src/solvers/coupled/rows/island-solver.js';
import { Islands } from '../../../src/solvers/coupled/rows/islands.js';
import { RowSystem } from '../../../src/solvers/coupled/rows/row-system.js';
import { SoftBodies } from '../../../src/solvers/coupled/soft/soft-bodies.js';
import { SoftSides } from '../../../src/solvers/coupled/soft/soft-sides.js';
import { angularMomentum, box, linearMomentum, rigidBody } from '../../support/models/coupled.js';

const TYPES = ['ball', 'hinge', 'universal', 'fixed'] as const;

/** A chain of n rods along x, each joined to the next; `loop`: a hexagon of rods in the xy plane. */
function rods(n: number, type: CoupledJoint['type']): { rigid: CoreRigid[]; joints: CoupledJoint[] } {
  const rigid = Array.from({ length: n }, (_, i) => box([0.1, 0.02, 0.03], 0.5, { position: [0.2 * i, 0, 0] }));
  const joints = Array.from({ length: n - 1 }, (_, i) => joint(type, i, i + 1));
  return { rigid, joints };
}

function joint(type: CoupledJoint['type'], a: number, b: number): CoupledJoint {
  return {
    type,
    a,
    b,
    anchorA: [0.1, 0, 0],
    anchorB: [-0.1, 0, 0],
    axisA: [0, 0, 1],
    axisB: type === 'universal' ? [0, 1, 0] : [0, 0, 1],
  };
}

describe('the projection onto joints (V40)', () => {
  const { rigid, joints } = rods(6, 'hinge');
  const bodies = new RigidBodies(rigid);
  const blocks = new JointBlocks(joints);
  const contacts = new ContactList(1);
  const rows = new RowSystem(bodies, new SoftSides(new SoftBodies([]), 0), blocks, contacts);
  const islands = new Islands(6, 1, blocks.count);
  islands.build(contacts, blocks, new Uint8Array(6).fill(1));
  const solver = new IslandSolver(rows, { gradientRows: 400, sweeps: [10, 6] }, 6);

  function project(v: Float64Array): Float64Array {
    bodies.velocity.set(v);
    blocks.push[1].fill(0);
    rows.select(contacts, 1);
    blocks.prepare(bodies, 1, 0.01);
    solver.solve(islands, 1, 1e-15);
    return bodies.velocity.slice();
  }

  function randomTwists(seed: number): Float64Array {
    const stream = createRandom(seed);
    return Float64Array.from({ length: 36 }, () => stream.range(-1, 1));
  }

  it('is idempotent, symmetric in the mass metric and keeps both momenta', () => {
    const u = randomTwists(1);
    const w = randomTwists(2);
    const pu = project(u);
    const pw = project(w);
    const ppu = project(pu);
    for (let i = 0; i < 36; i++) expect(ppu[i]).toBeCloseTo(pu[i], 12);
    const inMass = (a: Float64Array, b: Float64Array): number => {
      let sum = 0;
      rigid.forEach(({ mass, inertia }, body) => {
        for (let k = 0; k < 3; k++) {
          sum += mass * a[body * 6 + k] * b[body * 6 + k];
          sum += inertia[k * 4] * a[body * 6 + 3 + k] * b[body * 6 + 3 + k];
        }
      });
      return sum;
    };
    expect(inMass(pu, w)).toBeCloseTo(inMass(u, pw), 12);
    const momenta = (v: Float64Array): number[] => [...linearMomentum(rigid, v), ...angularMomentum(rigid, v)];
    momenta(pu).forEach((value, k) => {
      expect(value).toBeCloseTo(momenta(u)[k], 12);
    });
  });
});

describe('joints', () => {
  it.each(TYPES)('a tumbling chain of %s joints stays closed and keeps its momentum', (type) => {
    const { rigid, joints } = rods(6, type);
    const started = rigid.map((body, i) => ({
      ...body,
      velocity: [0, 0.4 * (i - 2.5), 0.1 * i],
      angularVelocity: [0, 0, 2],
    }));
    const core = new CoupledCore({ rigid: started, joints, gravity: [0, 0, 0] });
    const before = total(core);
    for (let n = 0; n < 300; n++) core.step(1 / 60);
    const after = total(core);
    for (let k = 0; k < 3; k++) expect(after[k]).toBeCloseTo(before[k], 12);
    expect(core.joints.largestGap(core.rigid)).toBeLessThan(1e-10);
  });

  /** Linear momentum of a core. */
  function total({ rigid }: CoupledCore): number[] {
    return [0, 1, 2].map((k) => rigid.mass.reduce((sum, m, b) => sum + m * rigid.v[b * 3 + k], 0));
  }
});

describe('control', () => {
  it('follows the recurrence x′ = (x + hv)/(1 + a/2), hv′ = (hv − ax)/(1 + a), a = h²ω²', () => {
    // a body of moment 1 on a spring of stiffness 100, turned by a little: ω = 10 rad/s
    const angle = 1e-4;
    const body = rigidBody(1, [1, 1, 1], { kind: 'sphere', radius: 0.1 }, { rotation: [0, 0, angle / 2, 1] });
    const wall = { ...body, mass: 0, rotation: [0, 0, 0, 1], position: [5, 0, 0] };
    const spring: CoupledJoint = {
      type: 'control',
      a: 0,
      b: 1,
      anchorA: [0, 0, 0],
      anchorB: [0, 0, 0],
      stiffness: 100,
    };
    const core = new CoupledCore({ rigid: [body, wall], joints: [spring], gravity: [0, 0, 0] }, { substeps: 1 });
    for (let n = 0; n < 60; n++) core.step(1 / 60);
    // by hand from the recurrence, x = 1, v = 0, ω = 10, h = 1/60, 60 steps: −0.6000675897
    expect((2 * core.rigid.q[2]) / angle).toBeCloseTo(-0.6000675897, 6);
  });

  it.each([1, 1e2, 1e4])('rests at torque over stiffness whatever the gain: k = %d', (stiffness) => {
    // a rod held at its end by a hinge with control, sagging under its weight: k θ = m g l cos θ
    const rod = box([0.1, 0.01, 0.01], 0.1 * stiffness, { position: [0.1, 0, 0] });
    const wall = box([0.01, 0.01, 0.01], 0, { position: [0, 0, 0] });
    const hinge: CoupledJoint = { ...joint('hinge', 0, 1), anchorA: [-0.1, 0, 0], anchorB: [0, 0, 0] };
    const control: CoupledJoint = { ...hinge, type: 'control', stiffness, damping: 0.05 * stiffness };
    const core = new CoupledCore({ rigid: [rod, wall], joints: [hinge, control] });
    for (let n = 0; n < 600; n++) core.step(1 / 60);
    const q = core.rigid.q;
    // control measures twice the sine of half the angle
    const half = -q[2];
    const cosine = 1 - 2 * half * half;
    expect((2 * half) / (0.1 * 9.81 * 0.1 * cosine)).toBeCloseTo(1, 3);
  });
});

describe('short chains and loops solved at once', () => {
  /** n rods in a ring, joined end to end by ball joints, with random velocities. */
  function loop(n: number, joints: readonly CoupledJoint[]) {
    const { rigid } = rods(n, 'ball');
    const bodies = new RigidBodies(rigid);
    const blocks = new JointBlocks(joints);
    const contacts = new ContactList(1);
    const rows = new RowSystem(bodies, new SoftSides(new SoftBodies([]), 0), blocks, contacts);
    const islands = new Islands(n, 1, blocks.count);
    islands.build(contacts, blocks, new Uint8Array(n).fill(1));
    const stream = createRandom(n);
    bodies.velocity.set(Float64Array.from({ length: n * 6 }, () => stream.range(-1, 1)));
    rows.select(contacts, 1);
    blocks.prepare(bodies, 1, 0.01);
    return { rigid, bodies, blocks, rows, islands };
  }

  it.each([3, 6, 12])('a loop of %i leaves nothing to do and agrees with conjugate gradients', (n) => {
    const joints = Array.from({ length: n }, (_, i) => joint('ball', i, (i + 1) % n));
    // anchors that no two joints share, so that no row says what another says
    const bent = joints.map((one, i) => ({ ...one, anchorA: [0.1, 0.01 * i, 0], anchorB: [-0.1, 0, 0.02 * i] }));
    const { rigid, bodies, rows, islands } = loop(n, bent);
    const before = linearMomentum(rigid, bodies.velocity);
    expect(new ChainSolve(rows, rows.rigid.count).solve(islands, 0)).toBe(true);
    const left = new Float64Array(3);
    for (let i = 0; i < n; i++) {
      rows.blockLeft(i, left);
      for (let k = 0; k < 3; k++) expect(Math.abs(left[k])).toBeLessThan(1e-11);
    }
    linearMomentum(rigid, bodies.velocity).forEach((value, k) => {
      expect(value).toBeCloseTo(before[k], 12);
    });
    const other = loop(n, bent);
    const { block, blockStart, contact, body, bodyStart } = other.islands;
    const gradients = new IslandGradients(other.rows, 400);
    gradients.held.list({ block, b0: blockStart[0], b1: blockStart[1], contact, c0: 0, c1: 0 });
    for (let round = 0; round < 24; round++) gradients.run(body, bodyStart[0], bodyStart[1], 40, 1e-24, 1e-16);
    bodies.velocity.forEach((value, k) => {
      expect(value).toBeCloseTo(other.bodies.velocity[k], 9);
    });
  });

  it('a joint that is there twice is left to others, and nothing is moved', () => {
    const { bodies, rows, islands } = loop(2, [joint('ball', 0, 1), joint('ball', 0, 1)]);
    const before = bodies.velocity.slice();
    expect(new ChainSolve(rows, rows.rigid.count).solve(islands, 0)).toBe(false);
    expect(bodies.velocity).toEqual(before);
  });
});

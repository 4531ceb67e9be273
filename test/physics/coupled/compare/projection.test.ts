/**
 * The projection onto constraints [Shinar2008 §7.3] over joints, contacts between rigid bodies, particles of flesh on them and bound to them (V40): idempotent, symmetric in the metric of masses, both momenta kept; and what conjugate
 * gradients with it leave of the equation they solve.
 */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../../../src/math/random.js';
import { BareRows, type Velocities } from '../../../../src/solvers/coupled/compare/bare-rows.js';
import { Particles } from '../../../../src/solvers/coupled/compare/particles.js';
import { ProjectedGradients } from '../../../../src/solvers/coupled/compare/projected-gradients.js';
import { Projection } from '../../../../src/solvers/coupled/compare/projection.js';
import { ContactList } from '../../../../src/solvers/coupled/contacts/contact-list.js';
import type { CoupledJoint } from '../../../../src/solvers/coupled/rigid/coupled-joint.js';
import { JointBlocks } from '../../../../src/solvers/coupled/rigid/joint-blocks.js';
import { RigidBodies } from '../../../../src/solvers/coupled/rigid/rigid-bodies.js';
import { RowSystem } from '../../../../src/solvers/coupled/rows/row-system.js';
import { SoftBodies } from '../../../../src/solvers/coupled/soft/soft-bodies.js';
import { SoftSides } from '../../../../src/solvers/coupled/soft/soft-sides.js';
import { assemble } from '../../../../src/solvers/coupled/soft/soft-table.js';
import { box } from '../../../support/models/coupled.js';
import { placeSoft, softBox } from '../../../support/models/coupled-soft.js';

const H = 0.01;
const RODS = 4;
const ROD = [0.1, 0.02, 0.03] as const;

/** Four rods joined by hinges, flesh beside them: a contact between two rods, particles and a point of a face on others, a vertex bound to one. */
function build() {
  const starts = Array.from({ length: RODS }, (_, i) => box(ROD, 0.5 + 0.2 * i, { position: [0.2 * i, 0, 0] }));
  const joints = Array.from({ length: RODS - 1 }, (_, i): CoupledJoint => {
    const anchors = { anchorA: [0.1, 0, 0], anchorB: [-0.1, 0, 0] };
    return { type: 'hinge', a: i, b: i + 1, ...anchors, axisA: [0, 0, 1], axisB: [0, 0, 1] };
  });
  const rigid = new RigidBodies(starts);
  const soft = new SoftBodies([placeSoft(softBox([2, 1, 1], 0.1), [0.3, 0.1, 0])]);
  const sides = new SoftSides(soft, 16);
  const contacts = new ContactList(16);
  const blocks = new JointBlocks(joints);
  const rows = new RowSystem(rigid, sides, blocks, contacts);
  const random = createRandom(7);
  const normal = () => {
    const n = [0, 1, 2].map(() => random.range(-1, 1));
    const length = Math.hypot(...n);
    return n.map((value) => value / length);
  };
  /** A contact at the point p, of a body or a side. */
  const add = (a: number, b: number, sideA: number, p: ArrayLike<number>, friction = 0.3) => {
    const c = contacts.add(contacts.count, a, b);
    contacts.sideA[c] = sideA;
    contacts.friction[c] = friction;
    contacts.normal.set(normal(), c * 3);
    for (let k = 0; k < 3; k++) {
      if (sideA < 0) contacts.armA[c * 3 + k] = p[k] - rigid.x[a * 3 + k];
      contacts.armB[c * 3 + k] = p[k] - rigid.x[b * 3 + k];
    }
  };
  const flesh = (b: number, vertices: readonly number[], weights: readonly number[], friction = 0.3) => {
    const [v0, v1 = v0, v2 = v0] = vertices;
    const [w0, w1 = 0, w2 = 0] = weights;
    const side = sides.add(0, v0, v1, v2, w0, w1, w2);
    const p = new Float64Array(3);
    sides.placeOf(side, p);
    add(RODS, b, side, p, friction);
  };
  add(0, 2, -1, [0.2, 0.05, 0.01]);
  flesh(1, [0], [1]);
  flesh(1, [1], [1]);
  // shares a vertex with the one before: treated by itself
  flesh(1, [1, 2, 4], [0.5, 0.3, 0.2]);
  flesh(2, [3], [1]);
  flesh(3, [5], [1], Number.POSITIVE_INFINITY);
  rows.select(contacts, 1);
  blocks.prepare(rigid, 1, H);
  const bare = new BareRows(rows);
  for (let c = 0; c < contacts.count; c++) bare.measure(c);
  const projection = new Projection(bare, new Particles(bare), 1e-15, 20_000);
  projection.list(new Uint8Array(16).fill(1, 0, contacts.count));
  return { rigid, soft, rows, bare, projection, starts, contacts };
}

const { rigid, soft, bare, projection, starts, contacts } = build();
const random = createRandom(1);
const room = (length: number) => Float64Array.from({ length }, () => random.range(-1, 1));
const some = (): Velocities => ({ twist: room(rigid.velocity.length), vertex: room(soft.vertexCount * 3) });
const copyOf = ({ twist, vertex }: Velocities): Velocities => ({ twist: twist.slice(), vertex: vertex.slice() });
const projected = (v: Velocities): Velocities => {
  const out = copyOf(v);
  projection.project(out);
  return out;
};
const all = ({ twist, vertex }: Velocities) => [...twist, ...vertex];

/** Masses and moments of inertia along the numbers of `all`: rods are not turned. */
const metric = [
  ...starts.flatMap(({ mass, inertia }) => [mass, mass, mass, inertia[0], inertia[4], inertia[8]]),
  ...Array.from(soft.mass, (m) => [m, m, m]).flat(),
];

describe('the projection onto joints, contacts and bindings', () => {
  it('is idempotent and symmetric in the metric of masses', () => {
    const [u, w] = [some(), some()];
    const [pu, pw] = [projected(u), projected(w)];
    all(projected(pu)).forEach((value, i) => {
      expect(Math.abs(value - all(pu)[i])).toBeLessThan(1e-12);
    });
    const inMass = (a: Velocities, b: Velocities) =>
      all(a).reduce((sum, value, i) => sum + metric[i] * value * all(b)[i], 0);
    expect(Math.abs(inMass(pu, w) - inMass(u, pw))).toBeLessThan(1e-12);
    // and it does something
    expect(inMass(pu, pu)).toBeLessThan(0.9 * inMass(u, u));
  });

  it('keeps both momenta', () => {
    const u = some();
    const momenta = ({ twist, vertex }: Velocities) => {
      const sum = new Array(6).fill(0);
      const add = (m: number, x: ArrayLike<number>, o: number, v: ArrayLike<number>, i: number) => {
        for (let k = 0; k < 3; k++) {
          const [a, b] = [(k + 1) % 3, (k + 2) % 3];
          sum[k] += m * v[i + k];
          sum[3 + k] += m * (x[o + a] * v[i + b] - x[o + b] * v[i + a]);
        }
      };
      starts.forEach(({ mass, inertia }, b) => {
        add(mass, rigid.x, b * 3, twist, b * 6);
        for (let k = 0; k < 3; k++) sum[3 + k] += inertia[k * 4] * twist[b * 6 + 3 + k];
      });
      for (let i = 0; i < soft.vertexCount; i++) add(soft.mass[i], soft.x, i * 3, vertex, i * 3);
      return sum;
    };
    const before = momenta(u);
    momenta(projected(u)).forEach((value, k) => {
      expect(Math.abs(value - before[k])).toBeLessThan(1e-12);
    });
  });

  it('leaves no velocity along normals, and none at all of what is bound', () => {
    const pu = projected(some());
    const relative = new Float64Array(3);
    for (let c = 0; c < contacts.count; c++) {
      bare.velocityOf(c, pu, relative);
      const along = relative.reduce((sum, value, k) => sum + value * contacts.normal[c * 3 + k], 0);
      expect(Math.abs(contacts.isBinding(c) ? Math.hypot(...relative) : along)).toBeLessThan(1e-12);
    }
  });
});

describe('conjugate gradients with the projection', () => {
  it('leave nothing that constraints let be: P B (v − v°) = 0, B assembled anew', () => {
    const gradients = new ProjectedGradients(bare, projection);
    gradients.prepare(H);
    const free = some();
    const v = copyOf(free);
    gradients.solve(v, 0);
    const { elements } = soft.models[0];
    const unknown = Int32Array.from({ length: soft.vertexCount }, (_, i) => i);
    const { rowStart, columns, values } = assemble(elements, unknown, soft.vertexCount, 0.5 * H * H);
    const left: Velocities = {
      twist: v.twist.map((value, i) => value - free.twist[i]),
      vertex: new Float64Array(free.vertex.length),
    };
    for (let i = 0; i < soft.vertexCount; i++) {
      for (let n = rowStart[i]; n < rowStart[i + 1]; n++) {
        for (let k = 0; k < 3; k++) {
          const o = columns[n] * 3 + k;
          left.vertex[i * 3 + k] += (values[n] * (v.vertex[o] - free.vertex[o])) / soft.mass[i];
        }
      }
    }
    const before = Math.max(...all(left).map(Math.abs));
    const after = Math.max(...all(projected(left)).map(Math.abs));
    expect(after).toBeLessThan(1e-5 * before);
    all(projected(v)).forEach((value, i) => {
      expect(Math.abs(value - all(v)[i])).toBeLessThan(1e-10);
    });
  });
});

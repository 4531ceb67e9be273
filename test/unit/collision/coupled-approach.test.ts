/** Which points of a calm heap are no contacts, against positions after two substeps worked out by hand. */
import { expect, it } from 'vitest';
import { Approach } from '../../../src/solvers/coupled/contacts/approach.js';
import { RigidBodies } from '../../../src/solvers/coupled/rigid/rigid-bodies.js';
import { SoftBodies } from '../../../src/solvers/coupled/soft/soft-bodies.js';
import { ball } from '../../support/models/coupled.js';
import { placeSoft, softBox } from '../../support/models/coupled-soft.js';

const H = 0.01;
/** The way from B to A, and how far they are apart [m]. */
const UP = Float64Array.of(0, 1, 0, 0.02);

it('points are far where their distance after two substeps is more than the room', () => {
  const spin = { position: [0, 1, 0], velocity: [0, -0.5, 0], angularVelocity: [0, 0, 2] };
  const rigid = new RigidBodies([ball(0.1, 1, spin), ball(0.1, 1, {})]);
  rigid.predict([0, 0, 0], 0);
  const soft = new SoftBodies([placeSoft(softBox([1, 1, 1], 0.1), [0, 0, 0], { velocity: [0, 0.3, 0] })]);
  const approach = new Approach(rigid, soft);
  const at = Float64Array.of(0.1, 0.9, 0);
  // the point of the first goes down by 0.5 and, 0.1 from its axis, up by 0.2 m/s; the second rests: 0.02 m − 2 · 0.01 s · 0.3 m/s is left
  approach.rigidA(0, at, 0);
  approach.rigidB(1, at, 0);
  approach.set(H, 0.0141);
  expect(approach.isFar(UP, 0)).toBe(false);
  approach.set(H, 0.0139);
  expect(approach.isFar(UP, 0)).toBe(true);
  // a face that comes towards it by 0.3 m/s: 0.008 m
  approach.faceB(0, Int32Array.of(0, 1, 2), 0, Float64Array.of(0.2, 0.3, 0.5), 0);
  approach.set(H, 0.0081);
  expect(approach.isFar(UP, 0)).toBe(false);
  approach.set(H, 0.0079);
  expect(approach.isFar(UP, 0)).toBe(true);
  // a vertex of the same body goes along with the face
  approach.vertexA(3);
  approach.set(H, 0.0199);
  expect(approach.isFar(UP, 0)).toBe(true);
  // with room for all nothing is, whatever its velocity; nor what is nearer than it may be where somebody may be stopped
  expect(approach.mayBeFar(0.02)).toBe(true);
  approach.set(H, Number.POSITIVE_INFINITY);
  expect(approach.mayBeFar(0.02)).toBe(false);
  approach.setStopped(H, 0.02, 0.03);
  expect([0.02, 0.021].map((gap) => approach.mayBeFar(gap))).toEqual([false, true]);
});

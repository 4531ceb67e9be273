/**
 * Contacts that push as rows over the unknowns of a step, flesh and bones. What a row keeps is measured where bones are at the end of the step; the force behind it
 * acts with the arms that inertia gave them (outside/contact-response.ts), so each has two sets of numbers:
 *
 *     kept   C·δ = what the start of the step asks for        pushed   F·δf on flesh and bones
 *
 * A contact of two bodies has its second side in the same rows, the other way round. A contact that sticks has three hard rows. One that slides has its normal, whose force brings friction along, F = n + μτ, and across the slide a spring of
 * |f_t|/|slip|: friction turns with the slip.
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import type { Model } from '../../../body/model.js';
import { CONTACT_VERTICES } from '../../../collision/contact-buffer.js';
import { transposeMultiplyMat3Vec3 } from '../../../math/mat3.js';
import { crossVec3, dotVec3, lengthVec3, perpendicularVec3 } from '../../../math/vec3.js';
import type { TapedContacts } from './taped-contacts.js';

/** A side of a contact in one of the bodies that are solved for together. */
export interface RowSide {
  readonly ground: ContactGround;
  readonly taped: TapedContacts;
  /** Which of the body's contacts it is. */
  readonly n: number;
  /** 1 for the first side of the contact, -1 for the second. */
  readonly sign: number;
}

/** One row. */
export class ContactRow {
  readonly sides: readonly RowSide[];
  /** What it keeps of r: a unit vector. */
  readonly direction: Float64Array;
  /** Whether it keeps the change of r over the step, and not r itself. */
  readonly isTangent: boolean;
  /** How far it gives way per newton [m/N]. */
  readonly give: number;
  readonly at: number[] = [];
  readonly kept: number[] = [];
  readonly pushed: number[] = [];

  constructor(sides: readonly RowSide[], direction: Float64Array, isTangent: boolean, give: number) {
    this.sides = sides;
    this.direction = direction;
    this.isTangent = isTangent;
    this.give = give;
  }

  /** C·v. */
  measure(v: Float64Array): number {
    let sum = 0;
    for (let i = 0; i < this.at.length; i++) sum += this.kept[i] * v[this.at[i]];
    return sum;
  }

  /** F·v. */
  work(v: Float64Array): number {
    let sum = 0;
    for (let i = 0; i < this.at.length; i++) sum += this.pushed[i] * v[this.at[i]];
    return sum;
  }

  /** out += factor Cᵀ. */
  addKept(out: Float64Array, factor: number): void {
    for (let i = 0; i < this.at.length; i++) out[this.at[i]] += factor * this.kept[i];
  }
}

/** Where the unknowns of a step are, and how bones were turned. */
export interface ContactGround {
  readonly model: Model;
  /** Number of the body in its world, and where its unknowns begin among those of all that are solved for together. */
  readonly body: number;
  first: number;
  /** First unknown of a flesh vertex; -1 for others. */
  readonly unknownOf: (vertex: number) => number;
  /** First unknown of bones, six each. */
  readonly firstBone: number;
  readonly fixed: Uint8Array;
  readonly end: BonePoses;
  /** Rotations of the bones that inertia alone would lead to, 9 each. */
  readonly inertial: Float64Array;
  /** Where bones turn about. */
  readonly pivots: Float64Array;
}

/** All rows of the contacts of bodies in a step; of contacts between bodies the first sides say what they are. */
export function contactRows(bodies: readonly { taped: TapedContacts; ground: ContactGround }[]): ContactRow[] {
  const rows: ContactRow[] = [];
  for (const { taped, ground } of bodies) {
    for (let n = 0; n < taped.count; n++) {
      if (taped.sign[n] < 0) continue;
      const sides: RowSide[] = [{ ground, taped, n, sign: 1 }];
      const second = taped.other[n] < 0 ? undefined : bodies.find((one) => one.ground.body === taped.other[n]);
      if (second) {
        const m = second.taped.contact.indexOf(taped.contact[n]);
        sides.push({ ...second, n: m, sign: -1 });
      }
      rows.push(...rowsOf(sides));
    }
  }
  return rows.filter(({ at }) => at.length > 0);
}

/** Rows of one contact. */
function rowsOf(sides: readonly RowSide[]): ContactRow[] {
  const [{ taped, n }] = sides;
  const { normal, force, slip, slides } = taped;
  const o = n * 3;
  const along = normal.slice(o, o + 3);
  const push = dotVec3(force, o, along, 0);
  const drag = force.slice(o, o + 3).map((f, k) => f - push * along[k]);
  const most = lengthVec3(drag, 0);
  const own = new ContactRow(sides, along, false, 0);
  const behind = slides[n] && push > 0 ? along.map((x, k) => x + drag[k] / push) : along;
  addSides(own, behind);
  if (slides[n] && most === 0) return [own];
  const [first, second] = [new Float64Array(3), new Float64Array(3)];
  if (slides[n]) for (let k = 0; k < 3; k++) first[k] = drag[k] / most;
  else perpendicularVec3(first, 0, along, 0);
  crossVec3(second, 0, along, 0, first, 0);
  const across = (slides[n] ? [second] : [first, second]).map((direction) => {
    const row = new ContactRow(sides, direction, true, slides[n] ? lengthVec3(slip, o) / most : 0);
    addSides(row, direction);
    return row;
  });
  return [own, ...across];
}

function addSides(row: ContactRow, force: Float64Array): void {
  for (const side of row.sides) addVertices(row, side, force);
}

function addVertices(row: ContactRow, { taped, ground, n, sign }: RowSide, force: Float64Array): void {
  const { ofVertex } = ground.model.bones;
  const first = n * CONTACT_VERTICES;
  for (let i = first; i < first + CONTACT_VERTICES; i++) {
    const weight = sign * taped.weights[i];
    if (weight === 0) continue;
    const v = taped.vertices[i];
    const bone = ofVertex[v];
    if (bone >= 0) {
      if (!ground.fixed[bone]) addBone(row, ground, v, bone, weight, force);
      continue;
    }
    const at = ground.unknownOf(v);
    for (let k = 0; at >= 0 && k < 3; k++) {
      row.at.push(ground.first + at + k);
      row.kept.push(weight * row.direction[k]);
      row.pushed.push(weight * force[k]);
    }
  }
}

/** Turn and shift of a bone, in its own axes. */
function addBone(
  row: ContactRow,
  ground: ContactGround,
  v: number,
  bone: number,
  weight: number,
  force: Float64Array,
): void {
  const { model, firstBone, end } = ground;
  const arm = new Float64Array(3);
  const own = new Float64Array(12);
  writeArm(arm, model, v, bone, end.rotations);
  crossVec3(arm, 0, arm, 0, row.direction, 0);
  transposeMultiplyMat3Vec3(own, 0, end.rotations, bone * 9, arm, 0);
  transposeMultiplyMat3Vec3(own, 3, end.rotations, bone * 9, row.direction, 0);
  writePushedArm(arm, ground, v, bone);
  crossVec3(arm, 0, arm, 0, force, 0);
  transposeMultiplyMat3Vec3(own, 6, end.rotations, bone * 9, arm, 0);
  transposeMultiplyMat3Vec3(own, 9, end.rotations, bone * 9, force, 0);
  for (let k = 0; k < 6; k++) {
    row.at.push(ground.first + firstBone + bone * 6 + k);
    row.kept.push(weight * own[k]);
    row.pushed.push(weight * own[6 + k]);
  }
}

/** out = where a vertex is from the middle of its bone, turned as `rotations` say. */
export function writeArm(out: Float64Array, model: Model, v: number, bone: number, rotations: Float64Array): void {
  const { bones, positions } = model;
  for (let k = 0; k < 3; k++) {
    out[k] = 0;
    for (let p = 0; p < 3; p++)
      out[k] += rotations[bone * 9 + k * 3 + p] * (positions[v * 3 + p] - bones.centre[bone * 3 + p]);
  }
}

/** out = the part of the arm that inertia gave: from where the bone turns about (outside/pivots.ts). */
export function writeKeptArm(
  out: Float64Array,
  { model, inertial, pivots }: ContactGround,
  v: number,
  bone: number,
): void {
  writeArm(out, model, v, bone, inertial);
  for (let k = 0; k < 3; k++) {
    for (let p = 0; p < 3; p++) out[k] -= inertial[bone * 9 + k * 3 + p] * pivots[bone * 3 + p];
  }
}

/** out = the arm that a force acts with. */
export function writePushedArm(out: Float64Array, ground: ContactGround, v: number, bone: number): void {
  const { end, pivots } = ground;
  writeKeptArm(out, ground, v, bone);
  for (let k = 0; k < 3; k++) {
    for (let p = 0; p < 3; p++) out[k] += end.rotations[bone * 9 + k * 3 + p] * pivots[bone * 3 + p];
  }
}

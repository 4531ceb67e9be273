/**
 * Creatures while rows are solved: for the time of an island's solve bones of its creatures answer pushes as all of the skeleton and flesh do, and flesh follows them. Rows that say the same, bindings, joints
 * and motors, are left out.
 */
import { invertMat3 } from '../../../math/mat3-inverse.js';
import type { CoreScene } from '../core-scene.js';
import { project, projectAndFill } from '../rigid/joint-algebra.js';
import { TWIST } from '../rigid/rigid-bodies.js';
import type { Islands } from '../rows/islands.js';
import { addSide, settleMeasure } from '../rows/row-measure.js';
import type { RowSystem } from '../rows/row-system.js';
import { CORNERS } from '../soft/soft-sides.js';
import type { Creature } from './creature.js';
import { isSolvedWithBones } from './creature-joints.js';
import { findCreatures } from './find-creatures.js';
import { Followers } from './followers.js';

const W = new Float64Array(9);
const P = new Float64Array(3);

/** Creatures of a world. */
export class Creatures {
  readonly #system: RowSystem;
  readonly #all: readonly Creature[];
  /** Creature of each soft body, if it is one, and of each bone, with the bone's number there. */
  readonly #ofSoft: readonly (Creature | undefined)[];
  readonly #ofBone: (Creature | undefined)[];
  readonly #bone: Int32Array;
  /** Those that are being solved, by their flesh. */
  readonly #isOn: Uint8Array;
  readonly #followers: Followers;
  readonly #bindingCount: number;
  /** Rows of the island at hand that are left. */
  readonly contact: Int32Array;
  readonly block: Int32Array;
  contactCount = 0;
  blockCount = 0;

  constructor(system: RowSystem, scene: CoreScene) {
    const { rigid, soft, contacts, joints } = system;
    this.#system = system;
    this.#all = findCreatures(scene, joints);
    this.#bindingCount = scene.bindings?.length ?? 0;
    const ofSoft: (Creature | undefined)[] = new Array(soft.bodies.count).fill(undefined);
    this.#ofBone = new Array(rigid.count).fill(undefined);
    this.#bone = new Int32Array(rigid.count).fill(-1);
    let room = 0;
    for (const creature of this.#all) {
      ofSoft[creature.soft] = creature;
      creature.bones.forEach((b, p) => {
        this.#ofBone[b] = creature;
        this.#bone[b] = p;
      });
      room += creature.model.model.size * creature.bones.length;
    }
    this.#ofSoft = ofSoft;
    this.#isOn = new Uint8Array(soft.bodies.count);
    this.#followers = new Followers(room > 0 ? soft.capacity : 0, room);
    this.contact = new Int32Array(room > 0 ? contacts.capacity : 0);
    this.block = new Int32Array(room > 0 ? joints.count : 0);
  }

  /** Makes the tables for substeps of h [s]. */
  prepare(h: number): void {
    for (const { model } of this.#all) model.prepare(h);
  }

  /** Finds the creatures of an island that can be solved now; how many of its rows that would leave out. */
  find(islands: Islands, i: number): number {
    const { rigid } = this.#system;
    const { body, bodyStart } = islands;
    let rows = 0;
    if (this.#all.length === 0) return 0;
    for (let n = bodyStart[i]; n < bodyStart[i + 1]; n++) {
      const s = body[n] - rigid.count;
      const creature = s >= 0 ? this.#ofSoft[s] : undefined;
      if (!creature || !this.#isReady(creature)) continue;
      this.#isOn[s] = 1;
      rows += creature.bindings.length;
    }
    if (rows === 0 || this.#hasRoom(islands, i)) return rows;
    this.leave();
    return 0;
  }

  /** What was found is not solved. */
  leave(): void {
    this.#isOn.fill(0);
  }

  /** Solves the creatures found as if nothing touched, and lists the rows that are left. */
  begin(islands: Islands, i: number, track: 0 | 1): void {
    const { soft, joints } = this.#system;
    const { body, bodyStart } = islands;
    for (let n = bodyStart[i]; n < bodyStart[i + 1]; n++) {
      const creature = this.#onAt(body[n]);
      if (!creature) continue;
      creature.begin(this.#system, track);
      soft.tables.hold(creature.soft, creature.bindings.length, creature.tables.held);
    }
    this.#list(islands, i);
    for (let n = 0; n < this.contactCount; n++) this.#measure(this.contact[n]);
    for (let n = 0; n < this.blockCount; n++) {
      const block = this.block[n];
      if (this.#turnsBone(joints.a[block]) || this.#turnsBone(joints.b[block])) this.#invert(block);
    }
  }

  /** All rows are solved: what was left out gets its impulses. */
  end(islands: Islands, i: number): void {
    const { body, bodyStart } = islands;
    this.#gatherImpulses(islands, i);
    this.#followers.clear();
    for (let n = bodyStart[i]; n < bodyStart[i + 1]; n++) {
      const creature = this.#onAt(body[n]);
      if (!creature) continue;
      this.#isOn[creature.soft] = 0;
      this.#system.soft.tables.release(creature.soft);
      creature.end(this.#system);
    }
  }

  /** out += what bones of these velocities make of a side, if it follows any. */
  addVelocity(side: number, velocity: Float64Array, out: Float64Array): void {
    if (this.#followers.has(side)) this.#followers.addVelocity(side, velocity, out);
  }

  /** A push on a side moves the bones that it follows. */
  push(side: number, p: Float64Array, sign: number): void {
    if (this.#followers.has(side)) this.#followers.push(side, p, sign, this.#system.rigid.velocity);
  }

  /** A push on a side is noted, for `respond`. */
  note(side: number, p: Float64Array, sign: number): void {
    if (this.#followers.has(side)) this.#followers.note(side, p, sign);
  }

  /** No pushes are noted for the bones of soft body s. */
  forget(s: number): void {
    if (this.#isOn[s] === 1) this.#ofSoft[s]?.wrench.fill(0);
  }

  /** velocity += what comes of the pushes noted, on the bones of soft body s. */
  respond(s: number, velocity: Float64Array): void {
    if (this.#isOn[s] === 0) return;
    this.#ofSoft[s]?.respond();
    this.#ofSoft[s]?.addMotion(velocity);
  }

  /** A turning push on a bone moves all bones of its creature; false where the body is no such bone. */
  turn(body: number, p: Float64Array, sign: number): boolean {
    if (!this.#turnsBone(body)) return false;
    const creature = this.#ofBone[body] as Creature;
    creature.wrench.fill(0);
    for (let k = 0; k < 3; k++) creature.wrench[this.#bone[body] * TWIST + 3 + k] = sign * p[k];
    creature.respond();
    creature.addMotion(this.#system.rigid.velocity);
    return true;
  }

  /** Impulses of slots as contacts have them: while rows were solved nobody looked at them. */
  #gatherImpulses({ body, bodyStart }: Islands, i: number): void {
    const { soft, contacts, push } = this.#system;
    for (let n = bodyStart[i]; n < bodyStart[i + 1]; n++) {
      const creature = this.#onAt(body[n]);
      if (!creature) continue;
      const first = soft.bodies.firstVertex[creature.soft];
      soft.impulse.fill(0, first * 3, (first + soft.slotCount[creature.soft]) * 3);
    }
    for (let n = 0; n < this.contactCount; n++) {
      const c = this.contact[n];
      for (let k = 0; k < 3; k++) P[k] = push[c * 3 + k];
      if (P[0] === 0 && P[1] === 0 && P[2] === 0) continue;
      if (this.#onAt(contacts.a[c])) soft.addImpulse(contacts.sideA[c], P, 1, soft.impulse);
      if (this.#onAt(contacts.b[c])) soft.addImpulse(contacts.sideB[c], P, -1, soft.impulse);
    }
  }

  #onAt(body: number): Creature | undefined {
    const s = body - this.#system.rigid.count;
    return s >= 0 && this.#isOn[s] === 1 ? this.#ofSoft[s] : undefined;
  }

  #turnsBone(body: number): boolean {
    const creature = this.#ofBone[body];
    return creature !== undefined && this.#isOn[creature.soft] === 1;
  }

  /** Whether all of a creature can move, and its bindings are where they should be. */
  #isReady({ soft: s, bones, bindings }: Creature): boolean {
    const { rigid, soft, contacts } = this.#system;
    if (soft.bodies.asleep[s] === 1 || contacts.count < this.#bindingCount) return false;
    for (let p = 0; p < bones.length; p++) if (rigid.inverseMass[bones[p]] === 0) return false;
    for (let k = 0; k < bindings.length; k++) {
      const c = bindings[k];
      if (contacts.key[c] !== c - this.#bindingCount || soft.slot[contacts.sideA[c] * CORNERS] !== k) return false;
    }
    return true;
  }

  #hasRoom({ contact, contactStart }: Islands, i: number): boolean {
    const { contacts } = this.#system;
    let count = 0;
    for (let n = contactStart[i]; n < contactStart[i + 1]; n++) {
      const c = contact[n];
      if (contacts.isBinding(c)) continue;
      count += (this.#onAt(contacts.a[c])?.bones.length ?? 0) + (this.#onAt(contacts.b[c])?.bones.length ?? 0);
    }
    return this.#followers.hasRoomFor(count);
  }

  #list({ contact, contactStart, block, blockStart }: Islands, i: number): void {
    const { contacts, joints } = this.#system;
    this.contactCount = 0;
    this.blockCount = 0;
    for (let n = contactStart[i]; n < contactStart[i + 1]; n++) {
      const c = contact[n];
      if (!contacts.isBinding(c) || !this.#onAt(contacts.a[c])) this.contact[this.contactCount++] = c;
    }
    for (let n = blockStart[i]; n < blockStart[i + 1]; n++) {
      const b = block[n];
      const isOn = this.#turnsBone(joints.a[b]) || this.#turnsBone(joints.b[b]);
      if (!isOn || !isSolvedWithBones(joints, b)) this.block[this.blockCount++] = b;
    }
  }

  /** How contact c gives way now that what it touches follows bones. */
  #measure(c: number): void {
    const system = this.#system;
    const { contacts, opening } = system;
    const a = this.#onAt(contacts.a[c]);
    const b = this.#onAt(contacts.b[c]);
    if (opening[c] === 0 || (!a && !b)) return;
    const sideA = contacts.sideA[c];
    const sideB = contacts.sideB[c];
    W.fill(0);
    if (a) this.#follow(sideA, a);
    else addSide(system, sideA, contacts.a[c], contacts.armA, c, W);
    if (b) this.#follow(sideB, b);
    else addSide(system, sideB, contacts.b[c], contacts.armB, c, W);
    if (a && a === b) {
      this.#followers.addAnswer(sideA, sideB, -1, W);
      this.#followers.addAnswer(sideB, sideA, -1, W);
      system.soft.addMutualBlock(sideA, sideB, W);
    }
    settleMeasure(system, c, W);
  }

  #follow(side: number, creature: Creature): void {
    const { soft } = this.#system;
    this.#followers.add(side, creature, this.#system);
    soft.measureOwn(side);
    soft.addOwnBlock(side, W);
    this.#followers.addAnswer(side, side, 1, W);
  }

  /** How a limit or a capped motor gives way. */
  #invert(i: number): void {
    const { joints } = this.#system;
    W.fill(0);
    this.#addTurns(joints.a[i], joints.a[i], 1);
    this.#addTurns(joints.b[i], joints.b[i], 1);
    this.#addTurns(joints.a[i], joints.b[i], -1);
    this.#addTurns(joints.b[i], joints.a[i], -1);
    projectAndFill(joints.projector, i * 9, joints.compliance[i], W);
    if (!invertMat3(W, 0, W, 0)) W.fill(0);
    project(joints.projector, i * 9, W);
    for (let k = 0; k < 9; k++) joints.inverse[i * 9 + k] = W[k];
  }

  /** W += sign · how a bone turns when one of the same creature is turned. */
  #addTurns(body: number, pushed: number, sign: number): void {
    if (!this.#turnsBone(body) || !this.#turnsBone(pushed)) return;
    const { answer, size } = this.#ofBone[body] as Creature;
    const o = (this.#bone[body] * TWIST + 3) * size + this.#bone[pushed] * TWIST + 3;
    for (let r = 0; r < 3; r++) for (let k = 0; k < 3; k++) W[r * 3 + k] += sign * answer[o + r * size + k];
  }
}

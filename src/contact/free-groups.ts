/**
 * Free bodies that push each other and nothing else. Nothing outside has given such a group a moment, so it is turned as one piece about its middle until there is none: that opens and closes
 * no contact within it. The middles of its bodies go along, which takes forces between them: along a tree of the contacts that push, so that the momentum of each body is what is
 * reported to act on it. See docs/decisions/0050.
 */
import type { ContactBuffer } from '../collision/contact-buffer.js';
import { addOuterMat3, addScaledMat3 } from '../math/mat3.js';
import { addScaledVec3, dotVec3, lengthSqVec3 } from '../math/vec3.js';
import type { SideList } from './side-list.js';
import type { WholeBody } from './whole-bodies.js';
import { WholeTurn } from './whole-turn.js';

/** What a body adds to its group, as it is at the end of a step. */
export class GroupMember {
  /** Mass over the time squared that accelerations are multiplied by, a [kg/s²]. */
  weight = 0;
  /** For how long forces act in the step, √a [s]. */
  time = 0;
  /** The middle x̄, and where inertia leads it, ȳ. */
  readonly centre = new Float64Array(3);
  readonly target = new Float64Array(3);
  /** Σ m (y − x̄)(x − x̄)ᵀ/a. */
  readonly inertial = new Float64Array(9);
  /** The force that takes its middle where the group turns it, as far as no contact has taken it on [N]. */
  readonly force = new Float64Array(3);
}

/** The groups of one world in one step. */
export class FreeGroups {
  readonly turn = new WholeTurn();
  readonly members: readonly GroupMember[];
  /** First body of the group that a body is in, -1 where it is in none. */
  readonly groupOf: Int32Array;
  readonly #contacts: ContactBuffer;
  readonly #sides: readonly SideList[];
  readonly #sideOf: Int32Array;
  /** Contacts that first bring bodies of a group together: one fewer than its bodies; and of how many of those still to do each body is part. */
  readonly #tree: Int32Array;
  #treeCount = 0;
  readonly #degree: Int32Array;
  readonly #x = new Float64Array(3);
  readonly #y = new Float64Array(3);

  /** `sideOf`: the sides of each contact in the lists of its bodies, 2 per contact. */
  constructor(contacts: ContactBuffer, sides: readonly SideList[], sideOf: Int32Array) {
    this.members = sides.map(() => new GroupMember());
    this.groupOf = new Int32Array(sides.length);
    this.#contacts = contacts;
    this.#sides = sides;
    this.#sideOf = sideOf;
    this.#tree = new Int32Array(sides.length);
    this.#degree = new Int32Array(sides.length);
  }

  /** Finds who pushes whom; `bodies` say whether anything holds them. */
  find(bodies: readonly WholeBody[]): void {
    const { count, body } = this.#contacts;
    const { groupOf } = this;
    this.#treeCount = 0;
    for (let b = 0; b < groupOf.length; b++) groupOf[b] = b;
    for (let c = 0; c < count; c++) if (body[c * 2 + 1] >= 0 && this.#pushes(c)) this.#join(c);
    // only those that push have a moment left, and only where nothing else does
    this.#degree.fill(0);
    for (let c = 0; c < count; c++) {
      if (!this.#pushes(c)) continue;
      const other = body[c * 2 + 1];
      const isOutside = other < 0 || !bodies[other].isFree || !bodies[body[c * 2]].isFree;
      const root = this.#rootOf(body[c * 2]);
      if (isOutside) this.#degree[root] = -1;
      else if (this.#degree[root] === 0) this.#degree[root] = 1;
    }
    // a root is the first body of its group, so that those after it find their answer there
    for (let b = 0; b < groupOf.length; b++) {
      const root = this.#rootOf(b);
      groupOf[b] = root === b ? (this.#degree[b] > 0 ? b : -1) : groupOf[root];
    }
  }

  #pushes(c: number): boolean {
    const { force } = this.#contacts;
    return force[c * 3] !== 0 || force[c * 3 + 1] !== 0 || force[c * 3 + 2] !== 0;
  }

  #rootOf(body: number): number {
    let b = body;
    while (this.groupOf[b] >= 0 && this.groupOf[b] !== b) b = this.groupOf[b];
    return b;
  }

  #join(c: number): void {
    const a = this.#rootOf(this.#contacts.body[c * 2]);
    const b = this.#rootOf(this.#contacts.body[c * 2 + 1]);
    if (a === b) return;
    this.groupOf[Math.max(a, b)] = Math.min(a, b);
    this.#tree[this.#treeCount++] = c;
  }

  /** Finds the turn of a group whose members have said what they are; false where there is none to make. */
  findTurn(group: number): boolean {
    this.#gather(group);
    return this.turn.find();
  }

  /** out[0] = angular momentum that a group, whose members have said what they are, gains in the step from nobody [kg m²/s]. */
  measure(group: number, out: Float64Array): void {
    this.#gather(group);
    this.turn.moment(this.#x);
    out[0] = Math.sqrt(lengthSqVec3(this.#x, 0)) * this.members[group].time;
  }

  /** What turns the members of a group as one. */
  #gather(group: number): void {
    const { members, groupOf } = this;
    const { centre, inertial } = this.turn;
    let weight = 0;
    for (let b = group; b < members.length; b++) if (groupOf[b] === group) weight += members[b].weight;
    centre.fill(0);
    for (let b = group; b < members.length; b++) {
      if (groupOf[b] === group) addScaledVec3(centre, 0, centre, 0, members[b].centre, 0, members[b].weight / weight);
    }
    inertial.fill(0);
    for (let b = group; b < members.length; b++) {
      if (groupOf[b] !== group) continue;
      const member = members[b];
      addScaledVec3(this.#x, 0, member.centre, 0, centre, 0, -1);
      addScaledVec3(this.#y, 0, member.target, 0, centre, 0, -1);
      addScaledMat3(inertial, 0, inertial, 0, member.inertial, 0, 1);
      addOuterMat3(inertial, 0, this.#y, 0, this.#x, 0, member.weight);
    }
  }

  /** Whether the turn would take a group whose sides are placed into anything that is not part of it. */
  enters(group: number): boolean {
    const { count, body } = this.#contacts;
    for (let c = 0; c < count; c++) {
      const isFirst = this.groupOf[body[c * 2]] === group;
      const other = body[c * 2 + 1];
      if (isFirst === (other >= 0 && this.groupOf[other] === group)) continue;
      if (this.#closes(c, isFirst ? 0 : 1)) return true;
    }
    return false;
  }

  /** Whether a contact with something outside, `side` being that of the group, is closed farther than it may be. */
  #closes(c: number, side: number): boolean {
    const { body, normal, offset } = this.#contacts;
    const x = this.#x;
    let gap = -offset[c];
    for (let n = 0; n < 2; n++) {
      const b = body[c * 2 + n];
      if (b < 0) break;
      x.set(this.#sides[b].at(this.#sideOf[c * 2 + n]));
      if (n === side) this.turn.turnPoints(x, 3, 3);
      gap += (n === 0 ? 1 : -1) * dotVec3(normal, c * 3, x, 0);
    }
    return gap < 0;
  }

  /** Adds to the forces between the bodies of a group what takes their middles along with the turn. */
  addForces(group: number): void {
    const { body } = this.#contacts;
    const { members, groupOf } = this;
    for (let b = group; b < members.length; b++) {
      if (groupOf[b] !== group) continue;
      const { centre, weight, force } = members[b];
      force.set(centre);
      this.turn.turnPoints(force, 3, 3);
      for (let k = 0; k < 3; k++) force[k] = weight * (force[k] - centre[k]);
      this.#degree[b] = 0;
    }
    let left = 0;
    for (let n = 0; n < this.#treeCount; n++) {
      const c = this.#tree[n];
      if (groupOf[body[c * 2]] !== group) continue;
      this.#degree[body[c * 2]]++;
      this.#degree[body[c * 2 + 1]]++;
      left++;
    }
    for (; left > 0; left--) this.#takeLeaf(group);
  }

  /** A body that is tied to the rest by one contact of the tree gets its force there; the rest has to bear the opposite. */
  #takeLeaf(group: number): void {
    for (let n = 0; n < this.#treeCount; n++) {
      const a = this.#contacts.body[this.#tree[n] * 2];
      const b = this.#contacts.body[this.#tree[n] * 2 + 1];
      // what has been taken has nothing left to do at its leaf
      if (this.groupOf[a] !== group || this.#degree[a] === 0 || this.#degree[b] === 0) continue;
      if (this.#degree[a] > 1 && this.#degree[b] > 1) continue;
      const leaf = this.#degree[a] === 1 ? a : b;
      const rest = leaf === a ? b : a;
      this.#degree[leaf]--;
      this.#degree[rest]--;
      const { force } = this.members[leaf];
      this.#push(leaf, rest, force);
      addScaledVec3(this.members[rest].force, 0, this.members[rest].force, 0, force, 0, 1);
      return;
    }
  }

  /** Adds a force on a body, and its opposite on another, to the contacts between them, in shares as they push. */
  #push(on: number, against: number, force: Float64Array): void {
    const { count, body, force: forces } = this.#contacts;
    let sum = 0;
    for (let c = 0; c < count; c++) {
      if (this.#isBetween(c, on, against)) sum += Math.sqrt(lengthSqVec3(forces, c * 3));
    }
    for (let c = 0; c < count; c++) {
      if (!this.#isBetween(c, on, against)) continue;
      const share = Math.sqrt(lengthSqVec3(forces, c * 3)) / sum;
      addScaledVec3(forces, c * 3, forces, c * 3, force, 0, body[c * 2] === on ? share : -share);
    }
  }

  #isBetween(c: number, first: number, second: number): boolean {
    const a = this.#contacts.body[c * 2];
    const b = this.#contacts.body[c * 2 + 1];
    return (a === first && b === second) || (a === second && b === first);
  }
}

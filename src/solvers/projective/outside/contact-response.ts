/**
 * Contact in the projective solver, seen from one body: its contact forces become part of the right-hand side, the positions of
 * its contact sides are read off, and W between the sides is made of the compliance between vertices.
 */

import type { Model } from '../../../body/model.js';
import type { BodyState } from '../../../body/state.js';
import { SIDE_VERTICES, type SideList } from '../../../contact/side-list.js';
import type { SolvePlan } from '../../../linalg/solve-plan.js';
import type { BoneMotion } from '../bones/bone-motion.js';
import type { BoneStep } from '../bones/bone-step.js';
import type { ConstantMatrix } from '../constant-matrix.js';
import type { FleshRows } from '../flesh-rows.js';
import type { RegionResponse } from '../regions/region-response.js';
import type { TurningRegions } from '../regions/turning-regions.js';
import type { FleshAndBones } from './flesh-and-bones.js';
import { findPivots } from './pivots.js';
import type { SideRows } from './side-rows.js';
import { isOneBone, SolidSides } from './solid-sides.js';

/** Share of a bone's motion below which a contact side is not said to move with it; the next solve knows better. */
const HARDLY = 1e-3;

/**
 * The same for regions of flesh, per radian of their turn and size of the body; each that is felt has its rows in what contacts reckon with. With 1e-2 the forces under a bar
 * moved it by two thirds more than they had reckoned with, and its steps never settled.
 */
const HARDLY_TURNED = 1e-3;

/**
 * Change of an entry of a bone's rotation after which chains of bones that are pinned to the world say anew how they move: forces of a thousand newtons that a pin
 * answers turn a bone by what is wrong about its arm.
 */
const TURNED = 0.01;

/** Change of contact forces, as a share of the largest one, that can wait for the next iteration's solve. */
export const SMALL_CHANGE = 1e-3;

/** Contact sides of one body. */
export class ContactResponse {
  /** Where contacts touch the body in this step. */
  readonly sides: SideList;
  /** How the sides move each other; filled here, read by the contact solver. */
  readonly #w: FleshAndBones;
  readonly #model: Model;
  readonly #rows: FleshRows;
  readonly #solve: SolvePlan;
  readonly #q = new Float64Array(4);
  readonly #entry = new Float64Array(4);
  readonly #arm = new Float64Array(3);
  readonly #sideRows: SideRows;
  /**
   * Rotations of the bones when the step began. Forces act on a bone with the arms they have then: with arms that turn along, a
   * light bone between heavy ones is thrown over, because forces far larger than its inertia tip it further.
   */
  readonly #rotations: Float64Array;
  readonly #withRegions: RegionResponse;
  /** Where bones turn about (pivots.ts), and their rotations when it was found out how they move each other. */
  readonly #pivots: Float64Array;
  readonly #factored: Float64Array;
  readonly #isPinned: boolean;
  /** The sides of a body that is one bone and nothing else. */
  readonly #solid: SolidSides | undefined;

  constructor(
    sides: SideList,
    response: FleshAndBones,
    model: Model,
    rows: FleshRows,
    solve: SolvePlan,
    sideRows: SideRows,
    withRegions: RegionResponse,
  ) {
    this.sides = sides;
    this.#w = response;
    this.#sideRows = sideRows;
    this.#rotations = new Float64Array(model.bones.count * 9);
    this.#withRegions = withRegions;
    this.#model = model;
    this.#pivots = findPivots(model);
    this.#isPinned = this.#pivots.some((x) => x !== 0);
    this.#factored = new Float64Array(model.bones.count * 9);
    if (isOneBone(model)) this.#solid = new SolidSides(model, sides.capacity);
    this.#rows = rows;
    this.#solve = solve;
  }

  /** Gets ready for the sides of this step; none has its W yet. */
  begin({ poses }: BoneMotion): void {
    const { sides } = this;
    this.#rotations.set(poses.rotations.subarray(0, this.#rotations.length));
    sides.restart();
    this.#solid?.begin(sides);
    if (this.#w.isSoft) this.#sideRows.begin(sides);
  }

  /** Takes up a new factorisation. */
  useMatrix(matrix: ConstantMatrix): void {
    this.#sideRows.compliance.useMatrix(matrix);
    this.#sideRows.inner.useMatrix(matrix);
  }

  /** Makes the W of the sides that are wanted and have none, with `regions` of flesh that turn. Uses the solver's right-hand side, which is left empty. */
  prepare(motion: BoneMotion, bones: BoneStep, regions: TurningRegions | undefined): void {
    const { sides } = this;
    if (this.#hasTurned(motion)) {
      sides.preparedCount = 0;
      this.#w.bones.clear(sides.count);
    }
    if (sides.wantedCount === sides.preparedCount) return;
    this.#sideRows.prepare(sides, this.#w.isSoft);
    if (this.#model.bones.count > 0 || regions) this.#respondOfBones(motion, bones, regions);
    sides.preparedCount = sides.wantedCount;
  }

  /** Whether bones that are pinned have turned so far since it was found out how they move each other that this has to be done again. */
  #hasTurned({ poses }: BoneMotion): boolean {
    if (!this.#isPinned || this.#w.isSoft || this.sides.preparedCount === 0) return false;
    const factored = this.#factored;
    for (let i = 0; i < factored.length; i++) if (Math.abs(poses.rotations[i] - factored[i]) > TURNED) return true;
    return false;
  }

  /** How the sides just wanted move with bones and regions, and these with each other. */
  #respondOfBones(motion: BoneMotion, step: BoneStep, regions: TurningRegions | undefined): void {
    const { sides } = this;
    const { bones } = this.#w;
    const known = bones.count;
    if (sides.preparedCount === 0 && this.#model.bones.count > 0) {
      step.factorAt(motion.poses, regions);
      this.#factored.set(motion.poses.rotations.subarray(0, this.#factored.length));
    }
    for (let n = sides.preparedCount; n < sides.wantedCount; n++) {
      const side = sides.wanted[n];
      bones.beginSide(side);
      for (let bone = 0; bone < this.#model.bones.count; bone++) this.#addEntry(side, bone);
      for (let region = 0; regions && region < regions.count; region++) this.#addTurn(side, region, regions.columns);
      bones.endSide(side);
    }
    const more = bones.count > known;
    if (more && regions) this.#withRegions.fill(motion.poses, step, regions, bones);
    else if (more) this.#respondOfFelt(motion, step);
    for (let n = more ? 0 : sides.preparedCount; n < sides.wantedCount; n++) bones.solve(sides.wanted[n]);
  }

  /** How the bones that are felt move each other. */
  #respondOfFelt({ poses }: BoneMotion, step: BoneStep): void {
    const { bones } = this.#w;
    const width = bones.count * 6;
    for (let n = 0; n < bones.count; n++) {
      step.respond(poses, bones.bones[n], bones.bones, bones.count, bones.inverse, n * 6, width);
    }
  }

  /** Says how a side moves with a bone, unless it hardly does. */
  #addEntry(side: number, bone: number): void {
    if (this.#solid) {
      this.#solid.writeEntry(side, this.#rotations, this.#entry);
      this.#w.bones.addEntry(bone, this.#entry);
      return;
    }
    const { sides } = this;
    const q = this.#q;
    const rotations = this.#rotations;
    q.fill(0);
    for (let a = side * SIDE_VERTICES; a < (side + 1) * SIDE_VERTICES; a++) {
      const weight = sides.weights[a];
      if (weight !== 0) this.#sideRows.addWithBone(sides.vertices[a], bone, weight, q);
    }
    const arm = Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) / this.#model.size;
    if (arm < HARDLY && Math.abs(q[3]) < HARDLY) return;
    const entry = this.#entry;
    const pivots = this.#pivots;
    const factored = this.#factored;
    for (let k = 0; k < 3; k++) {
      entry[k] = 0;
      for (let c = 0; c < 3; c++) {
        const i = bone * 9 + k * 3 + c;
        const p = q[3] * pivots[bone * 3 + c];
        entry[k] += rotations[i] * (q[c] - p) + factored[i] * p;
      }
    }
    entry[3] = q[3];
    this.#w.bones.addEntry(bone, entry);
  }

  /** Says how a side moves with the turn of a region, whose rotation has these columns, unless it hardly does. */
  #addTurn(side: number, region: number, columns: Float64Array): void {
    const { sides } = this;
    const q = this.#q;
    q.fill(0);
    for (let a = side * SIDE_VERTICES; a < (side + 1) * SIDE_VERTICES; a++) {
      const weight = sides.weights[a];
      if (weight !== 0) this.#sideRows.addWithRegion(sides.vertices[a], region, weight, q);
    }
    if (Math.sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]) < HARDLY_TURNED * this.#model.size) return;
    const entry = this.#entry;
    for (let k = 0; k < 3; k++) {
      const c = region * 9 + k;
      entry[k] = columns[c] * q[0] + columns[c + 3] * q[1] + columns[c + 6] * q[2];
    }
    entry[3] = 0;
    this.#w.bones.addEntry(this.#model.bones.count + region, entry);
  }

  /** Adds forces on the sides (3 per side) to the right-hand side of the flesh and to the pull on the bones. */
  addForces(forces: Float64Array, motion: BoneMotion): void {
    if (this.#solid) {
      this.#solid.addForces(this.sides, forces, motion, this.#rotations);
      return;
    }
    const y = this.#solve.y.view;
    const { vertices, weights, count } = this.sides;
    const { rowOfVertex, fleshCount } = this.#rows;
    const { ofVertex } = this.#model.bones;
    for (let side = 0; side < count; side++) {
      const from = side * 3;
      // most of what is near does not push
      if (forces[from] === 0 && forces[from + 1] === 0 && forces[from + 2] === 0) continue;
      for (let a = side * SIDE_VERTICES; a < (side + 1) * SIDE_VERTICES; a++) {
        const weight = weights[a];
        if (weight === 0) continue;
        const v = vertices[a];
        const row = rowOfVertex[v];
        if (ofVertex[v] >= 0) this.#addPull(v, weight, forces, from, motion);
        else if (row >= 0 && row < fleshCount) {
          y[row * 4] += weight * forces[from];
          y[row * 4 + 1] += weight * forces[from + 1];
          y[row * 4 + 2] += weight * forces[from + 2];
        }
      }
    }
  }

  /** Adds a force on a vertex of a bone to the pull on that bone, with the arm it had when the step began, from where it turns about. */
  #addPull(v: number, weight: number, forces: Float64Array, from: number, { pull, poses }: BoneMotion): void {
    const { bones, positions } = this.#model;
    const bone = bones.ofVertex[v];
    const arm = this.#arm;
    const before = this.#rotations;
    const pivots = this.#pivots;
    for (let r = 0; r < 3; r++) {
      arm[r] = 0;
      for (let c = 0; c < 3; c++) {
        const b = bone * 3 + c;
        arm[r] += before[bone * 9 + r * 3 + c] * (positions[v * 3 + c] - bones.centre[b] - pivots[b]);
      }
    }
    for (let p = 0; p < 3; p++) {
      // the arm as the bone sees it now
      let along = pivots[bone * 3 + p];
      for (let r = 0; r < 3; r++) along += poses.rotations[bone * 9 + r * 3 + p] * arm[r];
      for (let k = 0; k < 3; k++) pull[bone * 12 + p * 3 + k] += weight * forces[from + k] * along;
    }
    for (let k = 0; k < 3; k++) pull[bone * 12 + 9 + k] += weight * forces[from + k];
  }

  /** Where the sides are in the step in progress. */
  readPositions(motion: BoneMotion, state: BodyState): void {
    const { sides } = this;
    // the bones' part of what sweeps have done is in the poses by now
    this.#w.bones.motion.fill(0);
    if (this.#solid) {
      this.#solid.readPositions(sides, motion);
      return;
    }
    this.#w.flesh.settle();
    sides.position.fill(0, 0, sides.count * 3);
    const { vertices, weights, count } = sides;
    for (let side = 0; side < count; side++) {
      for (let a = side * SIDE_VERTICES; a < (side + 1) * SIDE_VERTICES; a++) {
        if (weights[a] !== 0) this.#addPosition(vertices[a], weights[a], motion, state, sides.position, side * 3);
      }
    }
  }

  /** out += weight times the position of a vertex. */
  #addPosition(v: number, weight: number, motion: BoneMotion, state: BodyState, out: Float64Array, o: number): void {
    const x = this.#rows.x.view;
    const { bones, positions } = this.#model;
    const { rotations, translations } = motion.poses;
    const bone = bones.ofVertex[v];
    const row = this.#rows.rowOfVertex[v];
    for (let k = 0; k < 3; k++) {
      let value: number;
      if (bone >= 0) {
        value = translations[bone * 3 + k];
        for (let p = 0; p < 3; p++) {
          value += rotations[bone * 9 + k * 3 + p] * (positions[v * 3 + p] - bones.centre[bone * 3 + p]);
        }
      } else if (row >= 0 && row < this.#rows.fleshCount) value = x[row * 4 + k];
      else value = state.positions[v * 3 + k];
      out[o + k] += weight * value;
    }
  }
}

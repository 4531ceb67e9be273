/**
 * Between the arrays of a world's bodies and those of the core: reads where bodies start, what drives them and what forces act, and writes
 * back poses, positions and velocities after a step.
 */
import { type ObstacleSet, POSE } from '../../collision/obstacles/obstacle.js';
import { conjugateQuat, multiplyQuat, rotateVec3 } from '../../math/quat.js';
import type { SolverSite } from '../solver.js';
import { carryVertex, spinOfRates, writeRates } from './bone-rates.js';
import type { CoupledCore } from './coupled-core.js';
import type { CoupledState } from './motors.js';
import type { PoseKernel } from './rigid/pose-kernel.js';
import { TWIST } from './rigid/rigid-bodies.js';
import { type BodyMap, obstacleBody } from './world-bodies.js';

/** Copies between a world and its core. */
export class BodyWriter {
  readonly #site: SolverSite;
  readonly #core: CoupledCore;
  readonly #map: BodyMap;
  readonly #states: readonly CoupledState[];
  #obstacles: ObstacleSet;
  readonly #q = new Float64Array(8);
  readonly #omega = new Float64Array(3);
  readonly #asleep: Uint8Array;
  /** Does what rigid bodies have. */
  readonly #poses: PoseKernel;

  constructor(site: SolverSite, core: CoupledCore, map: BodyMap, states: readonly CoupledState[], poses: PoseKernel) {
    this.#poses = poses;
    this.#site = site;
    this.#core = core;
    this.#map = map;
    this.#states = states;
    this.#obstacles = site.obstacles;
    this.#asleep = new Uint8Array(states.length);
  }

  /** Bodies as they stand in their own arrays. */
  readAll(): void {
    const { soft } = this.#core;
    for (let i = 0; i < this.#states.length; i++) {
      const s = this.#map.softOf[i];
      if (s >= 0) {
        const { positions, velocities } = this.#states[i];
        soft.place(s, { model: soft.models[s], positions, velocities });
      }
      this.#readParts(i);
    }
    this.#core.moved();
  }

  #readParts(i: number): void {
    const { rigid } = this.#core;
    const { poses, boneRates } = this.#states[i];
    for (let part = this.#map.firstPart[i]; part < this.#map.firstPart[i + 1]; part++) {
      const bone = part - this.#map.firstPart[i];
      multiplyQuat(rigid.q, part * 4, poses.quats, bone * 4, this.#map.turns, part * 4);
      for (let k = 0; k < 3; k++) {
        rigid.x[part * 3 + k] = poses.translations[bone * 3 + k];
        rigid.v[part * 3 + k] = boneRates[bone * 12 + 9 + k];
      }
      rigid.refresh(part);
      spinOfRates(boneRates, bone * 12, poses.rotations, bone * 9, this.#omega);
      rigid.setSpin(part, this.#omega);
    }
  }

  /** What others move in a step of h [s]: kinematic bones, anchors and obstacles; and the forces from outside. */
  readDriven(h: number): void {
    const { rigid } = this.#core;
    const { firstPart, firstAnchor, anchorBody, softOf } = this.#map;
    rigid.outside.fill(0, 0, firstAnchor * TWIST);
    for (let i = 0; i < this.#states.length; i++) {
      const state = this.#states[i];
      const { kinematic } = this.#site.bodies[i].model.bones;
      const isSoft = softOf[i] >= 0;
      if (isSoft) this.#core.soft.outside.set(state.forces, this.#core.soft.firstVertex[softOf[i]] * 3);
      else this.#readForces(i);
      for (let part = firstPart[i]; part < firstPart[i + 1]; part++) {
        const bone = part - firstPart[i];
        // what was pinned in flesh when it was built stays so
        const isSent = state.kinematic[bone] === 1 || (isSoft && kinematic[bone] === 1);
        rigid.setDriven(part, isSent);
        if (!isSent) continue;
        multiplyQuat(this.#q, 4, state.boneTargets, bone * 7, this.#map.turns, part * 4);
        this.#send(part, state.boneTargets, bone * 7 + 4, h);
        if (isSoft && kinematic[bone] === 1) this.#sendVertices(i, bone, h);
      }
    }
    for (let n = 0; n < anchorBody.length; n++) {
      const { poses } = this.#states[anchorBody[n]];
      const b = firstAnchor + n;
      const bone = poses.count - 1;
      for (let k = 0; k < 3; k++) rigid.x[b * 3 + k] = poses.translations[bone * 3 + k];
      for (let k = 0; k < 4; k++) rigid.q[b * 4 + k] = poses.quats[bone * 4 + k];
    }
    this.#readObstacles(h);
  }

  #readObstacles(h: number): void {
    const { obstacles } = this.#site;
    const { rigid } = this.#core;
    const changed = obstacles !== this.#obstacles;
    this.#obstacles = obstacles;
    const room = rigid.count - this.#map.firstObstacle;
    for (let i = 0; i < Math.min(room, obstacles.count); i++) {
      const b = this.#map.firstObstacle + i;
      const def = changed ? obstacleBody(obstacles, i) : undefined;
      // what is gone leaves nothing behind
      if (def) this.#core.setObstacle(b, obstacles.has(i) ? def : { ...def, shape: 'none' });
      if (!obstacles.has(i)) continue;
      const o = i * POSE;
      for (let k = 0; k < 4; k++) rigid.q[b * 4 + k] = obstacles.poses[o + k];
      for (let k = 0; k < 3; k++) rigid.x[b * 3 + k] = obstacles.poses[o + 4 + k];
      for (let k = 0; k < 4; k++) this.#q[4 + k] = obstacles.next[o + k];
      this.#send(b, obstacles.next, o + 4, h);
    }
  }

  /** Velocities that take body b to a place, and to the orientation at #q[4..8), within h. */
  #send(b: number, place: Float64Array, o: number, h: number): void {
    const { rigid } = this.#core;
    const q = this.#q;
    conjugateQuat(q, 0, rigid.q, b * 4);
    multiplyQuat(q, 0, q, 4, q, 0);
    // the rotation vector of a small turn: twice its sine half, to third order the angle
    const sign = q[3] < 0 ? -1 : 1;
    const sineSq = q[0] * q[0] + q[1] * q[1] + q[2] * q[2];
    const scale = (2 * sign * (1 + sineSq * (1 / 6 + sineSq * (3 / 40)))) / h;
    for (let k = 0; k < 3; k++) {
      rigid.v[b * 3 + k] = (place[o + k] - rigid.x[b * 3 + k]) / h;
      this.#omega[k] = scale * q[k];
    }
    rigid.setSpin(b, this.#omega);
  }

  /** Velocities that take the pinned vertices of a bone in flesh along with it. */
  #sendVertices(i: number, bone: number, h: number): void {
    const { soft } = this.#core;
    const { bones, positions } = this.#site.bodies[i].model;
    const { boneTargets } = this.#states[i];
    const first = soft.firstVertex[this.#map.softOf[i]];
    const arm = this.#omega;
    for (let n = bones.vertexStart[bone]; n < bones.vertexStart[bone + 1]; n++) {
      const v = bones.vertices[n];
      for (let k = 0; k < 3; k++) arm[k] = positions[v * 3 + k] - bones.centre[bone * 3 + k];
      rotateVec3(arm, 0, boneTargets, bone * 7, arm, 0);
      for (let k = 0; k < 3; k++) {
        const o = (first + v) * 3 + k;
        soft.v[o] = (boneTargets[bone * 7 + 4 + k] + arm[k] - soft.x[o]) / h;
      }
    }
  }

  /** Forces on the vertices of a rigid body, summed to forces and torques on its parts. */
  #readForces(i: number): void {
    const state = this.#states[i];
    const { bones, vertexCount } = this.#site.bodies[i].model;
    const first = state.keeper?.findFirst() ?? 0;
    if (first === vertexCount) return;
    const { forces } = state;
    for (let v = first * 3; v < forces.length; v += 3) {
      if (forces[v] === 0 && forces[v + 1] === 0 && forces[v + 2] === 0) continue;
      this.addForce(this.#map.firstPart[i] + bones.ofVertex[v / 3], state.positions, v, forces, v, 1);
    }
  }

  /** A force on rigid body b at a point [N, m], `share` of it. */
  addForce(b: number, at: Float64Array, p: number, force: Float64Array, f: number, share: number): void {
    const { rigid } = this.#core;
    const o = b * TWIST;
    const x = at[p] - rigid.x[b * 3];
    const y = at[p + 1] - rigid.x[b * 3 + 1];
    const z = at[p + 2] - rigid.x[b * 3 + 2];
    for (let k = 0; k < 3; k++) rigid.outside[o + k] += share * force[f + k];
    rigid.outside[o + 3] += share * (y * force[f + 2] - z * force[f + 1]);
    rigid.outside[o + 4] += share * (z * force[f] - x * force[f + 2]);
    rigid.outside[o + 5] += share * (x * force[f + 1] - y * force[f]);
  }

  /** A force on a vertex of world body i. */
  addVertexForce(i: number, vertex: number, force: Float64Array, share: number): void {
    const s = this.#map.softOf[i];
    if (s < 0) {
      const { ofVertex } = this.#site.bodies[i].model.bones;
      this.addForce(this.#map.firstPart[i] + ofVertex[vertex], this.#states[i].positions, vertex * 3, force, 0, share);
      return;
    }
    const { outside, firstVertex } = this.#core.soft;
    for (let k = 0; k < 3; k++) outside[(firstVertex[s] + vertex) * 3 + k] += share * force[k];
  }

  /** Before a step: which bodies with flesh sleep already. Their arrays are as they should be. */
  noteAsleep(): void {
    for (let i = 0; i < this.#asleep.length; i++) {
      if (this.#map.softOf[i] >= 0) this.#asleep[i] = this.#isAsleep(i) ? 1 : 0;
    }
  }

  #isAsleep(i: number): boolean {
    const { group } = this.#core.sleeping;
    const s = this.#map.softOf[i];
    if (s >= 0 && group[this.#core.rigid.count + s] === 0) return false;
    for (let part = this.#map.firstPart[i]; part < this.#map.firstPart[i + 1]; part++) {
      if (group[part] === 0) return false;
    }
    return true;
  }

  /** Everything that moved, after a step of h [s]. */
  writeAll(h: number): void {
    const { soft } = this.#core;
    this.#poses.write(h);
    for (let i = 0; i < this.#states.length; i++) {
      const s = this.#map.softOf[i];
      if (s < 0) continue;
      const state = this.#states[i];
      state.clock[0]++;
      state.clock[1] = h;
      if (this.#asleep[i] === 1 && this.#isAsleep(i)) continue;
      const [from, to] = [soft.firstVertex[s] * 3, soft.firstVertex[s + 1] * 3];
      for (let o = from; o < to; o++) {
        state.positions[o - from] = soft.x[o];
        state.velocities[o - from] = soft.v[o];
      }
      this.#writeParts(i);
    }
  }

  /** The bones of a body with flesh, and the vertices that they carry. */
  #writeParts(i: number): void {
    const { rigid } = this.#core;
    const { model } = this.#site.bodies[i];
    const state = this.#states[i];
    const { poses, boneRates } = state;
    const q = this.#q;
    for (let part = this.#map.firstPart[i]; part < this.#map.firstPart[i + 1]; part++) {
      const bone = part - this.#map.firstPart[i];
      conjugateQuat(q, 0, this.#map.turns, part * 4);
      multiplyQuat(poses.quats, bone * 4, rigid.q, part * 4, q, 0);
      for (let k = 0; k < 3; k++) poses.translations[bone * 3 + k] = rigid.x[part * 3 + k];
      poses.updateRotation(bone);
      rigid.spinOf(part, this.#omega);
      writeRates(boneRates, bone * 12, poses.rotations, bone * 9, this.#omega, rigid.v, part * 3);
      const { bones } = model;
      const { positions, velocities } = state;
      for (let n = bones.vertexStart[bone]; n < bones.vertexStart[bone + 1]; n++) {
        carryVertex(
          bones.vertices[n] * 3,
          model.positions,
          bones.centre,
          bone,
          poses.translations,
          poses.rotations,
          boneRates,
          positions,
          velocities,
        );
      }
    }
  }
}

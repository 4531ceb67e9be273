/**
 * The bodies of a world as the coupled core has them, and the way back. A part of a rigid body becomes a rigid body in the frame of its
 * shape, a flesh body a soft one, an obstacle a rigid body that nothing moves. Numbers of rigid bodies: parts of all bodies, then one
 * anchor for each body with joints to the world, then obstacles.
 */

import type { RigidPartDef } from '../../body/kinds/rigid-def.js';
import type { Model } from '../../body/model.js';
import { type ObstacleSet, POSE } from '../../collision/obstacles/obstacle.js';
import type { AnyShape } from '../../collision/rigid/sampled-shape.js';
import { traceMat3 } from '../../math/mat3.js';
import { invertMat3 } from '../../math/mat3-inverse.js';
import { multiplyMat3, transposeMultiplyMat3 } from '../../math/mat3-product.js';
import { conjugateQuat, multiplyQuat, normaliseQuat, quatToMat3, rotateVec3 } from '../../math/quat.js';
import { meshMassProperties } from '../../mesh/mass-properties.js';
import type { SolverSite } from '../solver.js';
import type { CoreBinding, CoreRigid, CoreScene, CoreSoft } from './core-scene.js';
import type { CoupledJoint } from './rigid/coupled-joint.js';
import type { LimitedBody } from './rigid/limit-blocks.js';
import { type AttachedVertex, listAttached } from './soft/attachments.js';
import { SoftModel } from './soft/soft-model.js';

/** Where the bodies of a world are in the core. */
export interface BodyMap {
  readonly scene: CoreScene;
  /** First rigid body of each world body's parts; one more than there are bodies. */
  readonly firstPart: Int32Array;
  /** Soft body of each world body, -1 for rigid ones. */
  readonly softOf: Int32Array;
  /** World body of each body of the core, rigid ones first; -1 for anchors and obstacles. */
  readonly owner: Int32Array;
  /** Rotation of each part's shape in its bone, 4 per part. */
  readonly turns: Float64Array;
  /** World body of each anchor, from rigid body `firstAnchor` on; obstacles follow from `firstObstacle`. */
  readonly anchorBody: Int32Array;
  /** First joint of each world body. */
  readonly firstJoint: Int32Array;
  /** `turns` as matrices, 9 per part. */
  readonly turnMatrices: Float64Array;
  readonly firstAnchor: number;
  readonly firstObstacle: number;
  /** Vertices that rigid bodies of the scene carry. */
  readonly attached: readonly AttachedVertex[];
}

/** What an obstacle that is not there looks like: out of everybody's way. */
const NOWHERE: AnyShape = { kind: 'sphere', radius: 1e-6 };
const FAR = 1e12;
const NO_TURN = [0, 0, 0, 1];
/** Share of a bone's mass that its rigid body has; the flesh at its vertices has the rest. */
const BONE_SHARE = 0.5;
/** Room for obstacles that come later. */
const SPARE_OBSTACLES = 16;

/** Builds the core's scene of a world. Bodies of one model share one soft model, found in `shared`. */
export function mapBodies(site: SolverSite, shared: Map<Model, SoftModel>): BodyMap {
  const { bodies, obstacles } = site;
  const rigid: CoreRigid[] = [];
  const soft: CoreSoft[] = [];
  const firstPart = new Int32Array(bodies.length + 1);
  const softOf = new Int32Array(bodies.length).fill(-1);
  const turns: number[] = [];
  bodies.forEach(({ def, model, friction, restitution }, i) => {
    firstPart[i] = rigid.length;
    if (def.kind === 'rigid') {
      def.parts.forEach((part, bone) => {
        const turn = turnOf(part);
        turns.push(...turn);
        rigid.push({ ...rigidPart(part, model, bone, turn), friction, restitution });
      });
    } else {
      softOf[i] = soft.length;
      soft.push({ model: shareModel(site, i, shared), positions: model.positions, friction });
      for (let bone = 0; bone < model.bones.count; bone++) {
        turns.push(...NO_TURN);
        rigid.push(fleshBone(model, bone));
      }
    }
    firstPart[i + 1] = rigid.length;
  });
  const firstAnchor = rigid.length;
  const anchorBody = Int32Array.from(bodies.keys()).filter((i) => hasWorldJoints(bodies[i].model));
  // the world's end of a joint is a place, not a thing: it lies inside bodies
  for (let n = 0; n < anchorBody.length; n++) rigid.push({ ...fixed(NOWHERE), shape: 'none' });
  const firstObstacle = rigid.length;
  const room = obstacles.count + SPARE_OBSTACLES;
  for (let i = 0; i < room; i++) rigid.push(obstacleBody(obstacles, i));
  const joints: CoupledJoint[] = [];
  const limited: LimitedBody[] = [];
  const firstJoint = Int32Array.from(bodies, ({ model }, i) => {
    const anchor = firstAnchor + anchorBody.indexOf(i);
    const first = joints.length;
    joints.push(...bodyJoints(model, firstPart[i], anchor, turns));
    if (model.joints.limits.count > 0) limited.push(limitedBody(model, first, firstPart[i], anchor, turns));
    return first;
  });
  const bindings = bodies.flatMap(({ model }, i) => (softOf[i] < 0 ? [] : bindBones(model, softOf[i], firstPart[i])));
  const attached = listAttached(site, softOf, firstPart);
  const apart = attached.map((one) => [one.rigid, rigid.length + one.soft] as const);
  bindings.push(...attached);
  const scene = { rigid, soft, joints, limited, bindings, apart, gravity: site.gravity };
  const owner = new Int32Array(rigid.length + soft.length).fill(-1);
  bodies.forEach((_, i) => {
    owner.fill(i, firstPart[i], firstPart[i + 1]);
    if (softOf[i] >= 0) owner[rigid.length + softOf[i]] = i;
  });
  const turnMatrices = new Float64Array(firstAnchor * 9);
  for (let part = 0; part < firstAnchor; part++) quatToMat3(turnMatrices, part * 9, turns, part * 4);
  const places = { attached, owner, firstPart, softOf, anchorBody, firstAnchor, firstObstacle, firstJoint };
  return { ...places, scene, turns: Float64Array.from(turns), turnMatrices };
}

function hasWorldJoints({ bones, joints }: Model): boolean {
  return joints.boneB.includes(bones.count);
}

/**
 * The soft model of a body. Vertices of bones that others move are pinned, and sent along with the bone. Those of free bones are bound to
 * a rigid body: it has half of the bone's mass, they keep the other half, so that neither is a burden to the other.
 */
function shareModel({ bodies }: SolverSite, i: number, shared: Map<Model, SoftModel>): SoftModel {
  const { model } = bodies[i];
  const known = shared.get(model) ?? new SoftModel(withBones(model), `scene/bodies/${i}/body`);
  shared.set(model, known);
  return known;
}

function withBones(model: Model): Model {
  const { bones, pinned, masses } = model;
  if (bones.count === 0) return model;
  const isSent = (v: number) => bones.ofVertex[v] >= 0 && bones.kinematic[bones.ofVertex[v]] === 1;
  const isBound = (v: number) => bones.ofVertex[v] >= 0 && !isSent(v);
  return {
    ...model,
    pinned: pinned.map((value, v) => (isSent(v) ? 1 : value)),
    masses: masses.map((mass, v) => (isBound(v) ? (1 - BONE_SHARE) * mass : mass)),
  };
}

/** Ties every vertex of a bone that can move to the rigid body of the bone. */
function bindBones({ bones, positions }: Model, soft: number, first: number): CoreBinding[] {
  return Array.from(bones.ofVertex.keys())
    .filter((v) => bones.ofVertex[v] >= 0 && bones.kinematic[bones.ofVertex[v]] === 0)
    .map((vertex) => {
      const bone = bones.ofVertex[vertex];
      const anchor = [0, 1, 2].map((k) => positions[vertex * 3 + k] - bones.centre[bone * 3 + k]);
      return { soft, vertex, rigid: first + bone, anchor };
    });
}

/** A bone in flesh as a rigid body: it has no outside of its own, the flesh is touched. */
function fleshBone(model: Model, bone: number): CoreRigid {
  return { ...massOf(model, bone, NO_TURN, BONE_SHARE), position: [0, 0, 0], shape: 'none' };
}

function turnOf({ rotation }: RigidPartDef): Float64Array {
  const turn = new Float64Array(4);
  normaliseQuat(turn, 0, rotation ?? [0, 0, 0, 1], 0);
  return turn;
}

/** A part of a rigid body, in the frame of its shape. */
function rigidPart({ shape }: RigidPartDef, model: Model, bone: number, turn: Float64Array): CoreRigid {
  return { ...massOf(model, bone, turn, 1), position: [0, 0, 0], shape: centred(shape) };
}

/** Mass and inertia of a bone, `share` of them, in a frame turned by `turn`. */
function massOf({ bones }: Model, bone: number, turn: ArrayLike<number>, share: number) {
  const second = bones.secondMoment.subarray(bone * 9, bone * 9 + 9);
  const inertia = new Float64Array(9);
  const trace = traceMat3(second, 0);
  for (let k = 0; k < 9; k++) inertia[k] = share * ((k % 4 === 0 ? trace : 0) - second[k]);
  const r = new Float64Array(9);
  quatToMat3(r, 0, turn, 0);
  transposeMultiplyMat3(inertia, 0, r, 0, inertia.slice(), 0);
  multiplyMat3(inertia, 0, inertia.slice(), 0, r, 0);
  const inverseInertia = new Float64Array(9);
  invertMat3(inverseInertia, 0, inertia, 0);
  return { mass: share * bones.mass[bone], inertia, inverseInertia };
}

/** Meshes go around their centroid; other shapes do so anyway. */
function centred(shape: RigidPartDef['shape']): AnyShape {
  if (shape.kind !== 'mesh') return shape;
  const { centre } = meshMassProperties({
    positions: Float64Array.from(shape.positions),
    triangles: Int32Array.from(shape.triangles),
  });
  return { ...shape, positions: Float64Array.from(shape.positions, (value, i) => value - centre[i % 3]) };
}

function fixed(shape: AnyShape): CoreRigid {
  return { mass: 0, inertia: [], inverseInertia: [], position: [FAR, FAR, FAR], shape };
}

/** Obstacle i as a rigid body of the core. */
export function obstacleBody(obstacles: ObstacleSet, i: number): CoreRigid {
  if (!obstacles.has(i)) return fixed(NOWHERE);
  return {
    ...fixed(obstacles.defs[i].shape),
    position: obstacles.poses.subarray(i * POSE + 4, i * POSE + 7),
    rotation: obstacles.poses.subarray(i * POSE, i * POSE + 4),
    friction: obstacles.friction[i],
    restitution: obstacles.restitution[i],
  };
}

const TYPE_OF_ROWS = { 3: 'ball', 4: 'universal', 5: 'hinge', 6: 'fixed' } as const;

/** Joints of a rigid body in the frames of its parts' shapes. */
function bodyJoints({ joints, bones }: Model, first: number, anchor: number, turns: readonly number[]): CoupledJoint[] {
  const turnAt = (bone: number) =>
    bone === bones.count ? [0, 0, 0, 1] : turns.slice((first + bone) * 4, (first + bone) * 4 + 4);
  return Array.from({ length: joints.count }, (_, j) => {
    const [a, b] = [joints.boneA[j], joints.boneB[j]];
    const into = (bone: number, v: Float64Array) => intoShape(turnAt(bone), v);
    const type = TYPE_OF_ROWS[joints.rows[j] as 3 | 4 | 5 | 6];
    const axis = joints.frame.subarray(j * 9, j * 9 + 3);
    const second = joints.frame.subarray(j * 9 + 3, j * 9 + 6);
    const relative = new Float64Array(4);
    conjugateQuat(relative, 0, turnAt(a), 0);
    multiplyQuat(relative, 0, relative.slice(), 0, turnAt(b), 0);
    return {
      type,
      a: first + a,
      b: b === bones.count ? anchor : first + b,
      anchorA: into(a, joints.anchorA.subarray(j * 3, j * 3 + 3)),
      anchorB: into(b, joints.anchorB.subarray(j * 3, j * 3 + 3)),
      axisA: into(a, axis),
      axisB: into(b, type === 'universal' ? second : axis),
      relative,
      motor: type !== 'fixed',
      limits: joints.limits.pair.filter((pair) => pair === j).length,
    };
  });
}

/** What limits of a body are measured by. A body without joints to the world needs no anchor: its first part stands in, and is not read. */
function limitedBody(
  { joints, bones }: Model,
  firstJoint: number,
  firstPart: number,
  anchor: number,
  turns: readonly number[],
): LimitedBody {
  const parts = Array.from({ length: bones.count }, (_, bone) => firstPart + bone);
  const hasAnchor = joints.boneB.includes(bones.count);
  const own = turns.slice(firstPart * 4, (firstPart + bones.count) * 4);
  return { joints, firstJoint, parts: [...parts, hasAnchor ? anchor : firstPart], turns: [...own, ...NO_TURN] };
}

/** v, given in a bone's frame, in that of its shape. */
function intoShape(turn: ArrayLike<number>, v: ArrayLike<number>): Float64Array {
  const back = new Float64Array(4);
  const out = new Float64Array(3);
  conjugateQuat(back, 0, turn, 0);
  rotateVec3(out, 0, back, 0, v, 0);
  return out;
}

/**
 * Skeletons made at random, for long tests: 1 to 30 rigid boxes in a tree, sometimes with one or two loops, joints of all types with limits anywhere, motors with any
 * gains and targets. Every third is pinned to the world.
 */
import type { JointDef, JointLimitsDef, JointMotorDef, JointType, Vec3 } from '../../src/body/body-def.js';
import type { RigidBodyDef, RigidPartDef } from '../../src/body/kinds/rigid-def.js';
import { createRandom, type Random } from '../../src/math/random.js';

const GAINS = [1e-3, 1e-2, 0.1, 1, 10, 100, 1e3, 1e4, 1e5, 1e6];
const TYPES: readonly JointType[] = ['ball', 'ball', 'hinge', 'universal', 'fixed'];

/** The skeleton of a seed. */
export function buildRandomSkeleton(seed: number): { readonly body: RigidBodyDef; readonly loops: number } {
  const random = createRandom(seed);
  const count = 1 + random.integer(30);
  const parts: RigidPartDef[] = [];
  const centres: Vec3[] = [];
  const joints: JointDef[] = [];
  for (let i = 0; i < count; i++) {
    const parent = i === 0 ? -1 : random.integer(i);
    const way = direction(random);
    const from: Vec3 = parent < 0 ? [0, 0, 0] : centres[parent];
    const centre: Vec3 = [from[0] + 0.2 * way[0], from[1] + 0.2 * way[1], from[2] + 0.2 * way[2]];
    centres.push(centre);
    const side = () => random.range(0.02, 0.09);
    parts.push({ name: `b${i}`, shape: { kind: 'box', halfExtents: [side(), side(), side()] }, position: centre });
    if (parent >= 0) joints.push(randomJoint(random, `j${i}`, parent, i, centres));
    else if (random.integer(3) === 0) joints.push({ name: 'pin', type: 'ball', bones: ['b0'], anchor: [0, 0, 0] });
  }
  const loops = count > 4 && random.integer(4) === 0 ? 1 + random.integer(2) : 0;
  for (let n = 0; n < loops; n++) {
    const a = random.integer(count);
    const b = (a + 1 + random.integer(count - 1)) % count;
    joints.push({ name: `loop${n}`, type: 'ball', bones: [`b${a}`, `b${b}`], anchor: between(centres[a], centres[b]) });
  }
  return { body: { kind: 'rigid', name: `skeleton ${seed}`, parts, joints }, loops };
}

/** A joint between two bones at random: type, axes, limits, motor. */
export function randomJoint(random: Random, name: string, a: number, b: number, centres: readonly Vec3[]): JointDef {
  const type = TYPES[random.integer(TYPES.length)];
  const [axis, secondAxis] = axes(random);
  const limited = type !== 'fixed' && random.integer(3) > 0;
  const driven = type !== 'fixed' && random.integer(3) === 0;
  return {
    name,
    type,
    bones: [`b${a}`, `b${b}`],
    anchor: between(centres[a], centres[b]),
    axis,
    ...((type === 'universal' || type === 'ball') && { secondAxis }),
    ...(limited && { limits: limitsOf(random, type) }),
    ...(driven && { motor: motorOf(random, type) }),
  };
}

function limitsOf(random: Random, type: JointType): JointLimitsDef {
  const range = (): [number, number] => [-random.range(0, 1.2), random.range(0, 1.2)];
  if (type === 'hinge') return { range: range() };
  if (type === 'universal') return { range: range(), secondRange: range() };
  const cone =
    random.integer(3) === 0 ? random.range(0, 0.5) : ([random.range(0.01, 1.5), random.range(0.01, 1.5)] as const);
  return { cone, ...(random.integer(2) === 0 && { twist: range() }) };
}

/** Gains over ten powers of ten. */
function motorOf(random: Random, type: JointType): JointMotorDef {
  const gain = () => GAINS[random.integer(GAINS.length)];
  const quat = new Float64Array(4);
  random.unitQuaternion(quat, 0);
  const target = type === 'hinge' ? random.range(-3, 3) : ([quat[0], quat[1], quat[2], quat[3]] as const);
  return {
    target,
    stiffness: gain(),
    ...(random.integer(2) === 0 && { damping: gain() }),
    ...(random.integer(2) === 0 && { maxTorque: gain() }),
  };
}

/** Two unit vectors across each other. */
export function axes(random: Random): [Vec3, Vec3] {
  const a = direction(random);
  const b = direction(random);
  const along = a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  const across = b.map((x, k) => x - along * a[k]);
  const length = Math.sqrt(across.reduce((sum, x) => sum + x * x, 0));
  return [a, across.map((x) => x / length) as unknown as Vec3];
}

/** A unit vector. */
export function direction(random: Random): Vec3 {
  const v = new Float64Array(3);
  random.unitVector(v, 0);
  return [v[0], v[1], v[2]];
}

/** The point half way. */
export function between(a: Vec3, b: Vec3): Vec3 {
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2];
}

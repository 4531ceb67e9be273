/**
 * A standing human, 1.7 m tall, arms half spread, facing +z: soft all over, with nine bones and eight ball joints. At
 * the default cell size it has the counts of the character in [Li2019, Table 1].
 */
import type { BodyDef, JointDef, Vec3 } from '../../src/body/body-def.js';
import { type BonePlan, meshCharacter } from '../../src/character/shapes/mesh-character.js';
import { ellipsoid, halfSpace, pointBetween, roundCone, type Shape } from '../../src/character/shapes/sdf.js';
import { mirrorX, smoothIntersection, smoothUnion, stretch } from '../../src/character/shapes/sdf-combine.js';
import { axisAngleQuat } from '../../src/math/rotation.js';
import { crossVec3, normaliseVec3 } from '../../src/math/vec3.js';
import { buildArm, buildHead, createLimb, ELBOW, type Limb, SHOULDER, WRIST } from './human-parts.js';

/** How to build a human. */
export interface HumanOptions {
  /** Side of the lattice cubes [m]; default 0.0292 (47,000 tetrahedra), coarse 0.08 (3,500). */
  readonly cell?: number;
  /** Joints that go as far as those of people, and no further; default false. */
  readonly limits?: boolean;
  /** Bones in the feet, with ankles: without them it cannot stand; default false, as in [Li2019, Fig. 5]. */
  readonly feet?: boolean;
  /** A skull in the head, held by the flesh of the neck: without it stone edges crush the head; default false, as in [Li2019, Fig. 5]. */
  readonly skull?: boolean;
}

// Joints of the left leg (x > 0) [m]; the right one mirrors them.
const HIP: Vec3 = [0.09, 0.9, 0];
const KNEE: Vec3 = [0.122, 0.49, 0.008];
const ANKLE: Vec3 = [0.14, 0.085, -0.025];

// At 1 all points inside a thin limb would move onto its skin, and the counts of the paper ask for many vertices on the
// skin (3.6 tetrahedra per vertex). Coarse meshes need no such match.
const SNAP_FINE = 0.34;
const SNAP_COARSE = 0.5;

/** Builds the human. The number of tetrahedra goes about with the inverse cube of `cell`. */
export function buildHuman(options: HumanOptions = {}): BodyDef {
  const { cell = 0.0292, limits = false, feet = false, skull = false } = options;
  const snap = cell < 0.035 ? SNAP_FINE : SNAP_COARSE;
  const bones = [...skeleton(), ...(feet ? footBones() : []), ...(skull ? [SKULL] : [])];
  return meshCharacter({ name: 'human', skin: skin(cell), bones, joints: joints(limits, feet), cell, snap });
}

function skin(cell: number): Shape {
  const limb = createLimb(cell);
  const left = smoothUnion(0.05, [buildArm(limb), leg(limb)]);
  const body = smoothUnion(0.05, [trunk(), left, mirrorX(left)]);
  const whole = smoothUnion(0.035, [body, roundCone([0, 1.4, -0.02], [0, 1.53, -0.005], 0.055, 0.051), buildHead()]);
  // Flat soles.
  return smoothIntersection(0.012, whole, halfSpace([0, 0, 0], [0, -1, 0]));
}

/** Chest, shoulders, waist, hips and seat. */
function trunk(): Shape {
  return smoothUnion(0.06, [
    stretch(roundCone([0, 1.285, 0], [0, 1.15, 0], 0.15, 0.122), [0, 1.2, -0.005], [1, 1, 0.7]),
    stretch(roundCone([0, 1.1, 0], [0, 0.925, 0], 0.112, 0.152), [0, 1, 0], [1, 1, 0.7]),
    roundCone([-0.13, 1.39, -0.015], [0.13, 1.39, -0.015], 0.048),
    roundCone([-0.065, 0.89, -0.05], [0.065, 0.89, -0.05], 0.07),
    ellipsoid([0.07, 1.285, 0.06], [0.07, 0.055, 0.045]),
    ellipsoid([-0.07, 1.285, 0.06], [0.07, 0.055, 0.045]),
  ]);
}

function leg(limb: Limb): Shape {
  const bones: Vec3[] = [
    [0.092, 0.84, 0],
    [0.106, 0.68, 0.008],
    KNEE,
    [0.13, 0.36, -0.008],
    [0.135, 0.2, -0.02],
    ANKLE,
  ];
  const calf: Vec3[] = [
    [0.126, 0.42, -0.02],
    [0.132, 0.31, -0.026],
    [0.136, 0.2, -0.022],
  ];
  return smoothUnion(0.025, [
    limb(bones, [0.083, 0.074, 0.05, 0.043, 0.036, 0.033]),
    limb(calf, [0.035, 0.042, 0.03]),
    foot(limb),
  ]);
}

function foot(limb: Limb): Shape {
  const heel: Vec3 = [0.14, 0.04, -0.05];
  return smoothUnion(0.03, [
    limb([heel, [0.14, 0.035, 0.03]], [0.037, 0.035]),
    limb([ANKLE, [0.14, 0.05, 0.03], [0.14, 0.02, 0.13]], [0.033, 0.033, 0.026]),
    limb([heel, [0.15, 0.03, 0.03], [0.166, 0.018, 0.115]], [0.034, 0.032, 0.024]),
  ]);
}

/** Bones stop short of the joints, so that the flesh there can bend. There is no skull unless asked for, as in [Li2019, Fig. 5]. */
function skeleton(): BonePlan[] {
  const torso = smoothUnion(0.02, [
    stretch(roundCone([0, 1.3, 0], [0, 1.18, 0], 0.09, 0.085), [0, 1.2, 0], [1, 1, 0.7]),
    roundCone([0, 1.4, -0.02], [0, 0.92, -0.02], 0.035),
    roundCone([-0.05, 0.92, -0.01], [0.05, 0.92, -0.01], 0.055),
  ]);
  const limbs: [string, Vec3, Vec3, number, number][] = [
    ['upperArm', SHOULDER, ELBOW, 0.026, 0.023],
    ['forearm', ELBOW, WRIST, 0.024, 0.02],
    ['thigh', HIP, KNEE, 0.036, 0.03],
    ['shin', KNEE, ANKLE, 0.03, 0.024],
  ];
  const bones = [{ name: 'torso', shape: torso }];
  for (const [name, a, b, ra, rb] of limbs) {
    const shape = roundCone(pointBetween(a, b, 0.12), pointBetween(a, b, 0.88), ra, rb);
    bones.push({ name: `${name}Left`, shape }, { name: `${name}Right`, shape: mirrorX(shape) });
  }
  return bones;
}

/** All but the skin of the head, from the chin up. */
const SKULL: BonePlan = { name: 'skull', shape: ellipsoid([0, 1.6, 0.005], [0.07, 0.09, 0.085]) };

/** As wide as the foot and as long: soles do not give way. */
function footBones(): BonePlan[] {
  const shape = roundCone([0.14, 0.02, -0.06], [0.155, 0.015, 0.12], 0.055, 0.05);
  return [
    { name: 'footLeft', shape },
    { name: 'footRight', shape: mirrorX(shape) },
  ];
}

/** How far joints go: the direction across that they bend about, the middle of their cone as a bend about it or about the third one [rad]. */
interface Reach {
  readonly tip: Vec3;
  readonly second: Vec3;
  readonly cone: readonly [number, number];
  readonly twist: number;
  readonly bend?: { readonly about: 'second' | 'third'; readonly angle: number };
}

// Knees bend back about x, hips forward; elbows forward about what is at right angles to the arm and to z.
const REACH: Readonly<Record<string, Reach>> = {
  shoulder: { tip: ELBOW, second: [0, 0, 1], cone: [1.5, 1.2], twist: 1 },
  elbow: { tip: WRIST, second: [0, 0, 1], cone: [0.15, 1.2], twist: 0.8, bend: { about: 'third', angle: 1.1 } },
  hip: { tip: KNEE, second: [1, 0, 0], cone: [1, 0.6], twist: 0.6, bend: { about: 'second', angle: -0.8 } },
  ankle: { tip: [0.14, 0.02, 0.13], second: [1, 0, 0], cone: [0.9, 0.4], twist: 0.4 },
  knee: { tip: ANKLE, second: [1, 0, 0], cone: [1.1, 0.1], twist: 0.2, bend: { about: 'second', angle: 1 } },
};

/** Axes and limits of a ball joint; the right side mirrors the left one. */
function reachOf(name: string, anchor: Vec3, side: 'Left' | 'Right'): Partial<JointDef> {
  const { tip, second, cone, twist, bend } = REACH[name];
  const mirror = side === 'Left' ? 1 : -1;
  const axes = new Float64Array(9);
  normaliseVec3(axes, 0, [mirror * (tip[0] - anchor[0]), tip[1] - anchor[1], tip[2] - anchor[2]], 0);
  crossVec3(axes, 6, axes, 0, second, 0);
  normaliseVec3(axes, 6, axes, 6);
  crossVec3(axes, 3, axes, 6, axes, 0);
  const middle = new Float64Array(4);
  axisAngleQuat(middle, 0, axes, bend?.about === 'third' ? 6 : 3, bend?.angle ?? 0);
  const [axis, secondAxis] = [0, 3].map((o): Vec3 => [axes[o], axes[o + 1], axes[o + 2]]);
  return {
    axis,
    secondAxis,
    limits: { cone, twist: [-twist, twist], middle: [middle[0], middle[1], middle[2], middle[3]] },
  };
}

function joints(limited: boolean, feet: boolean): JointDef[] {
  const pairs: [string, string, string, Vec3][] = [
    ['shoulder', 'torso', 'upperArm', SHOULDER],
    ['elbow', 'upperArm', 'forearm', ELBOW],
    ['hip', 'torso', 'thigh', HIP],
    ['knee', 'thigh', 'shin', KNEE],
    ...(feet ? ([['ankle', 'shin', 'foot', ANKLE]] as [string, string, string, Vec3][]) : []),
  ];
  return pairs.flatMap(([name, upper, lower, [x, y, z]]) =>
    (['Left', 'Right'] as const).map((side) => ({
      name: name + side,
      type: 'ball' as const,
      bones: [upper === 'torso' ? upper : upper + side, lower + side],
      anchor: [side === 'Left' ? x : -x, y, z] as const,
      ...(limited && reachOf(name, [x, y, z], side)),
    })),
  );
}

/**
 * A standing human, 1.7 m tall, arms spread at half height, facing +z: soft all over, with nine bones and eight ball
 * joints. At the default cell size it has the size of the character in [Li2019, Table 1].
 */
import type { BodyDef, JointDef, Vec3 } from '../body/body-def.js';
import { meshCharacter } from './mesh-character.js';
import { ellipsoid, halfSpace, mirrorX, roundCone, type Shape, smoothIntersection, smoothUnion, sphere, stretch } from './sdf.js';

/** How to build a human. */
export interface HumanOptions {
  /** Side of the lattice cubes [m]; default 0.025, coarse 0.06. */
  readonly cell?: number;
  alpha?: number;
}

// Joints of the left half (x > 0) [m]; the right half mirrors them.
const SHOULDER: Vec3 = [0.175, 1.375, -0.01];
const ELBOW: Vec3 = [0.375, 1.165, -0.015];
const WRIST: Vec3 = [0.545, 0.98, 0.01];
const FINGERTIP: Vec3 = [0.65, 0.855, 0.02];
const HIP: Vec3 = [0.09, 0.9, 0];
const KNEE: Vec3 = [0.125, 0.49, 0.005];
const ANKLE: Vec3 = [0.145, 0.085, -0.02];

/** Builds the human. A smaller `cell` gives more tetrahedra, about as its cube. */
export function buildHuman(options: HumanOptions = {}): BodyDef {
  const { cell = 0.025 } = options;
  return meshCharacter({ name: 'human', skin: skin(cell), bones: skeleton(), joints: joints(), cell, alpha: options.alpha });
}

function skin(cell: number): Shape {
  // A limb must be thicker than the lattice or it falls apart.
  const limb = (a: Vec3, b: Vec3, ra: number, rb: number): Shape =>
    roundCone(a, b, Math.max(ra, 0.6 * cell), Math.max(rb, 0.6 * cell));
  const arm = smoothUnion(0.03, [
    limb(SHOULDER, ELBOW, 0.056, 0.037),
    limb([0.385, 1.155, -0.015], [0.42, 1.115, -0.01], 0.039, 0.041),
    limb([0.42, 1.115, -0.01], WRIST, 0.041, 0.025),
    hand(limb),
  ]);
  const leg = smoothUnion(0.04, [
    limb([0.092, 0.86, 0], KNEE, 0.084, 0.052),
    limb(KNEE, ANKLE, 0.05, 0.036),
    limb([0.128, 0.4, -0.018], [0.138, 0.27, -0.02], 0.05, 0.04),
    foot(limb),
  ]);
  const trunk = smoothUnion(0.07, [
    stretch(roundCone([0, 1.275, 0], [0, 1.13, 0], 0.155, 0.128), [0, 1.2, 0.005], [1, 1, 0.7]),
    stretch(roundCone([0, 1.08, 0], [0, 0.93, 0], 0.128, 0.16), [0, 1, 0], [1, 1, 0.72]),
    roundCone([-0.13, 1.385, -0.01], [0.13, 1.385, -0.01], 0.052),
    roundCone([-0.07, 0.895, -0.055], [0.07, 0.895, -0.055], 0.075),
    ellipsoid([0.075, 1.28, 0.065], [0.07, 0.055, 0.045]),
    ellipsoid([-0.075, 1.28, 0.065], [0.07, 0.055, 0.045]),
  ]);
  const limbs = smoothUnion(0.05, [trunk, arm, mirrorX(arm), leg, mirrorX(leg)]);
  const body = smoothUnion(0.035, [limbs, roundCone([0, 1.4, -0.015], [0, 1.52, 0], 0.054, 0.05), head()]);
  return smoothIntersection(0.012, body, halfSpace([0, 0, 0], [0, -1, 0]));
}

function head(): Shape {
  return smoothUnion(0.03, [
    ellipsoid([0, 1.6, 0], [0.074, 0.1, 0.094]),
    ellipsoid([0, 1.535, 0.03], [0.052, 0.058, 0.06]),
    roundCone([0, 1.595, 0.09], [0, 1.565, 0.102], 0.012, 0.016),
    sphere([0.076, 1.58, -0.005], 0.018),
    sphere([-0.076, 1.58, -0.005], 0.018),
  ]);
}

/** Flat from front to back of the arm, thumb to the front: two blended fingers wide. */
function hand(limb: (a: Vec3, b: Vec3, ra: number, rb: number) => Shape): Shape {
  const [x, y, z] = WRIST;
  const [fx, fy, fz] = FINGERTIP;
  return smoothUnion(0.03, [
    limb([x + 0.02, y - 0.02, z - 0.02], [fx, fy, fz - 0.022], 0.02, 0.014),
    limb([x + 0.02, y - 0.02, z + 0.02], [fx, fy, fz + 0.02], 0.02, 0.014),
    limb([x + 0.02, y - 0.03, z + 0.025], [x + 0.045, y - 0.075, z + 0.075], 0.017, 0.013),
  ]);
}

function foot(limb: (a: Vec3, b: Vec3, ra: number, rb: number) => Shape): Shape {
  return smoothUnion(0.03, [
    limb([0.142, 0.04, -0.045], [0.142, 0.035, 0.03], 0.04, 0.038),
    limb([0.14, 0.045, 0.0], [0.135, 0.02, 0.14], 0.036, 0.024),
    limb([0.15, 0.035, 0.02], [0.18, 0.018, 0.115], 0.032, 0.02),
  ]);
}

/** A share of the way from a to b. */
function between(a: Vec3, b: Vec3, share: number): Vec3 {
  return [a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1]), a[2] + share * (b[2] - a[2])];
}

/** Bones stop short of the joints, so that flesh there can bend. There is no skull, as in [Li2019, Fig. 5]. */
function skeleton(): { name: string; shape: Shape }[] {
  const torso = smoothUnion(0.02, [
    stretch(roundCone([0, 1.3, 0], [0, 1.18, 0], 0.09, 0.085), [0, 1.2, 0], [1, 1, 0.7]),
    roundCone([0, 1.4, -0.02], [0, 0.92, -0.02], 0.03),
    roundCone([-0.05, 0.92, -0.01], [0.05, 0.92, -0.01], 0.05),
  ]);
  const limbs: [string, Vec3, Vec3, number, number][] = [
    ['upperArm', SHOULDER, ELBOW, 0.024, 0.02],
    ['forearm', ELBOW, WRIST, 0.02, 0.017],
    ['thigh', HIP, KNEE, 0.03, 0.026],
    ['shin', KNEE, ANKLE, 0.026, 0.02],
  ];
  const bones = [{ name: 'torso', shape: torso }];
  for (const [name, a, b, ra, rb] of limbs) {
    const shape = roundCone(between(a, b, 0.12), between(a, b, 0.88), ra, rb);
    bones.push({ name: `${name}Left`, shape }, { name: `${name}Right`, shape: mirrorX(shape) });
  }
  return bones;
}

function joints(): JointDef[] {
  const pairs: [string, string, string, Vec3][] = [
    ['shoulder', 'torso', 'upperArm', SHOULDER],
    ['elbow', 'upperArm', 'forearm', ELBOW],
    ['hip', 'torso', 'thigh', HIP],
    ['knee', 'thigh', 'shin', KNEE],
  ];
  return pairs.flatMap(([name, upper, lower, [x, y, z]]) =>
    (['Left', 'Right'] as const).map((side) => ({
      name: name + side,
      type: 'ball' as const,
      bones: [upper === 'torso' ? upper : upper + side, lower + side],
      anchor: [side === 'Left' ? x : -x, y, z] as const,
    })),
  );
}

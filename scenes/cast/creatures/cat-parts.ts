/** The flesh of the cat, part by part, and where its joints are. Metres; it stands on y = 0 and faces +z. */
import type { Vec3 } from '../../../src/body/body-def.js';
import {
  ellipsoid,
  pointBetween,
  roundCone,
  roundTriangle,
  type Shape,
  sphere,
} from '../../../src/character/shapes/sdf.js';
import { mirrorX, smoothUnion, stretch } from '../../../src/character/shapes/sdf-combine.js';
import { splineLimb } from '../../../src/character/shapes/spline-limb.js';

/** Joints of the left legs (x > 0) from the trunk down, the last one between the toes; the right ones mirror them. */
export const FORELEG: readonly Vec3[] = [
  [0.034, 0.185, 0.105],
  [0.04, 0.128, 0.078],
  [0.04, 0.058, 0.088],
  [0.04, 0.014, 0.102],
];
export const HINDLEG: readonly Vec3[] = [
  [0.032, 0.195, -0.125],
  [0.043, 0.132, -0.082],
  [0.043, 0.066, -0.15],
  [0.043, 0.014, -0.126],
];
/** Joints of the back, from the ribs to the loin, all on one line. */
export const BACK: readonly Vec3[] = [
  [0, 0.2, 0.05],
  [0, 0.2, 0],
  [0, 0.2, -0.05],
];
export const NECK: Vec3 = [0, 0.222, 0.125];
export const NAPE: Vec3 = [0, 0.262, 0.165];
/** Root, joints and tip of the tail. */
export const TAIL: readonly Vec3[] = [
  [0, 0.222, -0.168],
  [0, 0.216, -0.225],
  [0, 0.214, -0.285],
  [0, 0.226, -0.343],
  [0, 0.258, -0.39],
];

/** Chest, a slender waist and the croup, narrower than high. */
export function catTrunk(): Shape {
  const trunk = splineLimb(
    [
      [0, 0.192, 0.145],
      [0, 0.19, 0.1],
      [0, 0.19, 0.05],
      [0, 0.194, 0],
      [0, 0.198, -0.06],
      [0, 0.198, -0.115],
      [0, 0.202, -0.155],
    ],
    [0.044, 0.056, 0.059, 0.055, 0.052, 0.054, 0.041],
  );
  return stretch(trunk, [0, 0, 0], [0.84, 1, 1]);
}

/** Short and strong. */
export function catNeck(): Shape {
  return splineLimb(
    [
      [0, 0.205, 0.105],
      [0, 0.24, 0.142],
      [0, 0.275, 0.178],
    ],
    [0.047, 0.038, 0.035],
  );
}

/** A round skull, cheeks, a short muzzle of two halves, chin, nose and ears that stand up. */
export function catHead(cell: number): Shape {
  const least = 0.7 * cell;
  const skull = smoothUnion(0.02, [
    ellipsoid([0, 0.293, 0.19], [0.046, 0.04, 0.043]),
    ellipsoid([0.024, 0.28, 0.2], [0.028, 0.025, 0.028]),
    ellipsoid([-0.024, 0.28, 0.2], [0.028, 0.025, 0.028]),
  ]);
  const half = sphere([0.0105, 0.274, 0.231], Math.max(0.0145, 0.8 * least));
  const chin = sphere([0, 0.263, 0.226], Math.max(0.011, 0.8 * least));
  const bridge = roundCone([0, 0.3, 0.215], [0, 0.284, 0.238], 0.016, 0.0095);
  const muzzle = smoothUnion(0.005, [half, mirrorX(half), chin, bridge]);
  const eye = sphere([0.0215, 0.2985, 0.2185], 0.0105);
  const face = smoothUnion(0.012, [skull, muzzle]);
  const head = smoothUnion(0.004, [face, eye, mirrorX(eye)]);
  const ear = catEar(cell);
  return smoothUnion(0.01, [head, ear, mirrorX(ear)]);
}

function catEar(cell: number): Shape {
  const thick = Math.max(0.0045, 0.55 * cell);
  return roundTriangle([0.012, 0.318, 0.19], [0.04, 0.298, 0.182], [0.036, 0.372 - 1.6 * thick, 0.186], thick);
}

/** The left foreleg: shoulder blade, upper arm, forearm, paw. */
export function catForeleg(least: number): Shape {
  const [shoulder, elbow, wrist, toes] = FORELEG;
  const blade: Vec3 = [0.026, 0.215, 0.085];
  const leg = splineLimb(
    [blade, shoulder, elbow, pointBetween(elbow, wrist, 0.4), wrist, pointBetween(wrist, toes, 0.6), toes],
    [0.026, 0.03, 0.021, 0.018, 0.0145, 0.0135, 0.0135],
    { least },
  );
  return smoothUnion(0.008, [leg, paw(toes, least)]);
}

/** The left hind leg: thigh, knee in front, hock behind, paw. */
export function catHindleg(least: number): Shape {
  const [hip, knee, hock, toes] = HINDLEG;
  const leg = splineLimb(
    [hip, pointBetween(hip, knee, 0.5), knee, pointBetween(knee, hock, 0.5), hock, pointBetween(hock, toes, 0.6), toes],
    [0.04, 0.036, 0.025, 0.019, 0.0145, 0.0135, 0.0135],
    { least },
  );
  // The back of the thigh, which runs down to the heel.
  const ham = splineLimb(
    [
      [0.033, 0.19, -0.145],
      [0.04, 0.15, -0.135],
      [0.043, 0.108, -0.125],
    ],
    [0.031, 0.025, 0.016],
    { least },
  );
  return smoothUnion(0.01, [smoothUnion(0.014, [leg, ham]), paw(toes, least)]);
}

/** Small and round. */
function paw([x, , z]: Vec3, least: number): Shape {
  const ball = roundCone(
    [x, 0.015, z - 0.006],
    [x, 0.013, z + 0.012],
    Math.max(0.0165, least),
    Math.max(0.0155, least),
  );
  const toe = (side: number): Shape =>
    roundCone([x + 0.006 * side, 0.012, z + 0.01], [x + 0.0075 * side, 0.009, z + 0.022], 0.0095, 0.008);
  return smoothUnion(0.004, [ball, toe(-1), toe(1)]);
}

/** Long, its tip turned up. */
export function catTail(least: number): Shape {
  return splineLimb([[0, 0.215, -0.14], ...TAIL], [0.026, 0.0185, 0.016, 0.0145, 0.0135, 0.0105], { least });
}

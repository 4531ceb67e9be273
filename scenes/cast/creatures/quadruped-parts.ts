/** The flesh of the dog, part by part, and where its joints are. Metres; it stands on y = 0 and faces +z. */
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
  [0.072, 0.43, 0.185],
  [0.086, 0.3, 0.135],
  [0.086, 0.14, 0.15],
  [0.086, 0.03, 0.18],
];
export const HINDLEG: readonly Vec3[] = [
  [0.066, 0.46, -0.21],
  [0.086, 0.305, -0.15],
  [0.088, 0.165, -0.275],
  [0.088, 0.03, -0.23],
];
/** From the loin to the crown. */
export const BACK: Vec3 = [0, 0.475, -0.06];
export const NECK: Vec3 = [0, 0.5, 0.215];
export const NAPE: Vec3 = [0, 0.645, 0.3];
/** Root, joints and tip of the tail. */
export const TAIL: readonly Vec3[] = [
  [0, 0.53, -0.275],
  [0, 0.525, -0.375],
  [0, 0.545, -0.465],
  [0, 0.6, -0.545],
];

/** Chest, waist and croup: deep in front, drawn up behind the ribs, narrower than high. */
export function dogTrunk(): Shape {
  const trunk = splineLimb(
    [
      [0, 0.455, 0.235],
      [0, 0.44, 0.16],
      [0, 0.44, 0.08],
      [0, 0.46, -0.02],
      [0, 0.485, -0.12],
      [0, 0.485, -0.2],
      [0, 0.48, -0.245],
    ],
    [0.08, 0.116, 0.123, 0.1, 0.08, 0.086, 0.072],
  );
  return stretch(trunk, [0, 0, 0], [0.76, 1, 1]);
}

/** Rising from the shoulders, thick as a strong dog's. */
export function dogNeck(): Shape {
  return splineLimb(
    [
      [0, 0.48, 0.17],
      [0, 0.55, 0.235],
      [0, 0.62, 0.285],
      [0, 0.66, 0.315],
    ],
    [0.096, 0.074, 0.06, 0.055],
  );
}

/** Skull, brow, cheeks, muzzle, jaw, nose and pricked ears. */
export function dogHead(cell: number): Shape {
  const least = 0.75 * cell;
  const muzzle = splineLimb(
    [
      [0, 0.667, 0.36],
      [0, 0.66, 0.41],
      [0, 0.653, 0.46],
      [0, 0.65, 0.49],
    ],
    [0.049, 0.042, 0.036, 0.03],
    { least },
  );
  const jaw = roundCone([0, 0.638, 0.365], [0, 0.626, 0.465], Math.max(0.034, least), Math.max(0.021, 0.85 * least));
  const skull = smoothUnion(0.03, [
    ellipsoid([0, 0.69, 0.335], [0.066, 0.058, 0.075]),
    ellipsoid([0.035, 0.66, 0.345], [0.034, 0.038, 0.045]),
    ellipsoid([-0.035, 0.66, 0.345], [0.034, 0.038, 0.045]),
  ]);
  const side = smoothUnion(0.006, [
    ellipsoid([0.034, 0.71, 0.378], [0.017, 0.012, 0.02]),
    sphere([0.038, 0.7, 0.386], 0.0115),
  ]);
  const face = smoothUnion(0.024, [skull, smoothUnion(0.012, [muzzle, jaw])]);
  const nose = ellipsoid([0, 0.663, 0.512], [0.015, 0.0125, 0.011]);
  const ear = dogEar(cell);
  const head = smoothUnion(0.008, [face, side, mirrorX(side), nose]);
  return smoothUnion(0.016, [head, ear, mirrorX(ear)]);
}

function dogEar(cell: number): Shape {
  const thick = Math.max(0.011, 0.7 * cell);
  const tip: Vec3 = [0.064, 0.848 - 1.7 * thick, 0.316];
  return roundTriangle([0.026, 0.735, 0.332], [0.064, 0.712, 0.298], tip, thick);
}

/** The left foreleg: shoulder blade, upper arm, forearm, paw. */
export function dogForeleg(least: number): Shape {
  const [shoulder, elbow, wrist, toes] = FORELEG;
  const blade: Vec3 = [0.05, 0.5, 0.13];
  const leg = splineLimb(
    [blade, shoulder, elbow, pointBetween(elbow, wrist, 0.35), wrist, pointBetween(wrist, toes, 0.5), toes],
    [0.055, 0.066, 0.046, 0.038, 0.0275, 0.0255, 0.03],
    { least },
  );
  return smoothUnion(0.018, [leg, paw(toes, least)]);
}

/** The left hind leg: thigh, knee in front, hock behind, paw. */
export function dogHindleg(least: number): Shape {
  const [hip, knee, hock, toes] = HINDLEG;
  const leg = splineLimb(
    [
      hip,
      pointBetween(hip, knee, 0.5),
      knee,
      pointBetween(knee, hock, 0.45),
      hock,
      pointBetween(hock, toes, 0.5),
      toes,
    ],
    [0.082, 0.072, 0.05, 0.04, 0.0265, 0.0255, 0.029],
    { least },
  );
  // The back of the thigh, which runs down to the heel.
  const ham = splineLimb(
    [
      [0.068, 0.46, -0.25],
      [0.08, 0.36, -0.235],
      [0.086, 0.26, -0.222],
    ],
    [0.06, 0.05, 0.03],
    { least },
  );
  return smoothUnion(0.02, [smoothUnion(0.03, [leg, ham]), paw(toes, least)]);
}

/** Longer than broad, toes in front. */
function paw(toes: Vec3, least: number): Shape {
  const [x, , z] = toes;
  const ball = roundCone([x, 0.026, z - 0.012], [x, 0.024, z + 0.03], Math.max(0.033, least), Math.max(0.03, least));
  const toe = (side: number): Shape =>
    roundCone([x + 0.011 * side, 0.026, z + 0.02], [x + 0.014 * side, 0.019, z + 0.052], 0.0195, 0.0155);
  return smoothUnion(0.008, [ball, toe(-1), toe(1)]);
}

/** Carried low, its tip turned up. */
export function dogTail(least: number): Shape {
  return splineLimb([[0, 0.52, -0.22], ...TAIL], [0.045, 0.035, 0.029, 0.025, 0.014], { least: 1.1 * least });
}

/**
 * A mermaid, 1.75 m from crown to fluke, facing +z: rigid parts in the head, trunk and arms, and a long tail that is
 * soft all through. Nine bones, no joints: the flesh alone holds them together. At the default cell size it has the
 * counts of the mermaid in [Li2019, Table 1].
 */
import type { BodyDef, Vec3 } from '../../../src/body/body-def.js';
import { type BonePlan, meshCharacter } from '../../../src/character/shapes/mesh-character.js';
import { ellipsoid, pointBetween, roundCone, roundTriangle, type Shape } from '../../../src/character/shapes/sdf.js';
import { chain, mirrorX, smoothUnion, stretch } from '../../../src/character/shapes/sdf-combine.js';
import { buildArm, buildHead, createLimb, ELBOW, FINGERTIP, SHOULDER, WRIST } from '../human-parts.js';

/** How to build a mermaid. */
export interface MermaidOptions {
  /** Side of the lattice cubes [m]; default 0.0306 (32,000 tetrahedra), coarse 0.07. */
  readonly cell?: number;
}

/** Builds the mermaid. The number of tetrahedra goes about with the inverse cube of `cell`. */
export function buildMermaid(options: MermaidOptions = {}): BodyDef {
  const { cell = 0.0306 } = options;
  return meshCharacter({ name: 'mermaid', skin: skin(cell), bones: skeleton(), cell, snap: 0.9 });
}

function skin(cell: number): Shape {
  const limb = createLimb(cell);
  const arm = buildArm(limb);
  const body = smoothUnion(0.05, [trunk(), arm, mirrorX(arm)]);
  const upper = smoothUnion(0.03, [
    body,
    roundCone([0, 1.4, -0.02], [0, 1.53, -0.005], 0.048, 0.046),
    buildHead(),
    hair(),
  ]);
  return smoothUnion(0.05, [upper, tail(cell)]);
}

function trunk(): Shape {
  return smoothUnion(0.05, [
    stretch(roundCone([0, 1.29, 0], [0, 1.17, 0], 0.135, 0.108), [0, 1.2, -0.005], [1, 1, 0.72]),
    stretch(roundCone([0, 1.12, 0], [0, 0.93, 0], 0.098, 0.15), [0, 1, 0], [1, 1, 0.75]),
    roundCone([-0.12, 1.385, -0.015], [0.12, 1.385, -0.015], 0.044),
    ellipsoid([0.068, 1.265, 0.075], [0.06, 0.06, 0.055]),
    ellipsoid([-0.068, 1.265, 0.075], [0.06, 0.06, 0.055]),
  ]);
}

/** Long, over the back of the head and down between the shoulder blades. */
function hair(): Shape {
  const lock = chain(
    [
      [0, 1.63, -0.035],
      [0, 1.5, -0.085],
      [0, 1.32, -0.1],
      [0, 1.17, -0.095],
    ],
    [0.078, 0.07, 0.062, 0.026],
  );
  return stretch(lock, [0, 1.4, -0.09], [1.3, 1, 0.8]);
}

/** From the hips to a pair of flukes, broad from left to right, thin from front to back. */
function tail(cell: number): Shape {
  const stem = chain(
    [
      [0, 0.92, -0.005],
      [0, 0.72, 0.005],
      [0, 0.48, 0],
      [0, 0.28, -0.01],
      [0, 0.17, -0.015],
    ],
    [0.135, 0.125, 0.088, 0.052, 0.042],
  );
  const thickness = Math.max(0.022, 0.7 * cell);
  const fin = (a: Vec3, b: Vec3, c: Vec3): Shape => roundTriangle(a, b, c, thickness);
  const fluke = smoothUnion(0.02, [
    fin([0, 0.22, -0.015], [0, 0.1, -0.015], [0.19, 0.06, -0.015]),
    fin([0.1, 0.13, -0.015], [0.07, 0.075, -0.015], [0.31, 0.02, -0.015]),
  ]);
  return smoothUnion(0.05, [stretch(stem, [0, 0.5, 0], [1.08, 1, 0.92]), smoothUnion(0, [fluke, mirrorX(fluke)])]);
}

/** Most of the head and trunk and the core of the arms; the tail has none. */
function skeleton(): BonePlan[] {
  const chest = stretch(roundCone([0, 1.31, 0], [0, 1.19, 0], 0.125, 0.11), [0, 1.25, -0.005], [1, 1, 0.85]);
  const pelvis = stretch(roundCone([0, 1.06, 0], [0, 0.93, 0], 0.095, 0.135), [0, 1, 0], [1, 1, 0.85]);
  const bones: BonePlan[] = [
    { name: 'skull', shape: ellipsoid([0, 1.595, -0.015], [0.085, 0.11, 0.11]) },
    { name: 'chest', shape: chest },
    { name: 'pelvis', shape: pelvis },
  ];
  const limbs: [string, Vec3, Vec3, number, number][] = [
    ['upperArm', SHOULDER, ELBOW, 0.042, 0.034],
    ['forearm', ELBOW, WRIST, 0.036, 0.026],
    ['hand', WRIST, FINGERTIP, 0.04, 0.03],
  ];
  for (const [name, a, b, ra, rb] of limbs) {
    const shape = roundCone(pointBetween(a, b, 0.15), pointBetween(a, b, 0.85), ra, rb);
    bones.push({ name: `${name}Left`, shape }, { name: `${name}Right`, shape: mirrorX(shape) });
  }
  return bones;
}

/**
 * A dog, 0.58 m at the withers, standing on the floor and facing +z: nineteen bones; hinges in elbows, knees, wrists and
 * hocks, balls in shoulders, hips, back, neck and tail.
 */
import type { BodyDef, JointDef, JointType, MaterialDef, Vec3 } from '../../../src/body/body-def.js';
import { FLESH } from '../../../src/character/build/flesh.js';
import type { BonePlan } from '../../../src/character/shapes/mesh-character.js';
import { meshStretched } from '../../../src/character/shapes/mesh-stretched.js';
import { ellipsoid, halfSpace, pointBetween, roundCone, type Shape } from '../../../src/character/shapes/sdf.js';
import { mirrorX, smoothIntersection, smoothUnion, stretch } from '../../../src/character/shapes/sdf-combine.js';
import {
  BACK,
  dogForeleg,
  dogHead,
  dogHindleg,
  dogNeck,
  dogTail,
  dogTrunk,
  FORELEG,
  HINDLEG,
  NAPE,
  NECK,
  TAIL,
} from './quadruped-parts.js';

/** How to build a quadruped. */
export interface QuadrupedOptions {
  /** Side of the lattice cubes [m]; default 0.0215 (52,000 tetrahedra), coarse 0.047 (4,800). */
  readonly cell?: number;
}

/** Sinewy: with softer flesh the limp legs fold further than a coarse mesh can follow. */
const FIRM: MaterialDef = { ...FLESH, youngModulus: 1.1e5 };

/** Bones of a leg from the trunk down, and the joints at their upper ends. */
const LEGS = [
  {
    points: FORELEG,
    trunk: 'chest',
    bones: ['upperArm', 'forearm', 'forepaw'],
    joints: ['shoulder', 'elbow', 'wrist'],
  },
  { points: HINDLEG, trunk: 'pelvis', bones: ['thigh', 'shin', 'hindpaw'], joints: ['hip', 'knee', 'hock'] },
] as const;
const LEG_RADII = [0.026, 0.019, 0.0155, 0.0135];

// Ears and toes come out smoother where few lattice points move; coarse meshes have to save tetrahedra.
const SNAP_FINE = 0.6;
const SNAP_COARSE = 0.9;

/** Builds the dog. The number of tetrahedra goes about with the inverse cube of `cell`. */
export function buildQuadruped(options: QuadrupedOptions = {}): BodyDef {
  const { cell = 0.0215 } = options;
  const snap = cell < 0.03 ? SNAP_FINE : SNAP_COARSE;
  const plan = { name: 'quadruped', skin: skin(cell), bones: skeleton(), joints: joints(), cell, snap, material: FIRM };
  // The trunk is thick: the lattice is better spent on legs and head.
  return meshStretched(plan, { axis: 2, low: -0.13, high: 0.12, factor: 0.6 });
}

function skin(cell: number): Shape {
  const least = 0.7 * cell;
  const fore = dogForeleg(least);
  const hind = dogHindleg(least);
  const trunk = smoothUnion(0.05, [dogTrunk(), dogNeck()]);
  const legs = smoothUnion(0, [fore, hind, mirrorX(fore), mirrorX(hind)]);
  const body = smoothUnion(0.04, [trunk, legs, dogTail(least)]);
  const whole = smoothUnion(0.03, [body, dogHead(cell)]);
  // Flat soles.
  return smoothIntersection(0.01, whole, halfSpace([0, 0, 0], [0, -1, 0]));
}

/** Bones stop short of the joints, so that the flesh there can bend. */
function skeleton(): BonePlan[] {
  const chest = stretch(roundCone([0, 0.455, 0.17], [0, 0.465, 0.02], 0.085, 0.07), [0, 0, 0], [0.75, 1, 1]);
  const pelvis = smoothUnion(0.02, [
    roundCone([0, 0.49, -0.12], [0, 0.5, -0.24], 0.036, 0.032),
    roundCone([-0.03, 0.475, -0.2], [0.03, 0.475, -0.2], 0.036),
  ]);
  const skull = smoothUnion(0.01, [
    ellipsoid([0, 0.687, 0.35], [0.042, 0.036, 0.05]),
    roundCone([0, 0.66, 0.38], [0, 0.65, 0.47], 0.024, 0.016),
  ]);
  const bones: BonePlan[] = [
    { name: 'chest', shape: chest },
    { name: 'pelvis', shape: pelvis },
    { name: 'neck', shape: roundCone(pointBetween(NECK, NAPE, 0.22), pointBetween(NECK, NAPE, 0.78), 0.03, 0.026) },
    { name: 'skull', shape: skull },
  ];
  for (const { points, bones: names } of LEGS) {
    names.forEach((name, i) => {
      const [a, b] = [points[i], points[i + 1]];
      const end = i === names.length - 1 ? 0.95 : 0.75;
      const shape = roundCone(pointBetween(a, b, 0.25), pointBetween(a, b, end), LEG_RADII[i], LEG_RADII[i + 1]);
      bones.push({ name: `${name}Left`, shape }, { name: `${name}Right`, shape: mirrorX(shape) });
    });
  }
  for (let i = 0; i + 1 < TAIL.length; i++) {
    const shape = roundCone(pointBetween(TAIL[i], TAIL[i + 1], 0.22), pointBetween(TAIL[i], TAIL[i + 1], 0.8), 0.011);
    bones.push({ name: `tail${i + 1}`, shape });
  }
  return bones;
}

function joints(): JointDef[] {
  const found: JointDef[] = [
    { name: 'back', type: 'ball', bones: ['chest', 'pelvis'], anchor: BACK },
    { name: 'neckBase', type: 'ball', bones: ['chest', 'neck'], anchor: NECK },
    { name: 'nape', type: 'ball', bones: ['neck', 'skull'], anchor: NAPE },
  ];
  for (const { points, trunk, bones, joints: names } of LEGS) {
    names.forEach((name, i) => {
      const type: JointType = i === 0 ? 'ball' : 'hinge';
      for (const side of ['Left', 'Right']) {
        const [x, y, z] = points[i];
        const anchor: Vec3 = [side === 'Left' ? x : -x, y, z];
        const upper = i === 0 ? trunk : bones[i - 1] + side;
        found.push({ name: name + side, type, bones: [upper, bones[i] + side], anchor, axis: [1, 0, 0] });
      }
    });
  }
  for (let i = 0; i + 1 < TAIL.length; i++) {
    const bones = [i === 0 ? 'pelvis' : `tail${i}`, `tail${i + 1}`];
    found.push({ name: i === 0 ? 'tailRoot' : `tailJoint${i}`, type: 'ball', bones, anchor: TAIL[i] });
  }
  return found;
}

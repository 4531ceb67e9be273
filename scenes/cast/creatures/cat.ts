/**
 * A cat, 0.25 m at the withers, standing on the floor and facing +z: 22 bones; hinges in elbows, knees, wrists and hocks, balls in
 * shoulders, hips, neck and tail, and three in its back, which bends further than that of a dog.
 */
import type { BodyDef, JointDef, JointType, MaterialDef, Vec3 } from '../../../src/body/body-def.js';
import { FLESH } from '../../../src/character/build/flesh.js';
import { type BonePlan, meshCharacter } from '../../../src/character/shapes/mesh-character.js';
import { ellipsoid, halfSpace, pointBetween, roundCone, type Shape } from '../../../src/character/shapes/sdf.js';
import { mirrorX, smoothIntersection, smoothUnion, stretch } from '../../../src/character/shapes/sdf-combine.js';
import {
  BACK,
  catForeleg,
  catHead,
  catHindleg,
  catNeck,
  catTail,
  catTrunk,
  FORELEG,
  HINDLEG,
  NAPE,
  NECK,
  TAIL,
} from './cat-parts.js';

/** How to build a cat. */
export interface CatOptions {
  /** Side of the lattice cubes [m]; default 0.0088 (108,000 tetrahedra), coarse 0.023 (6,000). */
  readonly cell?: number;
}

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
const LEG_RADII = [0.013, 0.0095, 0.008, 0.007];
const SPINE = ['chest', 'ribs', 'loin', 'pelvis'] as const;

/** Muscular: a cat's flesh is firmer than a human's. */
const FIRM: MaterialDef = { ...FLESH, youngModulus: 9e4 };
// Ears and toes come out smoother where few lattice points move; coarse meshes have to save tetrahedra.
const SNAP_FINE = 0.6;
const SNAP_COARSE = 0.9;

/** Builds the cat. The number of tetrahedra goes about with the inverse cube of `cell`. */
export function buildCat(options: CatOptions = {}): BodyDef {
  const { cell = 0.0088 } = options;
  const snap = cell < 0.014 ? SNAP_FINE : SNAP_COARSE;
  return meshCharacter({
    name: 'cat',
    skin: skin(cell),
    bones: skeleton(),
    joints: joints(),
    cell,
    snap,
    material: FIRM,
  });
}

function skin(cell: number): Shape {
  const least = 0.7 * cell;
  const fore = catForeleg(least);
  const hind = catHindleg(least);
  const trunk = smoothUnion(0.025, [catTrunk(), catNeck()]);
  const legs = smoothUnion(0, [fore, hind, mirrorX(fore), mirrorX(hind)]);
  const body = smoothUnion(0.018, [trunk, legs, catTail(least)]);
  const whole = smoothUnion(0.014, [body, catHead(cell)]);
  // Flat soles.
  return smoothIntersection(0.005, whole, halfSpace([0, 0, 0], [0, -1, 0]));
}

/** Bones stop short of the joints, so that the flesh there can bend. */
function skeleton(): BonePlan[] {
  const chest = stretch(roundCone([0, 0.195, 0.125], [0, 0.2, 0.07], 0.036, 0.034), [0, 0, 0], [0.8, 1, 1]);
  const pelvis = smoothUnion(0.01, [
    roundCone([0, 0.2, -0.075], [0, 0.205, -0.145], 0.019, 0.017),
    roundCone([-0.016, 0.196, -0.12], [0.016, 0.196, -0.12], 0.018),
  ]);
  const skull = smoothUnion(0.005, [
    ellipsoid([0, 0.293, 0.19], [0.033, 0.028, 0.032]),
    roundCone([0, 0.28, 0.205], [0, 0.275, 0.228], 0.016, 0.011),
  ]);
  const between = (a: Vec3, b: Vec3, radius: number): Shape =>
    roundCone(pointBetween(a, b, 0.25), pointBetween(a, b, 0.75), radius);
  const bones: BonePlan[] = [
    { name: 'chest', shape: chest },
    { name: 'ribs', shape: between(BACK[0], BACK[1], 0.022) },
    { name: 'loin', shape: between(BACK[1], BACK[2], 0.02) },
    { name: 'pelvis', shape: pelvis },
    { name: 'neck', shape: between(NECK, NAPE, 0.016) },
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
    bones.push({ name: `tail${i + 1}`, shape: between(TAIL[i], TAIL[i + 1], 0.0075) });
  }
  return bones;
}

function joints(): JointDef[] {
  const found: JointDef[] = BACK.map((anchor, i) => ({
    name: `back${i + 1}`,
    type: 'ball',
    bones: [SPINE[i], SPINE[i + 1]],
    anchor,
  }));
  found.push({ name: 'neckBase', type: 'ball', bones: ['chest', 'neck'], anchor: NECK });
  found.push({ name: 'nape', type: 'ball', bones: ['neck', 'skull'], anchor: NAPE });
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

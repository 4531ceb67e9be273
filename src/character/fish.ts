/**
 * A carp, 0.45 m from nose to tail, swimming towards +z: a skull and a spine of six bones that bends from side to side in
 * hinges; the fins are soft.
 */
import type { BodyDef, JointDef, Vec3 } from '../body/body-def.js';
import { type BonePlan, meshCharacter } from './mesh-character.js';
import { ellipsoid, roundCone, roundTriangle, type Shape, sphere } from './sdf.js';
import { mirrorX, smoothUnion, stretch } from './sdf-combine.js';
import { splineLimb } from './spline-limb.js';

/** How to build a fish. */
export interface FishOptions {
  /** Side of the lattice cubes [m]; default 0.0068 (45,000 tetrahedra), coarse 0.0165. */
  readonly cell?: number;
}

/** How much narrower than high the body is. */
const NARROW = 0.56;
/** Height of the spine [m]. */
const SPINE = 0.072;
/** The joints of the spine, from behind the skull to the root of the tail, on the z axis [m]. */
const SPINE_JOINTS = [0.085, 0.04, 0, -0.038, -0.074, -0.108];
const SPINE_END = -0.138;

/** Builds the fish. The number of tetrahedra goes about with the inverse cube of `cell`. */
export function buildFish(options: FishOptions = {}): BodyDef {
  const { cell = 0.0068 } = options;
  return meshCharacter({ name: 'fish', skin: skin(cell), bones: skeleton(), joints: joints(), cell, snap: 0.5 });
}

function skin(cell: number): Shape {
  const eye = sphere([0.0285, 0.083, 0.148], 0.0095);
  const trunk = smoothUnion(0.004, [body(cell), eye, mirrorX(eye)]);
  return smoothUnion(0.012, [trunk, ...fins(cell)]);
}

/** Deepest before the middle, the belly rounder than the back. */
function body(cell: number): Shape {
  const profile = splineLimb(
    [
      [0, 0.066, 0.198],
      [0, 0.068, 0.178],
      [0, 0.072, 0.14],
      [0, 0.073, 0.09],
      [0, 0.072, 0.04],
      [0, 0.073, -0.02],
      [0, 0.074, -0.075],
      [0, 0.075, -0.12],
      [0, 0.075, -0.15],
    ],
    [0.0105, 0.022, 0.043, 0.06, 0.0655, 0.055, 0.037, 0.0225, 0.02].map((radius) =>
      Math.max(radius, (0.7 * cell) / NARROW),
    ),
    { steps: 6 },
  );
  const lips = ellipsoid([0, 0.064, 0.204], [0.013, 0.009, 0.012]);
  return smoothUnion(0.014, [stretch(profile, [0, 0, 0], [NARROW, 1, 1]), lips]);
}

/** One on the back, a forked tail, one below it, and two pairs. */
function fins(cell: number): Shape[] {
  const thick = Math.max(0.0042, 0.62 * cell);
  const fin = (a: Vec3, b: Vec3, c: Vec3): Shape => roundTriangle(a, b, c, thick);
  const lobe = (up: number): Shape =>
    smoothUnion(0.006, [
      fin([0, 0.075, -0.135], [0, 0.075 + 0.03 * up, -0.185], [0, 0.075, -0.178]),
      fin([0, 0.075, -0.14], [0, 0.075 + 0.078 * up, -0.24], [0, 0.075 + 0.016 * up, -0.185]),
    ]);
  const back = smoothUnion(0.006, [
    fin([0, 0.12, 0.07], [0, 0.165, 0.035], [0, 0.12, -0.01]),
    fin([0, 0.165, 0.035], [0, 0.12, -0.01], [0, 0.138, -0.045]),
    fin([0, 0.12, -0.01], [0, 0.138, -0.045], [0, 0.1, -0.06]),
  ]);
  const below = fin([0, 0.05, -0.065], [0, 0.012, -0.105], [0, 0.052, -0.1]);
  const breast = fin([0.03, 0.05, 0.098], [0.078, 0.022, 0.035], [0.034, 0.04, 0.066]);
  const belly = fin([0.014, 0.025, 0.02], [0.036, -0.012, -0.032], [0.014, 0.026, -0.012]);
  return [smoothUnion(0.004, [lobe(1), lobe(-1)]), back, below, breast, mirrorX(breast), belly, mirrorX(belly)];
}

/** Bones stop short of the joints, so that the flesh there can bend. */
function skeleton(): BonePlan[] {
  const skull = stretch(roundCone([0, 0.072, 0.105], [0, 0.069, 0.178], 0.038, 0.012), [0, 0, 0], [0.5, 1, 1]);
  const bones: BonePlan[] = [{ name: 'skull', shape: skull }];
  const ends = [...SPINE_JOINTS, SPINE_END];
  // The ribs behind the head are deeper than the bones of the tail.
  const depths = [0.03, 0.032, 0.028, 0.022, 0.016, 0.013];
  for (let i = 0; i < SPINE_JOINTS.length; i++) {
    const [from, to] = [ends[i], ends[i + 1]];
    const gap = 0.22 * (from - to);
    const rod = roundCone([0, SPINE, from - gap], [0, SPINE, to + gap], 0.0065);
    bones.push({ name: `spine${i + 1}`, shape: stretch(rod, [0, SPINE, 0], [1, depths[i] / 0.0085, 1]) });
  }
  return bones;
}

function joints(): JointDef[] {
  return SPINE_JOINTS.map((z, i) => ({
    name: i === 0 ? 'nape' : `spineJoint${i}`,
    type: 'hinge' as const,
    bones: [i === 0 ? 'skull' : `spine${i}`, `spine${i + 1}`],
    anchor: [0, SPINE, z] as const,
    axis: [0, 1, 0] as const,
  }));
}

/**
 * A carp, 0.45 m from nose to tail, swimming towards +z: a skull and a spine of six bones that bends from side to side in
 * hinges; the fins are soft.
 */
import type { BodyDef, JointDef, Vec3 } from '../../../src/body/body-def.js';
import type { BonePlan } from '../../../src/character/shapes/mesh-character.js';
import { meshStretched } from '../../../src/character/shapes/mesh-stretched.js';
import { ellipsoid, roundCone, roundTriangle, type Shape } from '../../../src/character/shapes/sdf.js';
import { mirrorX, smoothUnion, stretch } from '../../../src/character/shapes/sdf-combine.js';
import { splineLimb } from '../../../src/character/shapes/spline-limb.js';

/** How to build a fish. */
export interface FishOptions {
  /** Side of the lattice cubes [m]; default 0.0098 (50,000 tetrahedra), coarse 0.023 (4,500). */
  readonly cell?: number;
}

/** How much finer the lattice is from side to side than lengthwise, for the sake of the fins. */
const STRETCH = 1.7;
/** How much narrower than high the body is. */
const NARROW = 0.56;
/** Height of the spine [m]. */
const SPINE = 0.072;
/** The joints of the spine, from behind the skull to the root of the tail, on the z axis [m]. */
const SPINE_JOINTS = [0.085, 0.04, 0, -0.038, -0.074, -0.108];
const SPINE_END = -0.138;

// Thin fins come out smoother where few lattice points move; coarse meshes have to save tetrahedra.
const SNAP_FINE = 0.5;
const SNAP_COARSE = 0.9;

/** Builds the fish. The number of tetrahedra goes about with the inverse cube of `cell`. */
export function buildFish(options: FishOptions = {}): BodyDef {
  const { cell = 0.0098 } = options;
  const snap = cell < 0.014 ? SNAP_FINE : SNAP_COARSE;
  const plan = { name: 'fish', skin: skin(cell), bones: skeleton(), joints: joints(), cell, snap };
  return meshStretched(plan, { axis: 0, factor: STRETCH });
}

/** Thick enough for a lattice of this cell size. */
function skin(cell: number): Shape {
  const eye = ellipsoid([0.0225, 0.083, 0.148], [0.0075, 0.0098, 0.0098]);
  const trunk = smoothUnion(0.004, [body(cell), eye, mirrorX(eye)]);
  return smoothUnion(0.012, [trunk, ...fins(cell)]);
}

/** Deepest before the middle, the belly rounder than the back. */
function body(cell: number): Shape {
  const profile = splineLimb(
    [
      [0, 0.068, 0.19],
      [0, 0.069, 0.174],
      [0, 0.072, 0.14],
      [0, 0.073, 0.09],
      [0, 0.072, 0.04],
      [0, 0.073, -0.02],
      [0, 0.074, -0.075],
      [0, 0.075, -0.12],
      [0, 0.075, -0.15],
    ],
    [0.016, 0.028, 0.046, 0.06, 0.0655, 0.056, 0.038, 0.0245, 0.022].map((radius) =>
      Math.max(radius, (0.7 * cell) / STRETCH / NARROW),
    ),
    { steps: 6 },
  );
  const lips = ellipsoid([0, 0.063, 0.2], [0.011, 0.0085, 0.011]);
  return smoothUnion(0.012, [stretch(profile, [0, 0, 0], [NARROW, 1, 1]), lips]);
}

/** One on the back, a forked tail, one below it, and two pairs. */
function fins(cell: number): Shape[] {
  // Fins in the middle plane profit from the stretched lattice, the pairs hardly do.
  const thin = Math.max(0.0054, (0.8 * cell) / STRETCH);
  const thick = Math.max(0.0054, 0.6 * cell);
  const membrane = (thick: number, corners: readonly Vec3[]): Shape =>
    smoothUnion(
      0.25 * thick,
      corners.slice(2).map((corner, i) => roundTriangle(corners[i], corners[i + 1], corner, thick)),
    );
  const fin = (...corners: readonly Vec3[]): Shape => membrane(thin, corners);
  const lobe = (up: number): Shape =>
    fin(
      [0, 0.075 + 0.012 * up, -0.14],
      [0, 0.075, -0.15],
      [0, 0.075 + 0.085 * up, -0.24],
      [0, 0.075 + 0.004 * up, -0.19],
    );
  const back = fin(
    [0, 0.12, 0.075],
    [0, 0.118, 0.03],
    [0, 0.182, 0.03],
    [0, 0.105, -0.03],
    [0, 0.152, -0.045],
    [0, 0.096, -0.068],
  );
  const below = fin([0, 0.048, -0.055], [0, 0.004, -0.1], [0, 0.054, -0.098]);
  const breast = membrane(thick, [
    [0.03, 0.066, 0.1],
    [0.024, 0.03, 0.085],
    [0.084, 0.03, 0.02],
  ]);
  const belly = membrane(thick, [
    [0.015, 0.03, 0.03],
    [0.015, 0.032, -0.004],
    [0.04, -0.014, -0.03],
  ]);
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

/**
 * A snake, 1.5 m long, lying on the floor in an S with its head towards +x: sixteen bones, the skull first, and a ball
 * joint between each and the next.
 */
import type { BodyDef, JointDef, MaterialDef, Vec3 } from '../../../src/body/body-def.js';
import { FLESH } from '../../../src/character/build/flesh.js';
import { type BonePlan, meshCharacter } from '../../../src/character/shapes/mesh-character.js';
import { ellipsoid, halfSpace, roundCone, type Shape, sphere } from '../../../src/character/shapes/sdf.js';
import { chain, mirrorZ, smoothIntersection, smoothUnion, stretch } from '../../../src/character/shapes/sdf-combine.js';
import { splineLimb } from '../../../src/character/shapes/spline-limb.js';
import { cos, sin } from '../../../src/math/trig.js';

/** How to build a snake. */
export interface SnakeOptions {
  /** Side of the lattice cubes [m]; default 0.0092 (52,000 tetrahedra), coarse 0.028 (2,500). */
  readonly cell?: number;
}

/** From the back of the head to the tip of the tail [m]. */
const LENGTH = 1.42;
const HEAD_LENGTH = 0.085;
/** Bones behind the skull. */
const VERTEBRAE = 15;
/** The middle line is cut into this many straight pieces. */
const PIECES = 90;
/** How far the middle line turns from the x axis at most [rad], and how many waves it has. */
const SWING = 1.15;
const WAVES = 1.6;
/** Height of the middle line over the belly, in radii: less than 1 makes the belly flat. */
const BELLY = 0.86;
/** Radius at equal steps from neck to tail [m]. */
const RADII = [0.0175, 0.021, 0.026, 0.029, 0.0305, 0.031, 0.0305, 0.029, 0.0265, 0.023, 0.0185, 0.0135, 0.0085, 0.004];

const SUPPLE: MaterialDef = { ...FLESH, youngModulus: 4e4 };

/** Builds the snake. The number of tetrahedra goes about with the inverse cube of `cell`. */
export function buildSnake(options: SnakeOptions = {}): BodyDef {
  const { cell = 0.0092 } = options;
  const line = middleLine(0.78 * cell);
  const body = chain(line.points, line.radii);
  const whole = smoothUnion(0.022, [body, head(cell)]);
  const skin = smoothIntersection(0.01, whole, halfSpace([0, 0, 0], [0, -1, 0]));
  return meshCharacter({
    name: 'snake',
    skin,
    bones: skeleton(line),
    joints: joints(line),
    cell,
    snap: 0.75,
    material: SUPPLE,
  });
}

interface MiddleLine {
  readonly points: readonly Vec3[];
  readonly radii: readonly number[];
}

/** A curve whose direction swings like a sine with its length, as rivers and snakes do; the head's end is the origin. */
function middleLine(least: number): MiddleLine {
  const points: Vec3[] = [];
  const radii: number[] = [];
  const step = LENGTH / PIECES;
  let [x, z] = [0, 0];
  for (let i = 0; i <= PIECES; i++) {
    const radius = Math.max(least, radiusAt(i / PIECES));
    points.push([x, BELLY * radius, z]);
    radii.push(radius);
    // Straight behind the head, then wider and wider.
    const share = (i + 0.5) / PIECES;
    const turn = SWING * Math.min(1, 6 * share) * sin(2 * Math.PI * WAVES * share);
    x -= step * cos(turn);
    z += step * sin(turn);
  }
  return { points, radii };
}

/** Smooth between the given radii. */
function radiusAt(share: number): number {
  const place = share * (RADII.length - 1);
  const i = Math.min(RADII.length - 2, Math.floor(place));
  const t = place - i;
  return RADII[i] + t * (RADII[i + 1] - RADII[i]);
}

/** Flat and broad behind, blunt at the nose, with eyes on the sides. */
function head(cell: number): Shape {
  const least = 0.7 * cell;
  const outline = splineLimb(
    [
      [-0.03, 0.021, 0],
      [0.008, 0.022, 0],
      [0.035, 0.022, 0],
      [0.062, 0.02, 0],
      [0.082, 0.018, 0],
    ],
    [0.0175, 0.0265, 0.0305, 0.0235, 0.0155],
    { least },
  );
  const flat = stretch(outline, [0, 0.021, 0], [1, 0.74, 1.08]);
  const brow = ellipsoid([0.046, 0.0335, 0.0155], [0.018, 0.0085, 0.0085]);
  const eye = sphere([0.05, 0.0325, 0.022], 0.0062);
  const side = smoothUnion(0.003, [brow, eye]);
  return smoothUnion(0.004, [flat, side, mirrorZ(side)]);
}

function jointIndex(vertebra: number): number {
  return Math.round((vertebra * PIECES) / VERTEBRAE);
}

/** Bones stop short of the joints, so that the flesh there can bend. */
function skeleton({ points, radii }: MiddleLine): BonePlan[] {
  const skull = stretch(
    roundCone([0.014, 0.021, 0], [HEAD_LENGTH - 0.02, 0.02, 0], 0.019, 0.011),
    [0, 0.021, 0],
    [1, 0.7, 1],
  );
  const bones: BonePlan[] = [{ name: 'skull', shape: skull }];
  for (let i = 0; i < VERTEBRAE; i++) {
    const [first, last] = [jointIndex(i) + 1, jointIndex(i + 1) - 1];
    const shape = chain(
      points.slice(first, last + 1),
      radii.slice(first, last + 1).map((radius) => 0.45 * radius),
    );
    bones.push({ name: `vertebra${i + 1}`, shape });
  }
  return bones;
}

function joints({ points }: MiddleLine): JointDef[] {
  return Array.from({ length: VERTEBRAE }, (_, i) => ({
    name: i === 0 ? 'neck' : `spine${i}`,
    type: 'ball' as const,
    bones: [i === 0 ? 'skull' : `vertebra${i}`, `vertebra${i + 1}`],
    anchor: points[jointIndex(i)],
  }));
}

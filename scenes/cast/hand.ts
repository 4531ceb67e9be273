/**
 * An open left hand with the end of its forearm, 0.19 m from wrist to middle fingertip: fingers up, a little spread and
 * bent, palm towards +z, thumb towards +x. Seventeen bones: forearm, palm and one per phalanx; hinges in the fingers,
 * balls at the wrist and the base of the thumb.
 */
import type { BodyDef, JointDef, Vec3 } from '../../src/body/body-def.js';
import type { BonePlan } from '../../src/character/shapes/mesh-character.js';
import { meshStretched } from '../../src/character/shapes/mesh-stretched.js';
import { halfSpace, pointBetween, roundCone, type Shape } from '../../src/character/shapes/sdf.js';
import { smoothIntersection, smoothUnion } from '../../src/character/shapes/sdf-combine.js';
import { splineLimb } from '../../src/character/shapes/spline-limb.js';
import { cos, sin } from '../../src/math/trig.js';

/** How to build a hand. */
export interface HandOptions {
  /** Side of the lattice cubes [m]; default 0.0047 (48,000 tetrahedra), coarse 0.0112 (4,000). */
  readonly cell?: number;
}

/** A finger: its joints from the knuckle to just short of the tip, with the radius of the flesh at each [m]. */
interface Finger {
  readonly name: string;
  readonly points: readonly Vec3[];
  readonly radii: readonly number[];
  /** The axis its hinges turn about: a positive turn bends it towards the palm. */
  readonly axis: Vec3;
}

/** Where the forearm meets the palm [m]. */
const WRIST: Vec3 = [0, 0, 0];
/** Where the forearm is cut off, on the y axis [m]. */
const FOREARM_END = -0.055;
/** How far the fingers are bent towards the palm at knuckle, middle and end joint, in the rest shape [rad]. */
const BENDS = [0.2, 0.32, 0.2];

const FINGERS: readonly Finger[] = [
  bentFinger('index', [0.0292, 0.088, 0], 0.235, [0.043, 0.026, 0.019], [0.0108, 0.0098, 0.009, 0.0078]),
  bentFinger('middle', [0.0072, 0.0925, -0.002], 0.01, [0.047, 0.03, 0.02], [0.0108, 0.01, 0.0092, 0.008]),
  bentFinger('ring', [-0.0142, 0.0885, -0.002], -0.215, [0.043, 0.028, 0.02], [0.0106, 0.0096, 0.0087, 0.0076]),
  bentFinger('little', [-0.034, 0.0785, 0], -0.45, [0.034, 0.021, 0.017], [0.0098, 0.0084, 0.0077, 0.0069]),
];

const THUMB: Finger = {
  name: 'thumb',
  points: [
    [0.022, 0.018, 0.008],
    [0.0545, 0.047, 0.02],
    [0.0755, 0.0735, 0.024],
    [0.0885, 0.0965, 0.0235],
  ],
  radii: [0.0155, 0.0118, 0.0105, 0.0082],
  axis: [0.42, -0.36, -0.83],
};

/** Builds the hand. The number of tetrahedra goes about with the inverse cube of `cell`. */
export function buildHand(options: HandOptions = {}): BodyDef {
  const { cell = 0.0047 } = options;
  const plan = { name: 'hand', skin: skin(cell), bones: skeleton(), joints: joints(), cell, snap: 0.9 };
  // Forearm and palm are thick: the lattice is better spent on the fingers.
  return meshStretched(plan, { axis: 1, high: 0.06, factor: 0.6 });
}

/** A finger that leaves its knuckle `spread` radians off the y axis towards the thumb and is bent by `BENDS`. */
function bentFinger(
  name: string,
  knuckle: Vec3,
  spread: number,
  lengths: readonly number[],
  radii: readonly number[],
): Finger {
  const points: Vec3[] = [knuckle];
  const [outward, upward] = [sin(spread), cos(spread)];
  let bend = 0;
  lengths.forEach((length, i) => {
    bend += BENDS[i];
    const [x, y, z] = points[i];
    const ahead = length * cos(bend);
    points.push([x + ahead * outward, y + ahead * upward, z + length * sin(bend)]);
  });
  return { name, points, radii, axis: [upward, -outward, 0] };
}

function skin(cell: number): Shape {
  const least = 0.8 * cell;
  const fingers = FINGERS.map(({ points, radii }) => fingerFlesh(points, radii, least));
  // A web where the lattice could not tell one finger from the next: gaps below half of this are filled.
  const web = Math.max(0.007, 1.4 * cell);
  const whole = smoothUnion(web, [palm(), ...fingers]);
  const hand = smoothUnion(0.012, [whole, thumbFlesh(least)]);
  return smoothIntersection(0.016, hand, halfSpace([0, FOREARM_END, 0], [0, -1, 0]));
}

/** Thicker at the joints than between them, with a pad under the tip. */
function fingerFlesh(points: readonly Vec3[], radii: readonly number[], least: number): Shape {
  const limb = splineLimb(
    [
      points[0],
      pointBetween(points[0], points[1], 0.5),
      points[1],
      pointBetween(points[1], points[2], 0.5),
      points[2],
      pointBetween(points[2], points[3], 0.6),
      points[3],
    ],
    [radii[0], 0.96 * radii[1], radii[1], 0.94 * radii[2], radii[2], 0.98 * radii[2], radii[3]],
    { least },
  );
  return limb;
}

function thumbFlesh(least: number): Shape {
  const [base, knuckle, middle, tip] = THUMB.points;
  const limb = splineLimb(
    [
      base,
      pointBetween(base, knuckle, 0.5),
      knuckle,
      pointBetween(knuckle, middle, 0.5),
      middle,
      pointBetween(middle, tip, 0.5),
      tip,
    ],
    [0.0165, 0.017, 0.0128, 0.0112, 0.0115, 0.0112, 0.0088],
    { least },
  );
  return limb;
}

/** Forearm, the flat of the hand over the four metacarpals, and the balls of thumb and little finger. */
function palm(): Shape {
  const rays = FINGERS.map(({ points }, i) => {
    const start: Vec3 = [0.012 - 0.0085 * i, 0.012, -0.001];
    return roundCone(start, points[0], 0.0145, 0.0108);
  });
  const hollow = smoothUnion(0.016, rays);
  const balls = [
    splineLimb(
      [
        [-0.02, 0.006, 0.004],
        [-0.0285, 0.03, 0.007],
        [-0.031, 0.062, 0.003],
      ],
      [0.0135, 0.0155, 0.0115],
    ),
    splineLimb(
      [
        [0.014, 0.004, 0.004],
        [0.028, 0.03, 0.008],
        [0.031, 0.062, 0.001],
      ],
      [0.014, 0.0145, 0.0115],
    ),
  ];
  const forearm = [-1, 1].map((side) =>
    splineLimb(
      [
        [side * 0.0125, 0.016, 0],
        [side * 0.0115, -0.012, 0],
        [side * 0.0135, -0.05, 0],
        [side * 0.016, -0.09, 0],
      ],
      [0.0165, 0.0168, 0.02, 0.0235],
    ),
  );
  return smoothUnion(0.014, [smoothUnion(0.014, [hollow, ...balls]), smoothUnion(0.02, forearm)]);
}

/** Bones stop short of the joints, so that the flesh there can bend. */
function skeleton(): BonePlan[] {
  const rays = FINGERS.map(({ points }, i) =>
    roundCone([0.0095 - 0.0065 * i, 0.018, 0], pointBetween(WRIST, points[0], 0.87), 0.0075, 0.006),
  );
  const bones: BonePlan[] = [
    { name: 'forearm', shape: roundCone([0, FOREARM_END, 0], [0, -0.018, 0], 0.0145, 0.012) },
    { name: 'palm', shape: smoothUnion(0.006, rays) },
  ];
  for (const { name, points, radii } of [THUMB, ...FINGERS]) {
    PHALANGES.forEach((phalanx, i) => {
      const [a, b] = [points[i], points[i + 1]];
      const last = i === PHALANGES.length - 1;
      const from = pointBetween(a, b, i === 0 ? 0.2 : 0.24);
      const shape = roundCone(from, pointBetween(a, b, last ? 0.9 : 0.78), 0.42 * radii[i], 0.4 * radii[i + 1]);
      bones.push({ name: name + phalanx, shape });
    });
  }
  return bones;
}

/** Names of a finger's bones. Of the thumb the first is its metacarpal, which the flesh of the palm hides. */
const PHALANGES = ['Proximal', 'Middle', 'Distal'] as const;

function joints(): JointDef[] {
  const found: JointDef[] = [{ name: 'wrist', type: 'ball', bones: ['forearm', 'palm'], anchor: WRIST }];
  for (const { name, points, axis } of [THUMB, ...FINGERS]) {
    PHALANGES.forEach((phalanx, i) => {
      const bones = [i === 0 ? 'palm' : name + PHALANGES[i - 1], name + phalanx];
      const place = { name: `${name}${['Knuckle', 'Joint', 'Tip'][i]}`, bones, anchor: points[i] };
      const isBall = name === 'thumb' && i === 0;
      found.push(isBall ? { ...place, type: 'ball' } : { ...place, type: 'hinge', axis });
    });
  }
  return found;
}

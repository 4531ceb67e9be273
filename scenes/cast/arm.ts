/**
 * An arm and the quarter of a trunk that it hangs on, after the arm and shoulder of [McAdams2011]: the human's left arm with
 * bones as thick as bones are, one in the chest, one in the hand.
 */
import type { BodyDef, JointDef, Vec3 } from '../../src/body/body-def.js';
import { type BonePlan, meshCharacter } from '../../src/character/shapes/mesh-character.js';
import { halfSpace, pointBetween, roundCone, type Shape } from '../../src/character/shapes/sdf.js';
import { smoothIntersection, smoothUnion, stretch } from '../../src/character/shapes/sdf-combine.js';
import { buildArm, createLimb, ELBOW, FINGERTIP, SHOULDER, WRIST } from './human-parts.js';

/** Side of the tets' lattice [m]: fine enough for bones to be solid. */
const CELL = 0.02;

/** Axis across the arm about which it bends forward. */
const FORWARD: Vec3 = [-0.736, -0.677, 0];

/** Builds the arm. */
export function buildArmBody(): BodyDef {
  return meshCharacter({ name: 'arm', skin: skin(), bones: skeleton(), joints: joints(), cell: CELL, snap: 0.5 });
}

function skin(): Shape {
  const trunk = smoothUnion(0.06, [
    stretch(roundCone([0, 1.285, 0], [0, 1.15, 0], 0.15, 0.13), [0, 1.2, -0.005], [1, 1, 0.7]),
    roundCone([0, 1.39, -0.015], [0.13, 1.39, -0.015], 0.048),
  ]);
  const half = smoothIntersection(0.012, trunk, halfSpace([0.02, 0, 0], [-1, 0, 0]));
  const quarter = smoothIntersection(0.012, half, halfSpace([0, 1.12, 0], [0, -1, 0]));
  return smoothUnion(0.05, [buildArm(createLimb(CELL)), quarter]);
}

/** Bones stop short of the joints, so that the flesh there can bend. */
function skeleton(): BonePlan[] {
  const chest = smoothUnion(0.02, [
    stretch(roundCone([0.03, 1.3, 0], [0.03, 1.18, 0], 0.085), [0, 1.2, 0], [1, 1, 0.7]),
    roundCone([0.03, 1.39, -0.015], [0.11, 1.39, -0.015], 0.026),
  ]);
  const limbs: [string, Vec3, Vec3, number, number][] = [
    ['upperArm', SHOULDER, ELBOW, 0.022, 0.018],
    ['forearm', ELBOW, WRIST, 0.019, 0.014],
    ['hand', WRIST, FINGERTIP, 0.012, 0.01],
  ];
  return [
    { name: 'chest', shape: chest },
    ...limbs.map(([name, a, b, ra, rb]) => {
      return { name, shape: roundCone(pointBetween(a, b, 0.12), pointBetween(a, b, 0.88), ra, rb) };
    }),
  ];
}

function joints(): JointDef[] {
  return [
    { name: 'shoulder', type: 'ball', bones: ['chest', 'upperArm'], anchor: SHOULDER, axis: [0, 0, 1] },
    { name: 'elbow', type: 'ball', bones: ['upperArm', 'forearm'], anchor: ELBOW, axis: FORWARD },
    { name: 'wrist', type: 'ball', bones: ['forearm', 'hand'], anchor: WRIST, axis: FORWARD },
  ];
}

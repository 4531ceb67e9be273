/**
 * What a knee or an elbow keeps of its volume when it is turned by a right angle: by the lattice and by linear blending. Everything but the joint moves
 * rigidly, so what the skin loses as a whole it loses there; it is counted against a piece of the limb as long as it is thick.
 */
import type { Character } from '../../src/character/character.js';
import { blendLinear } from '../../src/character/deform/blend-skin.js';
import { type DeformOptions, SkinDeformer } from '../../src/character/deform/skin-deformer.js';
import { INFLUENCES } from '../../src/character/rig/rig-collector.js';
import { TendonError } from '../../src/errors.js';
import { refineSurface } from '../../src/mesh/surface/refine-surface.js';
import { surfaceVolume } from '../../src/mesh/surface/surface.js';
import { restTransforms, writeTransform } from '../../src/solvers/lattice/bones/bone-transforms.js';

/** Steps to a right angle: nine degrees each, at most. */
const STEPS = 10;
/** Least weight with which a vertex follows a bone. */
const FOLLOWS = 0.1;

/** Longest edge of the skin that is measured, in the size of the character. */
const SKIN_EDGE = 0.01;

type Vec = readonly [number, number, number];

/** What became of one joint. */
export interface BentJoint {
  readonly joint: string;
  /** How far it was turned: the bend less that at rest [rad]. */
  readonly turn: number;
  /** Mean distance of the skin from the axes of the limb, near the joint [m]. */
  readonly radius: number;
  /** Share of its piece of the limb that is left, by the lattice and by linear blending. */
  readonly kept: number;
  readonly linearKept: number;
  /** Most cells inside out at the end of a step. */
  readonly inverted: number;
}

/**
 * A character whose skin is cut into edges of `longest` at most [m], its shape and the weights along it as they were. Flat triangles across a bend cut its
 * corner off, by however coarse a model is drawn; what is asked here is what becomes of the flesh.
 */
function refineSkin(character: Character, longest: number): Character {
  const { skin } = character;
  const { positions, triangles, sources } = refineSurface(
    { positions: Float64Array.from(skin.positions), triangles: Int32Array.from(skin.triangles) },
    longest,
  );
  const count = positions.length / 3;
  const [bones, boneWeights] = [new Uint16Array(INFLUENCES * count), new Float32Array(INFLUENCES * count)];
  for (let n = 0; n < triangles.length; n++) {
    const v = triangles[n];
    const t = 3 * sources[Math.floor(n / 3)];
    const corners = [skin.triangles[t], skin.triangles[t + 1], skin.triangles[t + 2]];
    const shares = sharesOf(skin.positions, corners, positions, v);
    const sums = new Map<number, number>();
    corners.forEach((corner, k) => {
      for (let i = INFLUENCES * corner; i < INFLUENCES * (corner + 1); i++) {
        sums.set(skin.bones[i], (sums.get(skin.bones[i]) ?? 0) + shares[k] * skin.boneWeights[i]);
      }
    });
    const strongest = [...sums].sort((a, b) => b[1] - a[1]).slice(0, INFLUENCES);
    const total = strongest.reduce((sum, [, weight]) => sum + weight, 0);
    strongest.forEach(([bone, weight], k) => {
      bones[INFLUENCES * v + k] = bone;
      boneWeights[INFLUENCES * v + k] = weight / total;
    });
  }
  const fine = { ...skin, positions: Float32Array.from(positions), triangles: Uint32Array.from(triangles) };
  return { ...character, skin: { ...fine, bones, boneWeights } };
}

/** How much of each corner of a triangle a point in it has: areas of the triangles it makes with the others. */
function sharesOf(
  given: ArrayLike<number>,
  corners: readonly number[],
  points: ArrayLike<number>,
  v: number,
): number[] {
  const at = (p: ArrayLike<number>, i: number): Vec => [p[3 * i], p[3 * i + 1], p[3 * i + 2]];
  const point = at(points, v);
  const [a, b, c] = corners.map((corner) => minus(at(given, corner), point));
  const areas = [cross(b, c), cross(c, a), cross(a, b)].map((normal) => Math.sqrt(dot(normal, normal)));
  const whole = areas[0] + areas[1] + areas[2];
  return areas.map((area) => (whole > 0 ? area / whole : 1 / 3));
}

/** Bends a joint, the way it is bent at rest, until its two bones are `bend` from a straight line [rad]. */
export async function bendJoint(
  model: Character,
  name: string,
  options: DeformOptions,
  bend = Math.PI / 2,
): Promise<BentJoint> {
  const bone = model.skeleton.findIndex((info) => info.name === name);
  if (bone < 0 || model.skeleton[bone].parent < 0) {
    const names = model.skeleton.filter(({ parent }) => parent >= 0).map((info) => info.name);
    throw new TendonError('E_UNKNOWN', 'joint', name, `use one of ${names.join(', ')}`);
  }
  const { place, tip, parent } = model.skeleton[bone];
  const character = refineSkin(model, SKIN_EDGE * sizeOf(model.skin.positions));
  const { skeleton, skin } = character;
  const upper = minus(place, skeleton[parent].place);
  const lower = minus(tip, place);
  const axis = unit(cross(upper, lower));
  const turn = bend - Math.acos(dot(unit(upper), unit(lower)));
  const deformer = await SkinDeformer.create(character, options);
  const turns = turnedWith(character, bone);
  const transforms = restTransforms(skeleton.length);
  let inverted = 0;
  for (let step = 1; step <= STEPS; step++) {
    const half = (step * turn) / (2 * STEPS);
    const quat = [...axis.map((a) => a * Math.sin(half)), Math.cos(half)];
    for (const turned of turns) writeTransform(transforms, turned, quat, 0, place, 0, place, 0);
    inverted = Math.max(inverted, deformer.pose(transforms).inverted);
  }
  const blended = new Float32Array(skin.positions.length);
  blendLinear(skin, transforms, blended);
  const whole = surfaceVolume(skin.triangles, skin.positions);
  const radius = limbRadius(character, bone, unit(upper), unit(lower));
  const piece = 2 * Math.PI * radius ** 3;
  const kept = (positions: Float32Array): number => 1 - (whole - surfaceVolume(skin.triangles, positions)) / piece;
  const result = {
    joint: name,
    turn,
    radius,
    kept: kept(deformer.positions),
    linearKept: kept(blended),
    inverted,
  };
  deformer.dispose();
  return result;
}

/** Diagonal of the box around points [m]. */
function sizeOf(positions: ArrayLike<number>): number {
  const [least, most]: number[][] = [
    [Infinity, Infinity, Infinity],
    [-Infinity, -Infinity, -Infinity],
  ];
  for (let i = 0; i < positions.length; i++) {
    least[i % 3] = Math.min(least[i % 3], positions[i]);
    most[i % 3] = Math.max(most[i % 3], positions[i]);
  }
  return Math.hypot(most[0] - least[0], most[1] - least[1], most[2] - least[2]);
}

/** A bone and all that hangs on it. */
function turnedWith({ skeleton }: Character, bone: number): number[] {
  const turns = [bone];
  // parents come first
  for (let other = bone + 1; other < skeleton.length; other++) {
    if (turns.includes(skeleton[other].parent)) turns.push(other);
  }
  return turns;
}

/** Mean distance from the two axes that meet at a joint of the skin that follows both bones. */
function limbRadius({ skin, skeleton }: Character, bone: number, upper: Vec, lower: Vec): number {
  const { positions, bones, boneWeights } = skin;
  const { place, parent } = skeleton[bone];
  const back: Vec = [-upper[0], -upper[1], -upper[2]];
  let [sum, count] = [0, 0];
  for (let v = 0; v < positions.length / 3; v++) {
    let [own, above] = [0, 0];
    for (let n = INFLUENCES * v; n < INFLUENCES * (v + 1); n++) {
      if (bones[n] === bone) own += boneWeights[n];
      if (bones[n] === parent) above += boneWeights[n];
    }
    if (Math.min(own, above) < FOLLOWS) continue;
    const from = minus([positions[3 * v], positions[3 * v + 1], positions[3 * v + 2]], place);
    sum += Math.min(aside(from, back), aside(from, lower));
    count++;
  }
  return sum / count;
}

/** Distance of a point from a half-line. */
function aside(point: Vec, direction: Vec): number {
  const along = Math.max(0, dot(point, direction));
  const off = point.map((p, k) => p - along * direction[k]);
  return Math.sqrt(dot(off as unknown as Vec, off as unknown as Vec));
}

function minus(a: Vec, b: Vec): Vec {
  return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
}

function dot(a: Vec, b: Vec): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

function cross(a: Vec, b: Vec): Vec {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

function unit(a: Vec): Vec {
  const length = Math.sqrt(dot(a, a));
  return [a[0] / length, a[1] / length, a[2] / length];
}

/**
 * Muscle bellies of a body's limbs, made without being asked for details: around every bone that carries one other bone, the flesh in the middle of the bone gets
 * fibres along it, in as many sides as the joint bends to (two for a hinge, four for others). Each side works when the joint's motor turns to it, so that
 * a biceps bulges when the arm is lifted.
 */
import type { BodyDef, JointDef, Vec3 } from '../../body/body-def.js';
import type { FibreMuscleDef } from '../../body/muscle-def.js';
import { crossVec3, distanceSqVec3, dotVec3, normaliseVec3, perpendicularVec3 } from '../../math/vec3.js';

/** How bellies are made. */
export interface BellyOptions {
  /** Strength of the fibres [Pa]; default 5e5. */
  readonly strength?: number;
  /** Stretch without stress; default 0.4. */
  readonly shortest?: number;
}

const STRENGTH = 5e5;
const SHORTEST = 0.4;
/** Share of the bone's length, from each end, that has no fibres: there flesh hangs on to the bone. */
const TENDON = 0.12;
/**
 * Share of the length over which fibres grow to their full number, from each end, as a muscle thins out into its tendons. Where strong fibres end at once, the
 * flesh beside them takes all of their pull in one row of tets, and some were turned inside out.
 */
const TAPER = 0.25;

/** The body with bellies beside the muscles it has. */
export function addBellies(body: BodyDef, options: BellyOptions = {}): BodyDef {
  const around = nearestBones(body);
  const bellies = (body.joints ?? []).flatMap((joint) => bellyOf(body, around, joint, options));
  return { ...body, muscles: [...(body.muscles ?? []), ...bellies] };
}

/** Muscles that turn a joint, in the flesh of its first bone. */
function bellyOf(body: BodyDef, around: Around, joint: JointDef, options: BellyOptions): FibreMuscleDef[] {
  const carried = (body.joints ?? []).filter(({ bones }) => bones.length > 1 && bones[0] === joint.bones[0]);
  const owner = (body.bones ?? []).findIndex(({ name }) => name === joint.bones[0]);
  if (joint.bones.length !== 2 || carried.length !== 1 || owner < 0 || joint.type === 'fixed') return [];
  const { along, from, length } = axisOf(body, owner, joint.anchor);
  if (length === 0) return [];
  const sides = sidesOf(joint, along);
  const tets: number[][] = sides.map(() => []);
  const shares: number[][] = sides.map(() => []);
  const centre = new Float64Array(3);
  for (let tet = 0; tet < body.tets.length / 4; tet++) {
    if (!isFleshOf(body, around, tet, owner, centre)) continue;
    for (let k = 0; k < 3; k++) centre[k] -= joint.anchor[k];
    const place = 1 - (dotVec3(centre, 0, along, 0) + from) / length;
    if (place < TENDON || place > 1 - TENDON) continue;
    const dots = sides.map((side) => dotVec3(centre, 0, side, 0));
    const nearest = dots.indexOf(Math.max(...dots));
    tets[nearest].push(tet);
    shares[nearest].push(Math.min(1, (Math.min(place, 1 - place) - TENDON) / TAPER));
  }
  return sides.flatMap((side, i): FibreMuscleDef[] => {
    if (tets[i].length === 0) return [];
    const about = new Float64Array(3);
    crossVec3(about, 0, along, 0, side, 0);
    return [
      {
        kind: 'fibres',
        name: `${joint.name} ${i + 1}`,
        tets: tets[i],
        direction: [...along],
        strength: options.strength ?? STRENGTH,
        shares: shares[i],
        shortest: options.shortest ?? SHORTEST,
        follows: { joint: joint.name, about: [about[0], about[1], about[2]] },
      },
    ];
  });
}

/** Direction of a bone towards a joint, how far its near end is from the joint, and its length [m]. */
function axisOf({ bones = [], positions }: BodyDef, bone: number, anchor: Vec3) {
  const along = new Float64Array(3);
  const { vertices } = bones[bone];
  for (let n = 0; n < vertices.length; n++) {
    for (let k = 0; k < 3; k++) along[k] += (anchor[k] - positions[vertices[n] * 3 + k]) / vertices.length;
  }
  normaliseVec3(along, 0, along, 0);
  let [least, most] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (let n = 0; n < vertices.length; n++) {
    let at = 0;
    for (let k = 0; k < 3; k++) at += along[k] * (positions[vertices[n] * 3 + k] - anchor[k]);
    least = Math.min(least, at);
    most = Math.max(most, at);
  }
  return { along, from: -least, length: Math.max(0, most - least) };
}

/** Directions across a bone that its muscles lie in: where a hinge bends to and from, or four. */
function sidesOf({ type, axis, secondAxis }: JointDef, along: Float64Array): Float64Array[] {
  const about = new Float64Array(3);
  if (type === 'hinge') about.set(axis ?? [0, 0, 1]);
  else if (secondAxis) about.set(secondAxis);
  else perpendicularVec3(about, 0, along, 0);
  const side = new Float64Array(3);
  crossVec3(side, 0, about, 0, along, 0);
  if (normaliseVec3(side, 0, side, 0) === 0) perpendicularVec3(side, 0, along, 0);
  const across = new Float64Array(3);
  crossVec3(across, 0, along, 0, side, 0);
  const both = (one: Float64Array) => [one, one.map((x) => -x)];
  return type === 'hinge' ? both(side) : [...both(side), ...both(across)];
}

/** Whether a tet is flesh around a bone and no other, away from the bone itself, which would hold it; `centre` becomes its middle. */
function isFleshOf(body: BodyDef, { boneOf, rigid }: Around, tet: number, bone: number, centre: Float64Array): boolean {
  const { tets, positions } = body;
  centre.fill(0);
  for (let c = tet * 4; c < tet * 4 + 4; c++) {
    if (boneOf[tets[c]] !== bone || rigid[tets[c]]) return false;
    for (let k = 0; k < 3; k++) centre[k] += positions[tets[c] * 3 + k] / 4;
  }
  return true;
}

/** Bone whose vertices are nearest to each vertex, and 1 where it is one of them. */
interface Around {
  readonly boneOf: Int32Array;
  readonly rigid: Uint8Array;
}

function nearestBones({ bones = [], positions }: BodyDef): Around {
  const boneOf = new Int32Array(positions.length / 3).fill(-1);
  const rigid = new Uint8Array(boneOf.length);
  for (const { vertices } of bones) for (let n = 0; n < vertices.length; n++) rigid[vertices[n]] = 1;
  for (let v = 0; v < boneOf.length; v++) {
    let nearest = Number.POSITIVE_INFINITY;
    bones.forEach(({ vertices }, bone) => {
      for (let n = 0; n < vertices.length; n++) {
        const d = distanceSqVec3(positions, v * 3, positions, vertices[n] * 3);
        if (d >= nearest) continue;
        nearest = d;
        boneOf[v] = bone;
      }
    });
  }
  return { boneOf, rigid };
}

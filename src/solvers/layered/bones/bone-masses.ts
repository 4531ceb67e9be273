/**
 * How heavy bones are, from the skin alone: every node stands for a column of flesh that its bones carry by their weights. Called
 * when a model is built. Total mass is density times the volume inside the skin.
 */
import { MISSING_INERTIA } from '../../../constants.js';
import { sixVolume } from '../../../mesh/surface/triangle-algebra.js';
import type { TriangleMesh } from '../../../mesh/surface/triangle-mesh.js';

/** Bones no lighter than this share of the whole: what carries no skin still has to be turned. */
const LIGHTEST = 1e-5;
/** Bodies whose surface is open or flat: volume at least this share of area times depth. */
const LEAST_VOLUME_SHARE = 0.5;

/** Masses of bones. */
export interface BoneMasses {
  /** [kg] */
  readonly mass: Float64Array;
  /** Centre of mass at rest, 3 per bone [m]. */
  readonly centre: Float64Array;
  /** Inertia about the centre at rest, 9 per bone [kg m²]. */
  readonly inertia: Float64Array;
}

/** The skin and who carries it. */
export interface CarriedSkin extends TriangleMesh {
  readonly normals: Float64Array;
  readonly areas: Float64Array;
  readonly depths: Float64Array;
  readonly owners: Int32Array;
  readonly weights: Float64Array;
}

/** Shares the mass of the flesh among `places.length / 3` bones, whose joints are at `places`. */
export function weighBones(skin: CarriedSkin, places: Float64Array, density: number): BoneMasses {
  const count = places.length / 3;
  const nodeCount = skin.areas.length;
  const result = {
    mass: new Float64Array(count),
    centre: new Float64Array(3 * count),
    inertia: new Float64Array(9 * count),
  };
  let columns = 0;
  for (let p = 0; p < nodeCount; p++) columns += skin.areas[p] * skin.depths[p];
  const total = density * Math.max(signedVolume(skin), LEAST_VOLUME_SHARE * columns);
  // a column's middle lies as deep as half its flesh
  const lump = new Float64Array(3);
  const visit = (action: (bone: number, mass: number, depth: number) => void): void => {
    for (let p = 0; p < nodeCount; p++) {
      const mass = (total * skin.areas[p] * skin.depths[p]) / columns;
      for (let k = 0; k < 3; k++) {
        lump[k] = skin.positions[3 * p + k] - skin.depths[p] * skin.normals[3 * p + k];
      }
      for (let k = 4 * p; k < 4 * p + 4; k++) {
        if (skin.weights[k] > 0) action(skin.owners[k], mass * skin.weights[k], skin.depths[p]);
      }
    }
  };
  visit((bone, mass) => {
    result.mass[bone] += mass;
    for (let k = 0; k < 3; k++) result.centre[3 * bone + k] += mass * lump[k];
  });
  const size = Math.sqrt(skin.areas.reduce((sum, area) => sum + area, 0));
  for (let bone = 0; bone < count; bone++) {
    if (result.mass[bone] > LIGHTEST * total) {
      for (let k = 0; k < 3; k++) result.centre[3 * bone + k] /= result.mass[bone];
    } else {
      result.mass[bone] = LIGHTEST * total;
      result.centre.set(places.subarray(3 * bone, 3 * bone + 3), 3 * bone);
    }
    for (let k = 0; k < 3; k++) {
      result.inertia[9 * bone + 4 * k] = MISSING_INERTIA * result.mass[bone] * size * size;
    }
  }
  visit((bone, mass, depth) => {
    if (result.mass[bone] > LIGHTEST * total) addLump(result, bone, mass, depth, lump);
  });
  return result;
}

/** A ball of flesh of radius `depth` carried by a bone. */
function addLump(masses: BoneMasses, bone: number, mass: number, depth: number, at: Float64Array): void {
  const { centre, inertia } = masses;
  const x = at[0] - centre[3 * bone];
  const y = at[1] - centre[3 * bone + 1];
  const z = at[2] - centre[3 * bone + 2];
  const own = 0.4 * depth * depth;
  const o = 9 * bone;
  inertia[o] += mass * (y * y + z * z + own);
  inertia[o + 4] += mass * (x * x + z * z + own);
  inertia[o + 8] += mass * (x * x + y * y + own);
  inertia[o + 1] -= mass * x * y;
  inertia[o + 3] -= mass * x * y;
  inertia[o + 2] -= mass * x * z;
  inertia[o + 6] -= mass * x * z;
  inertia[o + 5] -= mass * y * z;
  inertia[o + 7] -= mass * y * z;
}

/** Volume inside a surface by the divergence theorem, about its first corner [m³]; negative where it is inside out. */
export function signedVolume({ positions: p, triangles }: TriangleMesh): number {
  let six = 0;
  for (let t = 0; t < triangles.length; t += 3) {
    six += sixVolume(p, triangles[0], triangles[t], triangles[t + 1], triangles[t + 2]);
  }
  return six / 6;
}

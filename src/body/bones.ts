/** Bones as the solvers see them: which vertices, how heavy, and how the mass is spread. */
import { MISSING_INERTIA } from '../constants.js';
import { requireList, requireType, TendonError } from '../errors.js';
import { eigenSymmetricMat3 } from '../math/eigen3.js';
import { exp, log, square } from '../math/powers.js';
import type { BoneDef } from './body-def.js';

/** The bones of a model, as flat arrays. Bone `count` is the world: it has no vertices and never moves by itself. */
export interface Bones {
  readonly count: number;
  readonly names: readonly string[];
  /** count+1 offsets into `vertices`. */
  readonly vertexStart: Int32Array;
  readonly vertices: Int32Array;
  /** Bone of each vertex of the body, -1 for flesh. */
  readonly ofVertex: Int32Array;
  /** Mass [kg]. */
  readonly mass: Float64Array;
  /** Centre of mass in the rest shape, 3 per bone [m]. */
  readonly centre: Float64Array;
  /** Sum of m r rᵀ about the centre of mass, 9 per bone [kg m²]; made definite for flat, straight and single-point bones. */
  readonly secondMoment: Float64Array;
  /** Dimensions the vertices of each bone span: 3 for a solid one. */
  readonly rank: Uint8Array;
  /** 1 where the bone starts out kinematic. */
  readonly kinematic: Uint8Array;
}

/**
 * Checks bones against a body's vertices and computes their mass properties. `vertexMap`: def index -> model index or -1; `volumes`: what of
 * the flesh each vertex stands for [m³].
 */
export function buildBones(
  defs: readonly BoneDef[],
  vertexMap: Int32Array,
  positions: Float64Array,
  masses: Float64Array,
  place: string,
  volumes?: Float64Array,
): Bones {
  const count = requireList(defs, place).length;
  const ofVertex = new Int32Array(positions.length / 3).fill(-1);
  const names: string[] = [];
  const vertices: number[] = [];
  const vertexStart = new Int32Array(count + 1);
  defs.forEach((def, bone) => {
    if (names.includes(def.name)) {
      throw new TendonError('E_DUPLICATE', `${place}/${bone}/name`, def.name, 'two bones carry this name');
    }
    names.push(requireType(def.name, 'string', `${place}/${bone}/name`));
    requireList(def.vertices, `${place}/${bone}/vertices`);
    for (let i = 0; i < def.vertices.length; i++) {
      const given = def.vertices[i];
      if (!(Number.isInteger(given) && given >= 0 && given < vertexMap.length)) {
        throw new TendonError('E_INDEX', `${place}/${bone}/vertices/${i}`, given, 'the body has no such vertex');
      }
      const vertex = vertexMap[given];
      if (vertex < 0) continue;
      if (ofVertex[vertex] >= 0) {
        const advice = `the vertex is already in bone ${names[ofVertex[vertex]]}: split it and join the bones by a joint`;
        throw new TendonError('E_SHARED_VERTEX', `${place}/${bone}/vertices/${i}`, given, advice);
      }
      ofVertex[vertex] = bone;
      vertices.push(vertex);
    }
    vertexStart[bone + 1] = vertices.length;
    if (vertexStart[bone + 1] === vertexStart[bone]) {
      throw new TendonError('E_EMPTY_BONE', `${place}/${bone}/vertices`, def.name, 'a bone needs vertices');
    }
  });
  const bones: Bones = {
    count,
    names,
    vertexStart,
    vertices: Int32Array.from(vertices),
    ofVertex,
    mass: new Float64Array(count),
    centre: new Float64Array(count * 3),
    secondMoment: new Float64Array(count * 9),
    rank: new Uint8Array(count),
    kinematic: Uint8Array.from(defs, (def) => (def.kinematic ? 1 : 0)),
  };
  for (let bone = 0; bone < count; bone++) weighBone(bones, bone, positions, masses, volumes);
  return bones;
}

function weighBone(
  bones: Bones,
  bone: number,
  positions: Float64Array,
  masses: Float64Array,
  volumes: Float64Array | undefined,
): void {
  const { vertexStart, vertices, mass, centre, secondMoment } = bones;
  const c = bone * 3;
  for (let n = vertexStart[bone]; n < vertexStart[bone + 1]; n++) {
    const v = vertices[n];
    mass[bone] += masses[v];
    for (let k = 0; k < 3; k++) centre[c + k] += masses[v] * positions[v * 3 + k];
  }
  for (let k = 0; k < 3; k++) centre[c + k] /= mass[bone];
  for (let n = vertexStart[bone]; n < vertexStart[bone + 1]; n++) {
    const v = vertices[n];
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const ri = positions[v * 3 + i] - centre[c + i];
        const rj = positions[v * 3 + j] - centre[c + j];
        secondMoment[bone * 9 + i * 3 + j] += masses[v] * ri * rj;
      }
    }
  }
  let volume = 0;
  for (let n = vertexStart[bone]; n < vertexStart[bone + 1]; n++) volume += volumes?.[vertices[n]] ?? 0;
  const each = volume / (vertexStart[bone + 1] - vertexStart[bone]);
  // without volume as heavy as a millimetre-sized grain
  const spread = each > 0 ? square(exp(log(each) / 3)) / 12 : 1e-6;
  bones.rank[bone] = fillMissingInertia(secondMoment, bone * 9, mass[bone] * spread);
}

/**
 * Gives directions without extent some inertia, so that the bone's rotation stays defined; returns the rank. Flat bones need little. A point, or a
 * line about itself, would turn with next to none: joints at some distance whirl such bones about and open. They get `spread` [kg m²], that of the
 * flesh their vertices stand for.
 */
function fillMissingInertia(moment: Float64Array, o: number, spread: number): number {
  const vectors = new Float64Array(9);
  const values = new Float64Array(3);
  eigenSymmetricMat3(values, 0, vectors, 0, moment, o);
  const largest = Math.max(values[0], values[1], values[2]);
  let rank = 0;
  for (let e = 0; e < 3; e++) if (largest > 0 && values[e] > 1e-8 * largest) rank++;
  const floor = rank === 2 ? MISSING_INERTIA * largest : spread;
  for (let e = 0; e < 3; e++) {
    if (largest > 0 && values[e] > 1e-8 * largest) continue;
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) moment[o + i * 3 + j] += floor * vectors[i * 3 + e] * vectors[j * 3 + e];
    }
  }
  return rank;
}

/**
 * The parts that a skin is cut into before it is filled with cells: what follows each bone, and apart from that its hard pieces, which hang on
 * nothing and follow one bone with every vertex. Flesh grows together with that of the next bone; hard pieces grow together with nothing.
 */
import type { TriangleMesh } from '../../../mesh/surface/triangle-mesh.js';
import type { Character } from '../../character.js';
import { boneDistances } from '../../rig/rig-bones.js';
import { INFLUENCES } from '../../rig/rig-collector.js';
import { findHardPieces } from '../hard-pieces.js';

/** Joints between a hard piece and anything else, as the mesher counts: so many that it keeps them apart. */
const FAR = 1000;

/** Parts of one skin: as many as bones for their flesh, then as many for their hard pieces. */
export interface LatticeParts {
  /** Bone with the most weight at each vertex. */
  readonly boneOfVertex: Int32Array;
  readonly ofTriangle: Int32Array;
  /** Joints between two parts. */
  readonly distance: (a: number, b: number) => number;
  /** The bone that a part is hard with, -1 for flesh. */
  readonly hardBone: (part: number) => number;
  readonly hardPieces: number;
}

/** Finds the parts; `weldedOf`: vertex of the outer skin for each one of the skin. */
export function findLatticeParts(
  { skin, skeleton }: Pick<Character, 'skin' | 'skeleton'>,
  weldedOf: Int32Array,
  outer: TriangleMesh,
): LatticeParts {
  const bones = skeleton.length;
  const sums = new Float64Array((outer.positions.length / 3) * bones);
  for (let v = 0; v < weldedOf.length; v++) {
    for (let k = INFLUENCES * v; k < INFLUENCES * (v + 1); k++) {
      sums[weldedOf[v] * bones + skin.bones[k]] += skin.boneWeights[k];
    }
  }
  const shareOf = (v: number): readonly [number, number] => {
    const own = sums.subarray(v * bones, (v + 1) * bones);
    const most = own.reduce((top, weight) => Math.max(top, weight), 0);
    return [own.indexOf(most), most / own.reduce((sum, weight) => sum + weight, 0)];
  };
  const boneOfVertex = Int32Array.from({ length: outer.positions.length / 3 }, (_, v) => shareOf(v)[0]);
  const hard = findHardPieces(outer, shareOf);
  const apart = boneDistances(skeleton);
  return {
    boneOfVertex,
    ofTriangle: Int32Array.from({ length: outer.triangles.length / 3 }, (_, t) => {
      const first = hard.boneOf[outer.triangles[3 * t]];
      if (first >= 0) return bones + first;
      return majority([0, 1, 2].map((k) => boneOfVertex[outer.triangles[3 * t + k]]));
    }),
    distance: (a, b) => (a === b ? 0 : a < bones && b < bones ? apart(a, b) : FAR),
    hardBone: (part) => (part < bones ? -1 : part - bones),
    hardPieces: hard.count,
  };
}

function majority(values: readonly number[]): number {
  return values[1] === values[2] ? values[1] : values[0];
}

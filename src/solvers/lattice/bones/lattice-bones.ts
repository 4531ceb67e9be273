/** The bones of a lattice: which nodes each holds, and what it weighs: the shares of the cells that its nodes are corners of. */
import type { Bones } from '../../../body/bones.js';
import type { LatticeDef } from '../../../body/kinds/lattice-def.js';
import { requireFinite, TendonError } from '../../../errors.js';
import { type HexLattice, nodePositions } from '../../../mesh/hexes/hex-lattice.js';

/** Checks the bones and weighs them. */
export function weighBones(
  def: LatticeDef,
  hexes: HexLattice,
  cellMass: Float64Array,
  vertexCount: number,
  path: string,
) {
  const defs = def.bones ?? [];
  const places = nodePositions(hexes);
  const masses = new Float64Array(places.length / 3);
  for (let at = 0; at < hexes.corners.length; at++) masses[hexes.corners[at]] += cellMass[at >> 3] / 8;
  const boneOfNode = new Int32Array(masses.length).fill(-1);
  const names = new Set<string>();
  const bones = emptyBones(
    defs.map(({ name }) => name),
    vertexCount,
  );
  defs.forEach((bone, b) => {
    const at = `${path}/bones/${b}`;
    if (names.has(bone.name))
      throw new TendonError('E_DUPLICATE', `${at}/name`, bone.name, 'two bones carry this name');
    names.add(bone.name);
    if (!(Number.isInteger(bone.parent) && bone.parent < b && bone.parent >= -1)) {
      throw new TendonError(
        'E_INDEX',
        `${at}/parent`,
        bone.parent,
        'parents come before their children; -1 for a root',
      );
    }
    requireFinite(bone.place, `${at}/place`);
    for (let n = 0; n < bone.nodes.length; n++) {
      const node = bone.nodes[n];
      if (!(node in boneOfNode))
        throw new TendonError('E_INDEX', `${at}/nodes/${n}`, node, 'the body has no such node');
      if (boneOfNode[node] >= 0) {
        throw new TendonError(
          'E_SHARED_VERTEX',
          `${at}/nodes/${n}`,
          node,
          `${defs[boneOfNode[node]].name} has it already`,
        );
      }
      boneOfNode[node] = b;
    }
    bones.kinematic[b] = bone.kinematic ? 1 : 0;
    weighBone(bones, b, bone.nodes, places, masses, bone.place);
  });
  return { bones, boneOfNode };
}

/** Bones that own no vertex of the skin: flesh carries all of it. */
function emptyBones(names: readonly string[], vertexCount: number): Bones & { kinematic: Uint8Array } {
  const count = names.length;
  return {
    count,
    names,
    vertexStart: new Int32Array(count + 1),
    vertices: new Int32Array(0),
    ofVertex: new Int32Array(vertexCount).fill(-1),
    mass: new Float64Array(count),
    centre: new Float64Array(3 * count),
    secondMoment: new Float64Array(9 * count),
    rank: new Uint8Array(count).fill(3),
    kinematic: new Uint8Array(count),
  };
}

function weighBone(
  { mass, centre, secondMoment }: Bones,
  bone: number,
  nodes: ArrayLike<number>,
  places: Float64Array,
  masses: Float64Array,
  joint: ArrayLike<number>,
): void {
  for (let n = 0; n < nodes.length; n++) {
    mass[bone] += masses[nodes[n]];
    for (let k = 0; k < 3; k++) centre[3 * bone + k] += masses[nodes[n]] * places[3 * nodes[n] + k];
  }
  for (let k = 0; k < 3; k++) centre[3 * bone + k] = mass[bone] > 0 ? centre[3 * bone + k] / mass[bone] : joint[k];
  // one that holds nothing follows its parent; nobody asks for its inertia, but a mass of zero would be divided by
  if (mass[bone] === 0) mass[bone] = masses[0];
  for (let n = 0; n < nodes.length; n++) {
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) {
        const a = places[3 * nodes[n] + i] - centre[3 * bone + i];
        const b = places[3 * nodes[n] + j] - centre[3 * bone + j];
        secondMoment[9 * bone + 3 * i + j] += masses[nodes[n]] * a * b;
      }
    }
  }
}

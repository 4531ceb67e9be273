/**
 * Cells whose nodes two bones hold between them: whatever the flesh does, such a cell is crushed where the bones turn against each other. The bone that has
 * fewer of its nodes lets go of them. Called once per character, where bones have taken their nodes.
 */
import type { HexLattice } from '../../../mesh/hexes/hex-lattice.js';

/** Free nodes that a cell between two bones needs, and nodes that a bone keeps: four determine a rotation, a few more in case they are in a plane. */
const FREE = 2;
const LEAST_NODES = 8;

/** Lets go of nodes, in `boneOfNode`: -1 for free ones. */
export function freePinched({ corners }: HexLattice, boneOfNode: Int32Array): void {
  const counts = new Map<number, number>();
  for (const bone of boneOfNode) counts.set(bone, (counts.get(bone) ?? 0) + 1);
  for (let cell = 0; cell < corners.length; cell += 8) {
    const nodes = corners.subarray(cell, cell + 8);
    const held = nodes.filter((node) => boneOfNode[node] >= 0);
    const owners = [...new Set(Array.from(held, (node) => boneOfNode[node]))];
    if (owners.length < 2 || held.length + FREE <= 8) continue;
    const has = (bone: number): number => held.filter((node) => boneOfNode[node] === bone).length;
    const fewest = owners.reduce((least, bone) => (has(bone) < has(least) ? bone : least));
    const left = counts.get(fewest)! - has(fewest);
    if (left < LEAST_NODES) continue;
    counts.set(fewest, left);
    for (const node of held) if (boneOfNode[node] === fewest) boneOfNode[node] = -1;
  }
}

/** A body of rigid rods without flesh, which the pendulum and the chain share. */
import type { BodyDef, BoneDef, JointDef } from '../src/body/body-def.js';
import { FLESH } from '../src/character/build/flesh.js';
import { requireInRange, TendonError } from '../src/errors.js';
import { buildLattice } from '../src/mesh/tets/tet-lattice.js';

/** Length of a rod, gap between two, and thickness [m]; a joint sits in the middle of the gap. */
const ROD_LENGTH = 0.2;
const GAP = 0.02;
const THICKNESS = 0.04;

/**
 * `count` rods in a row along x from the origin, each a box with vertices of its own. The first hangs on the world at
 * its near end (joint `hook`), each further one on the one before it.
 */
export function buildRodChain(count: number, name: string): BodyDef {
  requireInRange(count, 1, 1000, 'count');
  if (!Number.isInteger(count)) throw new TendonError('E_RANGE', 'count', count, 'the number of rods must be whole');
  const pitch = ROD_LENGTH + GAP;
  const positions: number[] = [];
  const tets: number[] = [];
  const bones: BoneDef[] = [];
  const joints: JointDef[] = [{ name: 'hook', type: 'ball', bones: ['rod0'], anchor: [-GAP / 2, 0, 0] }];
  for (let rod = 0; rod < count; rod++) {
    const box = buildLattice({
      cells: [5, 1, 1],
      cellSize: [ROD_LENGTH / 5, THICKNESS, THICKNESS],
      origin: [rod * pitch, -THICKNESS / 2, -THICKNESS / 2],
    });
    const first = positions.length / 3;
    positions.push(...box.positions);
    tets.push(...box.tets.map((vertex) => vertex + first));
    bones.push({
      name: `rod${rod}`,
      vertices: Int32Array.from({ length: box.positions.length / 3 }, (_, i) => first + i),
    });
    if (rod === 0) continue;
    joints.push({
      name: `link${rod}`,
      type: 'ball',
      bones: [`rod${rod - 1}`, `rod${rod}`],
      anchor: [rod * pitch - GAP / 2, 0, 0],
    });
  }
  return {
    name,
    positions: Float64Array.from(positions),
    tets: Int32Array.from(tets),
    bones,
    joints,
    materials: [FLESH],
  };
}

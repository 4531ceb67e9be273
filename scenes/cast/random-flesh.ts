/** Skeletons in flesh made at random, for long tests: a soft bar with 1 to 8 bones in it, joints of all types between them, limits and motors of any gains. */
import type { BodyDef, BoneDef, JointDef, Vec3 } from '../../src/body/body-def.js';
import { createRandom } from '../../src/math/random.js';
import { buildLattice } from '../../src/mesh/tets/tet-lattice.js';
import { randomJoint } from './random-skeleton.js';

const CELL = 0.05;
/** Layers of vertices that are a bone, and cells from one bone to the next. */
const [THICK, PERIOD] = [2, 3];

/** The skeleton of a seed. */
export function buildRandomFlesh(seed: number): BodyDef {
  const random = createRandom(seed);
  const count = 1 + random.integer(8);
  const { positions, tets } = buildLattice({ cells: [count * PERIOD + 1, 2, 2], cellSize: CELL, split: 'five' });
  const centres: Vec3[] = [];
  const bones = Array.from({ length: count }, (_, i): BoneDef => {
    const vertices: number[] = [];
    for (let v = 0; v < positions.length / 3; v++) {
      const layer = Math.round(positions[v * 3] / CELL) - i * PERIOD - 1;
      if (layer >= 0 && layer < THICK) vertices.push(v);
    }
    centres.push([CELL * (i * PERIOD + 1.5), CELL, CELL]);
    return { name: `b${i}`, vertices };
  });
  const joints: JointDef[] = bones.slice(1).map((_, i) => randomJoint(random, `j${i}`, i, i + 1, centres));
  if (random.integer(3) === 0) joints.push({ name: 'pin', type: 'ball', bones: ['b0'], anchor: [0, CELL, CELL] });
  const model = random.integer(2) === 0 ? 'corotated' : 'stableNeoHookean';
  const youngModulus = [1e4, 1e5, 1e6][random.integer(3)];
  const materials = [{ model, youngModulus, poissonRatio: 0.4, density: 1000 }] as const;
  return { name: `flesh ${seed}`, positions, tets, bones, joints, materials };
}

/** Bodies for the figures whose inertia is known in closed form: rigid boxes and chains of them. */
import type { BodyDef, BoneDef, JointDef, MaterialDef, Vec3 } from '../../src/body/body-def.js';
import { buildLattice } from '../../src/mesh/tets/tet-lattice.js';

/** Flesh that behaves as E = 2 mu with no Poisson effect, density of water. */
export function plainFlesh(mu: number): MaterialDef {
  return { model: 'arap', youngModulus: 2 * mu, poissonRatio: 0, density: 1000 };
}

/** A box that is one rigid bone. */
interface BoxDef {
  readonly name: string;
  readonly centre: Vec3;
  /** Sides of the uniform box that has the same mass distribution [m]. */
  readonly sides: Vec3;
}

/**
 * Boxes of one cell each. Eight corners at the full sides would have three times the second moments of a uniform box, so
 * the cell is smaller by the root of three.
 */
export function buildBoxes(boxes: readonly BoxDef[], joints: readonly JointDef[]): BodyDef {
  const positions: number[] = [];
  const tets: number[] = [];
  const bones: BoneDef[] = [];
  for (const { name, centre, sides } of boxes) {
    const first = positions.length / 3;
    const cell = sides.map((side) => side / Math.sqrt(3)) as unknown as Vec3;
    const origin = centre.map((c, k) => c - cell[k] / 2) as unknown as Vec3;
    const mesh = buildLattice({ cells: [1, 1, 1], cellSize: cell, origin });
    positions.push(...mesh.positions);
    for (const vertex of mesh.tets) tets.push(vertex + first);
    bones.push({ name, vertices: Array.from({ length: mesh.positions.length / 3 }, (_, i) => first + i) });
  }
  const materials = [plainFlesh(1e5)];
  return {
    name: 'boxes',
    positions: Float64Array.from(positions),
    tets: Int32Array.from(tets),
    bones,
    joints,
    materials,
  };
}

/** `count` boxes of 1 m along x, neighbours joined by ball joints where they meet. */
export function buildBoxChain(count: number): BodyDef {
  const boxes = Array.from({ length: count }, (_, i) => ({
    name: `b${i}`,
    centre: [i + 0.5, 0, 0] as const,
    sides: [1, 0.4, 0.3] as const,
  }));
  const joints = Array.from({ length: count - 1 }, (_, i) => ({
    name: `j${i}`,
    type: 'ball' as const,
    bones: [`b${i}`, `b${i + 1}`],
    anchor: [i + 1, 0, 0] as const,
  }));
  return buildBoxes(boxes, joints);
}

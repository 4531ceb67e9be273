/** Simple bodies for scenes of the coupled solver: rigid balls, rings and boxes, loops of rods, balls and rings of flesh, sheets. */
import type { BodyDef, JointDef, MaterialDef, Vec3 } from '../../src/body/body-def.js';
import type { ClothDef, ClothMaterialDef } from '../../src/body/kinds/cloth-def.js';
import type { RigidBodyDef, RigidShape } from '../../src/body/kinds/rigid-def.js';
import { cos, sin } from '../../src/math/trig.js';
import { stuffIsosurface } from '../../src/mesh/tets/iso-stuffing.js';
import { buildLattice } from '../../src/mesh/tets/tet-lattice.js';

/** Flesh of 1 MPa, a firm rubber. */
export const FIRM: MaterialDef = { model: 'corotated', youngModulus: 1e6, poissonRatio: 0.3, density: 1000 };

/** A rigid body of one part. */
export function rigidBody(name: string, shape: RigidShape, density = 1000): RigidBodyDef {
  return { kind: 'rigid', name, parts: [{ name, shape, density }] };
}

/** A closed loop of `count` rods in the xz plane, joined by ball joints; `radius`: of the circle through the joints [m]. */
export function buildLoop(
  name: string,
  count: number,
  radius: number,
  thickness: number,
  density = 1000,
): RigidBodyDef {
  const corner = (i: number): Vec3 => {
    const angle = (2 * Math.PI * i) / count;
    return [radius * cos(angle), 0, radius * sin(angle)];
  };
  const joints: JointDef[] = [];
  const parts = Array.from({ length: count }, (_, i) => {
    const [from, to] = [corner(i), corner(i + 1)];
    const middle: Vec3 = [0.5 * (from[0] + to[0]), 0, 0.5 * (from[2] + to[2])];
    const way = [to[0] - from[0], to[2] - from[2]];
    const length = Math.sqrt(way[0] * way[0] + way[1] * way[1]);
    // half a turn about the middle between y and the rod's direction takes one to the other
    const rotation = [(Math.SQRT1_2 * way[0]) / length, Math.SQRT1_2, (Math.SQRT1_2 * way[1]) / length, 0] as const;
    joints.push({
      name: `joint ${i}`,
      type: 'ball',
      bones: [`rod ${i}`, `rod ${(i + 1) % count}`],
      anchor: to,
    });
    // rods end where the next one's round end begins
    const shape = { kind: 'capsule', radius: thickness, halfLength: 0.5 * length - thickness } as const;
    return { name: `rod ${i}`, shape, position: middle, rotation, density };
  });
  return { kind: 'rigid', name, parts, joints };
}

/** A ball of flesh, of about a hundred vertices where `cell` is half its radius. */
export function buildSoftBall(name: string, radius: number, cell: number, material = FIRM): BodyDef {
  const wide = radius + cell;
  const mesh = stuffIsosurface({
    distance: (x, y, z) => Math.sqrt(x * x + y * y + z * z) - radius,
    low: [-wide, -wide, -wide],
    high: [wide, wide, wide],
    cell,
  });
  return { name, ...mesh, materials: [material] };
}

/** Sides of a soft ring's cross-section. */
const SIDES = 6;

/**
 * A ring of flesh about y: `around` slices of a hexagon with a vertex in its middle, as large as the circle of radius `tube` [m]. Slices
 * are joined by prisms, cut into tets along diagonals that rise from the lower column of vertices: neighbours agree.
 */
export function buildSoftTorus(name: string, radius: number, tube: number, around = 14, material = FIRM): BodyDef {
  const rim = tube * Math.sqrt((2 * Math.PI) / (SIDES * sin((2 * Math.PI) / SIDES)));
  const positions: number[] = [];
  for (let slice = 0; slice < around; slice++) {
    const turn = (2 * Math.PI * slice) / around;
    for (let column = 0; column <= SIDES; column++) {
      const angle = (2 * Math.PI * column) / SIDES;
      const out = radius + (column === 0 ? 0 : rim * cos(angle));
      positions.push(out * cos(turn), column === 0 ? 0 : rim * sin(angle), out * sin(turn));
    }
  }
  const at = (slice: number, column: number) => (slice % around) * (SIDES + 1) + column;
  const tets: number[] = [];
  for (let slice = 0; slice < around; slice++) {
    for (let side = 1; side <= SIDES; side++) {
      const next = (side % SIDES) + 1;
      const columns = [0, Math.min(side, next), Math.max(side, next)];
      const [a, b, c] = columns.map((column) => at(slice, column));
      const [d, e, f] = columns.map((column) => at(slice + 1, column));
      for (const tet of [
        [a, b, c, f],
        [a, b, f, e],
        [a, e, f, d],
      ])
        tets.push(...upright(positions, tet));
    }
  }
  return { name, positions: Float64Array.from(positions), tets: Int32Array.from(tets), materials: [material] };
}

/** The corners of a tet in an order of positive volume. */
function upright(p: readonly number[], [a, b, c, d]: readonly number[]): number[] {
  const edge = (v: number) => [0, 1, 2].map((k) => p[v * 3 + k] - p[a * 3 + k]);
  const [x, y, z] = [edge(b), edge(c), edge(d)];
  const volume =
    x[0] * (y[1] * z[2] - y[2] * z[1]) + x[1] * (y[2] * z[0] - y[0] * z[2]) + x[2] * (y[0] * z[1] - y[1] * z[0]);
  return volume > 0 ? [a, b, c, d] : [a, c, b, d];
}

/** A box of flesh around the origin: `cells` along x, y, z, each of size `cell` [m]. */
export function buildSoftBox(name: string, cells: Vec3, cell: number, material = FIRM): BodyDef {
  const origin: Vec3 = [-0.5 * cells[0] * cell, -0.5 * cells[1] * cell, -0.5 * cells[2] * cell];
  return { name, ...buildLattice({ cells, cellSize: cell, origin }), materials: [material] };
}

/** A rectangular sheet around the origin in the xz plane: `cells` along x and z, `size` [m]; diagonals by turns. */
export function buildSheet(
  name: string,
  [columns, rows]: readonly [number, number],
  [length, width]: readonly [number, number],
  thickness: number,
  material: ClothMaterialDef,
): ClothDef {
  const positions: number[] = [];
  const triangles: number[] = [];
  for (let i = 0; i <= columns; i++) {
    for (let j = 0; j <= rows; j++) positions.push(length * (i / columns - 0.5), 0, width * (j / rows - 0.5));
  }
  for (let i = 0; i < columns; i++) {
    for (let j = 0; j < rows; j++) {
      const a = i * (rows + 1) + j;
      const [b, c, d] = [a + rows + 1, a + rows + 2, a + 1];
      if ((i + j) % 2 === 0) triangles.push(a, c, b, a, d, c);
      else triangles.push(a, d, b, b, d, c);
    }
  }
  return { kind: 'cloth', name, positions, triangles, thickness, material };
}

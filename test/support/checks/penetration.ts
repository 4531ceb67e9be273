/** Bodies one inside the other, without a world: what the depth of their vertices is checked on. */
import type { BodyDef } from '../../../src/body/body-def.js';
import { buildModel } from '../../../src/body/model.js';
import type { BodyState } from '../../../src/body/state.js';
import { EdgeCrossings } from '../../../src/collision/depth/edge-crossings.js';
import { PenetrationDepth } from '../../../src/collision/depth/penetration-depth.js';
import { VerticesInside } from '../../../src/collision/depth/vertices-inside.js';
import { buildCollisionSurface } from '../../../src/collision/surface/collision-surface.js';
import { SurfaceMotion } from '../../../src/collision/surface/surface-motion.js';
import { findVertexNeighbours } from '../../../src/collision/surface/tet-edges.js';
import { buildLattice, type LatticeOptions } from '../../../src/mesh/tets/tet-lattice.js';
import { STIFF } from '../models/bodies.js';

/** A soft box of cells. */
export function latticeBody(options: LatticeOptions): BodyDef {
  return { name: 'lattice', ...buildLattice(options), bones: [], materials: [STIFF] };
}

/** A soft ball about the origin: a cube of cells whose layers are blown up to spheres. */
export function ballBody(radius: number, cells: number): BodyDef {
  const half = -cells / 2;
  const { positions, tets } = buildLattice({ cells: [cells, cells, cells], cellSize: 1, origin: [half, half, half] });
  const round = Float64Array.from(positions);
  for (let i = 0; i < round.length; i += 3) {
    const p = positions.subarray(i, i + 3);
    const length = Math.hypot(p[0], p[1], p[2]) || 1;
    const layer = Math.max(Math.abs(p[0]), Math.abs(p[1]), Math.abs(p[2]));
    for (let k = 0; k < 3; k++) round[i + k] = (p[k] * layer * radius) / (length * -half);
  }
  return { name: 'ball', positions: round, tets, bones: [], materials: [STIFF] };
}

/** Two pieces as one body. */
export function mergeBodies(a: BodyDef, b: BodyDef): BodyDef {
  const first = a.positions.length / 3;
  const tets = Int32Array.from([...a.tets, ...Array.from(b.tets, (v) => v + first)]);
  return { ...a, positions: Float64Array.from([...a.positions, ...b.positions]), tets };
}

/** A body that is moved by hand. */
export function handMoved(def: BodyDef): SurfaceMotion {
  const model = buildModel(def);
  const state = { positions: model.positions.slice(), velocities: new Float64Array(model.vertexCount * 3) };
  return new SurfaceMotion(model, buildCollisionSurface(model), state as unknown as BodyState, 0);
}

/** Shifts a body to `offset` from its rest position. */
export function shift({ model, positions }: SurfaceMotion, offset: readonly number[]): void {
  for (let i = 0; i < positions.length; i++) positions[i] = model.positions[i] + offset[i % 3];
}

/** Finds the depth of the vertices of `points` in `solid`, which may be the same body. */
export function depthFinder(points: SurfaceMotion, solid: SurfaceMotion) {
  const inside = new VerticesInside();
  const crossings = new EdgeCrossings();
  const depth = new PenetrationDepth();
  const edges = findVertexNeighbours(points.model.tets, points.model.vertexCount);
  inside.prepare(points);
  crossings.prepare(edges);
  depth.prepare(points);
  return () => {
    for (const body of [points, solid]) {
      body.update();
      body.sort();
    }
    inside.sort(points);
    inside.search(points, solid);
    crossings.find(points, edges, inside, solid);
    depth.find(points, edges, inside, crossings);
    return { inside, crossings, depth };
  };
}

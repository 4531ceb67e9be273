/**
 * From shapes to a body: fills the outer shape with tetrahedra and makes bones of the vertices inside the inner shapes.
 * What all procedural characters share.
 */
import type { BodyDef, BoneDef, JointDef, MaterialDef } from '../../body/body-def.js';
import { requireInRange, TendonError } from '../../errors.js';
import { keepLargestComponent } from '../../mesh/components.js';
import { extractSurface } from '../../mesh/surface/surface.js';
import { describeSurface } from '../../mesh/surface/surface-topology.js';
import { improveTets } from '../../mesh/tets/improve-tets.js';
import { stuffIsosurface } from '../../mesh/tets/iso-stuffing.js';
import { splitPinches } from '../../mesh/tets/split-pinches.js';
import type { TetMesh } from '../../mesh/tets/tet-mesh.js';
import { pickBoneVertices } from '../build/bones/pick-bone-vertices.js';
import { FLESH } from '../build/flesh.js';
import type { Shape } from './sdf.js';

/** A character before it is meshed. */
export interface CharacterPlan {
  readonly name: string;
  /** The outside. */
  readonly skin: Shape;
  /** The rigid insides; where two overlap the earlier one has the vertex. */
  readonly bones: readonly BonePlan[];
  readonly joints?: readonly JointDef[];
  /** Side of the lattice cubes [m]. */
  readonly cell: number;
  /** How readily lattice points move onto the skin, see `StuffingOptions`; default 1. */
  readonly snap?: number;
  /** Default `FLESH`. */
  readonly material?: MaterialDef;
}

/** A bone before its vertices are known: all that lie in the shape. */
export interface BonePlan {
  readonly name: string;
  readonly shape: Shape;
}

/** How often the lattice is shifted in search of a skin that touches itself nowhere. */
const MAX_SHIFTS = 8;

/** Meshes a plan. The body is one connected piece; parts thinner than the lattice can hold are left out. */
export function meshCharacter(plan: CharacterPlan): BodyDef {
  requireInRange(plan.cell, 1e-4, 10, 'cell');
  const mesh = meshSkin(plan);
  const taken = new Uint8Array(mesh.positions.length / 3);
  const bones: BoneDef[] = plan.bones.map(({ name, shape }) => ({
    name,
    vertices: pickBoneVertices(mesh.positions, shape, taken, plan.cell),
  }));
  return {
    name: plan.name,
    positions: mesh.positions,
    tets: mesh.tets,
    bones,
    joints: plan.joints ?? [],
    materials: [plan.material ?? FLESH],
  };
}

/**
 * Where the shape is as thin as a cell, two tetrahedra may meet in just an edge or a point. That depends on where the lattice
 * happens to lie, so it is shifted a little and tried again; what is still pinched at the last try is taken apart.
 */
function meshSkin({ skin, cell, snap }: CharacterPlan): TetMesh {
  // The lattice is centred, so that a symmetric shape gets a symmetric mesh; the shift keeps left and right alike.
  const cells = [0, 1, 2].map((axis) => Math.ceil((skin.high[axis] - skin.low[axis]) / cell) + 1);
  const low = cells.map((count, axis) => (skin.low[axis] + skin.high[axis] - count * cell) / 2);
  for (let shift = 0; ; shift++) {
    const step = 0.05 * shift * cell;
    const stuffed = stuffIsosurface({
      distance: skin.distance,
      low: [low[0], low[1] + step, low[2] - 0.7 * step],
      high: [low[0] + cells[0] * cell, skin.high[1], skin.high[2]],
      cell,
      snap,
    });
    const last = shift === MAX_SHIFTS;
    const mesh = keepLargestComponent(last ? splitPinches(stuffed) : stuffed);
    if (isManifold(mesh)) return improveTets(mesh);
    if (last) {
      const advice = 'parts of the shape are as thin as a cell and touch in just an edge: use a smaller cell';
      throw new TendonError('E_SURFACE', 'cell', cell, advice);
    }
  }
}

function isManifold(mesh: TetMesh): boolean {
  const { triangles, vertices } = extractSurface(mesh);
  const { openEdgeCount, pinchedVertexCount } = describeSurface(triangles, vertices.length);
  return openEdgeCount + pinchedVertexCount === 0;
}

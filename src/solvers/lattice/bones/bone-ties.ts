/**
 * Soft bones: nodes that are tied to a bone by springs instead of being held by it, as part of the energy [McAdams2011 §7, §9].
 *
 *     k/2 dᵀ M d,   M = (1 − α) n nᵀ + α 1,   d = x − T X
 *
 * α = 1 ties a node to its place in the bone. Over a bone that flesh slides on, n is the normal of the bone at its surface, turned
 * along with it, and α is small; what lies deeper in the bone stays tied to its place.
 */
import type { HexLattice } from '../../../mesh/hexes/hex-lattice.js';
import type { EnergyTerm } from '../descent-terms.js';
import type { LatticeBody, LatticeFilling } from '../lattice-body.js';
import type { Vector } from '../numbers/arithmetic.js';
import { floatOfPlace } from '../numbers/quad-layout.js';
import { TRANSFORM } from './bone-transforms.js';

/** How bones hold nodes: exactly where they are, by springs, or by springs that let flesh slide along their surface. */
export type BoneHold = 'exact' | 'soft' | 'sliding';

/** Stiffness of a tie, in shear modulus times cell side: a cell of flesh has about one. */
const TIE = 8;
/** What is left of a tie along the surface of a bone. */
const ALONG = 0.02;
/** Length of the mean gradient, in cells, from which a node has a normal; it is 1 on a flat surface, half of that at its rim. */
const CLEAR_NORMAL = 0.2;
/** Flesh inside a bone that others slide over must not hold them back: share of its stiffness that is left. */
const INSIDE = 0.01;

/** Which nodes are held and which are tied. Bone number `count` is the world: what is pinned is held whatever bones do. */
export function holdByBones(
  hold: BoneHold,
  lattice: HexLattice,
  boneOfNode: Int32Array,
  count: number,
  mu: number,
): Pick<LatticeFilling, 'held' | 'ties'> {
  const firstHeld = hold === 'exact' ? 0 : count;
  const held = Uint8Array.from(boneOfNode, (bone) => (bone >= firstHeld ? 1 : 0));
  if (hold === 'exact') return { held };
  const tie = TIE * mu * lattice.cellSize;
  return { held, ties: Float64Array.from(boneOfNode, (bone) => (bone >= 0 && bone < count ? tie : 0)) };
}

/** Moduli of cells with those all of whose corners lie in one bone weakened. */
export function weakenInside({ corners }: HexLattice, boneOfNode: Int32Array, moduli: Float64Array): Float64Array {
  return moduli.map((value, cell) => {
    const bone = boneOfNode[corners[8 * cell]];
    for (let at = 8 * cell; at < 8 * cell + 8; at++) if (boneOfNode[corners[at]] !== bone) return value;
    return bone < 0 ? value : INSIDE * value;
  });
}

/** The ties of one body. */
export class BoneTies implements EnergyTerm {
  readonly #transforms: Float64Array;
  readonly #bones: Int32Array;
  readonly #places: Int32Array;
  readonly #rest: Float64Array;
  readonly #stiffness: Float64Array;
  /** Normal at rest and what is left of the tie along the surface, four numbers per node. */
  readonly #normals: Float64Array;

  constructor(
    { lattice, layout, filling }: LatticeBody,
    bones: { readonly ofNode: Int32Array; readonly hold?: BoneHold },
    rest: Float64Array,
    transforms: Float64Array,
  ) {
    const ties = filling.ties ?? [];
    const tied = Int32Array.from(bones.ofNode, (_, node) => node).filter((node) => ties[node] > 0);
    this.#transforms = transforms;
    this.#bones = tied.map((node) => bones.ofNode[node]);
    this.#places = tied.map((node) => floatOfPlace(layout.placeOfNode[node], 0));
    this.#stiffness = Float64Array.from(tied, (node) => ties[node]);
    this.#rest = Float64Array.from({ length: 3 * tied.length }, (_, i) => rest[3 * tied[Math.floor(i / 3)] + (i % 3)]);
    const normals = bones.hold === 'sliding' ? normalsOf(lattice, bones.ofNode) : undefined;
    this.#normals = new Float64Array(4 * tied.length);
    tied.forEach((node, n) => {
      this.#normals[4 * n + 3] = 1;
      if (normals) this.#normals.set(normals.subarray(4 * node, 4 * node + 4), 4 * n);
    });
  }

  add(x: Vector, gradient: Vector): number {
    let energy = 0;
    for (let n = 0; n < this.#places.length; n++) energy += this.#addTie(n, x, gradient);
    return energy;
  }

  #addTie(n: number, x: Vector, gradient: Vector): number {
    const t = this.#transforms;
    const o = TRANSFORM * this.#bones[n];
    const at = this.#places[n];
    const [X, Y, Z] = [this.#rest[3 * n], this.#rest[3 * n + 1], this.#rest[3 * n + 2]];
    const dx = x.view[at] - (t[o] * X + t[o + 1] * Y + t[o + 2] * Z + t[o + 9]);
    const dy = x.view[at + 4] - (t[o + 3] * X + t[o + 4] * Y + t[o + 5] * Z + t[o + 10]);
    const dz = x.view[at + 8] - (t[o + 6] * X + t[o + 7] * Y + t[o + 8] * Z + t[o + 11]);
    const [a, b, c] = [this.#normals[4 * n], this.#normals[4 * n + 1], this.#normals[4 * n + 2]];
    const along = this.#normals[4 * n + 3];
    const nx = t[o] * a + t[o + 1] * b + t[o + 2] * c;
    const ny = t[o + 3] * a + t[o + 4] * b + t[o + 5] * c;
    const nz = t[o + 6] * a + t[o + 7] * b + t[o + 8] * c;
    const out = (1 - along) * (nx * dx + ny * dy + nz * dz);
    const k = this.#stiffness[n];
    const [gx, gy, gz] = [k * (along * dx + out * nx), k * (along * dy + out * ny), k * (along * dz + out * nz)];
    gradient.view[at] += gx;
    gradient.view[at + 4] += gy;
    gradient.view[at + 8] += gz;
    return (gx * dx + gy * dy + gz * dz) / 2;
  }
}

/**
 * Normal of its bone at each node, and what is left of its tie along the surface; (0, 0, 0, 1) where there is no clear normal. It is against the
 * mean, over the cells around, of the gradient of what is one at nodes of the bone and zero elsewhere.
 */
function normalsOf({ corners, nodes }: HexLattice, boneOfNode: Int32Array): Float64Array {
  const out = new Float64Array((4 * nodes.length) / 3);
  const cells = new Int32Array(nodes.length / 3);
  for (let at = 0; at < corners.length; at++) {
    const node = corners[at];
    cells[node]++;
    for (let b = 0; b < 8; b++) {
      if (boneOfNode[corners[at - (at & 7) + b]] !== boneOfNode[node]) continue;
      for (let k = 0; k < 3; k++) out[4 * node + k] += (b >> k) & 1 ? -0.25 : 0.25;
    }
  }
  cells.forEach((count, node) => {
    const [x, y, z] = out.subarray(4 * node, 4 * node + 3);
    const length = Math.sqrt(x * x + y * y + z * z);
    const isClear = length > CLEAR_NORMAL * count;
    for (let k = 0; k < 3; k++) out[4 * node + k] = isClear ? out[4 * node + k] / length : 0;
    out[4 * node + 3] = isClear ? ALONG : 1;
  });
  return out;
}

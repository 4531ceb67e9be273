/** Pieces of flesh that hang on nothing and have no bone in them (a cape, a hat, a sword): held by the bone they belong to. */
import { labelComponents } from '../../mesh/components.js';
import type { TetMesh } from '../../mesh/tets/tet-mesh.js';

/** Share of a piece, its nearest to the rest of the body, that is made part of the bone, and the fewest vertices that hold it. */
const HELD_SHARE = 0.15;
const FEWEST = 6;

/** The vertices of each bone with those that hold loose pieces; `partOfVertex`: the bone each vertex belongs to. */
export function holdLoosePieces(
  mesh: TetMesh,
  bones: readonly Int32Array[],
  partOfVertex: Int32Array,
  notes: string[],
): Int32Array[] {
  const { count, labels } = labelComponents(mesh);
  const held = new Uint8Array(count);
  for (const vertices of bones) for (const vertex of vertices) held[labels[vertex]] = 1;
  const loose = Array.from({ length: count }, (_, piece) => piece).filter((piece) => held[piece] === 0);
  if (loose.length === 0 || bones.length === 0) return [...bones];
  const added: number[][] = bones.map(() => []);
  const body = listVertices(labels, (piece) => held[piece] === 1);
  for (const piece of loose) {
    const vertices = listVertices(labels, (label) => label === piece);
    const away = new Map(vertices.map((v) => [v, nearestSq(mesh.positions, body, v)]));
    vertices.sort((a, b) => away.get(a)! - away.get(b)! || a - b);
    const many = Math.max(FEWEST, Math.round(HELD_SHARE * vertices.length));
    added[commonest(vertices, partOfVertex)].push(...vertices.slice(0, many));
  }
  notes.push(
    `${loose.length} loose piece(s) of flesh have no bone of their own and are held by the one they belong to`,
  );
  return bones.map((vertices, bone) => Int32Array.from([...vertices, ...added[bone]]).sort());
}

function listVertices(labels: Int32Array, wanted: (label: number) => boolean): number[] {
  const list: number[] = [];
  labels.forEach((label, vertex) => {
    if (wanted(label)) list.push(vertex);
  });
  return list;
}

function nearestSq(p: Float64Array, others: readonly number[], v: number): number {
  let nearest = Infinity;
  for (const o of others) {
    const [x, y, z] = [p[3 * o] - p[3 * v], p[3 * o + 1] - p[3 * v + 1], p[3 * o + 2] - p[3 * v + 2]];
    nearest = Math.min(nearest, x * x + y * y + z * z);
  }
  return nearest;
}

/** The part most of the vertices belong to. */
function commonest(vertices: readonly number[], partOfVertex: Int32Array): number {
  const counts = new Map<number, number>();
  for (const v of vertices) counts.set(partOfVertex[v], (counts.get(partOfVertex[v]) ?? 0) + 1);
  return [...counts].reduce((best, one) => (one[1] > best[1] ? one : best))[0];
}

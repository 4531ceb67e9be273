/** What Gmsh is told: each closed piece of the surfaces as a surface of its own, and which of them bound which volume. */
import { listPieces } from '../../src/character/build/bones/split-bones.js';
import { FIRST_BONE_REGION, FLESH_REGION, type TwoSurfaces } from '../../src/character/build/surfaces/two-surface.js';
import { formatNumber } from '../../src/io/text/number-text.js';
import { surfaceVolume } from '../../src/mesh/surface/surface.js';
import { WindingTree } from '../../src/mesh/surface/winding-number.js';

/** A script, and the surface that each facet is part of, counted from 1. */
export interface GmshInput {
  readonly script: string;
  readonly surfaceOf: Int32Array;
}

interface Piece {
  readonly tag: number;
  /** Region inside it; none for a cavity. */
  readonly region?: number;
  readonly volume: number;
  readonly tree: WindingTree;
  /** A corner of it. */
  readonly place: readonly number[];
  /** Pieces directly inside. */
  readonly inside: number[];
}

/** Prepares a run; `surface.msh` is to hold the facets, `edge` is the longest edge inside. */
export function writeGmshScript({ smesh }: TwoSurfaces, edge: number): GmshInput {
  const { positions, triangles, regions } = smesh;
  const surfaceOf = new Int32Array(triangles.length / 3);
  const same = Int32Array.from({ length: positions.length / 3 }, (_, i) => i);
  const pieces = listPieces(same, triangles).map((facets, i): Piece => {
    for (const facet of facets) surfaceOf[facet] = i + 1;
    const corners = Int32Array.from(
      { length: 3 * facets.length },
      (_, n) => triangles[3 * facets[Math.floor(n / 3)] + (n % 3)],
    );
    const volume = surfaceVolume(corners, positions);
    const surface = regions?.[facets[0]] ?? 0;
    const region = surface > 0 ? surface - 1 + FIRST_BONE_REGION : FLESH_REGION;
    return {
      tag: i + 1,
      ...(volume > 0 && { region }),
      volume,
      tree: new WindingTree({ positions, triangles: corners }),
      place: [0, 1, 2].map((k) => positions[3 * corners[0] + k]),
      inside: [],
    };
  });
  for (const piece of pieces) {
    const [x, y, z] = piece.place;
    const around = pieces.filter(
      (other) => other !== piece && other.region !== undefined && other.tree.at(x, y, z) > 0.5,
    );
    // The smallest piece around this one is the one it makes a hole in.
    around.sort((a, b) => a.volume - b.volume)[0]?.inside.push(piece.tag);
  }
  const lines = [
    'Merge "surface.msh";',
    'Mesh.Algorithm3D = 1;',
    'Mesh.Optimize = 1;',
    'Mesh.OptimizeThreshold = 0.4;',
  ];
  if (edge < Infinity) lines.push(`Mesh.MeshSizeMax = ${formatNumber(edge)};`);
  for (const { tag } of pieces) lines.push(`Surface Loop(${tag}) = {${tag}};`);
  const volumes = new Map<number, number[]>();
  for (const { tag, region, inside } of pieces) {
    if (region === undefined) continue;
    lines.push(`Volume(${tag}) = {${[tag, ...inside].join(', ')}};`);
    volumes.set(region, [...(volumes.get(region) ?? []), tag]);
  }
  for (const [region, tags] of volumes) lines.push(`Physical Volume(${region}) = {${tags.join(', ')}};`);
  return { script: `${lines.join('\n')}\n`, surfaceOf };
}

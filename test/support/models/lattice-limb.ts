/** Bodies of cells by hand: a bar with bones in it, for tests of bones that move by themselves. */
import type { LatticeDef } from '../../../src/index.js';
import { boxLattice } from '../../../src/mesh/hexes/hex-lattice.js';

/** A bone of a bar: the layers of nodes that it holds, and the joint it hangs on. */
interface LimbBone {
  readonly name: string;
  readonly parent: number;
  readonly layers: readonly [number, number];
  readonly place: readonly [number, number, number];
  readonly joint?: 'ball' | 'hinge';
  readonly kinematic?: boolean;
}

/** A bar of `long` x `thick` x `thick` cells along x from the origin, its axis at y = z = 0, with a skin of its own faces; `gap`: a layer of cells that is left out. */
export function latticeLimb(
  long: number,
  cellSize: number,
  bones: readonly LimbBone[],
  youngModulus: number,
  gap = -1,
  thick = 2,
): LatticeDef {
  const box = boxLattice(long, thick, thick, cellSize);
  const layer = (cell: number): number => box.cells[3 * cell];
  const kept = Array.from({ length: box.cells.length / 3 }, (_, cell) => cell).filter((cell) => layer(cell) !== gap);
  const origin = [0, (-thick * cellSize) / 2, (-thick * cellSize) / 2] as const;
  const positions = Float64Array.from(box.nodes, (n, i) => n * cellSize + origin[i % 3]);
  const { triangles, cells } = facesOf(box, kept);
  const nodesOf = ([from, to]: readonly [number, number]): number[] =>
    Array.from({ length: box.nodes.length / 3 }, (_, n) => n).filter(
      (n) => box.nodes[3 * n] >= from && box.nodes[3 * n] <= to,
    );
  return {
    kind: 'lattice',
    name: 'limb',
    cellSize,
    origin,
    cells: kept.flatMap((cell) => [...box.cells.subarray(3 * cell, 3 * cell + 3)]),
    nodes: box.nodes,
    corners: kept.flatMap((cell) => [...box.corners.subarray(8 * cell, 8 * cell + 8)]),
    skin: { positions, triangles, cells },
    bones: bones.map(({ layers, ...bone }) => ({ ...bone, nodes: nodesOf(layers), axis: [0, 0, 1] })),
    materials: [{ model: 'corotated', youngModulus, poissonRatio: 0.3, density: 1000 }],
  } as LatticeDef;
}

/** Quads of cells that no other cell shares, as triangles over the nodes, and a cell for every node. */
function facesOf({ corners }: { corners: Int32Array }, kept: readonly number[]) {
  const sides = [
    [0, 4, 6, 2],
    [1, 3, 7, 5],
    [0, 1, 5, 4],
    [2, 6, 7, 3],
    [0, 2, 3, 1],
    [4, 5, 7, 6],
  ];
  const faces = new Map<string, number[]>();
  const cells = new Map<number, number>();
  kept.forEach((cell, n) => {
    for (let c = 0; c < 8; c++) cells.set(corners[8 * cell + c], n);
    for (const side of sides) {
      const quad = side.map((c) => corners[8 * cell + c]);
      const key = [...quad].sort((a, b) => a - b).join();
      if (faces.has(key)) faces.delete(key);
      else faces.set(key, quad);
    }
  });
  const triangles = [...faces.values()].flatMap(([a, b, c, d]) => [a, b, c, a, c, d]);
  const count = 1 + Math.max(...corners);
  return { triangles, cells: Int32Array.from({ length: count }, (_, node) => cells.get(node) ?? 0) };
}

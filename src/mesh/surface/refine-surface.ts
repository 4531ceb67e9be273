/** Cuts long edges of a triangle surface in half until none is left; the shape stays as it is. Called when a character is built. */

import { square } from '../../math/powers.js';
import type { TriangleMesh } from './triangle-mesh.js';

/** A finer surface and where its triangles come from. */
export interface RefinedSurface extends TriangleMesh {
  /** Given triangle that each new one is part of. */
  readonly sources: Int32Array;
}

/** Rounds of halving: edges get a million times shorter at most. */
const MAX_ROUNDS = 20;
/** Triangles beyond which no further round is begun. */
const MAX_TRIANGLES = 5e6;

/** Both triangles at an edge see the same cut, as only its length decides: a closed surface stays closed. */
export function refineSurface(mesh: TriangleMesh, longest: number): RefinedSurface {
  const positions = [...mesh.positions];
  let triangles: ArrayLike<number> = mesh.triangles;
  let sources: ArrayLike<number> = Int32Array.from({ length: triangles.length / 3 }, (_, t) => t);
  for (let round = 0; round < MAX_ROUNDS && triangles.length < 3 * MAX_TRIANGLES; round++) {
    const middles = new Map<string, number>();
    const middleOf = (a: number, b: number): number => {
      const lengthSq = [0, 1, 2].reduce((sum, k) => sum + square(positions[3 * a + k] - positions[3 * b + k]), 0);
      if (!(lengthSq > longest * longest)) return -1;
      const key = a < b ? `${a},${b}` : `${b},${a}`;
      let middle = middles.get(key);
      if (middle === undefined) {
        middle = positions.length / 3;
        for (let k = 0; k < 3; k++) positions.push((positions[3 * a + k] + positions[3 * b + k]) / 2);
        middles.set(key, middle);
      }
      return middle;
    };
    const next: number[] = [];
    const nextSources: number[] = [];
    for (let t = 0; t < triangles.length / 3; t++) {
      const before = next.length;
      cutTriangle(triangles[3 * t], triangles[3 * t + 1], triangles[3 * t + 2], middleOf, next);
      for (let n = before; n < next.length; n += 3) nextSources.push(sources[t]);
    }
    triangles = next;
    sources = nextSources;
    if (middles.size === 0) break;
  }
  return {
    positions: Float64Array.from(positions),
    triangles: Int32Array.from(triangles),
    sources: Int32Array.from(sources),
  };
}

/** Pushes the one to four triangles that a triangle becomes. */
function cutTriangle(a: number, b: number, c: number, middleOf: (a: number, b: number) => number, out: number[]): void {
  const [ab, bc, ca] = [middleOf(a, b), middleOf(b, c), middleOf(c, a)];
  const count = Number(ab >= 0) + Number(bc >= 0) + Number(ca >= 0);
  if (count === 0) out.push(a, b, c);
  else if (count === 3) out.push(a, ab, ca, ab, b, bc, ca, bc, c, ab, bc, ca);
  else if (count === 1) {
    if (ab >= 0) out.push(a, ab, c, ab, b, c);
    else if (bc >= 0) out.push(a, b, bc, a, bc, c);
    else out.push(a, b, ca, ca, b, c);
  } else if (ab < 0) out.push(c, ca, bc, ca, a, bc, a, b, bc);
  else if (bc < 0) out.push(a, ab, ca, ab, b, ca, b, c, ca);
  else out.push(b, bc, ab, bc, c, ab, c, a, ab);
}

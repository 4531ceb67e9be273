/** The edges of a soft model's surface, each once: its ends and the one or two triangles beside it. For building. */

/** Edges of a surface. */
export interface SoftEdges {
  readonly count: number;
  /** Two vertices per edge, the lower first. */
  readonly ends: Int32Array;
  /** Two triangles per edge; the same one twice at a border. */
  readonly beside: Int32Array;
}

/** Edges of triangles, three vertices each. */
export function edgesOf(triangles: ArrayLike<number>): SoftEdges {
  const known = new Map<string, number>();
  const ends: number[] = [];
  const beside: number[] = [];
  for (let t = 0; t < triangles.length / 3; t++) {
    for (let m = 0; m < 3; m++) {
      const a = triangles[t * 3 + m];
      const b = triangles[t * 3 + ((m + 1) % 3)];
      const [low, high] = a < b ? [a, b] : [b, a];
      const key = `${low} ${high}`;
      const edge = known.get(key);
      if (edge !== undefined) {
        beside[edge * 2 + 1] = t;
        continue;
      }
      known.set(key, ends.length / 2);
      ends.push(low, high);
      beside.push(t, t);
    }
  }
  return { count: ends.length / 2, ends: Int32Array.from(ends), beside: Int32Array.from(beside) };
}

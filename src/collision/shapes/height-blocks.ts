/** Lowest and highest point of blocks of 1, 4, 16 ... squares of a height field, so that whole blocks can be passed over. */

/** All blocks of one size. */
export interface HeightBlocks {
  readonly rows: number;
  readonly columns: number;
  /** Lowest and highest height of each block [m], row by row. */
  readonly ends: Float64Array;
}

/** Lowest and highest height of every square, of every four squares, and so on up to one block. */
export function buildHeightBlocks(heights: Float64Array, rows: number, columns: number): HeightBlocks[] {
  const levels: HeightBlocks[] = [
    { rows: rows - 1, columns: columns - 1, ends: new Float64Array(2 * (rows - 1) * (columns - 1)) },
  ];
  gather(
    levels[0],
    rows,
    columns,
    1,
    (at) => heights[at],
    (at) => heights[at],
  );
  while (levels[levels.length - 1].ends.length > 2) {
    const finer = levels[levels.length - 1];
    const coarse = { rows: (finer.rows + 1) >> 1, columns: (finer.columns + 1) >> 1 };
    const level = { ...coarse, ends: new Float64Array(2 * coarse.rows * coarse.columns) };
    gather(
      level,
      finer.rows,
      finer.columns,
      2,
      (at) => finer.ends[2 * at],
      (at) => finer.ends[2 * at + 1],
    );
    levels.push(level);
  }
  return levels;
}

/** Ends of each block over the two by two entries it begins with, `stride` apart from the next block's. */
function gather(
  level: HeightBlocks,
  rows: number,
  columns: number,
  stride: number,
  low: (at: number) => number,
  high: (at: number) => number,
): void {
  for (let block = 0; block < level.ends.length / 2; block++) {
    const row = stride * Math.floor(block / level.columns);
    const column = stride * (block % level.columns);
    let [least, most] = [Infinity, -Infinity];
    for (let r = row; r < Math.min(rows, row + 2); r++) {
      for (let c = column; c < Math.min(columns, column + 2); c++) {
        least = Math.min(least, low(r * columns + c));
        most = Math.max(most, high(r * columns + c));
      }
    }
    level.ends[2 * block] = least;
    level.ends[2 * block + 1] = most;
  }
}

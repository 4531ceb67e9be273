/** Lists turned around: from the key of each item to the items of each key. */

/** Items of key k are `items[starts[k]]` to `items[starts[k + 1] - 1]`, ascending. */
export interface Groups {
  readonly starts: Int32Array;
  readonly items: Int32Array;
}

/** Which entries of `keys` have each value below `keyCount`; items are indices into `keys`. */
export function groupByKey(keys: ArrayLike<number>, keyCount: number): Groups {
  const starts = new Int32Array(keyCount + 1);
  for (let i = 0; i < keys.length; i++) starts[keys[i] + 1]++;
  for (let i = 1; i <= keyCount; i++) starts[i] += starts[i - 1];
  const next = starts.slice();
  const items = new Int32Array(keys.length);
  for (let i = 0; i < items.length; i++) items[next[keys[i]]++] = i;
  return { starts, items };
}

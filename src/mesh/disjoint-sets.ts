/** Groups that merge: which of n things are connected, given the pairs that are. */

/** n things, each at first a group of its own. The lowest member stands for its group. */
export class DisjointSets {
  private readonly parents: Int32Array;
  /** Number of groups. */
  count: number;

  constructor(size: number) {
    this.parents = Int32Array.from({ length: size }, (_, i) => i);
    this.count = size;
  }

  /** The lowest member of the group that holds `item`. */
  find(item: number): number {
    const { parents } = this;
    let root = item;
    while (parents[root] !== root) {
      parents[root] = parents[parents[root]];
      root = parents[root];
    }
    return root;
  }

  /** Makes one group of the groups of a and b. */
  unite(a: number, b: number): void {
    const rootA = this.find(a);
    const rootB = this.find(b);
    if (rootA === rootB) return;
    this.parents[Math.max(rootA, rootB)] = Math.min(rootA, rootB);
    this.count--;
  }
}

/** Who belongs together: the lowest body of each group leads it. */
export class Leaders {
  readonly of: Int32Array;

  constructor(count: number) {
    this.of = new Int32Array(count);
  }

  /** Everybody by themselves. */
  reset(): void {
    for (let b = 0; b < this.of.length; b++) this.of[b] = b;
  }

  /** The leader of a body's group. */
  find(body: number): number {
    const leader = this.of;
    let b = body;
    while (leader[b] !== b) {
      leader[b] = leader[leader[b]];
      b = leader[b];
    }
    return b;
  }

  unite(a: number, b: number): void {
    const first = this.find(a);
    const second = this.find(b);
    if (first !== second) this.of[Math.max(first, second)] = Math.min(first, second);
  }
}

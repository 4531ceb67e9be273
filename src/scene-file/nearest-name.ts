/** The known name a misspelt one was meant to be. */

/** Letters that may be wrong, missing or too many. */
const MOST_EDITS = 3;

/** The nearest of some names, or undefined where none is near. */
export function nearestName(given: string, known: readonly string[]): string | undefined {
  let best: string | undefined;
  let least = MOST_EDITS + 1;
  for (const name of known) {
    const edits = countEdits(given.toLowerCase(), name.toLowerCase());
    if (edits >= least || edits >= name.length) continue;
    best = name;
    least = edits;
  }
  return best;
}

/** Fewest letters to change, add or leave out to make one word of the other. */
function countEdits(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = above[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(same, above[j] + 1, row[j - 1] + 1));
    }
    above = row;
  }
  return above[b.length];
}

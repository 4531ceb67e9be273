/** A progress bar for the terminal; a few plain lines where the output is not one. */

const WIDTH = 30;
/** Redrawing more often than this only costs time [ms]. */
const REDRAW_EVERY = 50;

/** Shows how far long work has come. */
export class Progress {
  readonly #label: string;
  readonly #total: number;
  readonly #stream: NodeJS.WriteStream;
  #drawn = Number.NEGATIVE_INFINITY;
  #quarter = 0;

  constructor(label: string, total: number, stream: NodeJS.WriteStream = process.stderr) {
    this.#label = label;
    this.#total = Math.max(1, total);
    this.#stream = stream;
  }

  /** Call as often as you like; `note` follows the bar. */
  update(done: number, note = ''): void {
    const share = Math.min(1, done / this.#total);
    if (!this.#stream.isTTY) {
      // every quarter, so that logs stay short
      if (share < (this.#quarter + 1) / 4) return;
      this.#quarter = Math.floor(share * 4);
      this.#stream.write(`${this.#label} ${Math.round(share * 100)} % ${note}\n`);
      return;
    }
    const now = performance.now();
    if (now - this.#drawn < REDRAW_EVERY && share < 1) return;
    this.#drawn = now;
    const filled = Math.round(share * WIDTH);
    const bar = '█'.repeat(filled) + '░'.repeat(WIDTH - filled);
    this.#stream.write(`\r\x1b[2K${this.#label} ${bar} ${Math.round(share * 100)} % ${note}`);
    if (share === 1) this.#stream.write('\n');
  }
}

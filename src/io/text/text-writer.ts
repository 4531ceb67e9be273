/** Gathers lines of text into bytes in pieces: one long string of a large mesh would be longer than strings can be. */
import { formatNumber } from './number-text.js';

/** Characters gathered before they are turned into bytes. */
const PIECE = 1 << 16;

/** Writes text formats. */
export class TextWriter {
  private readonly pieces: Uint8Array[] = [];
  private readonly encoder = new TextEncoder();
  private text = '';
  private size = 0;

  /** Adds a line. */
  line(text: string): void {
    this.text += text;
    this.text += '\n';
    if (this.text.length > PIECE) this.flush();
  }

  /** Adds a line of `count` numbers of `values` from `start` on, every digit kept, after `before`. */
  numbers(values: ArrayLike<number>, start: number, count: number, before = ''): void {
    let text = before;
    for (let i = start; i < start + count; i++) text += (text === '' ? '' : ' ') + formatNumber(values[i]);
    this.line(text);
  }

  /** Everything written. */
  finish(): Uint8Array {
    this.flush();
    const bytes = new Uint8Array(this.size);
    let at = 0;
    for (const piece of this.pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    return bytes;
  }

  private flush(): void {
    const piece = this.encoder.encode(this.text);
    this.pieces.push(piece);
    this.size += piece.length;
    this.text = '';
  }
}

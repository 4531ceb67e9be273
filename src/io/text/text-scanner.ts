/**
 * Reads the words and numbers of text formats, by lines or one after the other, straight from the bytes: a file near
 * the size limit does not fit into one JavaScript string. Knows CRLF, byte order marks, comments and quotes, counts
 * lines, and never goes back. Shared by every text reader here.
 */
import { TendonError, type TendonErrorCode } from '../../errors.js';
import { type IoLimits, requireFileSize, resolveLimits } from './io-limits.js';
import { parseNumber } from './number-text.js';

/** How a format's text looks. */
export interface ScannerOptions extends IoLimits {
  /** Name of the file in errors. */
  readonly file: string;
  /** Character that starts a comment; none by default. */
  readonly comment?: string;
  /** Character that separates words besides white space; none by default. */
  readonly separator?: string;
  /** Words in double quotes may hold anything; `\"` and `\\` stand for themselves. Off by default. */
  readonly quotes?: boolean;
}

const decoder = new TextDecoder();

/** A place in a text. After `nextLine` or `nextWord`, the other functions speak of the words found. */
export class TextScanner {
  readonly limits: Required<IoLimits>;
  /** Line of the words found, from 1. */
  line = 0;
  /** How many words were found. */
  count = 0;
  private readonly bytes: Uint8Array;
  private readonly file: string;
  private readonly comment: number;
  private readonly separator: number;
  private readonly quotes: boolean;
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  private at = 0;
  private isFresh = true;

  constructor(contents: Uint8Array | string, options: ScannerOptions) {
    this.limits = resolveLimits(options);
    this.file = options.file;
    // Before a long string is turned into as many bytes or more.
    requireFileSize(contents.length, this.limits, this.file);
    this.bytes = typeof contents === 'string' ? new TextEncoder().encode(contents) : contents;
    this.comment = options.comment?.charCodeAt(0) ?? -1;
    this.separator = options.separator?.charCodeAt(0) ?? 32;
    this.quotes = options.quotes ?? false;
    const b = this.bytes;
    if (b[0] === 0xef && b[1] === 0xbb && b[2] === 0xbf) this.at = 3;
  }

  /** Finds the words of the next line that has any; false at the end of the file. */
  nextLine(): boolean {
    this.count = 0;
    while (this.at < this.bytes.length && this.count === 0) {
      if (!this.isFresh) this.skipLine();
      if (this.at >= this.bytes.length) break;
      this.line++;
      this.isFresh = false;
      const lineStart = this.at;
      while (this.findWord(this.count)) {
        this.count++;
        if (this.at - lineStart > this.limits.maxLineLength) this.failLineLength();
      }
      if (this.at - lineStart > this.limits.maxLineLength) this.failLineLength();
    }
    return this.count > 0;
  }

  /** Finds the next word, in this line or a later one; false at the end of the file. */
  nextWord(): boolean {
    this.count = 0;
    for (;;) {
      if (this.isFresh) {
        if (this.at >= this.bytes.length) return false;
        this.line++;
        this.isFresh = false;
      }
      if (this.findWord(0)) {
        this.count = 1;
        return true;
      }
      if (this.at >= this.bytes.length) return false;
      this.skipLine();
    }
  }

  /** The next word, which must be there. */
  wantText(what: string): string {
    if (!this.nextWord()) this.failEnd(what);
    return this.text(0);
  }

  /** The next word, which must be a finite number. */
  wantNumber(what: string): number {
    if (!this.nextWord()) this.failEnd(what);
    return this.number(0);
  }

  /** The next word, which must be a whole number in [low, high]. */
  wantInteger(what: string, low: number, high: number): number {
    if (!this.nextWord()) this.failEnd(what);
    return this.integer(0, low, high);
  }

  /** The rest of this line as it stands, without white space around it; moves to its end. */
  restOfLine(): string {
    const start = this.at;
    this.skipToLineEnd();
    return decoder.decode(this.bytes.subarray(start, Math.min(this.at, start + this.limits.maxLineLength))).trim();
  }

  /** Word `i` as text. */
  text(i: number): string {
    const start = this.starts[i];
    const end = this.ends[i];
    if (end - start > this.limits.maxLineLength) this.failLineLength();
    if (this.quotes && this.bytes[start] === 34) return this.unquote(start + 1, end - 1);
    return decoder.decode(this.bytes.subarray(start, end));
  }

  /** Everything from word `i` to the last one, with the spaces between them; empty where there is no word `i`. */
  textFrom(i: number): string {
    if (i >= this.count) return '';
    return decoder.decode(this.bytes.subarray(this.starts[i], this.ends[this.count - 1]));
  }

  /** Whether word `i` is exactly `word`, which must be ASCII. */
  is(i: number, word: string): boolean {
    if (i >= this.count || this.ends[i] - this.starts[i] !== word.length) return false;
    for (let k = 0; k < word.length; k++) if (this.bytes[this.starts[i] + k] !== word.charCodeAt(k)) return false;
    return true;
  }

  /** Word `i` as a finite number. */
  number(i: number): number {
    if (i >= this.count) this.fail(this.count, `at least ${i + 1} words were expected in this line`);
    const value = parseNumber(this.bytes, this.starts[i], this.ends[i]);
    if (Number.isNaN(value)) this.fail(this.shorten(i), 'a finite number was expected');
    return value;
  }

  /** Word `i` as a whole number in [low, high]. */
  integer(i: number, low: number, high: number): number {
    const value = this.number(i);
    if (!Number.isInteger(value)) this.fail(value, 'a whole number was expected');
    if (value < low || value > high) this.fail(value, `a whole number from ${low} to ${high} was expected`);
    return value;
  }

  /** Start and end of word `i` in the bytes, for formats with words inside words. */
  range(i: number): readonly [start: number, end: number, bytes: Uint8Array] {
    return [this.starts[i], this.ends[i], this.bytes];
  }

  /** Throws an error about this line. */
  fail(value: unknown, advice: string, code: TendonErrorCode = 'E_FORMAT'): never {
    throw new TendonError(code, `${this.file} line ${this.line}`, value, advice);
  }

  /** Throws an error about something that should have followed. */
  failEnd(what: string): never {
    throw new TendonError('E_FORMAT', `${this.file} line ${this.line + 1}`, 'the end', `${what} was expected`);
  }

  /** Finds one more word of this line and keeps it as word `i`. */
  private findWord(i: number): boolean {
    const { bytes } = this;
    let at = this.at;
    while (at < bytes.length && this.isSpace(bytes[at])) at++;
    this.at = at;
    if (at >= bytes.length || bytes[at] === 10 || bytes[at] === this.comment) return false;
    this.starts[i] = at;
    if (this.quotes && bytes[at] === 34) at = this.findQuote(at + 1);
    else while (at < bytes.length && !this.isSpace(bytes[at]) && bytes[at] !== 10 && bytes[at] !== this.comment) at++;
    this.ends[i] = at;
    this.at = at;
    return true;
  }

  /** Just past the quote that ends a word. */
  private findQuote(from: number): number {
    for (let at = from; at < this.bytes.length && this.bytes[at] !== 10; at++) {
      if (this.bytes[at] === 92) at++;
      else if (this.bytes[at] === 34) return at + 1;
    }
    return this.fail('"', 'the quote does not end in this line');
  }

  private unquote(start: number, end: number): string {
    const text = decoder.decode(this.bytes.subarray(start, end));
    let plain = '';
    for (let i = 0; i < text.length; i++) plain += text[text[i] === '\\' ? ++i : i];
    return plain;
  }

  private isSpace(code: number): boolean {
    return code === 32 || code === 9 || code === 13 || code === this.separator;
  }

  private skipToLineEnd(): void {
    const end = this.bytes.indexOf(10, this.at);
    this.at = end < 0 ? this.bytes.length : end;
  }

  private skipLine(): void {
    this.skipToLineEnd();
    this.at++;
    this.isFresh = true;
  }

  private shorten(i: number): string {
    return decoder.decode(this.bytes.subarray(this.starts[i], Math.min(this.ends[i], this.starts[i] + 80)));
  }

  private failLineLength(): never {
    this.fail(this.limits.maxLineLength, 'the line is too long', 'E_RANGE');
  }
}

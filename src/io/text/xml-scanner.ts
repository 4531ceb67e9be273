/**
 * The small part of XML that scientific formats use: tags with attributes, and text between them. No entities beyond
 * the five of the standard, no document types (which can unfold to anything). Goes over the bytes once.
 */
import { TendonError } from '../../errors.js';
import { type IoLimits, requireFileSize } from './io-limits.js';

/** A tag: where an element starts or ends. `<a/>` gives both. */
export interface XmlTag {
  readonly kind: 'open' | 'close';
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  /** Just past the tag [bytes]. */
  readonly end: number;
}

const LT = 60;
const GT = 62;
const decoder = new TextDecoder();
/** Most attributes of one tag. */
const MAX_ATTRIBUTES = 256;

/** Gives the tags of a document one after the other. */
export class XmlScanner {
  readonly bytes: Uint8Array;
  private readonly file: string;
  private readonly limits: Required<IoLimits>;
  private readonly open: string[] = [];
  private at = 0;
  private pendingClose: XmlTag | undefined;

  constructor(bytes: Uint8Array, file: string, limits: Required<IoLimits>) {
    requireFileSize(bytes.length, limits, file);
    this.bytes = bytes;
    this.file = file;
    this.limits = limits;
  }

  /** The next tag; undefined at the end of the document. */
  next(): XmlTag | undefined {
    const pending = this.pendingClose;
    if (pending !== undefined) {
      this.pendingClose = undefined;
      this.open.pop();
      return pending;
    }
    for (;;) {
      const start = this.bytes.indexOf(LT, this.at);
      if (start < 0) {
        if (this.open.length > 0) this.fail(this.bytes.length, this.open.at(-1), 'the element does not end');
        return undefined;
      }
      if (this.startsWith(start, '<!--')) this.at = this.find('-->', start + 4);
      else if (this.startsWith(start, '<?')) this.at = this.find('?>', start + 2);
      else if (this.startsWith(start, '<!')) this.fail(start, '<!', 'document types and CDATA are not read');
      else return this.readTag(start);
    }
  }

  /** Where the next tag starts: the end of the text after a tag [bytes]. */
  textEnd(from: number): number {
    const end = this.bytes.indexOf(LT, from);
    return end < 0 ? this.bytes.length : end;
  }

  /** Line of a byte, from 1. Only asked for when something is wrong, so it may look at everything before. */
  lineOf(offset: number): number {
    let line = 1;
    for (let at = this.bytes.indexOf(10); at >= 0 && at < offset; at = this.bytes.indexOf(10, at + 1)) line++;
    return line;
  }

  /** Throws an error about the line of a byte. */
  fail(offset: number, value: unknown, advice: string): never {
    throw new TendonError('E_FORMAT', `${this.file} line ${this.lineOf(offset)}`, value, advice);
  }

  private readTag(start: number): XmlTag {
    const end = this.bytes.indexOf(GT, start);
    if (end < 0) this.fail(start, '<', 'the tag does not end');
    if (end - start > this.limits.maxLineLength) this.fail(start, end - start, 'the tag is too long');
    const isClose = this.bytes[start + 1] === 47;
    const isEmpty = !isClose && this.bytes[end - 1] === 47;
    const text = decoder.decode(this.bytes.subarray(start + (isClose ? 2 : 1), isEmpty ? end - 1 : end)).trim();
    this.at = end + 1;
    if (isClose) {
      if (this.open.pop() !== text) this.fail(start, text, 'this element was not open');
      return { kind: 'close', name: text, attributes: new Map(), end: end + 1 };
    }
    const nameEnd = firstSpace(text);
    const name = text.slice(0, nameEnd);
    if (name === '') this.fail(start, text, 'a name was expected');
    this.open.push(name);
    if (this.open.length > this.limits.maxDepth) this.fail(start, this.open.length, 'elements are nested too deep');
    const tag: XmlTag = { kind: 'open', name, attributes: this.readAttributes(text, nameEnd, start), end: end + 1 };
    if (isEmpty) this.pendingClose = { kind: 'close', name, attributes: new Map(), end: end + 1 };
    return tag;
  }

  /** `name="value"` pairs from `from` on. */
  private readAttributes(text: string, from: number, start: number): Map<string, string> {
    const attributes = new Map<string, string>();
    for (let at = from; ; ) {
      while (at < text.length && text.charCodeAt(at) <= 32) at++;
      if (at >= text.length) return attributes;
      const equals = text.indexOf('=', at);
      let open = equals + 1;
      while (open < text.length && text.charCodeAt(open) <= 32) open++;
      const quote = text[open];
      const close = text.indexOf(quote, open + 1);
      if (equals < 0 || (quote !== '"' && quote !== "'") || close < 0) {
        this.fail(start, text.slice(at, at + 80), 'name="value" was expected');
      }
      attributes.set(text.slice(at, equals).trim(), unescapeText(text.slice(open + 1, close)));
      if (attributes.size > MAX_ATTRIBUTES) this.fail(start, attributes.size, 'too many attributes');
      at = close + 1;
    }
  }

  private startsWith(at: number, text: string): boolean {
    for (let i = 0; i < text.length; i++) if (this.bytes[at + i] !== text.charCodeAt(i)) return false;
    return true;
  }

  /** Just past `text`, which must follow. */
  private find(text: string, from: number): number {
    const last = text.charCodeAt(text.length - 1);
    for (let at = this.bytes.indexOf(last, from); at >= 0; at = this.bytes.indexOf(last, at + 1)) {
      const start = at - text.length + 1;
      if (start >= from && this.startsWith(start, text)) return at + 1;
    }
    return this.fail(from, text, 'this does not end');
  }
}

function firstSpace(text: string): number {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) <= 32) return i;
  return text.length;
}

function unescapeText(text: string): string {
  if (!text.includes('&')) return text;
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&apos;', "'")
    .replaceAll('&amp;', '&');
}

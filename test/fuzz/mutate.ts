/**
 * Seeded damage to files: what a bad disk, a bad exporter or a bad person would do to them. The same seed gives the same
 * mutant, so that a failure can be replayed.
 */
import { createRandom, type Random } from '../../src/math/random.js';

const NUMBERS = [
  ...['0', '-1', '-0', '1', '2', '3', '255', '256', '65535', '65536', '2147483647', '2147483648', '4294967295'],
  ...['-2147483648', '999999999999', '9007199254740993', '1e308', '-1e308', '1e309', '1e-320', 'NaN', 'nan', 'inf'],
  ...['-Infinity', '0x10', '1e', '.', '-', '1.2.3', '1_000', '١', '9'.repeat(70), '1e5', '1000000', '5000000'],
];
const JSON_VALUES = [
  ...['null', 'true', '""', '"__proto__"', '[]', '{}', '-1', '0', '1', '2', '3', '1e9', '4294967295', '1e308', '0.5'],
  ...['[0,0,0,0]', '[[]]', '{"__proto__":{"polluted":1}}', '{"constructor":{"prototype":{"polluted":1}}}', '"data:,"'],
  ...['"data:application/octet-stream;base64,AAAA"', '"../x"', '"VEC4"', '5126', '5121', '5123', '5125', '[1,0,2]'],
];
const WORDS = ['__proto__', 'constructor', '{', '}', '"', '\\', '#', '/', '//', '$End', '<a>', '</a>', '', '\u0000'];
const WHITE = /[\s,]/;

/** A damaged copy of `seedFile`, the same for the same seed. */
export function mutate(seedFile: Uint8Array, seed: number): Uint8Array {
  const random = createRandom(seed);
  const isGlb = seedFile[0] === 0x67 && seedFile[1] === 0x6c && seedFile[2] === 0x54;
  let bytes: Uint8Array = seedFile.slice();
  const times = 1 + pick(random, 3);
  for (let i = 0; i < times; i++) {
    if (isGlb) bytes = mutateGlb(bytes, random);
    else if (seedFile[0] === 0x7b && random.next() < 0.8) bytes = encode(mutateJson(decode(bytes), random));
    else bytes = random.next() < 0.25 ? mutateBytes(bytes, random) : mutateText(bytes, random);
  }
  return bytes;
}

function mutateBytes(bytes: Uint8Array, random: Random): Uint8Array {
  if (bytes.length === 0) return bytes;
  const at = pick(random, bytes.length);
  switch (pick(random, 6)) {
    case 0: // a bit flips
      bytes[at] ^= 1 << pick(random, 8);
      return bytes;
    case 1: // a byte changes
      bytes[at] = pick(random, 256);
      return bytes;
    case 2: // the end is missing
      return bytes.slice(0, at);
    case 3: {
      // a stretch is missing
      const end = Math.min(bytes.length, at + pick(random, 64));
      return join(bytes.subarray(0, at), bytes.subarray(end));
    }
    case 4: {
      // a stretch is there twice
      const end = Math.min(bytes.length, at + pick(random, 64));
      return join(bytes.subarray(0, end), bytes.subarray(at));
    }
    default: {
      // four bytes become a number that hurts
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
      const hurtful = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x7fc00000, 0x7f800000, 0x00ffffff];
      if (at + 4 <= bytes.length) view.setUint32(at, hurtful[pick(random, hurtful.length)], random.next() < 0.7);
      return bytes;
    }
  }
}

function mutateText(bytes: Uint8Array, random: Random): Uint8Array {
  // One character per byte, so that nothing but what is meant changes.
  const text = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  const changed = mutateString(text, random);
  return Uint8Array.from(changed, (character) => character.charCodeAt(0) & 255);
}

function mutateString(text: string, random: Random): string {
  const kind = pick(random, 8);
  if (kind < 4) {
    const [start, end] = wordAt(text, pick(random, text.length + 1));
    const [start2, end2] = wordAt(text, pick(random, text.length + 1));
    if (kind === 0 && end <= start2) {
      // two words change places
      const [first, second] = [text.slice(start, end), text.slice(start2, end2)];
      return text.slice(0, start) + second + text.slice(end, start2) + first + text.slice(end2);
    }
    const list = kind === 3 ? WORDS : NUMBERS;
    return text.slice(0, start) + list[pick(random, list.length)] + text.slice(end);
  }
  const lines = text.split('\n');
  const line = pick(random, lines.length);
  if (kind === 4) lines.splice(line, 1);
  else if (kind === 5) lines.splice(line, 0, lines[line]);
  else if (kind === 6) lines.splice(line, 0, ...lines.splice(pick(random, lines.length), 1));
  else {
    const choice = pick(random, 3);
    if (choice === 0) return text.replaceAll('\n', ['\r\n', '\r', ' ', '\n\n'][pick(random, 4)]);
    if (choice === 1) return `\u00ef\u00bb\u00bf${text}`;
    lines[line] = lines[line].repeat(1 + pick(random, 40));
  }
  return lines.join('\n');
}

/** Sometimes the layout of the chunks, mostly the JSON with lengths put right, else the numbers. */
function mutateGlb(bytes: Uint8Array, random: Random): Uint8Array {
  const choice = random.next();
  if (bytes.length < 20 || choice < 0.25) return mutateBytes(bytes, random);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const jsonLength = view.getUint32(12, true);
  if (choice < 0.35 || 20 + jsonLength > bytes.length) {
    const at = [4, 8, 12, 16, Math.min(20 + jsonLength, bytes.length - 4)][pick(random, 5)];
    const old = view.getUint32(at, true);
    const values = [0, old + 1, old - 1, old + 4, old - 4, 2 * old, 0xffffffff, 0x7fffffff, pick(random, bytes.length)];
    view.setUint32(at, values[pick(random, values.length)], true);
    return bytes;
  }
  if (choice < 0.45) {
    const bin = bytes.subarray(Math.min(28 + jsonLength, bytes.length));
    bin.set(mutateBytes(bin.slice(), random).subarray(0, bin.length));
    return bytes;
  }
  const json = encode(mutateJson(decode(bytes.subarray(20, 20 + jsonLength)), random));
  const length = json.length + (-json.length & 3);
  const padded = new Uint8Array(length).fill(32);
  padded.set(json);
  const mutant = join(join(bytes.subarray(0, 20), padded), bytes.subarray(20 + jsonLength));
  const header = new DataView(mutant.buffer);
  header.setUint32(8, mutant.length, true);
  header.setUint32(12, length, true);
  return mutant;
}

/** Replaces a value, removes it, or copies one over another. */
function mutateJson(text: string, random: Random): string {
  if (random.next() < 0.1) return mutateString(text, random);
  const values = findValues(text);
  if (values.length === 0) return text;
  const [start, end] = values[pick(random, values.length)];
  if (random.next() < 0.2) {
    const [from, to] = values[pick(random, values.length)];
    return text.slice(0, start) + text.slice(from, to) + text.slice(end);
  }
  if (random.next() < 0.1) return text.slice(0, start) + '['.repeat(pick(random, 200)) + text.slice(end);
  return text.slice(0, start) + JSON_VALUES[pick(random, JSON_VALUES.length)] + text.slice(end);
}

/** Where numbers, strings (keys too) and lists without lists in them stand. */
function findValues(text: string): [number, number][] {
  const found: [number, number][] = [];
  const pattern = /"[^"\\]*"|-?\d[\d.eE+-]*|\[[^[\]{}]*\]|\{[^[\]{}]*\}/g;
  for (let match = pattern.exec(text); match; match = pattern.exec(text)) {
    found.push([match.index, match.index + match[0].length]);
    // Also what is inside a list or an object.
    if (match[0][0] === '[' || match[0][0] === '{') pattern.lastIndex = match.index + 1;
  }
  return found;
}

function wordAt(text: string, at: number): [number, number] {
  let start = at;
  while (start < text.length && WHITE.test(text[start])) start++;
  let end = start;
  while (start > 0 && !WHITE.test(text[start - 1])) start--;
  while (end < text.length && !WHITE.test(text[end])) end++;
  return [start, end];
}

function pick(random: Random, count: number): number {
  return Math.floor(random.next() * count);
}

function join(a: Uint8Array, b: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(a.length + b.length);
  bytes.set(a);
  bytes.set(b, a.length);
  return bytes;
}

function encode(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

import { describe, expect, it } from 'vitest';
import { TextScanner } from '../../../src/io/text/text-scanner.js';

const open = (text: string, options = {}) => new TextScanner(text, { file: 'f', ...options });

describe('TextScanner', () => {
  it('finds lines that have words, and counts all lines', () => {
    const scanner = open('\uFEFF\n  a b\r\n\r\n# c\n d#e\n', { comment: '#' });
    const found: unknown[] = [];
    while (scanner.nextLine()) found.push([scanner.line, scanner.textFrom(0)]);
    expect(found).toEqual([
      [2, 'a b'],
      [5, 'd'],
    ]);
  });

  it('finds words across lines, and lines after words', () => {
    const scanner = open('1 2\n3\n\n4 5 6\n7 8');
    expect([1, 2, 3, 4].map(() => scanner.wantNumber('a number'))).toEqual([1, 2, 3, 4]);
    expect(scanner.line).toBe(4);
    expect(scanner.nextLine()).toBe(true);
    expect([scanner.line, scanner.number(1)]).toEqual([5, 8]);
    expect(scanner.nextWord()).toBe(false);
    expect(scanner.nextLine()).toBe(false);
  });

  it('knows quotes', () => {
    const scanner = open('a "b c" "d\\"e\\\\" "# f" # g', { quotes: true, comment: '#' });
    scanner.nextLine();
    expect(Array.from({ length: scanner.count }, (_, i) => scanner.text(i))).toEqual(['a', 'b c', 'd"e\\', '# f']);
    expect(() => open('"a', { quotes: true }).nextLine()).toThrow(/f line 1/);
    expect(() => open('x\n"a\\\n"', { quotes: true }).nextLine()).not.toThrow();
  });

  it('names file and line', () => {
    const scanner = open('1\n\nx 2.5 7');
    scanner.nextLine();
    scanner.nextLine();
    const at = (code: string) => expect.objectContaining({ code, place: 'f line 3' });
    expect(() => scanner.number(0)).toThrow(at('E_FORMAT'));
    expect(() => scanner.integer(1, 0, 9)).toThrow(at('E_FORMAT'));
    expect(() => scanner.integer(2, 0, 6)).toThrow(at('E_FORMAT'));
    expect(() => scanner.number(3)).toThrow(at('E_FORMAT'));
    expect(() => scanner.wantText('more')).toThrow(expect.objectContaining({ place: 'f line 4' }));
  });

  it('obeys its limits', () => {
    expect(() => open('12345', { maxBytes: 4 })).toThrow(expect.objectContaining({ code: 'E_RANGE' }));
    expect(() => open('a b c d', { maxLineLength: 4 }).nextLine()).toThrow(
      expect.objectContaining({ code: 'E_RANGE' }),
    );
  });

  // a scan that looks back over the line for every byte would run into the test's time limit many times over
  it('gets through 50 MB in one line', () => {
    const bytes = new Uint8Array(50e6).fill(49);
    expect(() => new TextScanner(bytes, { file: 'f' }).nextLine()).toThrow(/too long/);
    expect(() => new TextScanner(bytes, { file: 'f' }).wantNumber('x')).toThrow(/finite/);
    for (let i = 1; i < bytes.length; i += 2) bytes[i] = 32;
    expect(() => new TextScanner(bytes, { file: 'f' }).nextLine()).toThrow(/too long/);
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatNumber, parseNumber } from '../../../src/io/text/number-text.js';

const parse = (text: string): number => {
  const bytes = new TextEncoder().encode(text);
  return parseNumber(bytes, 0, bytes.length);
};

describe('parseNumber', () => {
  it('reads back every bit of any finite double (property)', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(parse(formatNumber(value))).toBe(value);
      }),
      { numRuns: 2000 },
    );
  });

  it('rounds as Number does, whatever the spelling (property)', () => {
    const spelling = fc.stringMatching(/^[+-]?([0-9]{1,25}\.?[0-9]{0,25}|\.[0-9]{1,25})([eE][+-]?[0-9]{1,3})?$/);
    fc.assert(
      fc.property(spelling, (text) => {
        const expected = Number(text);
        expect(parse(text)).toBe(Number.isFinite(expected) ? expected : Number.NaN);
      }),
      { numRuns: 2000 },
    );
  });

  it.each(['', '-', '+', '.', 'e5', '1e', '1e+', '1e-', '--1', '1.2.3', '0x10', 'nan', 'inf', 'Infinity', '1 ', '1f'])(
    'refuses %j',
    (text) => {
      expect(parse(text)).toBeNaN();
    },
  );

  it('refuses what is too long or too large', () => {
    expect(parse('1'.repeat(65))).toBeNaN();
    expect(parse('1e309')).toBeNaN();
    expect(parse('1e99999999999999999999')).toBeNaN();
    expect(parse('1e-99999999')).toBe(0);
  });
});

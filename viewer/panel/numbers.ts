/** Numbers as people read them. */

/** "1.2·10⁻⁹ m", or plain where that is short. */
export function quantity(value: number, unit: string): string {
  if (value === 0) return unit === '' ? '0' : `0 ${unit}`;
  const exponent = Math.floor(Math.log10(Math.abs(value)));
  const plain = exponent >= -2 && exponent < 4;
  const number = plain ? value.toPrecision(3) : `${(value / 10 ** exponent).toFixed(1)}·10${superscript(exponent)}`;
  return unit === '' ? number : `${number} ${unit}`;
}

/** "⁻⁹". */
export function superscript(exponent: number): string {
  return [...String(exponent)].map((digit) => (digit === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[Number(digit)])).join('');
}

/** "3.25 ms"; a dash for a stage that the solver at hand does not have. */
export function milliseconds(value: number | undefined): string {
  if (value === undefined) return '–';
  return `${value.toFixed(value < 10 ? 2 : 1)} ms`;
}

/** Axes of plots: where ticks go and how numbers are written. */

/** What an axis shows. */
export interface Axis {
  readonly label: string;
  readonly scale?: 'linear' | 'log';
  /** First and last value; values outside are not drawn. */
  readonly range: readonly [number, number];
  /** Ticks at these values only. */
  readonly ticks?: readonly number[];
}

/** A tick; minor ones have no text. */
export interface Tick {
  readonly value: number;
  readonly text: string;
}

/** Ticks of an axis, from low to high; about `wanted` of them carry a number. */
export function placeTicks(axis: Axis, wanted: number): Tick[] {
  if (axis.ticks) return axis.ticks.map((value) => ({ value, text: writeNumber(value) }));
  return axis.scale === 'log' ? placeDecades(axis.range, wanted) : placeEven(axis.range, wanted);
}

/** Place of a value along an axis, 0 at its low and 1 at its high end. */
export function along(axis: Axis, value: number): number {
  const [low, high] = axis.range;
  if (axis.scale === 'log') return Math.log(value / low) / Math.log(high / low);
  return (value - low) / (high - low);
}

/** Multiples of 1, 2 or 5 times a power of ten. */
function placeEven([low, high]: readonly [number, number], wanted: number): Tick[] {
  const rough = (high - low) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((factor) => factor * power).find((size) => size >= rough * 0.999) as number;
  const ticks: Tick[] = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + 1e-9 * step; n++) {
    // n * step has rounding errors in its last digits: 3 * 0.1
    const value = Number((n * step).toPrecision(12));
    ticks.push({ value, text: writeNumber(value) });
  }
  return ticks;
}

/** Powers of ten; the steps between them are shown where there is room. */
function placeDecades([low, high]: readonly [number, number], wanted: number): Tick[] {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const every = Math.max(1, Math.ceil((last - first) / wanted));
  const plain = first >= -2 && last <= 3;
  const ticks: Tick[] = [];
  for (let n = first - 1; n <= last; n++) {
    const numbered = n >= first && n % every === 0;
    if (n >= first) ticks.push({ value: 10 ** n, text: numbered ? writePower(n, plain) : '' });
    for (let digit = 2; digit < 10 && every === 1 && last - first <= 4; digit++) {
      const value = digit * 10 ** n;
      if (value > low && value < high) ticks.push({ value, text: '' });
    }
  }
  return ticks;
}

function writePower(n: number, plain: boolean): string {
  return plain ? writeNumber(Number(`1e${n}`)) : `10${[...String(n)].map((digit) => SUPERSCRIPT[digit]).join('')}`;
}

const SUPERSCRIPT: Readonly<Record<string, string>> = {
  '-': '⁻',
  0: '⁰',
  1: '¹',
  2: '²',
  3: '³',
  4: '⁴',
  5: '⁵',
  6: '⁶',
  7: '⁷',
  8: '⁸',
  9: '⁹',
};

/** A number as it stands beside a tick. */
function writeNumber(value: number): string {
  return String(value).replace('-', '−');
}

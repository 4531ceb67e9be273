/** A small plot of the last steps, one or several lines. */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { superscript } from './numbers.js';
import { roundUp } from './round-up.js';

/** Steps that are shown. */
const LENGTH = 240;
const SIZE = { width: 236, height: 52 };

/** What the axis of a plot shows. */
export interface Scale {
  readonly range: (low: number, high: number) => [number, number];
  readonly label: (value: number) => string;
}

/** Powers of ten. */
export const LOGARITHMIC: Scale = {
  range: (low, high) => [Math.floor(low), Math.max(Math.floor(low) + 1, Math.ceil(high))],
  label: (exponent) => `10${superscript(exponent)}`,
};

/** From nothing to a round number. */
export const UP_FROM_ZERO: Scale = {
  range: (_, high) => [0, roundUp(high)],
  label: (value) => String(Number(value.toPrecision(3))),
};

/** A line of a plot; its colour is a name of the style sheet's. */
export interface Line {
  readonly name: string;
  readonly colour: string;
}

/** Collects numbers per step and draws the last ones. */
export class LinePlot {
  readonly #plot: uPlot;
  readonly #steps: number[] = [];
  readonly #values: (number | null)[][];

  constructor(container: HTMLElement, title: string, scale: Scale, lines: readonly Line[]) {
    const colour = (name: string) => () => getComputedStyle(container).getPropertyValue(name);
    container.append(captionOf(title, lines));
    this.#values = lines.map(() => []);
    const range = (_: uPlot, low: number | null, high: number | null) => {
      return low === null || high === null ? scale.range(0, 1) : scale.range(low, high);
    };
    this.#plot = new uPlot(
      {
        ...SIZE,
        padding: [6, 2, 6, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false }, y: { range } },
        axes: [
          { show: false },
          {
            stroke: colour('--quiet'),
            grid: { stroke: colour('--line'), width: 1 },
            ticks: { show: false },
            size: 40,
            font: '11px system-ui',
            // The lowest and the highest line are enough for so small a plot.
            splits: (_, __, low, high) => [low, high],
            values: (_, ticks) => ticks.map(scale.label),
          },
        ],
        series: [{}, ...lines.map((line) => ({ stroke: colour(line.colour), width: 1.5, points: { show: false } }))],
      },
      [[], ...lines.map(() => [])],
      container,
    );
  }

  /** One value per line; null where there is none. */
  add(step: number, values: readonly (number | null)[]): void {
    this.#steps.push(step);
    this.#values.forEach((line, i) => {
      line.push(values[i] ?? null);
    });
    if (this.#steps.length <= LENGTH) return;
    this.#steps.shift();
    for (const line of this.#values) line.shift();
  }

  draw(): void {
    this.#plot.setData([this.#steps, ...this.#values]);
  }

  clear(): void {
    this.#steps.length = 0;
    for (const line of this.#values) line.length = 0;
    this.draw();
  }

  dispose(): void {
    this.#plot.destroy();
  }
}

function captionOf(title: string, lines: readonly Line[]): HTMLElement {
  const caption = document.createElement('p');
  caption.textContent = title;
  for (const { name, colour } of lines) {
    if (name === '') continue;
    const key = document.createElement('span');
    key.textContent = ` ${name}`;
    key.dataset.colour = colour;
    caption.append(key);
  }
  return caption;
}

/** Two small plots under the certificate: the residual and the time of the last steps. */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { superscript } from './numbers.js';
import type { Frame } from './protocol.js';

/** Steps that are shown. */
const LENGTH = 240;
const SIZE = { width: 236, height: 52 };
/** Plots are redrawn this often [ms]. */
const REDRAW_EVERY = 250;

/** What the axis of a plot shows. */
interface Scale {
  readonly range: (low: number, high: number) => [number, number];
  readonly label: (value: number) => string;
}

/** Powers of ten. */
const LOGARITHMIC: Scale = {
  range: (low, high) => [Math.floor(low), Math.max(Math.floor(low) + 1, Math.ceil(high))],
  label: (exponent) => `10${superscript(exponent)}`,
};

/** From nothing to a round number. */
const FROM_ZERO: Scale = {
  range: (_, high) => [0, roundUp(high)],
  label: String,
};

/** Collects a number per frame and draws the last ones. */
class Plot {
  readonly #plot: uPlot;
  readonly #steps: number[] = [];
  readonly #values: number[] = [];

  constructor(container: HTMLElement, title: string, scale: Scale) {
    const colour = (name: string) => () => getComputedStyle(container).getPropertyValue(name);
    const caption = document.createElement('p');
    caption.textContent = title;
    container.append(caption);
    this.#plot = new uPlot(
      {
        ...SIZE,
        padding: [6, 2, 6, 0],
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false }, y: { range: (_, low, high) => scale.range(low, high) } },
        axes: [
          { show: false },
          {
            stroke: colour('--quiet'),
            grid: { stroke: colour('--line'), width: 1 },
            ticks: { show: false },
            size: 36,
            font: '11px system-ui',
            // The lowest and the highest line are enough for so small a plot.
            splits: (_, __, low, high) => [low, high],
            values: (_, ticks) => ticks.map(scale.label),
          },
        ],
        series: [{}, { stroke: colour('--accent'), width: 1.5, points: { show: false } }],
      },
      [[], []],
      container,
    );
  }

  add(step: number, value: number): void {
    this.#steps.push(step);
    this.#values.push(value);
    if (this.#steps.length > LENGTH) {
      this.#steps.shift();
      this.#values.shift();
    }
  }

  draw(): void {
    this.#plot.setData([this.#steps, this.#values]);
  }

  clear(): void {
    this.#steps.length = this.#values.length = 0;
    this.draw();
  }
}

/** Both plots. */
export class Plots {
  readonly #residual: Plot;
  readonly #time: Plot;
  #last = 0;
  #drawnAt = 0;

  constructor(container: HTMLElement) {
    this.#residual = new Plot(container, 'Residual [N]', LOGARITHMIC);
    this.#time = new Plot(container, 'Step [ms]', FROM_ZERO);
  }

  /** Takes note of a frame's last step. */
  show(frame: Frame): void {
    if (frame.stepCount < this.#last) {
      this.#residual.clear();
      this.#time.clear();
    }
    const stepped = frame.stepCount > this.#last;
    this.#last = frame.stepCount;
    if (!stepped) return;
    this.#residual.add(frame.stepCount, Math.log10(Math.max(1e-12, frame.certificate.residual)));
    this.#time.add(frame.stepCount, frame.stepMs);
    const now = performance.now();
    if (now - this.#drawnAt < REDRAW_EVERY) return;
    this.#drawnAt = now;
    this.#residual.draw();
    this.#time.draw();
  }
}

/** The next of 1, 2, 5, 10, 20, ... */
function roundUp(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, value)));
  return power * ([1, 2, 5].find((step) => step * power >= value) ?? 10);
}

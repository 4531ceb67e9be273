/** Two small plots under the certificate: the residual and the time of the last steps. */
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import type { Frame } from './protocol.js';

/** Steps that are shown. */
const LENGTH = 240;
const SIZE = { width: 238, height: 74 };
/** Plots are redrawn this often [ms]. */
const REDRAW_EVERY = 250;

/** Collects a number per frame and draws the last ones. */
class Plot {
  readonly #plot: uPlot;
  readonly #steps: number[] = [];
  readonly #values: number[] = [];

  constructor(container: HTMLElement, title: string, logarithmic: boolean) {
    const ink = () => getComputedStyle(container).getPropertyValue('--quiet');
    const grid = { stroke: () => getComputedStyle(container).getPropertyValue('--line'), width: 1 };
    const caption = document.createElement('p');
    caption.textContent = title;
    container.append(caption);
    this.#plot = new uPlot(
      {
        ...SIZE,
        legend: { show: false },
        cursor: { show: false },
        scales: { x: { time: false }, y: { distr: logarithmic ? 3 : 1, range: logarithmic ? undefined : fromZero } },
        axes: [
          { show: false },
          { stroke: ink, grid, ticks: { show: false }, size: 40, font: '11px system-ui', space: 24, values: labels },
        ],
        series: [{}, { stroke: () => getComputedStyle(container).getPropertyValue('--accent'), width: 1.5 }],
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
    this.#residual = new Plot(container, 'Residual [N]', true);
    this.#time = new Plot(container, 'Step [ms]', false);
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
    // A logarithmic axis has no zero.
    this.#residual.add(frame.stepCount, Math.max(1e-12, frame.certificate.residual));
    this.#time.add(frame.stepCount, frame.stepMs);
    const now = performance.now();
    if (now - this.#drawnAt < REDRAW_EVERY) return;
    this.#drawnAt = now;
    this.#residual.draw();
    this.#time.draw();
  }
}

function fromZero(_plot: uPlot, _low: number, high: number): [number, number] {
  return [0, Math.max(1, 1.15 * high)];
}

/** Plain numbers where they are short, powers of ten elsewhere; nothing for the lines between powers. */
function labels(_plot: uPlot, ticks: (number | null)[]): (string | null)[] {
  return ticks.map((tick) => {
    if (tick === null) return null;
    return tick === 0 || (tick >= 0.01 && tick < 10_000) ? String(tick) : tick.toExponential(0);
  });
}

/** Live plots: the joints' gap, the residual, the energy and the time of the last steps. */

import type { Frame, SceneInfo } from '../worker/scene-info.js';
import { isMeasured, RESIDUAL } from './figures.js';
import { LinePlot, LOGARITHMIC, UP_FROM_ZERO } from './line-plot.js';

/** Plots are redrawn this often [ms]. */
const REDRAW_EVERY = 250;
/** Below this a gap or residual counts as nothing; the plots end here. */
const LEAST = 1e-18;
/** Colours of lanes and of stages, names of the style sheet's. */
const COLOURS = ['--accent', '--second', '--third', '--quiet'];
const STAGES = ['local', 'global', 'bones', 'contact'] as const;

/** All plots; nothing is drawn while they are folded away. */
export class Plots {
  readonly #container: HTMLElement;
  #plots: { gap: LinePlot; residual?: LinePlot; kinetic: LinePlot; elastic: LinePlot; time: LinePlot } | undefined;
  #last = 0;
  #drawnAt = 0;

  constructor(container: HTMLElement) {
    this.#container = container;
  }

  /** Gets ready for a scene: one line per lane. */
  prepare(info: SceneInfo): void {
    const { lanes } = info;
    this.#container.replaceChildren();
    for (const plot of Object.values(this.#plots ?? {})) plot.dispose();
    const names = lanes.length > 1 ? lanes.map(({ bones }) => bones) : [''];
    const lines = names.map((name, i) => ({ name, colour: COLOURS[i] }));
    const stages = STAGES.map((name, i) => ({ name, colour: COLOURS[i] }));
    this.#plots = {
      gap: new LinePlot(this.#container, 'Joint gap [m]', LOGARITHMIC, lines),
      ...(isMeasured(RESIDUAL, info) && {
        residual: new LinePlot(this.#container, 'Residual [N]', LOGARITHMIC, lines),
      }),
      kinetic: new LinePlot(this.#container, 'Kinetic energy [J]', UP_FROM_ZERO, lines),
      elastic: new LinePlot(this.#container, 'Elastic energy [J]', UP_FROM_ZERO, lines),
      time: new LinePlot(this.#container, 'Step [ms]', UP_FROM_ZERO, stages),
    };
    this.#last = 0;
  }

  /** Takes note of a frame's last step. */
  show(frame: Frame): void {
    if (!this.#plots) return;
    const { gap, residual, kinetic, elastic, time } = this.#plots;
    if (frame.stepCount < this.#last) for (const plot of Object.values(this.#plots)) plot.clear();
    const stepped = frame.stepCount > this.#last;
    this.#last = frame.stepCount;
    if (!stepped) return;
    const exponent = (value: number) => Math.log10(Math.max(LEAST, value));
    gap.add(
      frame.stepCount,
      frame.lanes.map(({ certificate }) => (certificate.jointGap > 0 ? exponent(certificate.jointGap) : null)),
    );
    residual?.add(
      frame.stepCount,
      frame.lanes.map(({ certificate }) => exponent(certificate.residual)),
    );
    kinetic.add(
      frame.stepCount,
      frame.lanes.map((lane) => lane.kinetic),
    );
    elastic.add(
      frame.stepCount,
      frame.lanes.map((lane) => lane.elastic ?? null),
    );
    const { ms } = frame.lanes[0].certificate;
    time.add(
      frame.stepCount,
      STAGES.map((stage) => ms[stage]),
    );
    const now = performance.now();
    if (now - this.#drawnAt < REDRAW_EVERY || this.#container.offsetParent === null) return;
    this.#drawnAt = now;
    for (const plot of Object.values(this.#plots)) plot.draw();
  }
}

/** The certificate: how exact the last step was, in numbers and as a light. */
import type { Frame, SceneInfo } from '../worker/scene-info.js';
import { FIGURES, type Figure, gradeOf, isMeasured, judge, TIMES } from './figures.js';

/** Readable numbers change a few times a second [ms]. */
const REDRAW_EVERY = 200;

/** Shows certificates in the card of the page. */
export class CertificateView {
  readonly #card: HTMLElement;
  readonly #verdict: HTMLElement;
  readonly #values: readonly HTMLElement[];
  #drawnAt = Number.NEGATIVE_INFINITY;

  constructor(card: HTMLElement, verdict: HTMLElement, figures: HTMLElement, times: HTMLElement) {
    this.#card = card;
    this.#verdict = verdict;
    this.#values = [...FIGURES.map((figure) => addRow(figures, figure)), ...TIMES.map((time) => addRow(times, time))];
  }

  /** Shows the last step; cheap to call with every frame. What a paused page shows stays, so that is never left out. */
  show(frame: Frame, info: SceneInfo, playing: boolean): void {
    const now = performance.now();
    // Of worlds beside each other the first is the one that makes promises.
    const { certificate, fault } = frame.lanes[0];
    const urgent = !playing || fault !== undefined || frame.stepCount <= 1;
    if (!urgent && now - this.#drawnAt < REDRAW_EVERY) return;
    this.#drawnAt = now;
    [...FIGURES, ...TIMES].forEach((figure, i) => {
      this.#values[i].textContent = isMeasured(figure, info) ? figure.text(certificate, frame) : '–';
      this.#values[i].dataset.state = gradeOf(figure, certificate, info);
    });
    const { state, text } = judge(certificate, info);
    if (fault !== undefined) this.#light('bad', fault);
    else if (frame.stepCount === 0) this.#light('', 'Ready');
    else this.#light(state, text);
  }

  #light(state: string, text: string): void {
    this.#card.dataset.state = state;
    if (this.#verdict.textContent !== text) this.#verdict.textContent = text;
  }
}

function addRow(list: HTMLElement, { label, title }: Figure): HTMLElement {
  const name = document.createElement('dt');
  name.textContent = label;
  const value = document.createElement('dd');
  if (title) name.title = value.title = title;
  list.append(name, value);
  return value;
}

/** The certificate: how exact the last step was, in numbers and as a light. */
import type { Certificate } from '../../src/index.js';
import type { Frame, SceneInfo } from '../worker/scene-info.js';
import { milliseconds, quantity } from './numbers.js';

/** What is promised of a step, relative to the body's size, mass and speed. */
const PROMISED = { jointGap: 1e-9, rigidity: 1e-9, momentum: 1e-9, penetration: 1e-2 };
/** Step error from which on more iterations would show. */
const COARSE = 0.2;
/** Readable numbers change a few times a second [ms]. */
const REDRAW_EVERY = 200;

interface Figure {
  readonly label: string;
  /** What to show. */
  readonly text: (certificate: Certificate, frame: Frame) => string;
  /** False where the promise is broken. */
  readonly kept?: (certificate: Certificate, info: SceneInfo) => boolean;
}

const FIGURES: readonly Figure[] = [
  {
    label: 'Joint gap',
    text: ({ jointGap }) => quantity(jointGap, 'm'),
    kept: ({ jointGap, bodySize }) => jointGap <= PROMISED.jointGap * bodySize,
  },
  {
    label: 'Rigidity error',
    text: ({ rigidity }) => quantity(rigidity, ''),
    kept: ({ rigidity }) => rigidity <= PROMISED.rigidity,
  },
  {
    label: 'Momentum drift',
    text: ({ momentumDrift }) => quantity(momentumDrift, 'kg m/s'),
    kept: ({ momentumDrift, bodySize }, { totalMass }) => momentumDrift <= PROMISED.momentum * totalMass * bodySize,
  },
  {
    label: 'Angular drift',
    // no promise: a blow that would turn a body far is left as it was found
    text: ({ angularDrift }) => (angularDrift === undefined ? '–' : quantity(angularDrift, 'kg m²/s')),
  },
  {
    label: 'Stretch (most)',
    // the longest edge in lengths at rest, now and since the start
    text: (_, { lanes: [{ stretch, mostStretch }] }) => `${stretch.toPrecision(3)} (${mostStretch.toPrecision(3)})`,
  },
  { label: 'Inverted tets', text: ({ inverted }) => String(inverted), kept: ({ inverted }) => inverted === 0 },
  {
    label: 'Residual',
    text: ({ residual }) => quantity(residual, 'N'),
    // The published bone step closes the joints but does not get the forces into balance, however long it iterates.
    kept: (_, { lanes }) => lanes[0].bones !== 'published',
  },
  {
    label: 'Step error',
    // no promise: how far ten iterations come is a matter of the scene, and more of them come further
    text: ({ error }) => `${(100 * error).toPrecision(2)} %${error > COARSE ? ', coarse' : ''}`,
  },
  {
    label: 'Penetration',
    text: ({ penetration }) => quantity(Math.max(0, penetration), 'm'),
    kept: ({ penetration, bodySize, droppedContacts }) =>
      penetration <= PROMISED.penetration * bodySize && droppedContacts === 0,
  },
  { label: 'Whole step', text: (_, { stepMs }) => (stepMs > 0 ? milliseconds(stepMs) : '–') },
  { label: 'Steps left out', text: (_, { dropped }) => String(dropped) },
];

/** Where the time goes. */
const TIMES: readonly Figure[] = [
  { label: 'Flesh, local', text: ({ ms }) => milliseconds(ms.local) },
  { label: 'Flesh, global', text: ({ ms }) => milliseconds(ms.global) },
  { label: 'Bones and joints', text: ({ ms }) => milliseconds(ms.bones) },
  { label: 'Contact', text: ({ ms }) => milliseconds(ms.contact) },
  { label: 'Predict, finish', text: ({ ms }) => milliseconds(ms.predict + ms.finish) },
];

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
    let broken: string | undefined;
    [...FIGURES, ...TIMES].forEach((figure, i) => {
      const kept = figure.kept?.(certificate, info) ?? true;
      if (!kept) broken ??= figure.label.toLowerCase();
      this.#values[i].textContent = figure.text(certificate, frame);
      this.#values[i].dataset.state = kept ? '' : 'warn';
    });
    if (fault !== undefined) this.#judge('bad', fault);
    else if (frame.stepCount === 0) this.#judge('', 'Ready');
    else if (broken !== undefined) this.#judge('warn', `Warning: ${broken}`);
    else this.#judge('good', 'All checks passed');
  }

  #judge(state: string, text: string): void {
    this.#card.dataset.state = state;
    if (this.#verdict.textContent !== text) this.#verdict.textContent = text;
  }
}

function addRow(list: HTMLElement, { label }: Figure): HTMLElement {
  const name = document.createElement('dt');
  name.textContent = label;
  const value = document.createElement('dd');
  list.append(name, value);
  return value;
}

/** Play, pause, step, reset, slow motion: the buttons, and the keys that do the same. */

/** What the buttons do. */
export interface TransportActions {
  toggle(): void;
  step(): void;
  reset(): void;
  setSpeed(speed: number): void;
  /** Other keys of the page. */
  readonly keys: Readonly<Record<string, () => void>>;
}

/** The buttons at the bottom of the page. */
export class Transport {
  readonly #play: HTMLButtonElement;
  readonly #time: HTMLElement;
  readonly #pace: HTMLElement;

  constructor(actions: TransportActions) {
    this.#play = element('play');
    this.#time = element('time');
    this.#pace = element('pace');
    const speed = element<HTMLSelectElement>('speed');
    this.#play.addEventListener('click', () => actions.toggle());
    element('step').addEventListener('click', () => actions.step());
    element('reset').addEventListener('click', () => actions.reset());
    speed.addEventListener('change', () => actions.setSpeed(Number(speed.value)));
    const keys: Readonly<Record<string, () => void>> = {
      ' ': () => actions.toggle(),
      s: () => actions.step(),
      r: () => actions.reset(),
      ...actions.keys,
    };
    document.addEventListener('keydown', (event) => {
      const key = event.key.toLowerCase();
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (!Object.hasOwn(keys, key) || document.querySelector('dialog[open]')) return;
      // who came by the keyboard presses what is in focus; after a click the space bar is the page's
      if (key === ' ' && (event.target as Element).matches(':focus-visible:not(body)')) return;
      // A focused button would take the space bar as a click as well.
      event.preventDefault();
      if (!event.repeat || key === 's') keys[key]();
    });
  }

  /** Shows whether it runs. */
  set playing(playing: boolean) {
    this.#play.textContent = playing ? 'Pause' : 'Play';
    this.#play.setAttribute('aria-pressed', String(playing));
  }

  /** Shows the simulated time and how it compares with the clock's. */
  showTime(seconds: number, pace: number | undefined): void {
    this.#time.textContent = `${seconds.toFixed(2)} s`;
    this.#pace.textContent = pace === undefined ? '' : `${pace.toFixed(2)}×`;
  }
}

/** An element of the page that is always there. */
export function element<Kind extends HTMLElement = HTMLElement>(id: string): Kind {
  const found = document.getElementById(id);
  if (!found) throw new Error(`the page has no #${id}`);
  return found as Kind;
}

function isTyping(target: EventTarget | null): boolean {
  if (target instanceof HTMLInputElement) return target.type !== 'checkbox' && target.type !== 'range';
  return target instanceof HTMLSelectElement || target instanceof HTMLTextAreaElement;
}

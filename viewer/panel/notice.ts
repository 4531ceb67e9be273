/** What the page has to say: that it is busy, how far it is, what went wrong. Text, never markup. */
import { element } from './transport.js';

/** A remark goes by itself after this long [ms]. */
const REMARK_TIME = 7000;

/** The one message in the middle of the page. */
export class Notice {
  readonly #box = element('notice');
  readonly #text = element('notice-text');
  readonly #bar = element<HTMLProgressElement>('notice-bar');
  readonly #link = element<HTMLInputElement>('notice-link');
  readonly #close = element('notice-close');
  #timer = 0;

  constructor() {
    this.#close.addEventListener('click', () => this.#hide());
  }

  /** Closes it, unless something is under way. */
  dismiss(): void {
    if (!this.#close.hidden) this.#hide();
  }

  /** Something takes a while; `share` of it is done, undefined where nobody knows. */
  busy(text: string, share?: number): void {
    this.#show(text, 'busy');
    this.#bar.hidden = false;
    if (share === undefined) this.#bar.removeAttribute('value');
    else this.#bar.value = share;
  }

  /** Something happened that is worth knowing; goes by itself. */
  remark(text: string): void {
    this.#show(text, 'remark');
    this.#timer = window.setTimeout(() => this.#hide(), REMARK_TIME);
  }

  /** Something to copy by hand. */
  offer(text: string, link: string): void {
    this.#show(text, 'remark');
    this.#link.hidden = false;
    this.#link.value = link;
    this.#link.select();
  }

  /** Something failed; stays until it is closed or something else is begun. */
  failed(text: string): void {
    this.#show(text, 'failed');
  }

  /** What was waited for is there. */
  done(): void {
    if (this.#box.dataset.kind === 'busy') this.#hide();
  }

  #show(text: string, kind: string): void {
    clearTimeout(this.#timer);
    if (this.#text.textContent !== text) this.#text.textContent = text;
    this.#box.dataset.kind = kind;
    this.#box.hidden = false;
    this.#bar.hidden = this.#link.hidden = true;
    this.#close.hidden = kind === 'busy';
  }

  #hide(): void {
    clearTimeout(this.#timer);
    this.#box.hidden = true;
    this.#box.dataset.kind = '';
  }
}

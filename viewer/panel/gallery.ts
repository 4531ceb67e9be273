/** The scenes to choose from, with a picture of each. */
import type { SceneTitle } from '../worker/scene-info.js';

/** Addresses of the pictures by file; made by tools/gallery.mjs. */
const PICTURES: Readonly<Record<string, string>> = import.meta.glob('../../docs/gallery/*.jpg', {
  eager: true,
  query: '?url',
  import: 'default',
});

/** What shelves after the first are called. */
const SHELVES: Readonly<Record<SceneTitle['shelf'], string>> = { characters: 'Characters', tests: 'Engineering tests' };

/** Right and down, in buttons and rows. */
type Way = readonly [number, number];
const WAYS: Readonly<Record<string, Way>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** Fills the list; names are text, never markup. */
export class Gallery {
  readonly #list: HTMLElement;
  readonly #choose: (name: string) => void;
  readonly #buttons = new Map<string, HTMLButtonElement>();

  constructor(list: HTMLElement, choose: (name: string) => void) {
    this.#list = list;
    this.#choose = choose;
    list.addEventListener('keydown', (event) => {
      const way = WAYS[event.key];
      const next = way && nextTo([...this.#buttons.values()], document.activeElement, way);
      if (!next) return;
      event.preventDefault();
      this.#stopAt(next);
      next.focus();
    });
  }

  get names(): string[] {
    return [...this.#buttons.keys()];
  }

  fill(scenes: readonly SceneTitle[]): void {
    if (this.#buttons.size > 0) return;
    let shelf = scenes[0]?.shelf;
    for (const { name, description, shelf: next } of scenes) {
      if (next !== shelf) this.#list.append(headingOf(SHELVES[next]));
      shelf = next;
      const button = document.createElement('button');
      button.type = 'button';
      button.title = description;
      button.dataset.scene = name;
      button.append(pictureOf(name), readable(name));
      button.addEventListener('click', () => this.#choose(name));
      const item = document.createElement('li');
      item.append(button);
      this.#list.append(item);
      this.#buttons.set(name, button);
    }
    const [first] = this.#buttons.values();
    if (first) this.#stopAt(first);
  }

  /** Marks the scene that is on. */
  mark(name: string): void {
    for (const [key, button] of this.#buttons) {
      button.setAttribute('aria-current', String(key === name));
      if (key !== name) continue;
      reveal(button);
      this.#stopAt(button);
    }
  }

  /** The whole list is one stop of the tabulator, at this scene; arrows lead from scene to scene. */
  #stopAt(button: HTMLButtonElement): void {
    for (const one of this.#buttons.values()) one.tabIndex = one === button ? 0 : -1;
  }
}

/** Scrolls what it is in until it is seen: to the nearest edge, or in a row to its middle. Not by `scrollIntoView`, after which Chromium's tabulator goes on from here and not from the page's beginning. */
function reveal(button: HTMLElement): void {
  const list = button.closest<HTMLElement>('#gallery');
  if (!list) return;
  const at = button.getBoundingClientRect();
  const room = list.getBoundingClientRect();
  list.scrollTop += Math.min(0, at.top - room.top) + Math.max(0, at.bottom - room.bottom);
  list.scrollLeft += at.left + 0.5 * at.width - room.left - 0.5 * room.width;
}

/** The button beside one, or in the next row over or under it; undefined at the edge. */
function nextTo(buttons: readonly HTMLButtonElement[], from: Element | null, [across, down]: Way) {
  const at = buttons.indexOf(from as HTMLButtonElement);
  if (at < 0 || down === 0) return buttons[at + across];
  const { left, top } = buttons[at].getBoundingClientRect();
  const places = buttons.map((button) => button.getBoundingClientRect());
  const far = (i: number) => down * (places[i].top - top) + 0.01 * Math.abs(places[i].left - left);
  const beyond = [...buttons.keys()].filter((i) => down * (places[i].top - top) > 1).sort((i, k) => far(i) - far(k));
  return buttons[beyond[0] ?? -1];
}

function headingOf(text: string): HTMLElement {
  const item = document.createElement('li');
  item.className = 'shelf';
  item.textContent = text;
  return item;
}

function pictureOf(name: string): HTMLElement {
  const address = PICTURES[`../../docs/gallery/${name}.jpg`];
  const picture = document.createElement('img');
  picture.alt = '';
  picture.width = 240;
  picture.height = 160;
  // The scene comes first.
  picture.loading = 'lazy';
  picture.decoding = 'async';
  if (address !== undefined) picture.src = address;
  return picture;
}

/** "washing-machine" as people write it. */
export function readable(name: string): string {
  const words = name.replaceAll(/(?<=\w)-(?=\w)/g, ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

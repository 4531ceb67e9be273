/** Files from outside: dropped on the page or chosen. They are read here and go nowhere but to the worker. */

import { element } from '../panel/transport.js';
import type { DroppedFile, Source } from '../worker/protocol.js';

/** Most bytes of all files together; more would not fit the simulation either. */
export const MAX_BYTES = 256 * 1024 * 1024;

/** What becomes of files. */
export interface DropActions {
  open(source: Source): void;
  refuse(message: string): void;
}

let count = 0;

/** Watches the page for files. */
export class Drop {
  readonly #actions: DropActions;
  #depth = 0;

  constructor(actions: DropActions) {
    this.#actions = actions;
    const input = element<HTMLInputElement>('file');
    element('open').addEventListener('click', () => input.click());
    input.addEventListener('change', () => {
      this.#take(input.files);
      // The same file can be chosen again.
      input.value = '';
    });
    addEventListener('dragenter', (event) => this.#hover(event, 1));
    addEventListener('dragleave', (event) => this.#hover(event, -1));
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
      event.preventDefault();
      this.#depth = 0;
      document.body.dataset.drop = '';
      this.#take(event.dataTransfer?.files ?? null);
    });
  }

  #hover(event: DragEvent, change: number): void {
    event.preventDefault();
    this.#depth = Math.max(0, this.#depth + change);
    document.body.dataset.drop = this.#depth > 0 ? 'over' : '';
  }

  async #take(list: FileList | null): Promise<void> {
    const files = Array.from(list ?? []);
    if (files.length === 0) return;
    const bytes = files.reduce((sum, { size }) => sum + size, 0);
    if (bytes > MAX_BYTES) {
      this.#actions.refuse(`${files[0].name} is too large: ${Math.round(bytes / 2 ** 20)} MB, at most 256 MB.`);
      return;
    }
    try {
      const read = files.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) }));
      this.#actions.open(filesSource(await Promise.all(read)));
    } catch (error) {
      this.#actions.refuse(`${files[0].name} cannot be read: ${String(error)}`);
    }
  }
}

/** Files as something to load. */
export function filesSource(files: readonly DroppedFile[]): Source {
  return { kind: 'files', id: ++count, name: files[0].name, files };
}

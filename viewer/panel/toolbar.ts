/** The buttons beside the picture: what the pointer does, pins, sharing, recording. */
import type { Tool } from '../page/pointer-tool.js';
import { element } from './transport.js';

/** What the buttons do. */
export interface ToolbarActions {
  choose(tool: Tool): void;
  unpin(): void;
  share(): void;
  record(): void;
  recordMotion(): void;
}

const TOOLS: readonly Tool[] = ['pull', 'push', 'pin'];

/** The buttons. */
export class Toolbar {
  readonly #record = element('record');
  readonly #motion = element('record-motion');
  readonly #unpin = element('unpin');

  constructor(actions: ToolbarActions) {
    for (const tool of TOOLS) {
      element(`tool-${tool}`).addEventListener('click', () => {
        this.tool = tool;
        actions.choose(tool);
      });
    }
    this.#unpin.addEventListener('click', () => actions.unpin());
    element('share').addEventListener('click', () => actions.share());
    this.#record.addEventListener('click', () => actions.record());
    this.#motion.addEventListener('click', () => actions.recordMotion());
  }

  set tool(tool: Tool) {
    for (const one of TOOLS) element(`tool-${one}`).setAttribute('aria-pressed', String(one === tool));
  }

  set recording(recording: boolean) {
    press(this.#record, recording, 'Video');
  }

  set recordingMotion(recording: boolean) {
    press(this.#motion, recording, 'GLB');
  }

  /** The button that takes pins out is only there while there are some. */
  set pins(count: number) {
    this.#unpin.hidden = count === 0;
    const text = count === 1 ? 'Remove pin' : `Remove ${count} pins`;
    if (this.#unpin.textContent !== text) this.#unpin.textContent = text;
  }
}

/** Shows on a button that it now ends what it began. */
function press(button: HTMLElement, pressed: boolean, name: string): void {
  button.textContent = pressed ? 'Stop' : name;
  button.setAttribute('aria-pressed', String(pressed));
}

/** Puts text on the clipboard; false where the browser does not let us. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

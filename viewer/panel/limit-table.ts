/** The table of joint limits in the panel: a folder per joint with its angles in degrees; changing one builds the world anew. */
import type { GUI } from 'lil-gui';
import { LIMIT_NAMES, type LimitInfo, readLimits, writeLimits } from '../worker/limit-settings.js';

/** Most joints that are listed. */
const MOST_JOINTS = 60;
/** Largest angles of a lean and of everything else [degrees]. */
const [WIDEST_LEAN, WHOLE_TURN] = [180, 360];

/** Lists the limits of a scene in a folder. */
export class LimitTable {
  readonly #folder: GUI;
  readonly #change: (limits: string) => void;
  #changes = new Map<string, readonly number[]>();

  /** `change`: what to do with all changes, as one line. */
  constructor(folder: GUI, change: (limits: string) => void) {
    this.#folder = folder;
    this.#change = change;
  }

  /** Shows these limits; `changed`: those of them that differ from the scene's own, as one line. */
  show(limits: readonly LimitInfo[], changed: string): void {
    this.#changes = readLimits(changed);
    for (const folder of [...this.#folder.folders]) folder.destroy();
    for (const controller of [...this.#folder.controllers]) controller.destroy();
    this.#folder.show(limits.length > 0).title(`Joint limits, degrees (${limits.length})`);
    for (const limit of limits.slice(0, MOST_JOINTS)) this.#list(limit);
    const table = {
      forget: () => {
        this.#changes.clear();
        this.#change('');
      },
    };
    if (this.#changes.size > 0) this.#folder.add(table, 'forget').name('As they were');
  }

  #list({ key, title, type, angles, from }: LimitInfo): void {
    const own = this.#changes.get(key);
    const state = own ? 'changed' : from === 'none' ? 'free' : `from ${from}`;
    const folder = this.#folder.addFolder(title);
    writeTitle(folder.$title, title, state);
    if (!own) folder.close();
    const values: Record<string, number> = {};
    LIMIT_NAMES[type].forEach((name, i) => {
      values[name] = angles[i];
      const isLean = type === 'ball' && i < 2;
      folder.add(values, name, isLean ? 0 : -WHOLE_TURN, isLean ? WIDEST_LEAN : WHOLE_TURN, 1).onFinishChange(() =>
        this.#take(
          key,
          LIMIT_NAMES[type].map((each) => values[each]),
        ),
      );
    });
  }

  #take(key: string, angles: readonly number[]): void {
    this.#changes.set(key, angles);
    this.#change(writeLimits(this.#changes));
  }
}

/** The name, whose beginning gives way where both find no room, and where its limits are from. */
function writeTitle(line: HTMLElement, name: string, state: string): void {
  const parts = [`${name}:`, ` ${state}`].map((text) => {
    const part = document.createElement('span');
    const words = document.createElement('bdi');
    words.textContent = text;
    part.append(words);
    return part;
  });
  line.classList.add('two-parts');
  line.title = name;
  line.replaceChildren(...parts);
}

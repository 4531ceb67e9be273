/** The page's address as a link to share: the scene, and the settings that differ from its own. `#bar?iterations=30`. */
import type { Settings } from './protocol.js';

/** What an address asks for. */
export interface Wanted {
  readonly scene: string;
  readonly settings: Partial<Settings>;
}

type Reader<Key extends keyof Settings> = (text: string) => Settings[Key] | undefined;

/** How each setting is read; what does not fit is left out. */
const READERS: { readonly [Key in keyof Settings]: Reader<Key> } = {
  iterations: (text) => whole(text, 0, 200),
  bones: (text) => (text === 'exact' || text === 'printed' ? text : undefined),
  integrator: (text) => (text === 'backwardEuler' || text === 'bdf2' ? text : undefined),
  gravity: (text) => inRange(text, -100, 100),
};

/** Reads the part of an address after the #. */
export function readAddress(hash: string): Wanted {
  const [name, query = ''] = hash.replace(/^#/, '').split('?', 2);
  const parameters = new URLSearchParams(query);
  const settings: Partial<Record<keyof Settings, Settings[keyof Settings]>> = {};
  for (const key of Object.keys(READERS) as (keyof Settings)[]) {
    const text = parameters.get(key);
    const value = text === null ? undefined : READERS[key](text);
    if (value !== undefined) settings[key] = value;
  }
  return { scene: decode(name), settings: settings as Partial<Settings> };
}

/** Writes it; `usual` are the scene's own settings, which need no mention. */
export function writeAddress(scene: string, settings: Settings, usual: Settings): string {
  const parameters = new URLSearchParams();
  for (const key of Object.keys(READERS) as (keyof Settings)[]) {
    if (settings[key] !== usual[key]) parameters.set(key, String(settings[key]));
  }
  const query = parameters.toString();
  return `#${encodeURIComponent(scene)}${query === '' ? '' : `?${query}`}`;
}

function inRange(text: string, low: number, high: number): number | undefined {
  const value = Number(text);
  return text.trim() !== '' && value >= low && value <= high ? value : undefined;
}

function whole(text: string, low: number, high: number): number | undefined {
  const value = inRange(text, low, high);
  return value !== undefined && Number.isInteger(value) ? value : undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

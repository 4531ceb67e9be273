/** The page's address as a link to share: the scene, the settings that differ from its own, and where one looks from. */

import { isLearned } from '../worker/learn/learned-setting.js';
import { readLimits } from '../worker/limit-settings.js';
import type { Settings } from '../worker/protocol.js';

/** Place of the camera and of what it looks at: x,y,z each [m]. */
export type CameraPlace = readonly [number, number, number, number, number, number];

/** What an address asks for. */
export interface Wish {
  readonly scene: string;
  readonly settings: Partial<Settings>;
  readonly camera: CameraPlace | undefined;
}

type Reader<Key extends keyof Settings> = (text: string) => Settings[Key] | undefined;

/** How each setting is read; what does not fit is left out. */
const READERS: { readonly [Key in keyof Settings]: Reader<Key> } = {
  iterations: (text) => whole(text, 0, 200),
  bones: (text) => oneOf(text, ['exact', 'published', 'stiff', 'shape']),
  integrator: (text) => oneOf(text, ['backwardEuler', 'bdf2']),
  gravity: (text) => inRange(text, -100, 100),
  damping: (text) => inRange(text, 0, 100),
  strength: (text) => inRange(text, 0, 30),
  blend: (text) => inRange(text, 0, 1),
  compare: (text) => (text === 'true' ? true : undefined),
  threads: (text) => whole(text, 1, 64),
  young: (text) => inRange(text, 10, 1e9),
  poisson: (text) => inRange(text, 0, 0.499),
  model: (text) => oneOf(text, ['arap', 'corotated', 'stableNeoHookean']),
  quality: (text) => oneOf(text, ['auto', 'full']),
  deform: (text) => (text === 'true' ? true : undefined),
  learned: (text) => (isLearned(text) ? text : undefined),
  limits: (text) => (text.length < 4000 && readLimits(text).size > 0 ? text : undefined),
};

/** Reads the part of an address after the #. */
export function readAddress(hash: string): Wish {
  const [name, query = ''] = hash.replace(/^#/, '').split('?', 2);
  const parameters = new URLSearchParams(query);
  const settings: Partial<Record<keyof Settings, Settings[keyof Settings]>> = {};
  for (const key of Object.keys(READERS) as (keyof Settings)[]) {
    const text = parameters.get(key);
    const value = text === null ? undefined : READERS[key](text);
    if (value !== undefined) settings[key] = value;
  }
  const camera = readCamera(parameters.get('camera') ?? '');
  return { scene: decode(name), settings: settings as Partial<Settings>, camera };
}

/** Writes it; `usual` are the scene's own settings, which need no mention. */
export function writeAddress(scene: string, settings: Settings, usual: Settings, camera?: CameraPlace): string {
  const parameters = new URLSearchParams();
  for (const key of Object.keys(READERS) as (keyof Settings)[]) {
    if (settings[key] !== usual[key]) parameters.set(key, String(settings[key]));
  }
  if (camera) parameters.set('camera', camera.map((value) => String(Number(value.toPrecision(4)))).join('_'));
  const query = parameters.toString();
  return `#${encodeURIComponent(scene)}${query === '' ? '' : `?${query}`}`;
}

function readCamera(text: string): CameraPlace | undefined {
  const numbers = text.split('_').map((part) => inRange(part, -1e4, 1e4));
  if (numbers.length !== 6 || numbers.some((value) => value === undefined)) return undefined;
  const place = numbers as unknown as CameraPlace;
  const away = Math.hypot(place[0] - place[3], place[1] - place[4], place[2] - place[5]);
  return away > 1e-3 ? place : undefined;
}

function oneOf<Word extends string>(text: string, words: readonly Word[]): Word | undefined {
  return words.find((word) => word === text);
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

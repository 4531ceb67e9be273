/** `--set path=value`: changes a scene or the world's options from the command line. */

import { isFlesh } from '../src/body/kinds/any-body-def.js';
import { type AnySceneDef, type BodyDef, TendonError, type WorldOptions } from '../src/index.js';
import { nearestName } from '../src/scene-file/nearest-name.js';
import { SCENE_FILE } from '../src/scene-file/schema.js';
import { setInScene } from './scene-path.js';

type Change = (target: { scene: AnySceneDef; options: WorldOptions }, text: string, place: string) => void;

const CHANGES: Readonly<Record<string, Change>> = {
  iterations: option('iterations', number),
  tolerance: option('tolerance', number),
  bones: option('bones', word),
  integrator: option('integrator', word),
  damping: option('damping', number),
  threads: option('threads', number),
  gravity: (target, text, place) => {
    const gravity = text.split(',').map((part) => number(part, place));
    if (gravity.length !== 3) throw new TendonError('E_FORMAT', place, text, 'gravity is three numbers: 0,-9.81,0');
    target.scene = { ...target.scene, gravity: [gravity[0], gravity[1], gravity[2]] };
  },
  'material.youngModulus': material('youngModulus', number),
  'material.poissonRatio': material('poissonRatio', number),
  'material.density': material('density', number),
  'material.model': material('model', word),
};

/** Applies every `path=value`: a setting for all bodies, or any field of the scene as a scene file has it. */
export async function applySettings(scene: AnySceneDef, options: WorldOptions, settings: readonly string[]) {
  const target = { scene, options: { ...options } };
  for (const setting of settings) {
    const equals = setting.indexOf('=');
    const path = setting.slice(0, Math.max(0, equals));
    const value = setting.slice(equals + 1);
    const isField = Object.hasOwn(SCENE_FILE.entries, path.split('.')[0]);
    if (!isField && !Object.hasOwn(CHANGES, path)) throw unknownSetting(path, setting);
    if (Object.hasOwn(CHANGES, path)) CHANGES[path](target, value, `--set ${path}`);
    else target.scene = await setInScene(target.scene, path, value);
  }
  return target;
}

function unknownSetting(path: string, setting: string): TendonError {
  const names = Object.keys(CHANGES);
  const near = nearestName(path, [...names, ...Object.keys(SCENE_FILE.entries)]);
  const known = `use path=value with one of: ${names.join(', ')}, or a field of the scene, as obstacles.floor.friction`;
  return new TendonError('E_UNKNOWN', '--set', setting, near === undefined ? known : `did you mean ${near}?`);
}

function number(text: string, place: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isFinite(value))
    throw new TendonError('E_FORMAT', place, text, 'expected a number');
  return value;
}

function word(text: string): string {
  return text;
}

function option(name: keyof WorldOptions, read: (text: string, place: string) => number | string): Change {
  return (target, text, place) => {
    target.options = { ...target.options, [name]: read(text, place) };
  };
}

/** Changes a material property of every body of flesh; placements that shared a body go on sharing one. */
function material(name: string, read: (text: string, place: string) => number | string): Change {
  return (target, text, place) => {
    const changed = new Map<BodyDef, BodyDef>();
    const value = read(text, place);
    const bodies = target.scene.bodies.map((placement) => {
      const old = placement.body;
      if (!isFlesh(old)) return placement;
      const body = changed.get(old) ?? {
        ...old,
        materials: old.materials.map((given) => ({ ...given, [name]: value })),
      };
      changed.set(old, body);
      return { ...placement, body };
    });
    target.scene = { ...target.scene, bodies };
  };
}

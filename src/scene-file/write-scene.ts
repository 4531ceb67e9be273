/** From a scene to a scene file: every number written so that it is read back to the last bit. */
import type { AnyBodyDef } from '../body/kinds/any-body-def.js';
import type { AnySceneDef } from '../scene/scene-def.js';
import { SCENE_FILE_VERSION } from './schema.js';

/** The scene as JSON text. Bodies that placements share stand there once. */
export function writeScene(scene: AnySceneDef): string {
  const keys = new Map<AnyBodyDef, string>();
  for (const { body } of scene.bodies) {
    if (keys.has(body)) continue;
    const taken = new Set(keys.values());
    let key = body.name;
    for (let n = 2; taken.has(key); n++) key = `${body.name}-${n}`;
    keys.set(body, key);
  }
  const { bodies, ...rest } = scene;
  const file = {
    tendonScene: SCENE_FILE_VERSION,
    ...rest,
    bodyDefs: Object.fromEntries([...keys].map(([body, key]) => [key, body])),
    bodies: bodies.map(({ body, ...placed }) => ({ body: keys.get(body), ...placed })),
  };
  return `${layOut(file, 0)}\n`;
}

/** Indented, but lists of numbers on one line: a mesh is no pleasure one number per line. */
function layOut(value: unknown, depth: number): string {
  if (ArrayBuffer.isView(value)) return `[${Array.from(value as unknown as ArrayLike<number>, plain).join(',')}]`;
  if (Array.isArray(value)) {
    if (value.every((one) => typeof one !== 'object')) return `[${value.map(plain).join(',')}]`;
    return bracket(
      '[',
      ']',
      value.map((one) => layOut(one, depth + 1)),
      depth,
    );
  }
  if (typeof value !== 'object' || value === null) return plain(value);
  const entries = Object.entries(value).filter(([, one]) => one !== undefined);
  const lines = entries.map(([key, one]) => `${JSON.stringify(key)}: ${layOut(one, depth + 1)}`);
  return bracket('{', '}', lines, depth);
}

function bracket(open: string, close: string, lines: readonly string[], depth: number): string {
  if (lines.length === 0) return open + close;
  const indent = '  '.repeat(depth + 1);
  return `${open}\n${lines.map((line) => indent + line).join(',\n')}\n${'  '.repeat(depth)}${close}`;
}

/** A number or word; minus zero keeps its sign, which JSON.stringify would drop. */
function plain(value: unknown): string {
  return Object.is(value, -0) ? '-0' : JSON.stringify(value);
}

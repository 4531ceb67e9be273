/** `--set path=value` for anything a scene file holds: the scene is written as one, changed there, and read again with all its checks. */
import { TendonError } from '../src/errors.js';
import type { AnySceneDef } from '../src/index.js';
import { nearestName } from '../src/scene-file/nearest-name.js';
import { readScene, writeScene } from '../src/scene-file-index.js';

type Node = Record<string, unknown> | unknown[];

/** What moves scenes that do not say. */
const USUAL_SOLVER = { kind: 'projective' };

/** The scene with the field at `path` (names and numbers of fields, with dots) set to what `text` says. */
export async function setInScene(scene: AnySceneDef, path: string, text: string): Promise<AnySceneDef> {
  const file = JSON.parse(writeScene(scene)) as Node;
  const steps = path.split('.');
  const last = steps.pop() as string;
  let node = file;
  for (const step of steps) node = enter(node, step, path);
  put(node, Array.isArray(node) ? keyOf(node, last, path) : last, parseValue(text));
  return readScene(JSON.stringify(file));
}

/** What is in a field; what a scene leaves out begins empty, and the checks say whether it may be there. */
function enter(node: Node, step: string, path: string): Node {
  if (!Array.isArray(node) && !Object.hasOwn(node, step)) put(node, step, step === 'solver' ? { ...USUAL_SOLVER } : {});
  const inside = (node as Record<string, unknown>)[keyOf(node, step, path)];
  if (typeof inside === 'object' && inside !== null) return inside as Node;
  throw new TendonError('E_UNKNOWN', `--set ${path}`, step, 'nothing is inside this field: it holds one value');
}

/** Sets a field, whatever its name. */
function put(node: Node, key: string, value: unknown): void {
  Object.defineProperty(node, key, { value, enumerable: true, configurable: true, writable: true });
}

/** The key of a field: elements of lists go by their number, or by the name they have. */
function keyOf(node: Node, step: string, path: string): string {
  if (Object.hasOwn(node, step)) return step;
  const found = Array.isArray(node) ? node.findIndex((one) => nameOf(one) === step) : -1;
  if (found < 0) throw missing(path, step, node);
  return String(found);
}

/** What elements of lists are called: bodies without a name of their own by what they are a placement of. */
function nameOf(element: unknown): unknown {
  const { name, body } = (element ?? {}) as Record<string, unknown>;
  return name ?? body;
}

function missing(path: string, step: string, node: Node): TendonError {
  const known = Array.isArray(node) ? node.map((one, i) => String(nameOf(one) ?? i)) : Object.keys(node);
  const near = nearestName(step, known);
  const advice = near === undefined ? `there are ${known.join(', ') || 'none'}` : `did you mean ${near}?`;
  return new TendonError('E_UNKNOWN', `--set ${path}`, step, `the scene has no such field here; ${advice}`);
}

/** Numbers, lists of numbers with commas between them, JSON; anything else is a word. */
function parseValue(text: string): unknown {
  try {
    return JSON.parse(/^[^[{"]*,/.test(text) ? `[${text}]` : text);
  } catch {
    return text;
  }
}

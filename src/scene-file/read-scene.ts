/** From a scene file to a scene. */
import * as v from 'valibot';
import type { AnyBodyDef } from '../body/kinds/any-body-def.js';
import { TendonError } from '../errors.js';
import { parseJsonObject } from '../io/text/safe-json.js';
import type { AnySceneDef, PlacementDef } from '../scene/scene-def.js';
import { complaint } from './complaint.js';
import { nearestName } from './nearest-name.js';
import { SCENE_FILE, type SceneFile } from './schema.js';

/** Finds a body that a scene file only names: `file` as it stands there, `hang` the bone it is held by. */
export type BodyLoader = (file: string, hang: string | undefined, path: string) => Promise<AnyBodyDef>;

/** Deepest nesting that is read. */
const MOST_LEVELS = 64;

type FileBody = SceneFile['bodyDefs'][string];

/** Reads a scene file; throws E_FORMAT with the place, the value, and the nearest name that would be right. */
export async function readScene(
  contents: string | Uint8Array,
  loadBody: BodyLoader = refuseFiles,
): Promise<AnySceneDef> {
  const text = typeof contents === 'string' ? contents : new TextDecoder().decode(contents);
  const json = parseJsonObject(text, 'scene', MOST_LEVELS);
  if (!('tendonScene' in json) && !('bodies' in json)) {
    const advice = 'this is no scene file: "tendonScene" is missing. `tendon scene NAME` writes one to begin with';
    throw new TendonError('E_FORMAT', 'scene', Object.keys(json).slice(0, 5).join(', '), advice);
  }
  const { success, output, issues } = v.safeParse(SCENE_FILE, json);
  if (!success) throw complaint(issues);
  const defs = new Map<string, AnyBodyDef>();
  for (const [key, body] of Object.entries(output.bodyDefs)) {
    defs.set(key, await readBody(body, `bodyDefs/${key}`, loadBody));
  }
  const { bodyDefs: _, $schema: _schema, tendonScene: _version, bodies, ...rest } = output;
  return { ...(rest as Omit<AnySceneDef, 'bodies'>), bodies: bodies.map((placed, i) => place(placed, defs, i)) };
}

async function readBody(body: FileBody, path: string, loadBody: BodyLoader): Promise<AnyBodyDef> {
  if ('file' in body && typeof body.file === 'string') {
    return loadBody(body.file, typeof body.hang === 'string' ? body.hang : undefined, `${path}/file`);
  }
  return typed(body) as unknown as AnyBodyDef;
}

/** Lists of numbers that bodies hold as typed arrays. */
const FLOATS = new Set(['positions', 'restPositions', 'weights', 'masses', 'depths', 'startPositions']);
const INTEGERS = new Set(['tets', 'triangles', 'cells', 'owners']);

/** The same with typed arrays where bodies have them. */
function typed(value: unknown, name = ''): unknown {
  if (Array.isArray(value) && FLOATS.has(name) && value.every((one) => typeof one === 'number')) {
    return Float64Array.from(value);
  }
  if (Array.isArray(value) && INTEGERS.has(name)) return Int32Array.from(value);
  if (Array.isArray(value)) return value.map((one) => typed(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, typed(one, key)]));
}

function place(
  placed: SceneFile['bodies'][number],
  defs: Map<string, AnyBodyDef>,
  i: number,
): PlacementDef<AnyBodyDef> {
  const body = defs.get(placed.body);
  if (!body) {
    const known = [...defs.keys()];
    throw new TendonError('E_FORMAT', `bodies/${i}/body`, placed.body, suggestion(placed.body, known));
  }
  const { startPositions, ...rest } = placed;
  return { ...rest, body, ...(startPositions && { startPositions: Float64Array.from(startPositions) }) };
}

function suggestion(given: string, known: readonly string[]): string {
  const near = nearestName(given, known);
  return near ? `no such body; did you mean ${near}?` : `no such body; bodyDefs has ${known.join(', ') || 'none'}`;
}

async function refuseFiles(file: string, _hang: string | undefined, path: string): Promise<AnyBodyDef> {
  throw new TendonError(
    'E_FORMAT',
    path,
    file,
    'bodies from files cannot be loaded here: put them into the scene file',
  );
}

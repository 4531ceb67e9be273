/** What is wrong with a scene file, in the words of the house: the place, the value, and the nearest name that would be right. */
import * as v from 'valibot';
import { TendonError } from '../errors.js';
import { nearestName } from './nearest-name.js';
import { SCENE_FILE } from './schema.js';
import { bodyMeant } from './schema-bodies.js';
import { HOUSE_SOLVER } from './schema-motion.js';

type Issue = v.BaseIssue<unknown>;
/** As much of a schema as is looked at here. */
interface Schema {
  readonly type: string;
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly item?: Schema;
  readonly items?: readonly Schema[];
  readonly value?: Schema;
  readonly wrapped?: Schema;
  readonly options?: readonly (Schema | string)[];
  readonly literal?: unknown;
}

/** Of what the checker found, a field that does not exist, which explains one that is missing; else what came first. */
export function complaint(issues: readonly [Issue, ...Issue[]]): TendonError {
  const all = issues.map(deepest);
  const found = all.find(isUnknownField) ?? all[0];
  const keys = (found.path ?? []).map(({ key }) => String(key));
  const path = keys.join('/') || 'scene';
  if (isUnknownField(found)) {
    const name = keys[keys.length - 1];
    const advice = near(name, fieldsAround(found)) ?? 'no such field';
    return new TendonError('E_FORMAT', path, name, advice.replace('no such name', 'no such field'));
  }
  const names = [...(found.expected ?? '').matchAll(/"([^"]*)"/g)].map(([, name]) => name);
  if (found.input === undefined) return new TendonError('E_FORMAT', path, undefined, 'this is needed, and missing');
  const meant = typeof found.input === 'string' ? near(found.input, names) : undefined;
  return new TendonError('E_FORMAT', path, found.input, meant ?? `expected ${found.expected}, not ${found.received}`);
}

function isUnknownField({ type, expected }: Issue): boolean {
  return type === 'strict_object' && expected === 'never';
}

/** Advice for a name that does not exist; undefined where there are no names to choose from. */
function near(given: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const best = nearestName(given, known);
  return best === undefined ? `no such name; there are ${known.join(', ')}` : `no such name; did you mean ${best}?`;
}

/** A union says nothing by itself: what is wrong with the member that was meant, or came furthest, does. */
function deepest(issue: Issue): Issue {
  const { path, issues } = asMeant(issue);
  const inner = issues.map(deepest);
  if (inner.length === 0) return issue;
  const depth = (one: Issue) => (one.path?.length ?? 0) + (isUnknownField(one) ? 0.5 : 0);
  const best = inner.reduce((a, b) => (depth(b) > depth(a) ? b : a));
  return { ...best, path: [...path, ...(best.path ?? [])] as unknown as Issue['path'] };
}

/** What is wrong inside of an issue, where it is one of several things: by the one that was meant where that is known. */
function asMeant(issue: Issue): { readonly path: readonly unknown[]; readonly issues: readonly Issue[] } {
  const path = issue.path ?? [];
  if (issue.type === 'union' && path.length === 2 && path[0].key === 'bodyDefs') {
    return { path, issues: v.safeParse(bodyMeant(issue.input), issue.input).issues ?? [] };
  }
  if (path[0]?.key === 'solver') {
    return { path: path.slice(0, 1), issues: v.safeParse(HOUSE_SOLVER, path[0].value).issues ?? [] };
  }
  return { path, issues: issue.issues ?? [] };
}

/** Names of the fields that may stand beside the last one of an issue's path. */
function fieldsAround(issue: Issue): string[] {
  let schema: Schema | undefined = SCENE_FILE as unknown as Schema;
  const path = (issue.path ?? []) as readonly { readonly key: unknown; readonly input: unknown }[];
  path.forEach(({ key, input }, i) => {
    schema = schema && among(schema, input);
    if (i < path.length - 1) schema = schema && inside(schema, String(key));
  });
  return Object.keys(schema?.entries ?? {});
}

/** The schema of the very object: optional ones are unwrapped, of several the one that was meant is taken. */
function among(schema: Schema, input: unknown): Schema | undefined {
  if (schema.wrapped) return among(schema.wrapped, input);
  if (!schema.options) return schema;
  const members = schema.options.filter((one): one is Schema => typeof one === 'object');
  if (members.some(({ entries }) => entries?.file !== undefined)) return bodyMeant(input) as unknown as Schema;
  const kind = (input as { kind?: unknown } | undefined)?.kind;
  return (
    members.find(({ entries }) => entries?.kind?.literal === kind) ??
    members.map((one) => (one.options ? among(one, input) : undefined)).find((one) => one !== undefined)
  );
}

function inside(schema: Schema, key: string): Schema | undefined {
  return schema.entries?.[key] ?? schema.item ?? schema.items?.[Number(key)] ?? schema.value;
}

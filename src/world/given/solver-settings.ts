/** Options of a world's solver: the scene's own, those that scenes have for every solver, and those given beside the scene. What the solver does not know is refused, never passed over. */
import { requireInRange, requireList, requireType, TendonError } from '../../errors.js';
import type { AnySceneDef } from '../../scene/scene-def.js';
import type { SolverKind } from '../../solvers/solver.js';
import type { WorldOptions } from '../world.js';

/** What scenes say for whichever solver they get; one that has no use for it does without. */
const OF_ALL = ['iterations', 'contact', 'selfContact'];
/** What is the world's own. */
const OF_WORLD = ['dt', 'threads', 'obstaclesLater', 'memoryLimit', 'kernels', 'progress', 'clock'];

/** Throws where the world's own options, or what belongs to every scene, are of another kind than they must be. */
export function requireTypes(scene: AnySceneDef, options: WorldOptions): void {
  requireType(scene.solver ?? {}, 'object', 'scene/solver');
  requireList(scene.drives ?? [], 'scene/drives');
  for (const name of ['clock', 'progress'] as const) {
    if (options[name] !== undefined) requireType(options[name], 'function', `options/${name}`);
  }
  requireType(options.kernels ?? {}, 'object', 'options/kernels');
  requireType(options.obstaclesLater ?? false, 'boolean', 'options/obstaclesLater');
}

/** Options of the solver: those given beside the scene count before the scene's own. */
// biome-ignore lint/suspicious/noExplicitAny: only the solver's kind knows what its options are
export function readSettings(kind: SolverKind<any>, scene: AnySceneDef, options: WorldOptions): any {
  const own = dropUndefined(scene.solver ?? {});
  const beside = dropUndefined(options);
  requireKnown(kind, own, ['kind'], 'scene/solver');
  requireKnown(kind, beside, [...OF_ALL, ...OF_WORLD], 'options');
  requireSound(kind, scene, 'scene');
  requireSound(kind, options, 'options');
  const { iterations, contact, selfContact } = scene;
  const given = { ...dropUndefined({ iterations, contact, selfContact }), ...own, ...beside };
  return kind.readOptions(given, { bodyCount: scene.bodies.length, obstacleCount: scene.obstacles?.length ?? 0 });
}

// biome-ignore lint/suspicious/noExplicitAny: as above
function requireKnown(kind: SolverKind<any>, given: object, others: readonly string[], place: string): void {
  if (!kind.options) return;
  for (const [name, value] of Object.entries(given)) {
    if (kind.options.includes(name) || others.includes(name)) continue;
    const advice = `the ${kind.name} solver has no such option; it has ${kind.options.join(', ')}`;
    throw new TendonError('E_UNKNOWN', `${place}/${name}`, value, advice);
  }
}

/** What a solver has no use for is looked at as well. */
// biome-ignore lint/suspicious/noExplicitAny: as above
function requireSound(kind: SolverKind<any>, { iterations, contact, selfContact }: WorldOptions, place: string): void {
  const isUsed = (name: string) => kind.options?.includes(name) ?? false;
  if (!isUsed('iterations')) requireInRange(iterations ?? 0, 0, 10_000, `${place}/iterations`);
  if (!isUsed('contact')) requireType(contact ?? '', 'string', `${place}/contact`);
  if (!isUsed('selfContact')) requireType(selfContact ?? false, 'boolean', `${place}/selfContact`);
}

function dropUndefined(given: object): object {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}

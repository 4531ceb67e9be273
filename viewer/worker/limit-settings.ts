/**
 * Limits of joints as the page lists and changes them: a few angles in degrees per joint, and all changes as one line of text, so that they go into a link like
 * any other setting: `0/knee=-10_140;0/hip=60_40_-30_30` (number of the body, joint; a hinge has its range, a universal joint two, a ball its cone and twist).
 */
import type { AnyBodyDef } from '../../src/body/kinds/any-body-def.js';
import type { Character } from '../../src/character/character.js';
import type { AnySceneDef, JointDef, JointLimitsDef } from '../../src/index.js';

/** One line of the table. */
export interface LimitInfo {
  /** `0/knee`: number of the body, and joint. */
  readonly key: string;
  /** Its name, with that of its body where there are several. */
  readonly title: string;
  readonly type: LimitedType;
  /** As many as its type has [degrees]. */
  readonly angles: readonly number[];
  /** Where they come from: `clip`, `name` and `default` were guessed from a rig. */
  readonly from: string;
}

const LIMITED = ['hinge', 'universal', 'ball'] as const;
export type LimitedType = (typeof LIMITED)[number];

/** What each angle of a type is called. */
export const LIMIT_NAMES: Readonly<Record<LimitedType, readonly string[]>> = {
  hinge: ['Least', 'Largest'],
  universal: ['Least', 'Largest', 'Second, least', 'Second, largest'],
  ball: ['Lean', 'Lean aside', 'Twist, least', 'Twist, largest'],
};

const DEGREE = Math.PI / 180;
/** Angles that bound nothing [degrees]. */
const ALL_ROUND: readonly number[] = [-360, 360];
const ANY_LEAN = 180;

/** Joints of a scene that have limits or could have some. */
export function listLimits({ bodies }: AnySceneDef, character: Character | undefined): LimitInfo[] {
  return bodies.flatMap(({ body }, index) =>
    jointsOf(body).flatMap((joint): LimitInfo[] => {
      const type = LIMITED.find((one) => one === joint.type);
      if (!type) return [];
      const guessed = index === 0 ? character?.limits.find((one) => one.joint === joint.name)?.from : undefined;
      const from = guessed ?? (joint.limits ? 'scene' : 'none');
      const title = bodies.length > 1 ? `${body.name}, ${joint.name}` : joint.name;
      return [{ key: `${index}/${joint.name}`, title, type, angles: anglesOf(joint), from }];
    }),
  );
}

/** The scene with these limits in place of its own. Joints that it does not have are left out. */
export function withLimits(scene: AnySceneDef, text: string): AnySceneDef {
  const changes = readLimits(text);
  if (changes.size === 0) return scene;
  const bodies = scene.bodies.map((placed, index) => {
    const joints = jointsOf(placed.body).map((joint) => {
      const angles = changes.get(`${index}/${joint.name}`);
      const limits = angles && limitsFrom(joint, angles);
      return limits ? { ...joint, limits } : joint;
    });
    return joints.length === 0 ? placed : { ...placed, body: { ...placed.body, joints } as AnyBodyDef };
  });
  return { ...scene, bodies } as AnySceneDef;
}

/** Angles by key [degrees]; what cannot be read is left out. */
export function readLimits(text: string): Map<string, readonly number[]> {
  const changes = new Map<string, readonly number[]>();
  for (const entry of text.split(';')) {
    const [name, numbers] = entry.split('=', 2);
    const angles = (numbers ?? '').split('_').map(Number);
    if (numbers && angles.every(Number.isFinite)) changes.set(decode(name), angles);
  }
  return changes;
}

/** All changes as one line. */
export function writeLimits(changes: ReadonlyMap<string, readonly number[]>): string {
  return [...changes].map(([key, angles]) => `${encodeURIComponent(key)}=${angles.join('_')}`).join(';');
}

function jointsOf(body: AnyBodyDef): readonly JointDef[] {
  return 'joints' in body && body.joints ? (body.joints as readonly JointDef[]) : [];
}

function anglesOf({ type, limits = {} }: JointDef): number[] {
  const degrees = (angles: readonly number[] | undefined, usual: readonly number[]): readonly number[] =>
    angles ? angles.map((angle) => Number((angle / DEGREE).toFixed(1))) : usual;
  const { range, secondRange, cone, twist } = limits;
  if (type === 'hinge') return [...degrees(range, ALL_ROUND)];
  if (type === 'universal') return [...degrees(range, ALL_ROUND), ...degrees(secondRange, ALL_ROUND)];
  const leans = typeof cone === 'number' ? [cone, cone] : cone;
  return [...degrees(leans, [ANY_LEAN, ANY_LEAN]), ...degrees(twist, ALL_ROUND)];
}

function limitsFrom({ type, limits }: JointDef, angles: readonly number[]): JointLimitsDef | undefined {
  const pair = (at: number): [number, number] => [angles[at] * DEGREE, angles[at + 1] * DEGREE];
  const count = type === 'hinge' ? 2 : 4;
  if (angles.length !== count) return undefined;
  if (type === 'hinge') return { range: pair(0) };
  if (type === 'universal') return { range: pair(0), secondRange: pair(2) };
  if (type !== 'ball') return undefined;
  return { ...(limits?.middle && { middle: limits.middle }), cone: pair(0), twist: pair(2) };
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return '';
  }
}

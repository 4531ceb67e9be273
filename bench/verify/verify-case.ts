/** A verification case: something that is known, and what the program makes of it. */
import {
  type AnySceneDef,
  createWorld,
  disposeWorld,
  stepWorld,
  type World,
  type WorldBody,
  type WorldOptions,
} from '../../src/index.js';

/** Acceleration of gravity in all cases [m/s²]. */
export const G = 9.81;

/** What is known, and where from. */
export interface VerifyCase {
  /** As in docs/verification.md; several cases may share a number. */
  readonly id: string;
  readonly solver: 'projective' | 'coupled' | 'layered' | 'lattice' | 'all';
  readonly name: string;
  /** The closed form, the conservation law or the independent program. */
  readonly formula: string;
  readonly unit: string;
  readonly expected: number;
  /** How far `got` may be from `expected`. */
  readonly tolerance: number;
  readonly run: () => Promise<number>;
}

/** A case that was run. */
export interface VerifyResult {
  readonly id: string;
  readonly solver: string;
  readonly name: string;
  readonly formula: string;
  readonly unit: string;
  readonly expected: number;
  readonly got: number;
  readonly tolerance: number;
  readonly pass: boolean;
}

/** Runs a case; what throws has failed. */
export async function runCase({ run, ...known }: VerifyCase): Promise<VerifyResult> {
  let got = Number.NaN;
  try {
    got = await run();
  } catch (error) {
    console.error(`${known.id} ${known.name}: ${error instanceof Error ? error.message : error}`);
  }
  return { ...known, got, pass: Math.abs(got - known.expected) <= known.tolerance };
}

/** A world for as long as `measure` needs it. */
export async function inWorld<T>(
  scene: Omit<AnySceneDef, 'name' | 'description'>,
  options: WorldOptions,
  measure: (world: World, step: (count?: number) => void) => T,
): Promise<T> {
  const world = await createWorld({ name: 'verify', description: '', ...scene } as AnySceneDef, options);
  const step = (count = 1): void => {
    for (let n = 0; n < count; n++) if (!stepWorld(world)) throw world.fault;
  };
  try {
    return measure(world, step);
  } finally {
    disposeWorld(world);
  }
}

/** Mean by mass of something that every vertex has three numbers of. */
export function mean({ model }: WorldBody, values: ArrayLike<number>): [number, number, number] {
  const sum: [number, number, number] = [0, 0, 0];
  for (let v = 0; v < model.vertexCount; v++) {
    for (let k = 0; k < 3; k++) sum[k] += (model.masses[v] * values[3 * v + k]) / model.totalMass;
  }
  return sum;
}

/** Centre of mass [m]. */
export function centre(body: WorldBody): [number, number, number] {
  return mean(body, body.state.positions);
}

/**
 * The default of the coupled solver beside the published choices [Shinar2008], each by itself and all at once: the same scenes, what a frame costs, how deep things are, how open joints, what of momentum and angular momentum is
 * unexplained, and how far a scene is from where it should be.
 */
import { buildSoftBox, FIRM, rigidBody } from '../../scenes/cast/coupled-bodies.js';
import { buildFloppingFishScene, buildSidewinderScene } from '../../scenes/coupled/coupled-creatures.js';
import { buildInclineScene, buildMixedStackScene } from '../../scenes/coupled/coupled-figures.js';
import { buildPile1600Scene } from '../../scenes/coupled/pile-1600.js';
import type { JointDef, RigidBodyDef, Vec3 } from '../../src/index.js';
import { type AnySceneDef, createWorld, disposeWorld, stepWorld, type World } from '../../src/index.js';
import { only } from '../only.js';
import { machine, spread } from '../stats.js';

/** What is compared: the default, each published choice, and all of them. */
const WAYS: ReadonlyMap<string, object> = new Map([
  ['default', {}],
  ['central body', { pushOutBy: 'centralBody' }],
  ['graph', { contactBy: 'graph' }],
  ['shock', { contactBy: 'shock' }],
  ['stabilisation', { jointsBy: 'stabilisation' }],
  ['projection', { velocityBy: 'projection' }],
  ['published', { scheme: 'published' }],
]);

/** A scene, how many frames of it, and how far it is from where it should be, if that is known [mm]. */
interface Compared {
  readonly build: () => AnySceneDef;
  readonly frames: number;
  readonly off?: (world: World, start: Float64Array) => number;
}

const FLOOR = { name: 'floor', shape: { kind: 'plane' }, friction: 0.6 } as const;
const HALF = 0.15;
const SIZE: Vec3 = [HALF, HALF, HALF];

function scene(name: string, bodies: AnySceneDef['bodies'], substeps = 2): AnySceneDef {
  const description = `${name}, for comparison`;
  return { name, description, solver: { kind: 'coupled', substeps }, dt: 1 / 60, bodies, obstacles: [FLOOR] };
}

/** Ten rigid boxes on each other. */
function buildStackScene(): AnySceneDef {
  const body = rigidBody('box', { kind: 'box', halfExtents: SIZE });
  const bodies = Array.from({ length: 10 }, (_, i) => ({
    name: `box ${i}`,
    body,
    position: [0, HALF + 2 * HALF * i, 0] as const,
  }));
  return scene('stack', bodies);
}

/** Six boxes, rigid and soft by turns. */
function buildMixedScene(): AnySceneDef {
  const hard = rigidBody('box', { kind: 'box', halfExtents: SIZE });
  const soft = buildSoftBox('soft box', [2, 2, 2], HALF, { ...FIRM, youngModulus: 5e6 });
  const bodies = Array.from({ length: 6 }, (_, i) => ({
    name: `box ${i}`,
    body: i % 2 === 0 ? hard : soft,
    position: [0, HALF + 2 * HALF * i, 0] as const,
  }));
  return scene('mixed boxes', bodies, 4);
}

/** Ten rods with hinges, hung at one end and let go level, or tumbling in the air. */
function buildChainScene(isHung: boolean): AnySceneDef {
  const shape = { kind: 'box', halfExtents: [0.09, 0.02, 0.03] } as const;
  const parts = Array.from({ length: 10 }, (_, i) => ({
    name: `rod ${i}`,
    shape,
    density: 1000,
    position: [0.2 * i, 0, 0] as const,
  }));
  const hinge = { type: 'hinge', axis: [0, 0, 1] } as const;
  const links = Array.from({ length: 9 }, (_, i): JointDef => {
    return { ...hinge, name: `hinge ${i}`, bones: [`rod ${i}`, `rod ${i + 1}`], anchor: [0.2 * i + 0.1, 0, 0] };
  });
  const hook: JointDef = { ...hinge, name: 'hook', bones: ['rod 0'], anchor: [-0.1, 0, 0] };
  const body: RigidBodyDef = { kind: 'rigid', name: 'chain', parts, joints: isHung ? [hook, ...links] : links };
  const spin = { velocity: [0, 9, 0], angularVelocity: [0.5, 1, 4] } as const;
  return scene(isHung ? 'hung chain' : 'free chain', [{ body, position: [0, 4, 0], ...(isHung ? {} : spin) }]);
}

/** Sixteen of each kind of the pile, none of which sleeps. */
function buildPileScene(): AnySceneDef {
  const pile = buildPile1600Scene({ each: 16 });
  return { ...pile, name: 'pile of 16', solver: { kind: 'coupled', substeps: 2, sweeps: [40, 40], pushOut: 0.5 } };
}

/** Middles of all bodies, 3 each [m]. */
function middles({ bodies }: World): Float64Array {
  return Float64Array.from(
    bodies.flatMap(({ model, state }) => {
      const at = model.kind === 'rigid' ? state.poses.translations : state.positions;
      const count = model.kind === 'rigid' ? model.bones.count : at.length / 3;
      return [0, 1, 2].map((k) => {
        let sum = 0;
        for (let i = 0; i < count; i++) sum += at[i * 3 + k];
        return sum / count;
      });
    }),
  );
}

/** How far the bodies farthest gone are from where they started [mm]. */
function gone(world: World, start: Float64Array): number {
  const now = middles(world);
  let most = 0;
  for (let o = 0; o < now.length; o += 3)
    most = Math.max(most, Math.hypot(now[o] - start[o], now[o + 1] - start[o + 1], now[o + 2] - start[o + 2]));
  return 1000 * most;
}

/** How far boxes are behind or before the first, which is led by the closed form [mm]. */
function behind(world: World, start: Float64Array): number {
  const now = middles(world);
  const way = (o: number) => Math.hypot(now[o] - start[o], now[o + 1] - start[o + 1]);
  let most = 0;
  for (let o = 3; o < now.length; o += 3) most = Math.max(most, Math.abs(way(o) - way(0)));
  return 1000 * most;
}

const COMPARED: ReadonlyMap<string, Compared> = new Map<string, Compared>([
  ['stack', { build: buildStackScene, frames: 600, off: gone }],
  ['mixed-boxes', { build: buildMixedScene, frames: 300, off: gone }],
  ['mixed-stack', { build: buildMixedStackScene, frames: 180 }],
  ['incline', { build: buildInclineScene, frames: 120, off: behind }],
  ['hung-chain', { build: () => buildChainScene(true), frames: 180 }],
  ['free-chain', { build: () => buildChainScene(false), frames: 90 }],
  ['flopping-fish', { build: buildFloppingFishScene, frames: 120 }],
  ['sidewinder', { build: buildSidewinderScene, frames: 120 }],
  ['pile-16', { build: buildPileScene, frames: 180 }],
]);

/** A scene in one way. */
export interface ComparedRow {
  readonly scene: string;
  readonly way: string;
  /** Frames it got, and why no further. */
  readonly frames: number;
  readonly fault?: string;
  /** Median of a frame [ms]. */
  readonly frameMs: number;
  /** Deepest of all frames, and of the last [m]. */
  readonly penetration: number;
  readonly lastPenetration: number;
  /** Largest of all frames [m, kg m/s, kg m²/s]. */
  readonly jointGap: number;
  readonly momentumDrift: number;
  readonly angularDrift: number;
  /** From where it should be, at the end [mm]. */
  readonly off?: number;
}

/** Runs one scene in one way. */
export async function compareScene(
  name: string,
  way: string,
  frames?: number,
  substeps?: number,
): Promise<ComparedRow> {
  const { build, off, ...rest } = COMPARED.get(name) as Compared;
  const made = build();
  const solver = { ...made.solver, kind: 'coupled', ...(substeps ? { substeps } : {}), ...WAYS.get(way) };
  const world = await createWorld({ ...made, solver });
  const start = middles(world);
  const times: number[] = [];
  let penetration = 0;
  let jointGap = 0;
  let momentumDrift = 0;
  let angularDrift = 0;
  for (let n = 0; n < (frames ?? rest.frames); n++) {
    const began = performance.now();
    if (!stepWorld(world)) break;
    times.push(performance.now() - began);
    const { certificate } = world;
    penetration = Math.max(penetration, certificate.penetration);
    jointGap = Math.max(jointGap, certificate.jointGap);
    momentumDrift = Math.max(momentumDrift, certificate.momentumDrift);
    angularDrift = Math.max(angularDrift, certificate.angularDrift ?? 0);
  }
  const row = {
    scene: name,
    way,
    frames: times.length,
    fault: world.fault?.code,
    frameMs: spread(times).median,
    penetration,
    lastPenetration: world.certificate.penetration,
    jointGap,
    momentumDrift,
    angularDrift,
    off: off?.(world, start),
  };
  disposeWorld(world);
  return row;
}

/** Which scenes and ways, how many frames and in how many substeps. */
interface CompareOptions {
  readonly json?: boolean;
  readonly scene?: string;
  readonly way?: string;
  readonly frames?: number;
  readonly substeps?: number;
}

const HEAD = 'scene          way            frames   ms  deepest mm   last mm    joint mm  momentum   angular   off mm';

/** Measures and prints. */
export async function compareCoupled({ json, scene: name, way, frames, substeps }: CompareOptions): Promise<void> {
  const names = only(COMPARED.keys(), name, '--scene');
  const ways = only(WAYS.keys(), way, '--way');
  if (!json) console.log(`${machine()}\n${HEAD}`);
  for (const scene of names) {
    for (const one of ways) {
      const row = await compareScene(scene, one, frames, substeps);
      console.log(json ? JSON.stringify(row) : line(row));
    }
  }
}

function line(row: ComparedRow): string {
  return [
    row.scene.padEnd(14),
    row.way.padEnd(13),
    String(row.frames).padStart(6),
    row.frameMs.toFixed(1).padStart(5),
    (1000 * row.penetration).toFixed(3).padStart(10),
    (1000 * row.lastPenetration).toFixed(3).padStart(9),
    (1000 * row.jointGap).toExponential(1).padStart(11),
    row.momentumDrift.toExponential(1).padStart(9),
    row.angularDrift.toExponential(1).padStart(9),
    (row.off?.toFixed(3) ?? '').padStart(9),
    row.fault ?? '',
  ].join(' ');
}

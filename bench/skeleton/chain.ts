/** Long chains: what the bone step costs per iteration with a hundred jointed bones, alone and inside flesh. */
import { buildChainScene } from '../../scenes/chain.js';
import type { BodyDef, JointDef } from '../../src/body/body-def.js';
import { FLESH } from '../../src/character/build/flesh.js';
import { requireInRange } from '../../src/errors.js';
import { createWorld, disposeWorld, type SceneDef, stepWorld } from '../../src/index.js';
import { buildLattice } from '../../src/mesh/tets/tet-lattice.js';
import { machine, type Spread, spread } from '../stats.js';

const BONES = 100;
/** Bone step per iteration, at most [ms]. */
const MOST_MS = 5;
const WARM_UP = 10;
const FRAMES = 40;

/** One chain measured. */
export interface ChainRow {
  readonly chain: string;
  readonly vertices: number;
  readonly bones: number;
  readonly joints: number;
  readonly iterations: number;
  /** Bone step per iteration; the last iteration of a step, which closes the joints, has its share in it [ms]. */
  readonly bonesMs: Spread;
  /** Whole step per iteration [ms]. */
  readonly totalMs: Spread;
  /** Largest joint gap over the body's size. */
  readonly gap: number;
}

/** Measures and prints both chains. */
export async function benchChain(options: { readonly json?: boolean; readonly bones?: string } = {}): Promise<void> {
  const bones = requireInRange(Number(options.bones ?? BONES), 2, 1000, 'bones');
  if (!options.json) {
    console.log(`${bones} jointed bones; ${machine()}`);
    console.log('chain     vertices bones joints   bone step [ms]   whole step [ms], per iteration, min (median)');
  }
  for (const scene of [buildChainScene(bones), buildFleshChainScene(bones)]) {
    const row = await measureChain(scene);
    console.log(options.json ? JSON.stringify(row) : line(row));
  }
  if (!options.json) console.log(`target: bone step at most ${MOST_MS} ms per iteration\n`);
}

/**
 * A bar of flesh, 4 x 4 cells thick, hung up by its end: along its axis bones of 2 x 2 x 2 cells with one cell of flesh
 * between, joined half way.
 */
export function buildFleshChainScene(count: number): SceneDef {
  const cell = 0.02;
  const pitch = 3;
  const mesh = buildLattice({
    cells: [count * pitch, 4, 4],
    cellSize: cell,
    origin: [0, -2 * cell, -2 * cell],
    split: 'six',
  });
  const picked = Array.from({ length: count }, (): number[] => []);
  for (let v = 0; v < mesh.positions.length / 3; v++) {
    const [x, y, z] = [0, 1, 2].map((k) => Math.round(mesh.positions[v * 3 + k] / cell));
    const bone = Math.floor(x / pitch);
    if (Math.abs(y) <= 1 && Math.abs(z) <= 1 && bone < count) picked[bone].push(v);
  }
  const joints: JointDef[] = [{ name: 'hook', type: 'ball', bones: ['b0'], anchor: [0, 0, 0] }];
  for (let i = 1; i < count; i++) {
    const anchor = [(i * pitch - 0.5) * cell, 0, 0] as const;
    joints.push({ name: `j${i}`, type: 'ball', bones: [`b${i - 1}`, `b${i}`], anchor });
  }
  const bones = picked.map((vertices, i) => ({ name: `b${i}`, vertices }));
  const body: BodyDef = { name: 'fleshChain', ...mesh, bones, joints, materials: [FLESH] };
  const description = `${count} bones in a long soft bar, swinging from one end.`;
  return { name: 'flesh-chain', description, bodies: [{ body }], dt: 1 / 60, iterations: 10 };
}

/** Times a chain that swings. */
export async function measureChain(scene: SceneDef, frames = FRAMES): Promise<ChainRow> {
  const world = await createWorld(scene, { threads: 1 });
  const { iterations } = world.options;
  const bonesMs: number[] = [];
  const totalMs: number[] = [];
  let gap = 0;
  for (let n = 0; n < WARM_UP + frames; n++) {
    const began = performance.now();
    if (!stepWorld(world)) throw world.fault;
    const total = performance.now() - began;
    gap = Math.max(gap, world.certificate.jointGap / world.certificate.bodySize);
    if (n < WARM_UP) continue;
    bonesMs.push(world.certificate.ms.bones / iterations);
    totalMs.push(total / iterations);
  }
  disposeWorld(world);
  const { model } = world.bodies[0];
  return {
    chain: scene.name,
    vertices: model.vertexCount,
    bones: model.bones.count,
    joints: model.joints.count,
    iterations,
    bonesMs: spread(bonesMs),
    totalMs: spread(totalMs),
    gap,
  };
}

function line({ chain, vertices, bones, joints, bonesMs, totalMs }: ChainRow): string {
  const both = ({ min, median }: Spread) => `${min.toFixed(2)} (${median.toFixed(2)})`.padStart(16);
  const missed = bonesMs.min > MOST_MS ? '  MISSED' : '';
  const counts = `${String(vertices).padStart(6)} ${String(bones).padStart(5)} ${String(joints).padStart(6)}`;
  return `${chain.padEnd(11)} ${counts} ${both(bonesMs)} ${both(totalMs)}${missed}`;
}

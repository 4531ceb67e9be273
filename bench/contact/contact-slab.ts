/** Soft slabs pressed on tables of different widths: the same vertices with more or fewer contacts, and the other way round. */
import type { BodyDef } from '../../src/body/body-def.js';
import { FLESH } from '../../src/character/build/flesh.js';
import { type AnySceneDef, createWorld, disposeWorld, stepWorld } from '../../src/index.js';
import { buildLattice } from '../../src/mesh/tets/tet-lattice.js';
import { type Spread, spread } from '../stats.js';

/** Cells along x, y and z. */
export type SlabCells = readonly [number, number, number];

const CELL = 0.03;
/** Presses each vertex on the table down [N]. Nothing pulls at the others, which would lift the middle off. */
const PRESS = 0.05;
/** The same slab longer and longer, and thicker and thicker: vertices away from the contacts, and right behind them. */
export const LONGER: readonly SlabCells[] = [
  [32, 3, 12],
  [64, 3, 12],
  [128, 3, 12],
];
export const THICKER: readonly SlabCells[] = [
  [32, 3, 12],
  [32, 6, 12],
  [32, 12, 12],
];
/** Rows of the underside's vertices, across the slab, that lie on the table; 0: no table within reach. */
const TABLE_ROWS = [0, 2, 4, 8, 16, 24, 30];
const WARM_UP = 15;
const FRAMES = 25;

/** One slab on one table. */
export interface ContactRow {
  readonly cells: SlabCells;
  readonly vertices: number;
  /** Median over the timed steps. */
  readonly contacts: number;
  readonly contactMs: Spread;
  readonly totalMs: Spread;
}

/** Measures a slab on every table. */
export async function* measureSlab(
  cells: SlabCells,
  tables: readonly number[] = TABLE_ROWS,
  frames = FRAMES,
): AsyncGenerator<ContactRow> {
  const body = buildSlab(cells);
  for (const rows of tables) yield { cells, ...(await timeSlab(body, rows, frames)) };
}

/** A slab of flesh about the y axis, its underside at y = 0. */
function buildSlab(cells: SlabCells): BodyDef {
  const origin = [(-cells[0] * CELL) / 2, 0, (-cells[2] * CELL) / 2] as const;
  return { name: 'slab', ...buildLattice({ cells, cellSize: CELL, origin, split: 'six' }), materials: [FLESH] };
}

/** The middle of the slab lies on the table from the first step on; it has no weight. */
function slabScene(body: BodyDef, rows: number): AnySceneDef {
  const shape = { kind: 'box', halfExtents: [halfTable(rows), 0.5, 1] } as const;
  return {
    name: 'slab',
    description: 'A soft slab on a table.',
    bodies: [{ body }],
    obstacles: [{ name: 'table', shape, position: [0, rows === 0 ? -10 : -0.5, 0] }],
    gravity: [0, 0, 0],
    dt: 1 / 60,
    iterations: 20,
  };
}

function halfTable(rows: number): number {
  return (Math.max(rows, 1) * CELL) / 2;
}

async function timeSlab(body: BodyDef, rows: number, frames: number): Promise<Omit<ContactRow, 'cells'>> {
  const world = await createWorld(slabScene(body, rows), { threads: 1 });
  const { forces, positions } = world.bodies[0].state;
  for (let i = 0; i < positions.length; i += 3) {
    if (rows > 0 && positions[i + 1] === 0 && Math.abs(positions[i]) <= halfTable(rows)) forces[i + 1] = -PRESS;
  }
  const contacts: number[] = [];
  const contactMs: number[] = [];
  const totalMs: number[] = [];
  for (let n = 0; n < WARM_UP + frames; n++) {
    const began = performance.now();
    if (!stepWorld(world)) throw world.fault;
    const total = performance.now() - began;
    if (n < WARM_UP) continue;
    contacts.push(world.contacts.count);
    contactMs.push(world.certificate.ms.contact);
    totalMs.push(total);
  }
  disposeWorld(world);
  return {
    vertices: world.bodies[0].model.vertexCount,
    contacts: spread(contacts).median,
    contactMs: spread(contactMs),
    totalMs: spread(totalMs),
  };
}

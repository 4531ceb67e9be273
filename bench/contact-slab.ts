/** Soft slabs that rest on tables of different sizes: the same vertices with more or fewer contacts, and the other way round. */
import type { BodyDef } from '../src/body/body-def.js';
import { FLESH } from '../src/character/flesh.js';
import { createWorld, disposeWorld, type SceneDef, stepWorld } from '../src/index.js';
import { buildLattice } from '../src/mesh/tet-lattice.js';
import { type Spread, spread } from './stats.js';

const CELL = 0.03;
/** Cells along both long sides. */
const SIDE = 28;
/** Layers of cells: the same underside with more and more vertices above it. */
export const SLAB_LAYERS = [2, 4, 8];
/** Rows of the underside's vertices that lie on the table, along both long sides; 0: no table within reach. */
const TABLE_ROWS = [0, 6, 10, 14, 18, 22, 29];
const WARM_UP = 20;
const FRAMES = 40;

/** One slab on one table. */
export interface ContactRow {
  readonly slab: string;
  readonly layers: number;
  readonly vertices: number;
  /** Median over the timed steps. */
  readonly contacts: number;
  readonly contactMs: Spread;
  readonly totalMs: Spread;
}

/** Measures every slab on every table. */
export async function* measureSlabs(
  layers: readonly number[] = SLAB_LAYERS,
  rows: readonly number[] = TABLE_ROWS,
  frames = FRAMES,
): AsyncGenerator<ContactRow> {
  for (const count of layers) {
    const body = buildSlab(count);
    for (const table of rows) yield measureSlab(body, count, table, frames);
  }
}

/** A square slab of flesh, its underside at y = 0. */
function buildSlab(layers: number): BodyDef {
  const half = (SIDE * CELL) / 2;
  const mesh = buildLattice({ cells: [SIDE, layers, SIDE], cellSize: CELL, origin: [-half, 0, -half], split: 'six' });
  return { name: 'slab', ...mesh, materials: [FLESH] };
}

/** The slab lies on the table from the first step on; light as on a small moon, so that it hardly bends over the edge. */
function slabScene(body: BodyDef, rows: number): SceneDef {
  const halfWidth = ((rows - 0.5) * CELL) / 2;
  const far = rows === 0 ? -10 : 0;
  const shape = { kind: 'box', halfExtents: [Math.max(halfWidth, CELL), 0.5, Math.max(halfWidth, CELL)] } as const;
  return {
    name: 'slab',
    description: 'A soft slab on a table.',
    bodies: [{ body }],
    obstacles: [{ name: 'table', shape, position: [0, far - 0.5, 0] }],
    gravity: [0, -0.5, 0],
    dt: 1 / 60,
    iterations: 20,
  };
}

async function measureSlab(body: BodyDef, layers: number, rows: number, frames: number): Promise<ContactRow> {
  const world = await createWorld(slabScene(body, rows), { threads: 1 });
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
    slab: `${SIDE} x ${layers} x ${SIDE}`,
    layers,
    vertices: world.bodies[0].model.vertexCount,
    contacts: spread(contacts).median,
    contactMs: spread(contactMs),
    totalMs: spread(totalMs),
  };
}

/**
 * W between contact sides when vertices inside a body begin to push late in a step: what is added to rows then is what rows made at once have. W = J M⁻¹ Jᵀ is symmetric, whoever's row comes
 * first, but for what is left out of rows: entries below a hundredth of their column's own.
 */
import { describe, expect, it } from 'vitest';
import { buildBar } from '../../../scenes/cast/bar.js';
import { createWorld, disposeWorld, stepWorld } from '../../../src/index.js';
import type { ProjectiveSolver } from '../../../src/solvers/projective/projective-solver.js';
import type { SideBySide } from '../../../src/solvers/side-by-side.js';
import { insideOf } from '../../../src/world/world.js';

const SURFACE = 12;
const INNER = 4;

async function softBar() {
  const body = buildBar({ cells: [8, 4, 4], cell: 0.05, boneLayers: 0 });
  const world = await createWorld(
    { name: 'bar', description: '', bodies: [{ body }], dt: 1 / 60, iterations: 5 },
    { selfContact: true },
  );
  if (!stepWorld(world)) throw world.fault;
  const part = (insideOf(world).solver as SideBySide).parts[0];
  const { vertices, surfaceOf } = part.surface;
  const count = world.bodies[0].model.vertexCount;
  const inside = Array.from({ length: count }, (_, v) => v).filter((v) => surfaceOf[v] < 0);
  const chosen = [
    ...Array.from({ length: SURFACE }, (_, n) => vertices[Math.floor((n * vertices.length) / SURFACE)]),
    ...Array.from({ length: INNER }, (_, n) => inside[Math.floor((n * inside.length) / INNER)]),
  ];
  expect(new Set(chosen).size).toBe(SURFACE + INNER);
  return { world, part, solver: part.solver as ProjectiveSolver, chosen };
}

/** W between sides of one vertex each, row by row; the groups of sides are wanted one after the other. */
function responses({ part: { sides }, solver, chosen }: Awaited<ReturnType<typeof softBar>>, groups: number[][]) {
  sides.clear();
  const list = Int32Array.from(chosen.flatMap((vertex) => [vertex, 0, 0, 0]));
  const weights = Float64Array.from(chosen.flatMap(() => [1, 0, 0, 0]));
  chosen.forEach((_, n) => {
    sides.add(n, 1, list, weights, n * 4);
  });
  solver.beginContacts();
  for (const group of groups) {
    for (const side of group) sides.want(side);
    solver.prepareContacts();
  }
  const block = new Float64Array(9);
  return chosen.flatMap((_, i) =>
    chosen.map((__, j) => {
      block.fill(0);
      sides.addBlock(i, j, 1, block);
      return block[0];
    }),
  );
}

describe('rows of W between contact sides', () => {
  it('have inner vertices added as if they had been there from the start', async () => {
    const bar = await softBar();
    const all = bar.chosen.map((_, n) => n);
    const surface = all.slice(0, SURFACE);
    const atOnce = responses(bar, [all]);
    const late = responses(bar, [surface, [SURFACE], [SURFACE + 1], all.slice(SURFACE + 2)]);
    const n = all.length;
    const own = Math.max(...all.map((i) => atOnce[i * n + i]));
    let [difference, askew, across] = [0, 0, 0];
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < n; j++) {
        difference = Math.max(difference, Math.abs(late[i * n + j] - atOnce[i * n + j]));
        askew = Math.max(askew, Math.abs(late[i * n + j] - late[j * n + i]));
        if (i < SURFACE && j >= SURFACE) across = Math.max(across, Math.abs(late[i * n + j]));
      }
    }
    // entries are f32
    expect(difference / own).toBeLessThan(1e-6);
    expect(askew / own).toBeLessThan(0.02);
    // and there is something to be added
    expect(across / own).toBeGreaterThan(0.02);
    disposeWorld(bar.world);
  });
});

/** The lattice kernels against their specification in f64, on a lattice with copies of cells, and on two threads. */
import { describe, expect, it } from 'vitest';
import { createRandom } from '../../src/math/random.js';
import type { HexLattice } from '../../src/mesh/hexes/hex-lattice.js';
import { boxLattice } from '../../src/mesh/hexes/hex-lattice.js';
import { Descent } from '../../src/solvers/lattice/descent.js';
import { buildLatticeBody, type LatticeBody } from '../../src/solvers/lattice/lattice-body.js';
import { DoubleArithmetic } from '../../src/solvers/lattice/numbers/double-arithmetic.js';
import { builtClasses, openLatticeRoom } from '../support/lattice-room.js';
import { placeNodes } from '../support/models/lattice-cube.js';

/** A box with a slit: nodes above it on one side are there twice, and the cells beside it use their own. */
function slitBox(nx: number, ny: number, nz: number): HexLattice {
  const box = boxLattice(nx, ny, nz, 0.1);
  const corners = box.corners.slice();
  const nodes = [...box.nodes];
  const twin = new Map<number, number>();
  for (let at = 0; at < corners.length; at++) {
    const cell = at >> 3;
    const node = corners[at];
    const onSlit = box.nodes[3 * node] === 3 && box.nodes[3 * node + 1] > 1;
    if (!onSlit || box.cells[3 * cell] < 3) continue;
    if (!twin.has(node)) {
      twin.set(node, nodes.length / 3);
      nodes.push(...box.nodes.subarray(3 * node, 3 * node + 3));
    }
    corners[at] = twin.get(node)!;
  }
  return { ...box, corners, nodes: Int32Array.from(nodes) };
}

/** Two runs that share their first cells: a fork along x, which no single run can hold. */
function forkedBox(): HexLattice {
  const { cellSize, origin, cells, corners, nodes } = slitBox(9, 3, 9);
  // a second copy of the last column, joined to the same nodes on its left
  const extra = { cells: [] as number[], corners: [] as number[] };
  const twin = new Map<number, number>();
  const allNodes = [...nodes];
  for (let cell = 0; cell < cells.length / 3; cell++) {
    if (cells[3 * cell] !== 8) continue;
    extra.cells.push(...cells.subarray(3 * cell, 3 * cell + 3));
    for (let c = 0; c < 8; c++) {
      const node = corners[8 * cell + c];
      if (nodes[3 * node] < 9) {
        extra.corners.push(node);
        continue;
      }
      if (!twin.has(node)) {
        twin.set(node, allNodes.length / 3);
        allNodes.push(...nodes.subarray(3 * node, 3 * node + 3));
      }
      extra.corners.push(twin.get(node)!);
    }
  }
  return {
    cellSize,
    origin,
    cells: Int32Array.from([...cells, ...extra.cells]),
    corners: Int32Array.from([...corners, ...extra.corners]),
    nodes: Int32Array.from(allNodes),
  };
}

function makeBody(volume: 'trace' | 'determinant', dt?: number): LatticeBody {
  const lattice = forkedBox();
  const count = lattice.cells.length / 3;
  const random = createRandom(3);
  const held = new Uint8Array(lattice.nodes.length / 3);
  for (let n = 0; n < held.length; n++) held[n] = lattice.nodes[3 * n] === 0 ? 1 : 0;
  return buildLatticeBody(lattice, {
    mu: Float64Array.from({ length: count }, () => random.range(1e3, 2e3)),
    lambda: Float64Array.from({ length: count }, () => random.range(1e3, 5e3)),
    mass: new Float64Array(count).fill(1),
    held,
    volume,
    dt,
  });
}

/** Largest difference, relative to the largest value. */
function difference(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let most = 0;
  let size = 0;
  for (let i = 0; i < a.length; i++) {
    most = Math.max(most, Math.abs(a[i] - b[i]));
    size = Math.max(size, Math.abs(b[i]));
  }
  return most / size;
}

describe.each(['trace', 'determinant'] as const)('lattice kernels, volume by %s', (volume) => {
  it('agree with f64 on energy, gradient, Laplacian, stiffness and a whole cycle', async () => {
    const body = makeBody(volume, volume === 'trace' ? undefined : 0.02);
    expect(body.layout.looseCorners.length).toBeGreaterThan(0);
    const room = await openLatticeRoom(body);
    const exact = new DoubleArithmetic(body);
    const reference = new Descent(exact, body);
    const [x, g, r, z] = [exact.vector(), exact.vector(), exact.vector(), exact.vector()];
    const random = createRandom(5);
    placeNodes(body, x, (X, Y, Z) => [X + 0.1 * Y, Y, Z].map((c) => Math.fround(c + random.range(-0.01, 0.01))));
    room.x.view.set(x.view);
    const [g32, r32, z32] = room.spare;
    const energy = exact.elastic(x, g);
    expect(Math.abs(room.arithmetic.elastic(room.x, g32) / energy - 1)).toBeLessThan(1e-5);
    expect(difference(g32.view, g.view)).toBeLessThan(1e-5);
    g.view.set(g32.view);
    exact.residual(g, x, r);
    room.arithmetic.residual(g32, room.x, r32);
    expect(difference(r32.view, r.view)).toBeLessThan(1e-5);
    // warped stiffness, at the rotations that both have found
    exact.stiffnessResidual(g, x, r);
    room.arithmetic.stiffnessResidual(g32, room.x, r32);
    expect(difference(r32.view, r.view)).toBeLessThan(1e-5);
    reference.cycle.run(g, z);
    room.descent.cycle.run(g32, z32);
    expect(difference(z32.view, z.view)).toBeLessThan(1e-5);
    // and its cycle, copies of cells, a fork and inertia included; coarse levels are f64 in both
    for (const { fallback } of [reference, room.descent]) fallback!.refresh();
    reference.fallback!.run(g, r);
    room.descent.fallback!.run(g32, r32);
    expect(difference(r32.view, r.view)).toBeLessThan(1e-4);
    expect(Math.abs(room.arithmetic.dot(g32, z32) / exact.dot(g, z) - 1)).toBeLessThan(1e-5);
    expect(room.arithmetic.largest(z32)).toBeCloseTo(exact.largest(z), 6);
    // several operations in one pass: what they give one after the other, to the bit
    const { arithmetic } = room;
    const product = arithmetic.moveAndDot(r32, g32, 0.3, z32, room.x);
    const moved = r32.view.slice();
    arithmetic.move(r32, g32, 0.3, z32);
    expect(moved).toEqual(r32.view);
    expect(product).toBe(arithmetic.dot(r32, room.x));
    const longest = arithmetic.tryStep(r32, g32, 0.3, z32);
    expect(r32.view).toEqual(moved);
    expect(longest).toBe(arithmetic.largest(z32));
  });

  it('give the same bits on two threads', async () => {
    const body = makeBody(volume);
    const positions: Float32Array[] = [];
    for (const threads of [1, 2]) {
      const room = await openLatticeRoom(body, threads, await builtClasses());
      expect(room.threads.threads).toBe(threads);
      placeNodes(body, room.x, (X, Y, Z) => [1.2 * X, Y + X * Z, Z]);
      room.descent.run(room.x, { maxIterations: 10, tolerance: 0 });
      positions.push(Float32Array.from(room.x.view));
      room.threads.stop();
    }
    expect(positions[0].some((value) => value !== 0)).toBe(true);
    expect(positions[1]).toEqual(positions[0]);
  });
});

/** Starts that are bad are survived: inside the floor, in pieces that overlap. Nothing is thrown; bodies end at rest and whole. */
import { expect, it } from 'vitest';
import { longestEdge } from '../../../bench/whole.js';
import { buildBar } from '../../../scenes/cast/bar.js';
import { type BodyDef, createWorld, disposeWorld, stepWorld } from '../../../src/index.js';
import { createRandom } from '../../../src/math/random.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';

const FLOOR = { name: 'floor', shape: { kind: 'plane' } } as const;
const speedOf = (velocities: Float64Array) => velocities.reduce((most, v) => Math.max(most, Math.abs(v)), 0);

it.each([0.1, 0.4, 0.9])('a bar placed into the floor by %f of its height is led out calmly', async (share) => {
  const body = buildBar({ cells: [17, 3, 3], cell: 0.06, boneLayers: 4 });
  const bodies = [{ body, position: [0, 0.09 - share * 0.18, 0] as const }];
  const world = await createWorld({ name: 'inside', description: '', bodies, obstacles: [FLOOR], dt: 1 / 60 });
  const { state, model } = world.bodies[0];
  let highest = 0;
  for (let i = 0; i < 120; i++) {
    expect(stepWorld(world)).toBe(true);
    // half its size per second, and a little for what swings; out in one step it would be depth over step: 1 to 10 m/s
    expect(speedOf(state.velocities)).toBeLessThan(0.75 * model.size);
    for (let v = 1; v < state.positions.length; v += 3) highest = Math.max(highest, state.positions[v]);
  }
  // a body that leaves with v rises by v²/2g: 1.3 cm
  expect(highest).toBeLessThan(0.18 + 0.02);
  expect(world.certificate.penetration).toBeLessThan(1e-4 * model.size);
  expect(speedOf(state.velocities)).toBeLessThan(1e-2);
  disposeWorld(world);
});

/** Cubes of 10 cm that are one body but hang together with nothing, closer than they are wide. */
function buildLooseCubes(perSide: number): BodyDef {
  const random = createRandom(7);
  const positions: number[] = [];
  const tets: number[] = [];
  for (let i = 0; i < perSide ** 3; i++) {
    const cell = [i % perSide, Math.floor(i / perSide) % perSide, Math.floor(i / (perSide * perSide))];
    const origin = cell.map((n) => n * 0.09 + (random.next() - 0.5) * 0.02) as unknown as readonly [
      number,
      number,
      number,
    ];
    const cube = buildLattice({ cells: [1, 1, 1], cellSize: [0.1, 0.1, 0.1], origin });
    const first = positions.length / 3;
    positions.push(...cube.positions);
    for (const vertex of cube.tets) tets.push(vertex + first);
  }
  const material = { model: 'stableNeoHookean', youngModulus: 7e4, poissonRatio: 0.4, density: 1000 } as const;
  return { name: 'cubes', positions: Float64Array.from(positions), tets: Int32Array.from(tets), materials: [material] };
}

it('loose parts that overlap come apart and fall no faster than things fall', async () => {
  const bodies = [{ body: buildLooseCubes(5), position: [0, 0.02, 0] as const }];
  const world = await createWorld({ name: 'cubes', description: '', bodies, obstacles: [FLOOR], dt: 1 / 60 });
  const [body] = world.bodies;
  const weight = body.model.totalMass * 9.81;
  for (let i = 0; i < 30; i++) {
    expect(stepWorld(world)).toBe(true);
    // from the top of the heap to the floor: v² = 2 g H
    expect(speedOf(body.state.velocities)).toBeLessThan(Math.sqrt(2 * 9.81 * 0.5));
    expect(longestEdge(body)).toBeLessThan(2);
    // the whole heap, stopped within a step, weighs v/(g h) times as much; here 1e25 weights once were the answer
    const { force, count } = world.contacts;
    for (let k = 0; k < count * 3; k++) expect(Math.abs(force[k])).toBeLessThan(20 * weight);
  }
  disposeWorld(world);
});

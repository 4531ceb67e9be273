/**
 * Iterations that use what the ones before have shown: a step of ten of them is where a thousand plain ones lead. The reference is the plain
 * local/global iteration, which shares nothing with the acceleration, run until it has converged.
 */
import { describe, expect, it } from 'vitest';
import type { BodyDef, MaterialDef } from '../../src/body/body-def.js';
import { buildLattice } from '../../src/mesh/tets/tet-lattice.js';
import { grabBody, moveGrab } from '../../src/world/grab.js';
import { measured, type Single, single } from '../support/checks/measure.js';
import { buildFleshBar } from '../support/models/bodies.js';

const GRAVITY = [0, -9.81, 0] as const;
const FIRM: MaterialDef = { model: 'corotated', youngModulus: 1e6, poissonRatio: 0.45, density: 1000 };

/** A bar of ten cells held at one end. */
function clampedBar(length: number, material: MaterialDef): BodyDef {
  const mesh = buildLattice({ cells: [10, 2, 2], cellSize: length / 10, split: 'five' });
  const pins: number[] = [];
  for (let v = 0; v < mesh.positions.length / 3; v++) if (mesh.positions[v * 3] < 1e-9) pins.push(v);
  return { name: 'bar', ...mesh, pins, materials: [material] };
}

/** Height of the bar's last corner in each step, let go when straight. */
async function swing(
  length: number,
  material: MaterialDef,
  iterations: number,
  accelerated: boolean,
  steps: number,
  turningRegions = false,
) {
  const s = await single(clampedBar(length, material), { iterations, accelerated, turningRegions, gravity: GRAVITY });
  const heights: number[] = [];
  for (let n = 0; n < steps; n++) {
    s.step();
    heights.push(s.state.positions[s.state.positions.length - 2]);
  }
  return heights;
}

/** Distance of two paths as a share of how far the reference strays from where it ends. */
function pathError(path: readonly number[], reference: readonly number[]): number {
  const end = reference[reference.length - 1];
  const square = (values: readonly number[]) => values.reduce((sum, value) => sum + value * value, 0);
  return Math.sqrt(square(path.map((y, i) => y - reference[i])) / square(reference.map((y) => y - end)));
}

/** Steps until the tip first turns back, by a parabola through the three lowest points. */
function firstTurn(path: readonly number[]): number {
  const n = path.findIndex((y, i) => i > 0 && path[i + 1] > y);
  const [a, b, c] = path.slice(n - 1, n + 2);
  return n + (0.5 * (a - c)) / (a - 2 * b + c);
}

describe('a clamped bar swings as the converged step says', () => {
  it('1 m, 1 MPa, ν = 0.45, 10 iterations: path within 5 % (plain: more than half off)', async () => {
    const reference = await swing(1, FIRM, 1200, false, 60);
    const fast = pathError(await swing(1, FIRM, 10, true, 60), reference);
    const plain = pathError(await swing(1, FIRM, 10, false, 60), reference);
    measured('path error of 1 m, 1 MPa', { fast, plain });
    expect(fast).toBeLessThan(0.05);
    expect(plain).toBeGreaterThan(0.5);
  });

  it('10 cm of muscle, 20 iterations: time of the first swing within 5 % (plain: more than twice)', async () => {
    const muscle: MaterialDef = { ...FIRM, youngModulus: 4e4, density: 1060 };
    const reference = firstTurn(await swing(0.1, muscle, 3000, false, 14));
    const fast = firstTurn(await swing(0.1, muscle, 20, true, 20)) / reference;
    const plain = firstTurn(await swing(0.1, muscle, 20, false, 60)) / reference;
    const turning = firstTurn(await swing(0.1, muscle, 10, true, 20, true)) / reference;
    measured('first swing of 10 cm of muscle', { reference, fast, plain, turning });
    expect(Math.abs(fast - 1)).toBeLessThan(0.05);
    expect(plain).toBeGreaterThan(2);
    // ten iterations with flesh that turns as one: a tenth (1.11 without)
    expect(Math.abs(turning - 1)).toBeLessThan(0.1);
  });
});

describe('bones and joints', () => {
  const body = buildFleshBar({
    cells: [12, 3, 3],
    cell: 0.05,
    layers: 4,
    material: { ...FIRM, youngModulus: 2e5 },
    joints: [{ name: 'pin', type: 'ball', bones: ['a'], anchor: [0, 0.075, 0.075] }],
  });

  /** One step of `iterations` from the state of another world. */
  async function stepFrom(start: Single, iterations: number, accelerated: boolean): Promise<Single> {
    const s = await single(body, { iterations, accelerated, gravity: GRAVITY });
    s.state.arrays.forEach((array, i) => {
      array.set(start.state.arrays[i]);
    });
    s.step();
    return s;
  }

  it('converge with the flesh, and joints stay closed', async () => {
    const start = await single(body, { iterations: 40, gravity: GRAVITY });
    start.step(12);
    const reference = (await stepFrom(start, 2000, false)).state.positions;
    const distance = (s: Single) =>
      Math.sqrt(s.state.positions.reduce((sum, x, i) => sum + (x - reference[i]) * (x - reference[i]), 0));
    const inertiaAlone = await stepFrom(start, 0, false);
    const fast = await stepFrom(start, 10, true);
    const plain = await stepFrom(start, 10, false);
    const errors = [fast, plain].map((s) => distance(s) / distance(inertiaAlone));
    measured('bones, error of one step [accelerated, plain]', errors);
    expect(errors[0]).toBeLessThan(0.3 * errors[1]);
    expect(fast.world.certificate.jointGap).toBeLessThan(1e-9 * fast.model.size);
    expect(fast.world.certificate.rigidity).toBeLessThan(1e-12);
  });
});

describe('held points', () => {
  // flesh alone, and flesh between jointed bones: springs act on both
  it.each([
    ['flesh', 10, { ...clampedBar(1, { ...FIRM, youngModulus: 1e5, poissonRatio: 0.3 }), pins: [] }],
    ['bones', 20, buildFleshBar({ cells: [8, 2, 2], cell: 0.1, layers: 2, material: { ...FIRM, youngModulus: 1e5 } })],
  ] as const)(
    '%s: %i iterations of a body that is dragged end near where a thousand plain ones do',
    async (_, few, body) => {
      const drag = async (iterations: number, accelerated: boolean) => {
        const s = await single(body, { iterations, accelerated, gravity: GRAVITY });
        const grab = grabBody(s.world, 0, [1, 0.1, 0.1]);
        for (let n = 1; n <= 4; n++) {
          moveGrab(grab, [1, 0.1 + 0.03 * n, 0.1]);
          s.step();
        }
        return s.state.positions;
      };
      const reference = await drag(1000, false);
      const away = (x: Float64Array) => Math.hypot(...x.map((value, i) => value - reference[i]));
      const [fast, plain] = [away(await drag(few, true)), away(await drag(few, false))];
      measured('dragged: accelerated and plain', [fast, plain]);
      expect(fast).toBeLessThan(plain / 4);
    },
  );
});

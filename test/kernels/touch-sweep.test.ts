/**
 * The kernels of the layered step against its plain classes, which are tested against closed forms: the same bits, step by step, with contacts
 * of every kind. Both versions run the same characters from the same start.
 */
import { describe, expect, it } from 'vitest';
import { makeKernelCore } from '../../bench/layered/core.js';
import type { LayerDef } from '../../src/body/kinds/layer-def.js';
import type { ObstacleDef } from '../../src/collision/obstacles/obstacle.js';
import { buildLayerModel } from '../../src/solvers/layered/layer-model.js';
import type { LayeredCore } from '../../src/solvers/layered/layered-core.js';
import type { LayeredOptions } from '../../src/solvers/layered/options.js';
import { FLOOR, makeCore, placeBody, run, tubeDef } from '../support/models/layered.js';

const BALL: ObstacleDef = { name: 'ball', shape: { kind: 'sphere', radius: 0.3 }, position: [0.1, -0.1, 0.05] };

interface Case {
  readonly def: LayerDef;
  readonly places: readonly (readonly number[])[];
  readonly obstacles?: readonly ObstacleDef[];
  readonly options?: Partial<LayeredOptions>;
}

/** Both versions of a case; bodies at their places. */
async function makeBoth({ def, places, obstacles = [], options }: Case): Promise<[LayeredCore, LayeredCore]> {
  const model = buildLayerModel(def);
  const byKernels = await makeKernelCore(def, places.length, obstacles, options);
  byKernels.bodies.forEach((body, i) => {
    body.place(places[i], [0, 0, 0, 1]);
  });
  const plain = makeCore(
    places.map((place) => placeBody(model, place)),
    obstacles,
    options,
  );
  return [byKernels, plain];
}

/** Runs both and compares everything a character is known by; returns the most contacts there were. */
function compare([byKernels, plain]: [LayeredCore, LayeredCore], steps: number): number {
  let most = 0;
  for (let step = 0; step < steps; step++) {
    run(byKernels, 1 / 60, 1);
    run(plain, 1 / 60, 1);
    most = Math.max(most, plain.touches.count);
    expect(byKernels.touches.count).toBe(plain.touches.count);
    expect(byKernels.solver.sweepsTaken).toBe(plain.solver.sweepsTaken);
    byKernels.bodies.forEach(({ state }, b) => {
      const other = plain.bodies[b].state;
      expect(state.poses.quats).toEqual(other.poses.quats);
      expect(state.velocities).toEqual(other.velocities);
      expect(state.dents).toEqual(other.dents);
      expect(state.touch).toEqual(other.touch);
      expect(state.jointTorques).toEqual(other.jointTorques);
    });
  }
  return most;
}

const JOINTED = tubeDef(16, 24, 4);
const WITH_ROWS: LayerDef = {
  ...JOINTED,
  bones: JOINTED.bones.map((bone, i) => ({
    ...bone,
    limits: i > 0 ? { cone: 0.2, twist: [-0.1, 0.1] as const } : undefined,
    motor: i === 2 ? { torque: [5, 20, -10] as const, maxTorque: 8 } : undefined,
  })),
};

describe('the kernels of the layered step have the bits of the plain classes', () => {
  it('where a character falls over a ball onto a floor', async () => {
    const both = await makeBoth({ def: JOINTED, places: [[0, 0.3, 0]], obstacles: [FLOOR, BALL] });
    expect(compare(both, 60)).toBeGreaterThan(10);
  });

  it('where a capsule and a box that move and turn are in its way', async () => {
    const moving: ObstacleDef[] = [
      {
        ...{ name: 'capsule', shape: { kind: 'capsule', radius: 0.06, halfLength: 0.2 }, position: [-0.3, 0.05, 0] },
        ...{ rotation: [0.6, 0, 0, 0.8], velocity: [0.4, 0.1, 0], angularVelocity: [0, 1, 0.3] },
      },
      {
        ...{ name: 'box', shape: { kind: 'box', halfExtents: [0.2, 0.05, 0.1] }, position: [0.25, 0.04, 0.03] },
        ...{ velocity: [0, 0.2, 0.1], friction: 0.2 },
      },
    ];
    const both = await makeBoth({ def: JOINTED, places: [[0, 0.2, 0]], obstacles: [FLOOR, ...moving] });
    expect(compare(both, 30)).toBeGreaterThan(10);
  });

  it('with limits and a motor at its largest torque', async () => {
    const both = await makeBoth({ def: WITH_ROWS, places: [[0, 0.25, 0]], obstacles: [FLOOR, BALL] });
    expect(compare(both, 60)).toBeGreaterThan(10);
    expect(both[0].bodies[0].state.jointTorques.some((torque) => torque !== 0)).toBe(true);
  });

  it('where three characters lie on each other', async () => {
    const places = [
      [0, 0.1, 0],
      [0.2, 0.28, 0.03],
      [-0.1, 0.47, -0.02],
    ];
    const both = await makeBoth({ def: JOINTED, places, obstacles: [FLOOR], options: { selfContact: true } });
    expect(compare(both, 45)).toBeGreaterThan(20);
  });

  it('where nodes are pinned, with skin that bulges', async () => {
    const def = { ...tubeDef(12, 20, 3), bulges: true, pins: [0, 1, 2] };
    const both = await makeBoth({ def, places: [[0, 0.14, 0]], obstacles: [FLOOR, BALL] });
    expect(compare(both, 40)).toBeGreaterThan(3);
  });

  it('with contact as published', async () => {
    const both = await makeBoth({
      def: JOINTED,
      places: [[0, 0.1, 0]],
      obstacles: [FLOOR],
      options: { contact: 'printed', sweeps: 20 },
    });
    expect(compare(both, 20)).toBeGreaterThan(3);
  });

  it('where there are more contacts than the memory has room for', async () => {
    // twelve walls that all nodes of the tube are in: many times half the nodes
    const walls: ObstacleDef[] = Array.from({ length: 12 }, (_, i) => ({
      ...{ name: `wall ${i}`, shape: { kind: 'plane' }, friction: 0.2 },
      position: [0, 0.3 + 0.01 * i, 0] as const,
    }));
    const both = await makeBoth({ def: { ...JOINTED, contactSpacing: 0 }, places: [[0, 0.3, 0]], obstacles: walls });
    expect(compare(both, 4)).toBeGreaterThan(1000);
    expect(both[0].touches.isHome).toBe(false);
  });
});

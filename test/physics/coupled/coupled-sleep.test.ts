/** Islands at rest sleep: nothing of them changes, and they wake before anything touches, pulls or leaves them. */
import { describe, expect, it } from 'vitest';
import {
  type AnySceneDef,
  createWorld,
  grabBody,
  hashWorld,
  moveGrab,
  removeObstacle,
  restoreSnapshot,
  stepWorld,
  takeSnapshot,
  type World,
} from '../../../src/index.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import { CoupledCore } from '../../../src/solvers/coupled/coupled-core.js';
import { ground, rigidBody, ball as solidBall, box as solidBox } from '../../support/models/coupled.js';
import { RUBBER } from '../../support/models/coupled-soft.js';

const box = {
  kind: 'rigid' as const,
  name: 'box',
  parts: [{ name: 'box', shape: { kind: 'box' as const, halfExtents: [0.1, 0.1, 0.1] as const } }],
};
const ball = {
  kind: 'rigid' as const,
  name: 'ball',
  parts: [{ name: 'ball', shape: { kind: 'sphere' as const, radius: 0.1 } }],
};
const flesh = {
  name: 'cube',
  ...buildLattice({ cells: [2, 2, 2], cellSize: 0.1, origin: [-0.1, -0.1, -0.1] }),
  materials: [RUBBER],
};

/** Two boxes with flesh between them on a table, and what else there is; a ball far above is not there before it falls. */
function stack(more: AnySceneDef['bodies'] = []): AnySceneDef {
  return {
    name: 'stack',
    description: 'boxes with flesh between them',
    solver: { kind: 'coupled', substeps: 4, sleepSpeed: 0.01 },
    bodies: [
      { body: box, position: [0, 0.101, 0] },
      { body: flesh, position: [0, 0.302, 0] },
      { body: box, position: [0, 0.503, 0] },
      ...more,
    ],
    obstacles: [
      { name: 'table', shape: { kind: 'box', halfExtents: [1, 0.5, 1] }, position: [0, -0.5, 0] },
      { name: 'ground', shape: { kind: 'plane' }, position: [0, -3, 0] },
    ],
  };
}

function run(world: World, steps: number): void {
  for (let n = 0; n < steps; n++) expect(stepWorld(world)).toBe(true);
}

const positionsOf = (world: World) => world.bodies.map(({ state }) => Array.from(state.positions));

describe('islands at rest', () => {
  it('sleep: nothing moves any more, to the last bit, and what carries them still does', async () => {
    const world = await createWorld(stack());
    run(world, 20);
    expect(world.certificate.sleeping).toBe(0);
    run(world, 100);
    expect(world.certificate.sleeping).toBe(3);
    const before = positionsOf(world);
    run(world, 60);
    expect(positionsOf(world)).toEqual(before);
    for (const { state } of world.bodies) expect(Math.max(...state.velocities.map(Math.abs))).toBe(0);
    // the table carries the weight of all: forces of contacts are those of the step before sleep
    const weight = 9.81 * world.bodies.reduce((sum, { model }) => sum + model.totalMass, 0);
    let carried = 0;
    for (let c = 0; c < world.contacts.count; c++) {
      if (world.contacts.obstacle[c] === 0) carried += world.contacts.force[c * 3 + 1];
    }
    expect(Math.abs(carried / weight - 1)).toBeLessThan(2e-2);
  });

  it('wake when they are struck, before the blow: momentum is explained to rounding, and goes through', async () => {
    const world = await createWorld(stack([{ body: ball, position: [0, 8, 0] }]));
    let slept = 0;
    let awake = 0;
    let drift = 0;
    for (let n = 0; n < 110; n++) {
      run(world, 1);
      slept = Math.max(slept, world.certificate.sleeping ?? 0);
      if (slept === 3 && world.certificate.sleeping === 0) awake++;
      if (n > 60) drift = Math.max(drift, world.certificate.momentumDrift);
    }
    expect(slept).toBe(3);
    expect(awake).toBeGreaterThan(5);
    expect(drift).toBeLessThan(1e-9);
    // the flesh in the middle was squeezed by the blow through the box on it
    expect(world.certificate.penetration).toBeLessThan(2e-3);
  });

  it('wake when what they lie on goes, and when somebody takes hold of one of them', async () => {
    const world = await createWorld(stack());
    run(world, 120);
    expect(world.certificate.sleeping).toBe(3);
    const asleep = takeSnapshot(world);
    removeObstacle(world, 0);
    run(world, 30);
    // free fall for half a second
    expect(world.bodies[0].state.poses.translations[1]).toBeLessThan(0.1 - 1.1);

    const other = await createWorld(stack());
    restoreSnapshot(other, asleep);
    run(other, 1);
    expect(other.certificate.sleeping).toBe(3);
    const grab = grabBody(other, 2, [0, 0.6, 0]);
    moveGrab(grab, [0, 1, 0]);
    run(other, 60);
    expect(other.bodies[2].state.poses.translations[1]).toBeGreaterThan(0.7);
  });

  it('are part of snapshots: what follows is the same, bit for bit', async () => {
    const scene = stack([{ body: ball, position: [0.05, 9, 0] }]);
    const world = await createWorld(scene);
    run(world, 60);
    expect(world.certificate.sleeping).toBe(3);
    const snapshot = takeSnapshot(world);
    let fewest = 3;
    for (let n = 0; n < 50; n++) {
      run(world, 1);
      fewest = Math.min(fewest, world.certificate.sleeping ?? 0);
    }
    const hash = hashWorld(world);
    expect(fewest).toBe(0);
    restoreSnapshot(world, snapshot);
    run(world, 50);
    expect(hashWorld(world)).toBe(hash);
  });
});

describe('a heap in which one body creeps', () => {
  /** Forty boxes side by side, and a ball that rolls along on top of them. */
  const row = (speed: number) => {
    const boxes = Array.from({ length: 40 }, (_, n) => solidBox([0.1, 0.1, 0.1], 1, { position: [0.2 * n, 0.1, 0] }));
    const roller = solidBall(0.1, 0.1, {
      position: [0, 0.3, 0],
      velocity: [speed, 0, 0],
      angularVelocity: [0, 0, -10 * speed],
    });
    return new CoupledCore({ rigid: [ground(0.5), ...boxes, roller] }, { substeps: 2, sleepSpeed: 0.03 });
  };

  it('sleeps as a whole, and whole it wakes', () => {
    const core = row(0.04);
    for (let n = 0; n < 60; n++) core.step(1 / 60);
    expect(core.sleeping.count).toBe(41);
    const x = core.rigid.x.slice();
    for (let n = 0; n < 10; n++) core.step(1 / 60);
    expect(core.rigid.x).toEqual(x);
    core.rigid.outside[6] = 1;
    core.step(1 / 60);
    expect(core.sleeping.count).toBe(0);
  });

  it('stays awake where that body is no longer slow', () => {
    const core = row(0.5);
    for (let n = 0; n < 60; n++) core.step(1 / 60);
    expect(core.sleeping.count).toBe(0);
    // it rolls on: nothing but rounding slows a ball on a flat row
    expect(core.rigid.v[41 * 3]).toBeGreaterThan(0.49);
  });
});

describe('a large heap', () => {
  /** A row of boxes side by side, each with one on top; the first of the row slides without friction. Boxes are numbered along the row, then those on top. */
  const LENGTH = 80;
  const STEP = 1 / 60;
  const lying = (more: ReturnType<typeof solidBall>[] = []) => {
    const boxes = Array.from({ length: 2 * LENGTH }, (_, n) => {
      const position = [0.2 * (n % LENGTH), n < LENGTH ? 0.1 : 0.3, 0];
      return solidBox([0.1, 0.1, 0.1], 1, { position, friction: n === 0 ? 0 : 0.5 });
    });
    const core = new CoupledCore({ rigid: [ground(0.5), ...boxes, ...more] }, { substeps: 2, sleepSpeed: 0.03 });
    for (let n = 0; n < 35; n++) core.step(STEP);
    return core;
  };

  it('wakes around a blow alone: the rest does not move by a bit, and all sleep again', () => {
    // rolls to the end of the row
    const core = lying([solidBall(0.1, 1, { position: [0.2 * LENGTH + 1, 0.15, 0], velocity: [-1, 2.5, 0] })]);
    expect(core.sleeping.count).toBe(2 * LENGTH);
    const x = core.rigid.x.slice();
    let most = 0;
    for (let n = 0; n < 120; n++) {
      core.step(STEP);
      most = Math.max(most, 2 * LENGTH - core.sleeping.count);
    }
    // 14 were measured
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThan(LENGTH / 2);
    for (let b = 1; b < LENGTH / 2; b++) expect(core.rigid.x[b * 3]).toBe(x[b * 3]);
    expect(core.sleeping.count).toBe(2 * LENGTH + 1);
  });

  it('leaves nothing hanging: what loses its support falls freely, two steps late at most', () => {
    const core = lying();
    expect(core.sleeping.count).toBe(2 * LENGTH);
    const above = 1 + LENGTH;
    const y = core.rigid.x[above * 3 + 1];
    const far = core.rigid.x.slice((1 + LENGTH / 2) * 3, (1 + LENGTH) * 3);
    // gone within a step
    core.rigid.outside[6 + 2] = 3000;
    core.step(STEP);
    core.rigid.outside.fill(0);
    const left = core.rigid.x[1 * 3 + 2];
    for (let n = 0; n < 5; n++) core.step(STEP);
    expect(left).toBeGreaterThan(0.2);
    const time = 6 * STEP;
    const late = STEP;
    const fallen = y - core.rigid.x[above * 3 + 1];
    // ½ g t² but for the neighbour it slides along
    expect(fallen).toBeLessThan(0.5 * 9.81 * time * time);
    expect(fallen).toBeGreaterThan(0.5 * 9.81 * (time - 2 * late) * (time - 2 * late));
    expect(core.rigid.x.slice((1 + LENGTH / 2) * 3, (1 + LENGTH) * 3)).toEqual(far);
  });

  it('keeps the forces of those asleep when steps become shorter', () => {
    const core = lying();
    for (let n = 0; n < 4; n++) core.step(STEP / 4);
    expect(core.sleeping.count).toBe(2 * LENGTH);
    let carried = 0;
    const { contacts } = core;
    for (let c = 0; c < contacts.count; c++) {
      const sign = contacts.a[c] === 0 ? -1 : contacts.b[c] === 0 ? 1 : 0;
      carried += sign * contacts.push[1][c * 3 + 1];
    }
    // the ground carries all of them
    expect(Math.abs(carried / (2 * LENGTH * 9.81 * (STEP / 8)) - 1)).toBeLessThan(2e-2);
  });
});

describe('a rod that turns about itself between two ball joints', () => {
  /** Of radius 25 mm and length 0.2 m, at so many rad/s: its outside moves by its radius times that, its length is nothing to it. */
  function isAsleepAfterTwoSeconds(spin: number): boolean {
    const shape = { kind: 'capsule', radius: 0.025, halfLength: 0.1 } as const;
    const rod = rigidBody(0.5, [2e-3, 2e-4, 2e-3], shape, { position: [0, 1, 0], angularVelocity: [0, spin, 0] });
    const joints = [0.1, -0.1].map((y) => {
      return { type: 'ball' as const, a: 0, b: 1, anchorA: [0, y, 0], anchorB: [0, 1 + y, 0] };
    });
    const core = new CoupledCore({ rigid: [rod, ground(0.5)], joints }, { sleepSpeed: 0.03 });
    for (let n = 0; n < 120; n++) core.step(1 / 60);
    return core.sleeping.count === 1;
  }

  it('sleeps where its outside is slower than the speed of sleep, and no sooner', () => {
    expect(isAsleepAfterTwoSeconds(0.5)).toBe(true);
    expect(isAsleepAfterTwoSeconds(2)).toBe(false);
  });
});

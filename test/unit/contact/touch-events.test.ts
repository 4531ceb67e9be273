import { describe, expect, it } from 'vitest';
import type { TouchingWorld } from '../../../src/contact/contact-parts.js';
import {
  type ContactEvent,
  contactForceOnBody,
  contactForceOnObstacle,
  createWorld,
  type SceneDef,
  setObstaclePose,
  stepWorld,
  trackContacts,
  type World,
} from '../../../src/index.js';
import { latticeBody } from '../../support/checks/penetration.js';
import { buildFleshBar, STIFF } from '../../support/models/bodies.js';

/** A body with a flesh vertex at the origin and a bone vertex at x = 4, in a world with two obstacles, whose contacts are made up. */
function madeUp() {
  const contacts = { count: 0, body: [0], obstacle: [0], vertices: [0], weights: [0], force: [0], isKept: [0] };
  const bones = { names: ['shell'], ofVertex: [-1, 0] };
  const bodies = [{ model: { bones }, state: { positions: [0, 0, 0, 4, 0, 0] } }];
  const world = { bodies, obstacles: { has: () => true }, contacts };
  const tracker = trackContacts(world as unknown as TouchingWorld);
  /** One step in which the flesh vertex feels these forces along y, one contact each, from obstacle 1. */
  const feel = (...forces: number[]) => {
    contacts.count = forces.length;
    contacts.body = forces.flatMap(() => [0, -1]);
    contacts.obstacle = forces.map(() => 1);
    contacts.vertices = forces.flatMap(() => [0, 1, 0, 0, 0, 0, 0, 0]);
    contacts.weights = forces.flatMap(() => [1, 0, 0, 0, 0, 0, 0, 0]);
    contacts.force = forces.flatMap((force) => [0, force, 0]);
    tracker.observe();
  };
  return { tracker, contacts, feel };
}

describe('a touch', () => {
  it('is told of at its beginning, once each time it is asked for, and at its end', () => {
    const { tracker, feel } = madeUp();
    feel(0);
    expect(tracker.take()).toEqual([]);
    feel(1, 3);
    const who = { body: 0, bone: -1, obstacle: 1, otherBody: -1, otherBone: -1 };
    expect(tracker.take()).toEqual([{ ...who, phase: 'begin', count: 2, point: [0, 0, 0], force: [0, 4, 0], load: 4 }]);
    feel(1);
    feel(2);
    expect(tracker.take()).toMatchObject([{ phase: 'persist', count: 1, force: [0, 2, 0] }]);
    for (let i = 0; i < 3; i++) feel();
    expect(tracker.take()).toMatchObject([{ ...who, phase: 'end', count: 0, force: [0, 0, 0] }]);
    feel();
    expect(tracker.take()).toEqual([]);
  });

  it('does not end with a step without force, and does not begin with one', () => {
    const { tracker, feel } = madeUp();
    feel(1);
    tracker.take();
    feel(0);
    expect(tracker.take()).toEqual([]);
    feel(1);
    expect(tracker.take()).toMatchObject([{ phase: 'persist' }]);
  });

  it('that came and went between two questions is told of', () => {
    const { tracker, feel } = madeUp();
    for (const force of [1, 0, 0, 0]) feel(force);
    expect(tracker.take().map(({ phase }) => phase)).toEqual(['begin', 'end']);
  });

  it('is forgotten by a reset', () => {
    const { tracker, feel } = madeUp();
    feel(1);
    tracker.reset();
    expect(tracker.take()).toEqual([]);
    feel(1);
    expect(tracker.take()).toMatchObject([{ phase: 'begin' }]);
  });

  it('of flesh and bone at once is shared out by weight', () => {
    const { tracker, contacts } = madeUp();
    Object.assign(contacts, { count: 1, body: [0, -1], obstacle: [0], force: [0, 8, 0] });
    contacts.vertices = [0, 1, 0, 0, 0, 0, 0, 0];
    contacts.weights = [0.25, 0.75, 0, 0, 0, 0, 0, 0];
    tracker.observe();
    expect(tracker.take()).toMatchObject([
      { bone: -1, obstacle: 0, count: 1, force: [0, 2, 0], point: [3, 0, 0] },
      { bone: 0, boneName: 'shell', obstacle: 0, count: 1, force: [0, 6, 0], point: [3, 0, 0] },
    ]);
  });

  it('of a body with itself has a load and no force', () => {
    const { tracker, contacts } = madeUp();
    Object.assign(contacts, { count: 1, body: [0, 0], obstacle: [-1], force: [0, 8, 0] });
    contacts.vertices = [0, 0, 0, 0, 0, 0, 0, 0];
    contacts.weights = [1, 0, 0, 0, 1, 0, 0, 0];
    tracker.observe();
    const who = { body: 0, bone: -1, obstacle: -1, otherBody: 0, otherBone: -1 };
    expect(tracker.take()).toMatchObject([{ ...who, force: [0, 0, 0], load: 8 }]);
  });
});

const FLOOR = { name: 'floor', shape: { kind: 'plane' } } as const;

function build(bodies: SceneDef['bodies'], scene: Partial<SceneDef> = {}): Promise<World> {
  return createWorld({ name: 'touch', description: '', bodies, obstacles: [FLOOR], ...scene });
}

/** Takes steps and returns the news of each. */
function watch(world: World, steps: number, tracker = trackContacts(world)): ContactEvent[][] {
  return Array.from({ length: steps }, () => {
    expect(stepWorld(world)).toBe(true);
    tracker.observe();
    return tracker.take();
  });
}

/** Sum of the forces of touches on one side of them, or on a bone of it. */
function sumForces(events: readonly ContactEvent[], body: number, bone?: number): number[] {
  const sum = [0, 0, 0];
  for (const event of events) {
    const first = event.body === body && (bone === undefined || event.bone === bone);
    const second = event.otherBody === body && (bone === undefined || event.otherBone === bone);
    for (let k = 0; k < 3; k++) sum[k] += (Number(first) - Number(second)) * event.force[k];
  }
  return sum;
}

function expectSame(actual: ArrayLike<number>, expected: ArrayLike<number>, scale: number): void {
  for (let k = 0; k < 3; k++) expect(Math.abs(actual[k] - expected[k])).toBeLessThanOrEqual(1e-12 * scale);
}

describe('a box', () => {
  it.each(['implicit', 'penalty'] as const)(
    'that lands begins to touch once and ends when lifted off (%s)',
    async (contact) => {
      const body = latticeBody({ cells: [2, 2, 2], cellSize: 0.1, origin: [0, 0.001, 0] });
      const world = await build([{ body }], { contact, dt: 1 / 120 });
      const tracker = trackContacts(world);
      const phases = watch(world, 240, tracker).flat();
      expect(phases.filter(({ phase }) => phase !== 'persist').map(({ phase }) => phase)).toEqual(['begin']);
      const weight = 0.008 * 1000 * 9.81;
      const last = phases.at(-1)!;
      expect(last).toMatchObject({ phase: 'persist', body: 0, bone: -1, obstacle: 0, otherBody: -1 });
      expect(Math.abs(last.force[1] / weight - 1)).toBeLessThan(0.02);
      expect(Math.abs(last.point[0] - 0.1)).toBeLessThan(0.01);
      setObstaclePose(world.obstacles, 0, [0, -5, 0], [0, 0, 0, 1]);
      expect(
        watch(world, 10, tracker)
          .flat()
          .map(({ phase }) => phase),
      ).toContain('end');
      expect(watch(world, 5, tracker).flat()).toEqual([]);
    },
  );

  it('on a box touches it, and both touch what they lie on', async () => {
    const body = latticeBody({ cells: [2, 2, 2], cellSize: 0.1 });
    const world = await build([{ body }, { body, position: [0.03, 0.2, 0.02] }]);
    const news = watch(world, 60);
    const last = news.at(-1)!;
    expect(last.map((event) => [event.body, event.obstacle, event.otherBody])).toEqual([
      [0, 0, -1],
      [0, -1, 1],
    ]);
    // the upper one presses the lower one down
    expect(last[1].force[1]).toBeLessThan(-0.9 * 0.008 * 1000 * 9.81);
    const scale = Math.hypot(...last[0].force);
    for (const index of [0, 1]) expectSame(sumForces(last, index), contactForceOnBody(world, index), scale);
    expectSame(
      last[0].force.map((x) => -x),
      contactForceOnObstacle(world, 0),
      scale,
    );
  });
});

describe('bones', () => {
  it('are named, and each has the force that is on it', async () => {
    const body = buildFleshBar({ cells: [6, 1, 1], cell: 0.1, layers: 2, material: STIFF });
    const world = await build([{ body, position: [0, 0.01, 0] }]);
    const last = watch(world, 120).at(-1)!;
    const names = last.map(({ bone, boneName }) => [bone, boneName]);
    expect(names).toContainEqual([0, 'a']);
    expect(names).toContainEqual([1, 'b']);
    const scale = Math.abs(contactForceOnObstacle(world, 0)[1]);
    expect(scale).toBeGreaterThan(0);
    for (const bone of [-1, 0, 1]) {
      expectSame(sumForces(last, 0, bone), contactForceOnBody(world, 0, bone), scale);
    }
  });
});

/**
 * Nothing a hand does is fatal: targets that jump, hands that pull apart, pulls through the floor. The body stays whole (no edge longer
 * than ten times its length at rest, joints closed) and comes back: five seconds after it is let go it has its rest shape.
 */
import { describe, expect, it } from 'vitest';
import { longestEdge, shapeError } from '../../../bench/whole.js';
import { buildBar } from '../../../scenes/cast/bar.js';
import {
  type BodyDef,
  createWorld,
  disposeWorld,
  type Grab,
  grabBody,
  moveGrab,
  releaseGrab,
  stepWorld,
  type World,
} from '../../../src/index.js';
import { farthestFrom } from '../../support/checks/stretch.js';

const NEO_HOOKEAN = { model: 'stableNeoHookean', youngModulus: 2e5, poissonRatio: 0.4, density: 1000 } as const;
const FLOOR = { name: 'floor', shape: { kind: 'plane' } } as const;
const CELLS = { cells: [17, 3, 3], cell: 0.06 } as const;

/** Bars of 1.02 m along x: of flesh alone, held at one end, and of two bones with the first one kinematic. */
const BODIES: Readonly<Record<string, () => BodyDef>> = {
  'flesh held at one end': () => buildBar({ ...CELLS, boneLayers: 0, pinLayers: 1, material: NEO_HOOKEAN }),
  'two bones, one of them driven': () => {
    const bar = buildBar({ ...CELLS, boneLayers: 4 });
    return { ...bar, bones: bar.bones!.map((bone, i) => ({ ...bone, kinematic: i === 0 })) };
  },
};

type Point = readonly [number, number, number];
interface Hand {
  readonly at: Point;
  readonly to: Point;
  readonly radius?: number;
}

const TIP: Point = [1.02, 0, 0];
const CASES: Readonly<Record<string, readonly Hand[]>> = {
  'a jump of 0.3 m': [{ at: TIP, to: [1.02, 0.3, 0] }],
  'a jump of 1 m': [{ at: TIP, to: [1.32, 0.9, -0.3] }],
  'a jump of 10 m': [{ at: TIP, to: [3, -9, 3] }],
  'a jump of 10 m of a single point beside what is driven': [{ at: [0.85, 0.09, 0.09], to: [-9, 1, 0], radius: 1e-3 }],
  'two hands pulling apart': [
    { at: TIP, to: [3, 1, 0] },
    { at: [0.5, 0, 0.09], to: [0.5, -2, -1] },
  ],
};

/** Pulls for 40 steps, looking at every one of them. */
function pull(world: World, hands: readonly Hand[]): Grab[] {
  const [body] = world.bodies;
  const grabs = hands.map(({ at, radius }) => grabBody(world, 0, at, radius === undefined ? {} : { radius }));
  hands.forEach(({ to }, i) => {
    moveGrab(grabs[i], to);
  });
  for (let i = 0; i < 40; i++) {
    expect(stepWorld(world)).toBe(true);
    expect(longestEdge(body)).toBeLessThan(10);
    expect(world.certificate.jointGap).toBeLessThan(1e-9 * body.model.size);
  }
  return grabs;
}

describe.each(Object.entries(BODIES))('%s', (_, build) => {
  it.each(Object.entries(CASES))('survives %s, and comes back', async (_name, hands) => {
    const scene = {
      name: 'pulled',
      description: '',
      bodies: [{ body: build() }],
      gravity: [0, 0, 0],
      dt: 1 / 60,
    } as const;
    // a bar as soft as this swings at half a hertz, which backward Euler alone takes a minute to still
    const world = await createWorld(scene, { damping: 3 });
    const [body] = world.bodies;
    const start = body.state.positions.slice();
    const grabs = pull(world, hands);
    // it did follow: a pull that moves nothing would be no pull
    expect(farthestFrom(body, start)).toBeGreaterThan(0.02);
    for (const grab of grabs) releaseGrab(world, grab);
    for (let i = 0; i < 300; i++) expect(stepWorld(world)).toBe(true);
    // without gravity nothing but what is left of the pull can strain an edge
    expect(shapeError(body)).toBeLessThan(0.01);
    disposeWorld(world);
  });

  it('survives a pull through the floor', async () => {
    const world = await createWorld({
      name: 'floor',
      description: '',
      bodies: [{ body: build(), position: [0, 0.12, 0] }],
      obstacles: [FLOOR],
      dt: 1 / 60,
    });
    const [body] = world.bodies;
    for (let i = 0; i < 20; i++) stepWorld(world);
    const [grab] = pull(world, [{ at: [1.02, 0.05, 0], to: [1, -3, 0] }]);
    expect(world.certificate.penetration).toBeLessThan(0.01 * body.model.size);
    releaseGrab(world, grab);
    for (let i = 0; i < 60; i++) expect(stepWorld(world)).toBe(true);
    expect(longestEdge(body)).toBeLessThan(1.5);
    disposeWorld(world);
  });
});

describe('a grip', () => {
  it('is strong enough to lift the body by the place it holds', async () => {
    const body = buildBar({ ...CELLS, boneLayers: 4 });
    const bodies = [{ body, position: [0, 0.1, 0] as Point }];
    const world = await createWorld({
      name: 'lift',
      description: '',
      bodies,
      obstacles: [FLOOR],
      dt: 1 / 60,
    });
    const grab = grabBody(world, 0, [0.06, 0.1, 0]);
    moveGrab(grab, [0.06, 2, 0]);
    for (let i = 0; i < 240; i++) expect(stepWorld(world)).toBe(true);
    const point = new Float64Array(3);
    grab.point(point);
    // a metre and more under a point two metres up: nothing touches the floor any more
    expect(Math.abs(point[1] - 2)).toBeLessThan(0.02);
    expect(world.certificate.contacts).toBe(0);
    disposeWorld(world);
  });
});

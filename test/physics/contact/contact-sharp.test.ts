/**
 * Sharp shapes on each other, after the ten of Erleben 2018 (Methodology for Assessing Mesh-Based Contact Point Methods), on meshes of a few
 * tets of our own: V55. What lies above falls on what lies below, which is pinned to the floor. Depth is measured apart from the
 * contacts found, by points along all edges.
 */
import { describe, expect, it } from 'vitest';
import type { Vec3 } from '../../../src/body/body-def.js';
import type { PlacementDef, World } from '../../../src/index.js';
import {
  contactWorld,
  deepestOverlap,
  floor,
  meanVelocity,
  motionEnergy,
  run,
  runFor,
  topSpeed,
} from '../../support/checks/contact-measure.js';
import { measured } from '../../support/checks/measure.js';
import { groove, pit, softBody, spike, standingBox, wedge, withPins } from '../../support/models/contact-shapes.js';

const L = 0.2;
/** Just above what is below. */
const GAP = 1e-3;

type Mesh = Parameters<typeof softBody>[1];

const ACROSS = [0, Math.SQRT1_2, 0, Math.SQRT1_2] as const;
const UPRIGHT = [0, 0, 0, 1] as const;

interface Case {
  readonly below: Mesh;
  readonly above: Mesh;
  readonly position: Vec3;
  readonly turned?: readonly [number, number, number, number];
  readonly velocity?: Vec3;
}

const CASES: readonly [string, Case][] = [
  ['spikes', { below: spike(L, L), above: spike(L, -L), position: [0, 2 * L + GAP, 0] }],
  ['spike on wedge', { below: wedge(L, L, L), above: spike(L, -L), position: [0, 2 * L + GAP, 0] }],
  ['crossed wedges', { below: wedge(L, L, L), above: wedge(L, -L, L), position: [0, 2 * L + GAP, 0], turned: ACROSS }],
  ['wedges', { below: wedge(L, L, L), above: wedge(L, -L, L), position: [0, 2 * L + GAP, 0] }],
  ['spike in hole', { below: pit(2 * L, 1.2 * L, L), above: spike(L, -L), position: [0, 1.2 * L + GAP, 0] }],
  ['spike in crack', { below: groove(2 * L, 1.2 * L, L, L), above: spike(L, -L), position: [0, 1.2 * L + GAP, 0] }],
  ['wedge in crack', { below: groove(2 * L, 1.2 * L, L, L), above: wedge(L, -L, L), position: [0, 1.2 * L + GAP, 0] }],
  [
    'sliding spike',
    { below: wedge(3 * L, L, L), above: spike(L, -L), position: [-0.5 * L, 1.7 * L, 0], velocity: [0.5, 0, 0] },
  ],
  [
    'sliding wedge',
    { below: wedge(3 * L, L, L), above: wedge(L, -L, L), position: [-0.5 * L, 1.7 * L, 0], velocity: [0.5, 0, 0] },
  ],
];

function scene({ below, above, position, turned = UPRIGHT, velocity }: Case): Promise<World> {
  const bodies: PlacementDef[] = [
    { body: withPins(softBody('below', below), (_x, y) => y < 1e-9) },
    { body: softBody('above', above), position, rotation: turned, velocity },
  ];
  return contactWorld({ bodies, obstacles: [floor()], dt: 1 / 200, iterations: 10 });
}

describe('sharp shapes', () => {
  it.each(CASES)('%s: never deep in each other, and at rest in the end (V55)', async (name, shapes) => {
    const world = await scene(shapes);
    let deepest = 0;
    let fastest = 0;
    runFor(world, 5, () => {
      deepest = Math.max(deepest, deepestOverlap(world), world.certificate.penetration);
      fastest = Math.max(fastest, topSpeed(world));
    });
    measured(`V55 ${name}`, { deepest: deepest / L, energy: motionEnergy(world), fastest });
    expect(deepest).toBeLessThan(0.01 * L);
    // nothing falls further than 2 L: √(2 g 2 L) = 2.8 m/s, and no contact makes it faster
    expect(fastest).toBeLessThan(4);
    expect(motionEnergy(world)).toBeLessThan(1e-6);
  });

  it('cliff edges: a box half over the edge of another, and turned, stays there (V55)', async () => {
    const box = standingBox('soft', { cells: [1, 1, 1] });
    const bodies: PlacementDef[] = [
      { body: withPins(box, (_x, y) => y < 1e-9) },
      { body: box, position: [0.4 * L, L + GAP, 0.1 * L], rotation: [0, Math.sin(0.2), 0, Math.cos(0.2)] },
    ];
    const world = await contactWorld({ bodies, obstacles: [floor()], dt: 1 / 200, iterations: 10 });
    let deepest = 0;
    runFor(world, 4, () => {
      deepest = Math.max(deepest, deepestOverlap(world), world.certificate.penetration);
    });
    measured('V55 cliff edges', { deepest: deepest / L, energy: motionEnergy(world) });
    expect(deepest).toBeLessThan(0.01 * L);
    expect(motionEnergy(world)).toBeLessThan(1e-6);
  });

  it('internal edges: a box slides over a plate of many triangles as over a plane (V55)', async () => {
    const plate = standingBox('soft', { sides: [2, 0.1, 0.6], cells: [20, 1, 6] });
    const box = standingBox('soft', { cells: [2, 2, 2] });
    const bodies: PlacementDef[] = [
      { body: withPins(plate, (_x, y) => y < 1e-9), friction: 0.1 },
      { body: box, position: [-0.7, 0.1 + 1e-4, 0], velocity: [2, 0, 0], friction: 0.1 },
    ];
    const world = await contactWorld({ bodies, gravity: [0, -9.81, 0], dt: 1 / 100, iterations: 10 });
    let kick = 0;
    let rise = 0;
    run(world, 60, () => {
      const [, up, aside] = meanVelocity(world.bodies[1]);
      kick = Math.max(kick, Math.abs(aside));
      rise = Math.max(rise, up);
    });
    // Coulomb: v = v0 − μ g t
    const speed = meanVelocity(world.bodies[1])[0];
    measured('V55 internal edges', {
      kick,
      rise,
      speed: speed / (2 - 0.1 * 9.81 * 0.6),
      overlap: deepestOverlap(world),
    });
    expect(kick).toBeLessThan(0.02);
    expect(rise).toBeLessThan(0.02);
    expect(Math.abs(speed / (2 - 0.1 * 9.81 * 0.6) - 1)).toBeLessThan(0.01);
  });
});

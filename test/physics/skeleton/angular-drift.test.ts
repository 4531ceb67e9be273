/**
 * What the certificate says of angular momentum in projective worlds. In the air nothing explains any: a conservation law. On the ground it is compared with the balance of moments worked out here
 * from states and reported contact forces: Σ m (x − x̄) × (v − v') − h Σ (p − x̄) × f, about the middle, where gravity has none.
 */
import { describe, expect, it } from 'vitest';
import { buildHuman } from '../../../scenes/cast/human.js';
import { createWorld, disposeWorld, type SceneDef, setJointMotor, stepWorld, type World } from '../../../src/index.js';
import { contactMoments } from '../../support/checks/contact-measure.js';
import { measured } from '../../support/checks/measure.js';
import { buildFleshBar, STIFF } from '../../support/models/bodies.js';
import { standingBox } from '../../support/models/contact-shapes.js';

const human = buildHuman({ cell: 0.1, limits: true });

/** Turns every joint to and fro by its motor. */
function kick({ bodies }: World, n: number): void {
  human.joints?.forEach(({ name, type }, pair) => {
    const angle = 0.4 * Math.sin(0.2 * n + pair);
    const target = type === 'hinge' ? angle : ([Math.sin(angle / 2), 0, 0, Math.cos(angle / 2)] as const);
    setJointMotor(bodies[0], name, { target, stiffness: 60, damping: 4 });
  });
}

/** Sum of the sizes of the angular momenta of all vertices about the origin [kg m²/s]. */
function momentumOfParts({ bodies }: World): number {
  let sum = 0;
  for (const { model, state } of bodies) {
    for (let v = 0; v < model.vertexCount; v++) {
      const [x, u] = [state.positions, state.velocities].map((all) => all.subarray(v * 3, v * 3 + 3));
      sum +=
        model.masses[v] * Math.hypot(x[1] * u[2] - x[2] * u[1], x[2] * u[0] - x[0] * u[2], x[0] * u[1] - x[1] * u[0]);
    }
  }
  return sum;
}

describe('angular momentum in the certificate', () => {
  it.each([
    [1, 'backwardEuler'],
    [5, 'backwardEuler'],
    [5, 'bdf2'],
  ] as const)(
    'a human that kicks in the air, %d iterations, %s: none is unexplained',
    async (iterations, integrator) => {
      const scene = {
        name: 'kicking',
        description: '',
        bodies: [{ body: human, angularVelocity: [1, 2, 0.5] }],
      } as const;
      const world = await createWorld({ ...scene, dt: 1 / 60 }, { iterations, integrator, contact: 'none' });
      let worst = 0;
      for (let n = 0; n < 30; n++) {
        kick(world, n);
        expect(stepWorld(world)).toBe(true);
        expect(world.bodies[0].report.angularDrift).toBe(world.certificate.angularDrift);
        worst = Math.max(worst, (world.certificate.angularDrift ?? Number.NaN) / momentumOfParts(world));
      }
      measured(`kicking in the air, ${iterations}, ${integrator}`, worst);
      expect(worst).toBeLessThan(1e-12);
      disposeWorld(world);
    },
  );

  // a bar and a box thrown at the floor askew: with few iterations the blow would turn the bar too far, and it is only shifted; the box, whose regions turn, is turned in every step
  const flung = { velocity: [1, -6, 0], rotation: [0.2, 0.1, 0.3, 0.92], angularVelocity: [2, 1, 0] } as const;
  const flesh = { model: 'corotated', youngModulus: 3e4, poissonRatio: 0.3, density: 1000 } as const;
  const thrown: [string, SceneDef['bodies'][number]][] = [
    [
      'bar with bones',
      {
        body: buildFleshBar({ cells: [6, 2, 2], cell: 0.1, layers: 2, material: STIFF }),
        position: [0, 0.6, 0],
        ...flung,
      },
    ],
    [
      'soft box',
      { body: standingBox('soft', { sides: [0.3, 0.2, 0.2], material: flesh }), position: [0, 0.6, 0], ...flung },
    ],
  ];
  it.each(thrown.flatMap(([name, body]) => [2, 5].map((n) => [name, n, body] as const)))(
    '%s that is thrown at the floor, %d iterations: what is reported is what states and contact forces leave',
    async (name, iterations, body) => {
      const obstacles = [{ name: 'floor', shape: { kind: 'plane' as const }, friction: 0.5 }];
      const world = await createWorld(
        { name: 'flung', description: '', bodies: [body], obstacles, dt: 1 / 60 },
        { iterations },
      );
      let [limited, touched, worst, largest] = [0, 0, 0, 0];
      for (let n = 0; n < 60; n++) {
        const before = world.bodies.map(({ state }) => state.velocities.slice());
        expect(stepWorld(world)).toBe(true);
        // of steps in parts only the last part's forces and velocities are there
        if (world.certificate.substeps > 1) continue;
        const reported = world.certificate.angularDrift ?? Number.NaN;
        const [{ left, acting }] = contactMoments(world, before, world.dt);
        const scale = momentumOfParts(world) + acting * world.dt;
        if (acting > 0) touched++;
        if (reported > 1e-6 * scale) limited++;
        largest = Math.max(largest, reported / scale);
        worst = Math.max(worst, Math.abs(reported - left * world.dt) / scale);
      }
      measured(`${name} flung, ${iterations} iterations`, { limited, touched, worst, largest });
      disposeWorld(world);
      expect(touched).toBeGreaterThan(10);
      expect(limited > 0).toBe(name !== 'soft box');
      expect(worst).toBeLessThan(1e-12);
    },
  );

  it('says nothing of what is held, and of what the published projection leaves all there is', async () => {
    const body = buildFleshBar({ cells: [9, 2, 2], cell: 0.1, layers: 4, material: STIFF });
    const run = async (options: { bones?: 'published' }, isHeld: boolean) => {
      const bodies = [
        {
          body,
          angularVelocity: [1, 2, 3] as const,
          startPositions: body.positions.map((x, i) => x + 0.02 * Math.sin(i)),
        },
      ];
      const world = await createWorld({ name: 'bar', description: '', bodies, dt: 1 / 60 }, options);
      world.bodies[0].state.kinematic[0] = isHeld ? 1 : 0;
      const velocities = [world.bodies[0].state.velocities.slice()];
      expect(stepWorld(world)).toBe(true);
      const [{ left }] = contactMoments(world, velocities, world.dt);
      const reported = world.certificate.angularDrift ?? Number.NaN;
      disposeWorld(world);
      return { reported, left: left * world.dt };
    };
    const [held, published] = [await run({}, true), await run({ bones: 'published' }, false)];
    measured('held and published', { held, published });
    expect(held.reported).toBe(0);
    expect(held.left).toBeGreaterThan(1e-6);
    expect(published.reported).toBeGreaterThan(1e-6);
    expect(Math.abs(published.reported / published.left - 1)).toBeLessThan(1e-9);
  });
});

/**
 * What layered characters touch, each against a closed form, a conservation law or a measure of its own: obstacles that move, that are thin, that they start
 * in, themselves; and what the certificate says of it against positions.
 */
import { describe, expect, it } from 'vitest';
import type { ShapeDef } from '../../../src/collision/shapes/shape.js';
import { buildLayerModel } from '../../../src/solvers/layered/layer-model.js';
import type { LayeredModel } from '../../../src/solvers/layered/layered-model.js';
import type { LayeredBodyState } from '../../../src/solvers/layered/skin/dent-offsets.js';
import { createWorld } from '../../../src/world/create-world.js';
import { stepWorld } from '../../../src/world/step.js';
import { boxDef, FLOOR, makeCore, momentum, placeBody, run, tubeDef, upForce } from '../../support/models/layered.js';

const H = 1 / 60;
const FIRM = { model: 'corotated', youngModulus: 2e5, poissonRatio: 0.4, density: 300 } as const;

describe('a box on a plate that goes', () => {
  it('is carried with its weight while the plate rises evenly, and goes as fast as it does', () => {
    const body = placeBody(buildLayerModel(boxDef([0.2, 0.1, 0.2], 6)), [0, 0.1, 0]);
    const plate = { name: 'plate', shape: { kind: 'box', halfExtents: [1, 0.1, 1] }, position: [0, -0.1, 0] } as const;
    const core = makeCore([body], [{ ...plate, velocity: [0, 0.5, 0] }]);
    run(core, H, 180);
    expect(Math.abs(body.state.velocities[1] - 0.5)).toBeLessThan(1e-4);
    expect(Math.abs(upForce(core, H) / (9.81 * body.model.totalMass) - 1)).toBeLessThan(1e-3);
  });

  it('is taken along by friction: it gathers speed with μ g until it goes with the plate (Coulomb)', () => {
    const body = placeBody(buildLayerModel(boxDef([0.2, 0.1, 0.2], 6)), [0, 0.1, 0]);
    const core = makeCore([body], [{ ...FLOOR, friction: 0.2, velocity: [2, 0, 0] }]);
    run(core, H, 30);
    // it starts undented: the first steps press with more and less than its weight
    expect(Math.abs(body.state.velocities[0] / (0.2 * 9.81 * 0.5) - 1)).toBeLessThan(0.03);
    run(core, H, 90);
    expect(Math.abs(body.state.velocities[0] - 2)).toBeLessThan(1e-4);
  });
});

describe('a tube that starts 6 cm deep in a floor', () => {
  it('is led out no faster than 1 m/s, and lies on it in the end', () => {
    const model = buildLayerModel(tubeDef(16, 29, 3));
    const body = placeBody(model, [0, 0.02, 0]);
    let fastest = 0;
    run(makeCore([body], [FLOOR]), H, 240, () => {
      for (let i = 0; i < 9; i++) fastest = Math.max(fastest, Math.abs(body.state.velocities[i]));
    });
    expect(fastest).toBeLessThan(1.2);
    expect(body.state.poses.translations[1]).toBeGreaterThan(0.07);
    expect(Math.abs(body.state.velocities[1])).toBeLessThan(0.01);
  });
});

describe('obstacles that fit between the nodes of a skin', () => {
  // a box of 40 cm with nodes at multiples of 4 cm; obstacles are 8 mm across or a blade 4 mm thick, halfway between rows of nodes
  const side = 0.2;
  const def = boxDef([side, side, side], 10, { contactSpacing: 0, material: FIRM });
  const quarter = [0, 0, Math.SQRT1_2, Math.SQRT1_2] as const;
  const cases: readonly [string, ShapeDef, readonly [number, number, number, number]][] = [
    ['a ball', { kind: 'sphere', radius: 0.004 }, [0, 0, 0, 1]],
    ['a rod', { kind: 'capsule', radius: 0.004, halfLength: 0.3 }, quarter],
    ['a cylinder', { kind: 'cylinder', radius: 0.004, halfLength: 0.3 }, quarter],
    ['a blade', { kind: 'box', halfExtents: [0.3, 0.1, 0.002] }, [0, 0, 0, 1]],
  ];

  it.each(cases)('%s pressed 1 cm into a held box dents it by 1 cm (geometry)', (_, shape, rotation) => {
    const bones = [{ name: 'core', parent: -1, place: [0, 0, 0], kinematic: true }] as const;
    const body = placeBody(buildLayerModel({ ...def, bones }), [0, side, 0]);
    const top = shape.kind === 'box' ? 0.1 : 0.004;
    const thin = { name: 'thin', shape, rotation, position: [0.02, 0.01 - top, 0.02], friction: 0 } as const;
    const core = makeCore([body], [thin], { sweeps: 100 });
    run(core, H, 60);
    expect(upForce(core, H)).toBeGreaterThan(1);
    // long ones end at the edges of the box, where the skin has no one normal
    expect(Math.abs(body.deepestDent / 0.01 - 1)).toBeLessThan(3e-3);
  });

  it('carry a box that falls on four of them with its weight (balance)', () => {
    const model = buildLayerModel(def);
    const body = placeBody(model, [0, side + 0.1, 0]);
    const pins = [0, 1, 2, 3].map((i) => ({
      name: `pin ${i}`,
      shape: { kind: 'capsule', radius: 0.004, halfLength: 0.1 } as const,
      position: [i % 2 === 0 ? -0.14 : 0.14, -0.104, i < 2 ? -0.14 : 0.14] as const,
      friction: 0.5,
    }));
    const core = makeCore([body], pins);
    run(core, H, 240);
    expect(core.touches.count).toBeLessThan(20);
    expect(Math.abs(upForce(core, H) / (9.81 * model.totalMass) - 1)).toBeLessThan(1e-3);
    expect(body.state.poses.translations[1] - side).toBeGreaterThan(-0.85 * Math.max(...model.depths));
  });
});

describe('a chain that folds onto itself in free flight', () => {
  it('stops where its halves touch, and keeps its momentum (conservation)', () => {
    const motor = { target: 2.9, stiffness: 100, damping: 15 };
    const bones = [
      { name: 'a', parent: -1, place: [-0.5, 0, 0] },
      { name: 'b', parent: 0, place: [0, 0, 0], joint: 'hinge', axis: [0, 0, 1], motor },
    ] as const;
    const folded = [false, true].map((selfContact) => {
      const body = placeBody(buildLayerModel(tubeDef(12, 41, 2, { bones })), [0, 0, 0]);
      // no spin, which would pull the halves apart
      for (let i = 0; i < 6; i++) body.state.velocities[i] = [0.3, -0.2, 0.1][i % 3];
      const before = momentum(body);
      const core = makeCore([body], [], { selfContact, limpFrequency: 0 });
      let [drift, contacts] = [0, 0];
      const watch = () => {
        contacts = Math.max(contacts, core.touches.count);
        momentum(body).forEach((value, k) => {
          drift = Math.max(drift, Math.abs(value - before[k]));
        });
      };
      run(core, H, 200, watch, [0, 0, 0]);
      const r = body.state.poses.rotations;
      // cosine of the angle between the halves
      const cosine = r[0] * r[9] + r[3] * r[12] + r[6] * r[15];
      return { cosine, contacts, drift: drift / Math.hypot(...before) };
    });
    expect(folded[0].contacts).toBe(0);
    expect(folded[0].cosine).toBeCloseTo(Math.cos(2.9), 2);
    expect(folded[1].contacts).toBeGreaterThan(2);
    expect(folded[1].cosine).toBeGreaterThan(folded[0].cosine + 0.01);
    for (const { drift } of folded) expect(drift).toBeLessThan(1e-12);
  });
});

describe('a tube thrown at a wall', () => {
  it.each([
    ['a wall of 16 cm', 30, { kind: 'box', halfExtents: [1, 1, 0.08] }],
    ['a ball of 30 cm', 30, { kind: 'sphere', radius: 0.15 }],
    ['a wall of 6 cm', 8, { kind: 'box', halfExtents: [1, 1, 0.03] }],
    ['a pole of 10 cm', 12, { kind: 'capsule', radius: 0.05, halfLength: 1 }],
  ] as const)('does not pass %s at %i m/s', async (_, speed, shape) => {
    const world = await createWorld({
      name: 'wall',
      description: 'a tube that flies at something',
      gravity: [0, 0, 0],
      solver: { kind: 'layered', selfContact: false },
      bodies: [{ body: tubeDef(16, 40, 1), position: [0, 0, -1.3], velocity: [0, 0, speed] }],
      obstacles: [{ name: 'wall', shape, friction: 0.3 }],
    });
    const { translations } = world.bodies[0].state.poses;
    let farthest = Number.NEGATIVE_INFINITY;
    for (let step = 0; step < 30; step++) {
      if (!stepWorld(world)) throw world.fault;
      farthest = Math.max(farthest, translations[2]);
    }
    expect(farthest).toBeGreaterThan(-0.6);
    expect(farthest).toBeLessThan(0);
  });
});

describe('the certificate of a tube thrown onto a ball', () => {
  it('tells how deep nodes are in the ball and how far the skin is pressed in, as positions do', async () => {
    const [radius, body] = [0.3, tubeDef(16, 40, 3, { contactSpacing: 0 })];
    const world = await createWorld({
      name: 'ball',
      description: 'a tube on a ball',
      solver: { kind: 'layered', selfContact: false },
      bodies: [{ body, position: [0, radius + 0.1, 0.02], velocity: [0, -4, 0] }],
      obstacles: [{ name: 'ball', shape: { kind: 'sphere', radius }, friction: 0.3 }],
    });
    const { certificate, contacts, bodies } = world;
    const { layer } = bodies[0].model as LayeredModel;
    let [deepest, worst, longest, worstDent] = [0, 0, 0, 0];
    for (let step = 0; step < 60; step++) {
      if (!stepWorld(world)) throw world.fault;
      const { positions } = bodies[0].state;
      let depth = 0;
      for (let c = 0; c < contacts.count; c++) {
        const i = 3 * contacts.feature[c];
        depth = Math.max(depth, radius - Math.hypot(positions[i], positions[i + 1], positions[i + 2]));
      }
      const { dents } = bodies[0].state as LayeredBodyState;
      let dent = 0;
      for (let p = 0; p < layer.nodeCount; p++) {
        dent = Math.max(dent, Math.hypot(dents[3 * p], dents[3 * p + 1], dents[3 * p + 2]) / layer.depths[p]);
      }
      deepest = Math.max(deepest, depth);
      longest = Math.max(longest, dent);
      worstDent = Math.max(worstDent, Math.abs((certificate.dent ?? 0) - dent));
      worst = Math.max(worst, Math.abs(certificate.penetration - depth));
    }
    expect(deepest).toBeGreaterThan(1e-5);
    expect(worst).toBeLessThan(1e-12);
    expect(longest).toBeGreaterThan(0.2);
    expect(worstDent).toBeLessThan(1e-12);
  });
});

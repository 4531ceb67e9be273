/** Flesh that lags behind its bones: modes of the skin against closed forms, oscillators against the exact solution. */
import { describe, expect, it } from 'vitest';
import { lameOf, MATERIALS } from '../../../src/body/materials.js';
import { layerModulus } from '../../../src/solvers/layered/skin/skin-matrix.js';
import { WOBBLE_DAMPING, WOBBLE_STRIDE } from '../../../src/solvers/layered/skin/wobble.js';
import { buildLayerModel, makeCore, momentum, placeBody, run, tubeDef } from '../../support/models/layered.js';

const H = 1 / 60;
const DEPTH = 0.03;
const BONES = [{ name: 'held', parent: -1, place: [0, 0, 0], kinematic: true }] as const;
const FAT = { material: MATERIALS.fat, depth: DEPTH } as const;

describe('the slow modes of a skin of one depth', () => {
  const model = buildLayerModel(tubeDef(10, 29, 1, FAT));

  it('begin with all of it at once: ω² = κ/(t² ρ), ρ its mass over area times depth', () => {
    const volume = DEPTH * model.areas.reduce((sum, area) => sum + area, 0);
    const kappa = layerModulus(lameOf(MATERIALS.fat, 'fat'));
    const omega = Math.sqrt(kappa / (DEPTH * DEPTH * (model.totalMass / volume)));
    const modes = model.modes as NonNullable<typeof model.modes>;
    expect(modes.rates[0] / omega).toBeCloseTo(1, 9);
    for (let mode = 1; mode < modes.count; mode++)
      expect(modes.rates[mode]).toBeGreaterThanOrEqual(modes.rates[mode - 1]);
    // φ of the first is the same everywhere: 1/√m
    for (let p = 0; p < model.nodeCount; p++) {
      expect(Math.abs(modes.shapes[p]) * Math.sqrt(model.totalMass)).toBeCloseTo(1, 6);
    }
  });

  it('are modes: K φ = ω² m φ', () => {
    const { rates, shapes, count } = model.modes as NonNullable<typeof model.modes>;
    const { rowStart, columns, values, size } = model.stiffness;
    const whole = model.areas.reduce((sum, area, p) => sum + area * model.depths[p], 0);
    for (let mode = 0; mode < count; mode++) {
      let [error, most] = [0, 0];
      for (let row = 0; row < size; row++) {
        let sum = 0;
        for (let i = rowStart[row]; i < rowStart[row + 1]; i++) sum += values[i] * shapes[mode * size + columns[i]];
        const mass = (model.totalMass * model.areas[row] * model.depths[row]) / whole;
        const right = rates[mode] ** 2 * mass * shapes[mode * size + row];
        error = Math.max(error, Math.abs(sum - right));
        most = Math.max(most, Math.abs(right));
      }
      expect(error / most).toBeLessThan(1e-3);
    }
  });

  it('are there where the material is fat, and where they are asked for', () => {
    expect(buildLayerModel(tubeDef(6, 5, 1)).modes).toBeUndefined();
    expect(buildLayerModel(tubeDef(6, 5, 1, { wobble: 3 })).modes?.count).toBe(3);
    expect(buildLayerModel(tubeDef(6, 5, 1, { ...FAT, wobble: false })).modes).toBeUndefined();
  });
});

describe('a held tube of fat', () => {
  const model = buildLayerModel(tubeDef(6, 7, 1, { ...FAT, bones: BONES }));
  const omega = (model.modes as NonNullable<typeof model.modes>).rates[0];

  it('rings as a damped oscillator does, at any step (closed form)', () => {
    const bare = Math.sqrt(1 - WOBBLE_DAMPING ** 2) * omega;
    for (const [h, steps] of [
      [1 / 60, 30],
      [1 / 13, 7],
      [1 / 1000, 400],
    ]) {
      const body = placeBody(model, [0, 0, 0]);
      body.state.wobble[1] = 1e-3;
      run(makeCore([body]), h, steps, undefined, [0, 0, 0]);
      const t = h * steps;
      const expected =
        1e-3 *
        Math.exp(-WOBBLE_DAMPING * omega * t) *
        (Math.cos(bare * t) + (WOBBLE_DAMPING * omega * Math.sin(bare * t)) / bare);
      expect(Math.abs(body.state.wobble[1] - expected)).toBeLessThan(1e-12);
    }
  });

  it('hangs back by a/ω² where its bone goes faster and faster (statics in the moving frame)', () => {
    const body = placeBody(model, [0, 0, 0]);
    const core = makeCore([body]);
    const a = 3;
    for (let step = 1; step <= 300; step++) {
      const t = H * step;
      body.state.targets[4] = body.model.bones.centre[0] + 0.5 * a * t * t;
      run(core, H, 1, undefined, [0, 0, 0]);
    }
    // all nodes by the same way: only the first mode is pushed
    for (let p = 0; p < model.nodeCount; p++) {
      expect((body.rest[3 * p] - model.positions[3 * p]) / (-a / omega ** 2)).toBeCloseTo(1, 5);
    }
    expect(Math.abs(body.state.wobble[WOBBLE_STRIDE])).toBeLessThan(1e-6);
  });
});

describe('a wobbling chain in free flight', () => {
  it('moves as one that does not: its bones carry all mass', () => {
    const ends = [0, 8].map((wobble) => {
      const body = placeBody(buildLayerModel(tubeDef(6, 9, 3, { ...FAT, wobble })), [0, 2, 0]);
      for (let i = 0; i < 9; i++) body.state.spins[i] = Math.sin(i * i);
      run(makeCore([body], [], { selfContact: false }), H, 60, undefined, [0, 0, 0]);
      return momentum(body);
    });
    expect(ends[1]).toEqual(ends[0]);
  });
});

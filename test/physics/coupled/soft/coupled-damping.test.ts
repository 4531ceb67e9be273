/**
 * `damping`: flesh and sheets come to rest within themselves. The law is x″ + c x′ + ω² x = 0 for every mode beside the motion of the whole, whose amplitude is that without
 * damping times e^(−c t/2); momentum and angular momentum do not know of it.
 */
import { describe, expect, it } from 'vitest';
import { buildSheet } from '../../../../scenes/cast/coupled-bodies.js';
import { buildAnyModel } from '../../../../src/body/kinds/any-body-def.js';
import { CoupledCore } from '../../../../src/solvers/coupled/coupled-core.js';
import { SoftModel } from '../../../../src/solvers/coupled/soft/soft-model.js';
import { placeSoft, softBox } from '../../../support/models/coupled-soft.js';

const LENGTH = 0.8;
const RUBBER = { model: 'corotated', youngModulus: 1e5, poissonRatio: 0, density: 1000 } as const;
const BAR = softBox([8, 1, 1], 0.1, RUBBER);
const SHEET = new SoftModel(
  buildAnyModel(buildSheet('sheet', [8, 2], [LENGTH, 0.2], 0.005, { ...RUBBER, youngModulus: 1e5 }), 'sheet'),
);
/** The same bar, held at its left end. */
const HELD = new SoftModel({
  ...BAR.elements,
  pinned: BAR.elements.pinned.map((_, v) => (BAR.elements.positions[v * 3] < -LENGTH / 2 + 1e-9 ? 1 : 0)),
});

/** Lowest axial mode: of a free bar with both ends, of a held one with the right end. */
const free = (x: number) => Math.sin((Math.PI * x) / LENGTH);
const held = (x: number) => Math.sin((Math.PI * (x + LENGTH / 2)) / (2 * LENGTH));

/** Largest amplitude of a mode in the last period of a run of half a second that starts with it [m]. */
function amplitude(model: SoftModel, mode: (x: number) => number, damping: number): number {
  const core = new CoupledCore({ soft: [placeSoft(model, [0, 0, 0])], gravity: [0, 0, 0] }, { substeps: 1, damping });
  const { positions, masses, pinned } = model.elements;
  const shape = Array.from(masses, (_, v) => mode(positions[v * 3]));
  for (let v = 0; v < model.size; v++) if (pinned[v] === 0) core.soft.v[v * 3] = 0.05 * shape[v];
  const whole = sum(masses, (m, v) => m * shape[v] * shape[v]);
  let most = 0;
  for (let n = 1; n <= 500; n++) {
    core.step(1e-3);
    if (n <= 180) continue;
    const at = sum(masses, (m, v) => m * shape[v] * (core.soft.x[v * 3] - positions[v * 3])) / whole;
    most = Math.max(most, Math.abs(at));
  }
  return most;
}

function sum(masses: Float64Array, term: (m: number, v: number) => number): number {
  return masses.reduce((all, m, v) => all + term(m, v), 0);
}

describe('axial vibration dies away by e^(−c t/2)', () => {
  // with γ = c/2 and ω_d² = ω² − γ² the peaks are at t = (k π + arctan ω_d/γ)/ω_d, as high as without damping times e^(−γ t)
  const speed = Math.sqrt(RUBBER.youngModulus / RUBBER.density);
  it.each([
    ['a free bar of flesh', BAR, free, (Math.PI * speed) / LENGTH],
    ['one that is held at an end', HELD, held, (Math.PI * speed) / (2 * LENGTH)],
    ['a free sheet', SHEET, free, (Math.PI * speed) / LENGTH],
  ])('of %s', (_, model, mode, omega) => {
    const gamma = 2;
    const damped = Math.sqrt(omega * omega - gamma * gamma);
    // the first after the 0.18 s that are not looked at
    const first = Math.ceil((0.18 * damped - Math.PI / 2) / Math.PI);
    const peak = (first * Math.PI + Math.atan(damped / gamma)) / damped;
    const ratio = amplitude(model, mode, 2 * gamma) / amplitude(model, mode, 0);
    expect(Math.abs(ratio / Math.exp(-gamma * peak) - 1)).toBeLessThan(3e-3);
  });
});

/** Sum of m v and of m x × v. */
function momenta({ soft }: CoupledCore): number[] {
  const all = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < soft.vertexCount; i++) {
    for (let k = 0; k < 3; k++) {
      const [a, b] = [i * 3 + ((k + 1) % 3), i * 3 + ((k + 2) % 3)];
      all[k] += soft.mass[i] * soft.v[i * 3 + k];
      all[3 + k] += soft.mass[i] * (soft.x[a] * soft.v[b] - soft.x[b] * soft.v[a]);
    }
  }
  return all;
}

describe.each([
  ['flesh', BAR],
  ['a sheet', SHEET],
])('%s that wobbles, flies and turns', (_, model) => {
  it('keeps both momenta and loses nothing but what it does beside moving as a whole', () => {
    const start = placeSoft(model, [1, 2, 3], { velocity: [1, 2, 3], spin: [0, 0, 3] });
    const core = new CoupledCore({ soft: [start], gravity: [0, 0, 0] }, { damping: 20 });
    for (let i = 0; i < core.soft.v.length; i += 3) core.soft.v[i] += 0.3 * Math.sin(i);
    const before = momenta(core);
    for (let n = 0; n < 120; n++) core.step(1 / 60);
    momenta(core).forEach((value, k) => {
      expect(Math.abs(value - before[k])).toBeLessThan(1e-10);
    });
  });

  it('that moves as a whole does not know of it', () => {
    const start = placeSoft(model, [1, 2, 3], { velocity: [1, 2, 3], spin: [1, 2, 3] });
    const core = new CoupledCore({ soft: [start], gravity: [0, 0, 0] });
    const before = core.soft.v.slice();
    core.balance.damp({ spinDamping: 0, damping: 1e6 }, 1);
    core.soft.v.forEach((v, i) => {
      expect(Math.abs(v - before[i])).toBeLessThan(1e-12);
    });
  });
});

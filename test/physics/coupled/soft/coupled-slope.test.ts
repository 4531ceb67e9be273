/**
 * Flesh on a slope of 1 in 2, about the threshold μ = tan α of Coulomb's law (V51). Flesh that is put down without load bounces on itself for a moment and slides meanwhile, and at
 * μ = tan α exactly nothing stops what slides. What friction does is told by what comes after: once it has been at rest it stays, what moves is stopped by a = g (μ cos α − sin α) within
 * v²/2a, and below the threshold it goes by (sin α − μ cos α) g t²/2.
 */
import { describe, expect, it } from 'vitest';
import { CoupledCore } from '../../../../src/solvers/coupled/coupled-core.js';
import { incline, onIncline } from '../../../support/models/coupled.js';
import { placeSoft, softBox } from '../../../support/models/coupled-soft.js';

const g = 9.81;
const ANGLE = Math.atan(0.5);
const [S, C] = [Math.sin(ANGLE), Math.cos(ANGLE)];
const model = softBox([4, 2, 3], 0.1);

function placed(friction: number, substeps: number): CoupledCore {
  const rotation = [C, S, 0, -S, C, 0, 0, 0, 1];
  const soft = [placeSoft(model, onIncline(ANGLE, 0, 0.1), { rotation })];
  return new CoupledCore({ rigid: [incline(ANGLE, friction)], soft }, { substeps });
}

/** Place and speed of the body down the slope [m, m/s]. */
function along({ soft }: CoupledCore): [number, number] {
  let mass = 0;
  let place = 0;
  let speed = 0;
  for (let i = 0; i < soft.vertexCount; i++) {
    mass += soft.mass[i];
    place += soft.mass[i] * (C * soft.x[i * 3] - S * soft.x[i * 3 + 1]);
    speed += soft.mass[i] * (C * soft.v[i * 3] - S * soft.v[i * 3 + 1]);
  }
  return [place / mass, speed / mass];
}

function run(core: CoupledCore, steps: number): [number, number] {
  for (let n = 0; n < steps; n++) core.step(1 / 60);
  return along(core);
}

describe.each([2, 4])('flesh on a slope of 1 in 2, %d substeps (V51)', (substeps) => {
  it('that has come to rest holds at μ = 0.501, to a micrometre in 5 s', () => {
    const core = placed(0.501, substeps);
    const [before] = run(core, 240);
    expect(Math.abs(run(core, 300)[0] - before)).toBeLessThan(1e-6);
  });

  it('that has come to rest at μ = 0.501 holds at μ = 0.5, within 1 mm in 5 s', () => {
    const core = placed(0.501, substeps);
    const [before] = run(core, 240);
    core.setObstacle(0, incline(ANGLE, 0.5));
    expect(Math.abs(run(core, 300)[0] - before)).toBeLessThan(1e-3);
  });

  it('is stopped by g (μ cos α − sin α)', () => {
    const core = placed(0.52, substeps);
    // given a push when it is at rest
    run(core, 240);
    for (let i = 0; i < core.soft.v.length; i += 3) {
      core.soft.v[i] += 0.5 * C;
      core.soft.v[i + 1] -= 0.5 * S;
    }
    const [start] = along(core);
    const [end, speed] = run(core, 300);
    const braked = g * (0.52 * C - S);
    expect(Math.abs(speed)).toBeLessThan(1e-6);
    expect(Math.abs((end - start) / ((0.5 * 0.5) / (2 * braked)) - 1)).toBeLessThan(0.02);
  });

  it('slides at μ = 0.49 by g (sin α − 0.49 cos α) t²/2', () => {
    const core = placed(0.49, substeps);
    const [start, speed] = run(core, 60);
    const [end] = run(core, 240);
    const acceleration = g * (S - 0.49 * C);
    expect(Math.abs((end - start - speed * 4) / (0.5 * acceleration * 16) - 1)).toBeLessThan(0.005);
  });
});

/**
 * Incompressible flesh of the coupled solver: volumes of one-rings are kept to rounding in flight and under load, a bar is as stiff as an incompressible
 * one is in closed form (P₁₁ of the stretch s with t = s^-½ across), and momentum does not know of it.
 */
import { describe, expect, it } from 'vitest';
import { buildBallRowScene } from '../../../scenes/coupled/coupled-figures.js';
import { createWorld, disposeWorld, stepWorld, type World } from '../../../src/index.js';
import { CoupledCore } from '../../../src/solvers/coupled/coupled-core.js';
import type { SoftModel } from '../../../src/solvers/coupled/soft/soft-model.js';
import { box, ground } from '../../support/models/coupled.js';
import { placeSoft, RUBBER, softBox } from '../../support/models/coupled-soft.js';

/** Volume of tets at positions x, from vertex `first` on [m³]. */
function volumeOf(tets: Int32Array, x: ArrayLike<number>, first = 0): number {
  let sum = 0;
  for (let t = 0; t < tets.length; t += 4) {
    const [a, b, c, d] = [0, 1, 2, 3].map((m) => {
      const i = (first + tets[t + m]) * 3;
      return [x[i], x[i + 1], x[i + 2]];
    });
    const [e, f, g] = [b, c, d].map((p) => p.map((value, k) => value - a[k]));
    sum +=
      (e[0] * (f[1] * g[2] - f[2] * g[1]) + e[1] * (f[2] * g[0] - f[0] * g[2]) + e[2] * (f[0] * g[1] - f[1] * g[0])) /
      6;
  }
  return sum;
}

/** Volume of a soft body now, over that at rest. */
function volumeShare({ soft }: CoupledCore, s: number): number {
  const { tets, volumes } = soft.models[s].elements;
  return volumeOf(tets, soft.x, soft.firstVertex[s]) / volumes.reduce((sum, v) => sum + v, 0);
}

/** Forces of a traction [N/m²] along x on the surface triangles at both ends. */
function pullEnds({ soft }: CoupledCore, model: SoftModel, half: number, traction: number): void {
  const rest = model.elements.positions;
  soft.outside.fill(0);
  for (let t = 0; t < model.triangles.length; t += 3) {
    const corners = [0, 1, 2].map((m) => model.triangles[t + m] * 3);
    for (const side of [-1, 1]) {
      if (!corners.every((i) => Math.abs(rest[i] - side * half) < 1e-9)) continue;
      const [a, b, c] = corners.map((i) => [rest[i + 1], rest[i + 2]]);
      const area = 0.5 * Math.abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]));
      for (const i of corners) soft.outside[i] += (side * traction * area) / 3;
    }
  }
}

describe('an incompressible bar', () => {
  it('is as long under a pull as the closed form says, at the volume it had', () => {
    const material = { ...RUBBER, youngModulus: 1e5 };
    const model = softBox([4, 2, 2], 0.1, material);
    const core = new CoupledCore({ soft: [placeSoft(model, [0, 0, 0])], incompressible: [0], gravity: [0, 0, 0] });
    const mu = material.youngModulus / (2 * (1 + material.poissonRatio));
    const lambda =
      (material.youngModulus * material.poissonRatio) / ((1 + material.poissonRatio) * (1 - 2 * material.poissonRatio));
    // first Piola-Kirchhoff stress along a bar of stretch s: of the material, and of the pressure that leaves nothing across
    const stressAt = (s: number) => {
      const t = 1 / Math.sqrt(s);
      const trace = lambda * (s + 2 * t - 3);
      return 2 * mu * (s - 1) + trace - (t / s) * (2 * mu * (t - 1) + trace);
    };
    for (const stretch of [1.05, 1.25]) {
      pullEnds(core, model, 0.2, stressAt(stretch));
      for (let n = 0; n < 900; n++) core.step(1 / 60);
      let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      for (let i = 0; i < core.soft.x.length; i += 3) {
        low = Math.min(low, core.soft.x[i]);
        high = Math.max(high, core.soft.x[i]);
      }
      expect(Math.abs((high - low) / 0.4 / stretch - 1)).toBeLessThan(1e-6);
      expect(Math.abs(volumeShare(core, 0) - 1)).toBeLessThan(1e-9);
    }
  });
});

describe('incompressible flesh', () => {
  it('falls by g t²/2 and keeps its volume while it turns', () => {
    const model = softBox([2, 2, 3], 0.1, { ...RUBBER, youngModulus: 1e5 });
    const start = placeSoft(model, [0, 5, 0], { velocity: [1, 2, 0], spin: [1, 5, 2] });
    const core = new CoupledCore({ soft: [start], incompressible: [0] });
    const mass = core.soft.mass.reduce((sum, m) => sum + m, 0);
    const mean = (k: number) => core.soft.mass.reduce((sum, m, i) => sum + m * core.soft.x[i * 3 + k], 0) / mass;
    const [x0, y0] = [mean(0), mean(1)];
    for (let n = 1; n <= 60; n++) {
      core.step(1 / 60);
      const t = n / 60;
      expect(Math.abs(mean(0) - x0 - t)).toBeLessThan(1e-10);
      expect(Math.abs(mean(1) - y0 - 2 * t + 0.5 * 9.81 * t * t)).toBeLessThan(1e-10);
      expect(Math.abs(volumeShare(core, 0) - 1)).toBeLessThan(1e-8);
    }
  });

  it('keeps its volume between a floor and a heavy lid, where compressible flesh does not', () => {
    const model = softBox([2, 2, 2], 0.15, { ...RUBBER, youngModulus: 1e5 });
    // 30 kg on 0.09 m²: 3 % of Young's modulus
    const run = (incompressible: number[]) => {
      const lid = box([0.3, 0.05, 0.3], 30, { position: [0, 0.351, 0] });
      const soft = [placeSoft(model, [0, 0.15, 0])];
      const core = new CoupledCore({ rigid: [ground(), lid], soft, incompressible }, { substeps: 4 });
      let worst = 0;
      for (let n = 0; n < 120; n++) {
        core.step(1 / 60);
        worst = Math.max(worst, Math.abs(volumeShare(core, 0) - 1));
      }
      return { worst, rest: Math.abs(volumeShare(core, 0) - 1), height: core.rigid.x[4] };
    };
    const kept = run([0]);
    const free = run([]);
    expect(kept.rest).toBeLessThan(1e-4);
    expect(kept.worst).toBeLessThan(0.005);
    expect(free.rest).toBeGreaterThan(0.01);
    // and it gives way less: the lid lies higher
    expect(kept.height).toBeGreaterThan(free.height);
  });
});

describe('the row of balls', () => {
  it('is struck without a change of volume, and its momentum is explained', async () => {
    const world = await createWorld(buildBallRowScene());
    const share = ({ model, state }: World['bodies'][number]) =>
      volumeOf(model.tets, state.positions) / model.volumes.reduce((sum, v) => sum + v, 0);
    let worst = 0;
    for (let n = 0; n < 60; n++) {
      expect(stepWorld(world)).toBe(true);
      expect(world.certificate.momentumDrift).toBeLessThan(1e-9);
      for (const body of world.bodies)
        if (body.model.kind === 'flesh') worst = Math.max(worst, Math.abs(share(body) - 1));
    }
    expect(worst).toBeLessThan(2e-3);
    disposeWorld(world);
  });

  it('refuses to keep the volume of what is no flesh', async () => {
    const scene = buildBallRowScene();
    const solver = { kind: 'coupled', incompressible: ['ball 0'] };
    await expect(createWorld({ ...scene, solver })).rejects.toMatchObject({
      code: 'E_UNKNOWN',
      place: 'options/incompressible/0',
    });
    await expect(createWorld({ ...scene, solver: { kind: 'coupled', incompressible: 3 } })).rejects.toMatchObject({
      code: 'E_RANGE',
    });
  });
});

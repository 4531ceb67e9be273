/** What the viewer shows of the inside of bodies, and the skins it puts on coarse ones. */
import { describe, expect, it } from 'vitest';
import { buildModel } from '../../src/body/model.js';
import { BodyEnergy } from '../../src/debug/body-energy.js';
import type { MaterialDef } from '../../src/index.js';
import { CutMesh } from '../../viewer/worker/cut.js';
import { fineSkin } from '../../viewer/worker/fine-skins.js';
import { NOTHING_WANTED } from '../../viewer/worker/protocol.js';
import { Simulation } from '../../viewer/worker/simulation.js';
import { fleshScene } from '../support/models/bodies.js';

/** The jelly bar of another material. */
function jelly(model: MaterialDef['model']) {
  const [{ body }] = fleshScene('jelly-bar').bodies;
  return buildModel({ ...body, bones: [], materials: body.materials.map((one) => ({ ...one, model })) });
}

describe('elastic energy', () => {
  const stretch = 0.1;

  it.each(['corotated', 'stableNeoHookean'] as const)('of a stretched body is that of the formula: %s', (kind) => {
    const model = jelly(kind);
    const stretched = model.positions.map((value, i) => (i % 3 === 0 ? value * (1 + stretch) : value));
    const volume = model.volumes.reduce((sum, value) => sum + value, 0);
    const [mu, lambda] = [model.mu[0], model.lambda[0]];
    // F = diag(1 + s, 1, 1), R = I, J = 1 + s
    const density =
      kind === 'corotated'
        ? mu * stretch ** 2 + (lambda / 2) * stretch ** 2
        : (mu / 2) * ((1 + stretch) ** 2 - 1) - mu * stretch + ((lambda + mu) / 2) * stretch ** 2;
    const measured = new BodyEnergy(model).measure(stretched);
    expect(measured / (density * volume)).toBeCloseTo(1, 9);
    expect(new BodyEnergy(model).measure(model.positions)).toBeLessThan(1e-12 * density * volume);
  });

  it('comes with frames while it is wanted', async () => {
    const simulation = await Simulation.create({ source: { kind: 'scene', name: 'jelly-bar' }, settings: {} });
    const out = new Float32Array(simulation.length);
    expect(simulation.advance(10, 1, out).lanes[0].elastic).toBeUndefined();
    simulation.act({ kind: 'want', wanted: { ...NOTHING_WANTED, energy: true } });
    expect(simulation.advance(10, 1, out).lanes[0].elastic).toBeGreaterThan(0);
    simulation.dispose();
  });
});

describe('a body cut open', () => {
  it('shows its far half, closed', () => {
    const model = jelly('corotated');
    const { corners } = new CutMesh(model, model.positions).shape(model.positions);
    // the volume inside the faces, by the divergence theorem
    let volume = 0;
    for (let i = 0; i < corners.length; i += 9) {
      const [ax, ay, az, bx, by, bz, cx, cy, cz] = corners.subarray(i, i + 9);
      volume += (ax * (by * cz - bz * cy) - ay * (bx * cz - bz * cx) + az * (bx * cy - by * cx)) / 6;
    }
    const whole = model.volumes.reduce((sum, value) => sum + value, 0);
    expect(volume / whole).toBeGreaterThan(0.3);
    expect(volume / whole).toBeLessThan(0.7);
  });
});

describe('fine skins', () => {
  it('are worn by coarse characters only', () => {
    const coarse = fleshScene('ragdoll').bodies[0].body;
    const worn = fineSkin(coarse)!;
    expect(worn.skin.positions.length / 3).toBeGreaterThan(4 * (coarse.positions.length / 3));
    expect(worn.embedding.corners.length).toBe((worn.skin.positions.length / 3) * 4);
    expect(fineSkin(coarse)).toBe(worn);
    expect(fineSkin(fleshScene('mermaid').bodies[0].body)).toBeUndefined();
    expect(fineSkin(fleshScene('bar').bodies[0].body)).toBeUndefined();
  });
});

/** Motors inside flesh that is not of the projective form: a free body works by itself, and comes to rest where its motor holds it. */
import { describe, expect, it } from 'vitest';
import { setJointMotor } from '../../../src/world/joint-control.js';
import { centreOf, measured, norm, single } from '../../support/checks/measure.js';
import { buildFleshBar, STIFF } from '../../support/models/bodies.js';

describe('a motor in neo-Hookean flesh', () => {
  const material = { ...STIFF, model: 'stableNeoHookean', youngModulus: 2e4, poissonRatio: 0.4 } as const;

  it('swims in empty space without going anywhere, and no step fails (conservation of momentum)', async () => {
    const body = buildFleshBar({ cells: [6, 1, 1], cell: 0.1, layers: 2, material, joint: 'hinge' });
    const s = await single(body, { dt: 1 / 60, iterations: 10 });
    const [joint] = s.model.joints.names;
    const start = centreOf(s.model, s.state.positions);
    let drift = 0;
    for (let n = 0; n < 90; n++) {
      setJointMotor(s.world.bodies[0], joint, { target: 0.6 * Math.sin(0.2 * n), stiffness: 40, damping: 1 });
      s.step();
      expect(s.world.certificate.substeps).toBe(1);
      drift = Math.max(drift, norm(centreOf(s.model, s.state.positions).map((x, k) => x - start[k])));
    }
    measured('motor in neo-Hookean flesh', { drift: drift / s.model.size });
    expect(drift).toBeLessThan(1e-9 * s.model.size);
  });

  it('comes to rest: the unbalanced force dies away', async () => {
    // rest is the rounding of forces in f32, 6e-5 N; steps of ten iterations leave little more than that while it moves
    const body = buildFleshBar({ cells: [6, 1, 1], cell: 0.1, layers: 2, material, joint: 'hinge' });
    const s = await single(body, { dt: 1 / 60, iterations: 5 });
    setJointMotor(s.world.bodies[0], s.model.joints.names[0], { target: 0.5, stiffness: 60, damping: 4 });
    s.step(20);
    const early = s.world.certificate.residual;
    s.step(160);
    const late = s.world.certificate.residual;
    measured('motor at rest in neo-Hookean flesh', { early, late });
    expect(late).toBeLessThan(0.02 * early);
  });
});

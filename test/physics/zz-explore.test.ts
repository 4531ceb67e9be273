import { it } from 'vitest';
import { buildBoxes, lumpedSides } from '../support/bodies.js';
import { angleAboutZ, inertiaAbout, single } from '../support/measure.js';

it('pendulum', async () => {
  const body = buildBoxes([{ name: 'bar', centre: [0.5, 0, 0], sides: lumpedSides([1, 0.1, 0.1]) }], [
    { name: 'pin', type: 'ball', bones: ['bar'], anchor: [0, 0, 0] },
  ]);
  for (const h of [1 / 30, 0.01, 0.001])
    for (const iterations of [1, 2, 3, 5, 8, 12, 20, 40]) {
      const s = await single(body, { dt: h, iterations, gravity: [0, -9.81, 0] });
      const m = s.model.bones.mass[0];
      const d = 0.5;
      const ip = inertiaAbout(s.model, 0, 2) + m * d * d;
      let before = 0;
      let now = 0;
      let worst = 0;
      let gap = 0;
      for (let n = 0; n < 300; n++) {
        s.step();
        const re = ip * (2 * Math.cos(now) - Math.cos(before));
        const im = ip * (2 * Math.sin(now) - Math.sin(before)) - 9.81 * h * h * m * d;
        before = now;
        now = Math.atan2(im, re);
        const dif = angleAboutZ(s.state, 0) - now;
        worst = Math.max(worst, Math.abs(Math.atan2(Math.sin(dif), Math.cos(dif))));
        gap = Math.max(gap, s.world.certificate.jointGap);
      }
      console.log(h, iterations, worst, now, ip / m, gap, s.world.certificate.rigidity);
    }
});

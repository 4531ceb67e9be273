/** Bodies that start in another shape or place than at rest: bones start as near to it as something rigid can. */
import { describe, expect, it } from 'vitest';
import type { BodyDef, Vec3 } from '../../../src/body/body-def.js';
import { readBonePose, resetWorld } from '../../../src/index.js';
import { rotateVec3 } from '../../../src/math/quat.js';
import { axisAngleQuat } from '../../../src/math/rotation.js';
import { contactWorld, run, topSpeed } from '../../support/checks/contact-measure.js';
import { buildFleshBar } from '../../support/models/bodies.js';
import { RUBBER, standingBox } from '../../support/models/contact-shapes.js';

/** All positions of a body turned about z by an angle and moved. */
function moved(body: BodyDef, angle: number, by: Vec3): Float64Array {
  const turn = new Float64Array(4);
  axisAngleQuat(turn, 0, [0, 0, 1], 0, angle);
  const out = Float64Array.from(body.positions);
  for (let i = 0; i < out.length; i += 3) {
    rotateVec3(out, i, turn, 0, out, i);
    for (let k = 0; k < 3; k++) out[i + k] += by[k];
  }
  return out;
}

describe('bones start where the start positions put them', () => {
  const BY: Vec3 = [0.3, -0.2, 0.5];

  it('a body that starts moved as a whole is the body placed there', async () => {
    const body = buildFleshBar({ cells: [5, 1, 1], cell: 0.2, layers: 2, material: RUBBER });
    const turn = new Float64Array(4);
    axisAngleQuat(turn, 0, [0, 0, 1], 0, 2.5);
    const still = { gravity: [0, 0, 0] as const };
    const started = await contactWorld({ bodies: [{ body, startPositions: moved(body, 2.5, BY) }], ...still });
    const rotation = [...turn] as [number, number, number, number];
    const placed = await contactWorld({ bodies: [{ body, position: BY, rotation }], ...still });
    for (let bone = 0; bone < 2; bone++) {
      const [a, b] = [readBonePose(started.bodies[0], bone), readBonePose(placed.bodies[0], bone)];
      for (let k = 0; k < 3; k++) expect(a.position[k]).toBeCloseTo(b.position[k], 12);
      for (let k = 0; k < 4; k++) expect(a.rotation[k]).toBeCloseTo(b.rotation[k], 12);
    }
    started.bodies[0].state.positions.forEach((x, i) => {
      expect(x).toBeCloseTo(placed.bodies[0].state.positions[i], 12);
    });
    run(started, 10);
    // a rigid motion strains nothing: rest stays rest
    expect(topSpeed(started)).toBeLessThan(1e-4);
    resetWorld(started);
    expect(started.bodies[0].state.positions[0]).toBeCloseTo(placed.bodies[0].state.positions[0], 12);
  });

  it.each([
    ['flat', [0, 1, 2, 3]],
    ['straight', [0, 1]],
    ['of one vertex', [0]],
  ])('a bone that is %s', async (_name, vertices) => {
    const box = standingBox('soft', { cells: [1, 1, 1] });
    const body = { ...box, bones: [{ name: 'bone', vertices }] };
    const startPositions = moved(body, 1.2, BY);
    const world = await contactWorld({ bodies: [{ body, startPositions }], gravity: [0, 0, 0] });
    for (const v of vertices) {
      for (let k = 0; k < 3; k++) {
        expect(world.bodies[0].state.positions[v * 3 + k]).toBeCloseTo(startPositions[v * 3 + k], 12);
      }
    }
  });

  it('a bone whose start is deformed stays rigid and in the middle', async () => {
    const body = standingBox('rigid', { cells: [2, 2, 2] });
    const startPositions = moved(body, 0.7, BY).map((x, i) => x + (i % 2 === 0 ? 1e-3 : -1e-3));
    const world = await contactWorld({ bodies: [{ body, startPositions }], gravity: [0, 0, 0] });
    run(world, 1);
    expect(world.certificate.rigidity).toBeLessThan(1e-12);
    world.bodies[0].state.positions.forEach((x, i) => {
      expect(Math.abs(x - startPositions[i])).toBeLessThan(3e-3);
    });
  });
});

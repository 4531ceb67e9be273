/** Characters from files are as soft as their flesh, not as their mesh: a coarse one beside the same body with 64 tets for each of its own, which share nothing. */
import { describe, expect, it } from 'vitest';
import type { BodyDef } from '../../../src/body/body-def.js';
import { buildRigged } from '../../../src/character/build/rigged.js';
import { characterScene, characterSolver } from '../../../src/character/load-character.js';
import { createWorld, disposeWorld, stepWorld } from '../../../src/index.js';
import { measured } from '../../support/checks/measure.js';
import { armModel } from '../../support/models/rigged-model.js';
import { refineBody } from '../../support/refine-body.js';

const STEPS = 60;

/** Where the body's vertices come to rest under its weight; all bones are held. */
async function atRest(body: BodyDef, smoothed?: boolean): Promise<Float64Array> {
  const character = { ...buildRigged(armModel(), { tets: 300 }), body };
  const scene = characterScene(character);
  const held = { ...body, bones: (body.bones ?? []).map((bone) => ({ ...bone, kinematic: true })) };
  // damped, so that it is at rest soon
  const options = { damping: 5, iterations: 20, dt: 1 / 30, ...(smoothed !== undefined && { smoothed }) };
  const world = await createWorld({ ...scene, bodies: [{ body: held }] }, options);
  for (let n = 0; n < STEPS; n++) if (!stepWorld(world)) throw world.fault;
  const x = world.bodies[0].state.positions.slice();
  disposeWorld(world);
  return x;
}

describe('a coarse character under its weight', () => {
  it('hangs as low as the same body of 64 times as many tets, where one whose tets share nothing hangs by two thirds of that', async () => {
    const { body } = buildRigged(armModel(), { tets: 300 });
    const [shared, plain] = [await atRest(body), await atRest(body, false)];
    const fine = await atRest(refineBody(refineBody(body)), false);
    // mean square of how far vertices have come from where they were at rest
    const sag = (x: Float64Array) =>
      Math.sqrt(body.positions.reduce((sum, rest, i) => sum + (x[i] - rest) ** 2, 0) / (body.positions.length / 3));
    const [coarse, locked] = [sag(shared) / sag(fine), sag(plain) / sag(fine)];
    measured('sag of a coarse character over that of a fine one', { coarse, locked, tets: body.tets.length / 4 });
    expect(coarse).toBeGreaterThan(0.9);
    expect(coarse).toBeLessThan(1.1);
    expect(locked).toBeLessThan(0.8);
  });
});

describe('what moves a character', () => {
  it('shares strains unless it was built not to', () => {
    const built = buildRigged(armModel(), { tets: 300 });
    expect(characterScene(built).solver).toEqual({ kind: 'projective', smoothed: true });
    const stiff = buildRigged(armModel(), { tets: 300, smoothed: false });
    expect(characterSolver(stiff)).toEqual({ kind: 'projective', smoothed: false });
  });
});

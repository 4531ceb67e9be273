/** What the quality option chooses, with a clock that says what steps take. */
import { expect, it } from 'vitest';
import { describeQuality, fitQuality, type Quality } from '../../host/world/quality.js';
import { buildRigged } from '../../src/character/build/rigged.js';
import { armModel } from '../support/models/rigged-model.js';

/** A clock by which everything between two looks at it takes `ms`. */
function steadyClock(ms: number): () => number {
  let now = 0;
  return () => {
    now += ms;
    return now;
  };
}

/** Fits an arm of about 4500 tets to a machine on which every step takes `ms`; says which tets were asked for. */
async function choose(quality: Quality, ms: number) {
  const asked: (number | undefined)[] = [];
  const build = async (tets?: number) => {
    asked.push(tets);
    return buildRigged(armModel(), { tets: tets ?? 4500 });
  };
  return { ...(await fitQuality(build, quality, steadyClock(ms))), asked };
}

it('takes the usual where steps are fast, and tries nothing where full is asked for', async () => {
  expect(await choose('full', 100)).toMatchObject({ asked: [undefined] });
  const fitted = await choose('auto', 2);
  expect(fitted).toMatchObject({ iterations: 10, asked: [undefined] });
  expect(fitted.stepMs).toBeCloseTo(2, 3);
  expect(describeQuality(fitted)).toMatch(/tets, 10 iterations, about 2.0 ms a step$/);
});

it('saves tets where the fewest iterations are still too slow, and never goes below them', async () => {
  const slow = await choose('auto', 20);
  expect(slow).toMatchObject({ iterations: 4, asked: [undefined, 2500] });
  // a little too slow: first somewhat coarser, then as coarse as it gets
  expect(await choose('auto', 9)).toMatchObject({ iterations: 4, asked: [undefined, 4000, 2500] });
  expect(slow.character.body.tets.length / 4).toBeLessThan(3000);
  expect(await choose(26, 20)).toMatchObject({ iterations: 10, asked: [undefined] });
});

it('refuses what is no quality', async () => {
  await expect(choose(-1, 2)).rejects.toMatchObject({ code: 'E_RANGE', place: 'quality' });
});

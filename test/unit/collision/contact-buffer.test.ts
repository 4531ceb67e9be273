/** Contacts that a solver leaves until somebody asks how many there are. */
import { expect, it } from 'vitest';
import { buildMixedStackScene } from '../../../scenes/coupled/coupled-figures.js';
import { ContactBuffer } from '../../../src/collision/contact-buffer.js';
import { createWorld, disposeWorld, stepWorld } from '../../../src/index.js';

/** A buffer that is to be filled with `count` contacts, and how often that was done. */
function leave(buffer: ContactBuffer, count: number): { times: number } {
  const done = { times: 0 };
  buffer.fillLater((out) => {
    done.times++;
    for (let n = 0; n < count; n++) out.force[out.add(0, n, -1, 0) * 3] = n;
  });
  return done;
}

it('are written once, when somebody asks', () => {
  const buffer = new ContactBuffer(8, [8]);
  buffer.add(0, 7, -1, 0);
  const done = leave(buffer, 3);
  expect(done.times).toBe(0);
  expect(buffer.count).toBe(3);
  expect(buffer.count).toBe(3);
  expect(buffer.isPushing).toBe(true);
  expect(Array.from(buffer.feature.subarray(0, 3))).toEqual([0, 1, 2]);
  expect(done.times).toBe(1);
});

it('asking whether any pushes is asking too', () => {
  const buffer = new ContactBuffer(8, [8]);
  leave(buffer, 2);
  expect(buffer.isPushing).toBe(true);
  leave(buffer, 1);
  expect(buffer.isPushing).toBe(false);
});

it('those that nobody asked for are forgotten when others take their place, and when all are', () => {
  const buffer = new ContactBuffer(8, [8]);
  const first = leave(buffer, 5);
  leave(buffer, 2);
  expect(buffer.count).toBe(2);
  const third = leave(buffer, 4);
  buffer.clear();
  expect(buffer.count).toBe(0);
  expect([first.times, third.times]).toEqual([0, 0]);
});

it('those of a world are there for who looks at their arrays alone', async () => {
  const world = await createWorld({ ...buildMixedStackScene(), solver: { kind: 'coupled' } });
  for (let n = 0; n < 3; n++) expect(stepWorld(world)).toBe(true);
  expect(world.contacts.force.some((force) => force !== 0)).toBe(true);
  disposeWorld(world);
});

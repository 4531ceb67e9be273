/**
 * What bodies know of themselves from step to step changes nothing: contacts are those of a search that knows nothing, to the bit,
 * while bodies fall, lie, and are dragged about, and a world that is put back goes on as it did.
 */
import { describe, expect, it, vi } from 'vitest';
import { buildScene } from '../../../scenes/index.js';
import { loadCharacter } from '../../../src/character/load-character.js';
import { ContactBuffer } from '../../../src/collision/contact-buffer.js';
import type { ObstacleSet } from '../../../src/collision/obstacles/obstacle.js';
import { ContactFinder, type ContactScene } from '../../../src/collision/search/contact-finder.js';
import { RestingSurface } from '../../../src/collision/search/resting-surface.js';
import { buildCollisionSurface } from '../../../src/collision/surface/collision-surface.js';
import { SurfaceMotion } from '../../../src/collision/surface/surface-motion.js';
import {
  createWorld,
  disposeWorld,
  grabBody,
  hashWorld,
  moveGrab,
  releaseGrab,
  restoreSnapshot,
  type SceneDef,
  stepWorld,
  takeSnapshot,
  type World,
} from '../../../src/index.js';
import { createRandom } from '../../../src/math/random.js';
import { hasAssets, readAsset } from '../../support/assets.js';

const ARRAYS = ['body', 'feature', 'vertices', 'weights', 'normal', 'offset', 'stuck', 'friction', 'gap'] as const;
const H = 1 / 60;

/** Two searches in the same states, one of which finds a state without places before each step and so knows nothing of the last. */
class TwoSearches {
  /** Steps in which only known pairs were looked at, and contacts that were found in those. */
  known = 0;
  contacts = 0;
  readonly #world: World;
  readonly #kept: ContactFinder;
  readonly #forgetful: ContactFinder;
  readonly #buffers: readonly ContactBuffer[];

  constructor(world: World) {
    const motions = () =>
      world.bodies.map(({ model, state }) => new SurfaceMotion(model, buildCollisionSurface(model), state, 0.5));
    this.#world = world;
    this.#kept = new ContactFinder(motions(), true);
    this.#forgetful = new ContactFinder(motions(), true);
    this.#buffers = [0, 1].map(
      () =>
        new ContactBuffer(
          20_000,
          world.bodies.map(() => 40_000),
        ),
    );
  }

  /** Searches in the state of now; both must find the same. */
  compare(stepCount: number): void {
    const [kept, fresh] = this.#buffers;
    this.#forget();
    const looked = vi.spyOn(RestingSurface.prototype, 'begin');
    this.#find(this.#kept, stepCount, kept);
    const rested = () => (looked.mock.contexts as readonly RestingSurface[]).some(({ isResting }) => isResting);
    const isKnown = rested();
    looked.mockClear();
    this.#find(this.#forgetful, stepCount, fresh);
    expect(rested()).toBe(false);
    looked.mockRestore();
    if (isKnown) {
      this.known++;
      this.contacts += kept.count;
    }
    expect([kept.count, kept.dropped, kept.unswept]).toEqual([fresh.count, fresh.dropped, fresh.unswept]);
    for (const name of ARRAYS) {
      const bytes = ({ [name]: a, count, capacity }: ContactBuffer) =>
        Buffer.from(a.buffer, a.byteOffset, (a.byteLength / capacity) * count);
      expect(bytes(kept).equals(bytes(fresh)), name).toBe(true);
    }
  }

  #find(finder: ContactFinder, stepCount: number, out: ContactBuffer): void {
    const contactMemory = { count: [0], keys: [], gaps: [], pushed: false };
    const options = { integrator: 'euler' };
    const obstacles = { count: 0 } as ObstacleSet;
    const scene: ContactScene = { obstacles, gravity: [0, -9.81, 0], stepCount, contactMemory, options };
    out.clear();
    finder.find(scene, H, out);
  }

  #forget(): void {
    const states = this.#world.bodies.map(({ state }) => state);
    const places = states.map(({ positions }) => positions.slice());
    for (const { positions } of states) positions.fill(Number.NaN);
    this.#find(this.#forgetful, 1, this.#buffers[1]);
    states.forEach(({ positions }, i) => {
      positions.set(places[i]);
    });
  }
}

/** Lets a body fall and lie, and has a hand drag it in jumps in the middle. */
async function compareAlong(scene: SceneDef, steps: number): Promise<TwoSearches> {
  const world = await createWorld(scene);
  const searches = new TwoSearches(world);
  const random = createRandom(5);
  const { model, state } = world.bodies[0];
  let grab: ReturnType<typeof grabBody> | undefined;
  for (let n = 0; n < steps; n++) {
    const isGrabbed = n > 0.1 * steps && n < 0.2 * steps;
    if (isGrabbed && n % 9 === 0) {
      if (grab) releaseGrab(world, grab);
      const v = random.integer(model.vertexCount) * 3;
      grab = grabBody(world, 0, state.positions.slice(v, v + 3));
      const way = new Float64Array(3);
      random.unitVector(way, 0);
      moveGrab(
        grab,
        state.positions.slice(v, v + 3).map((x, k) => x + 0.4 * model.size * way[k]),
      );
    }
    if (!isGrabbed && grab) {
      releaseGrab(world, grab);
      grab = undefined;
    }
    stepWorld(world);
    searches.compare(n);
  }
  disposeWorld(world);
  return searches;
}

describe('contacts of a body with itself', () => {
  it.each(['ragdoll', 'fish', 'quadruped'])(
    'are those of a search that knows nothing: %s',
    async (name) => {
      const { known } = await compareAlong(buildScene(name) as SceneDef, 260);
      console.log(name, known);
    },
    120_000,
  );

  const model = 'CesiumMan.glb';
  it.skipIf(!hasAssets(model))(
    'are so for a model that comes to lie on itself',
    async () => {
      const scene = await lyingScene(readAsset(model));
      const { known, contacts } = await compareAlong(scene, 560);
      expect(known).toBeGreaterThan(50);
      expect(contacts).toBeGreaterThan(50);
    },
    240_000,
  );

  it('go on with the same bits in a world that is put back, and in one that has not been there', async () => {
    const scene = buildScene('fish') as SceneDef;
    const world = await createWorld(scene);
    for (let n = 0; n < 60; n++) stepWorld(world);
    const snapshot = takeSnapshot(world);
    const other = await createWorld(scene);
    restoreSnapshot(other, snapshot);
    const on = (one: World) => {
      for (let n = 0; n < 20; n++) stepWorld(one);
      return hashWorld(one);
    };
    const wanted = on(world);
    restoreSnapshot(world, snapshot);
    expect(on(world)).toBe(wanted);
    expect(on(other)).toBe(wanted);
    disposeWorld(world);
    disposeWorld(other);
  }, 60_000);
});

async function lyingScene(bytes: Uint8Array): Promise<SceneDef> {
  const { body } = await loadCharacter(bytes, { name: 'lying' });
  const bones = body.bones?.map((bone) => ({ ...bone, kinematic: false }));
  let low = Number.POSITIVE_INFINITY;
  for (let i = 1; i < body.positions.length; i += 3) low = Math.min(low, body.positions[i]);
  const floor = { name: 'floor', shape: { kind: 'plane' as const }, position: [0, low - 0.1, 0] as const };
  return { name: 'lying', description: '', bodies: [{ body: { ...body, bones } }], obstacles: [floor] };
}

/** `tendon/three` in a real browser, bundled as a user would: in a worker and on the page, with and without isolation. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { hasAssets } from '../support/assets.js';
import { type Chromium, launchChromium, PATIENCE, type StaticServer, startServer } from '../support/pages/chromium.js';
import { buildExamplePage, buildThreePage } from '../support/pages/three-page.js';

declare const lab: import('./three-page/lab.js').Lab;

vi.setConfig({ testTimeout: 2 * PATIENCE, hookTimeout: 2 * PATIENCE });

const HAND = hasAssets('hand.glb');
const BUILD = { build: { tets: 800 } };
let chromium: Chromium;
let isolated: StaticServer;
let plain: StaticServer;

beforeAll(async () => {
  const folders = { page: await buildThreePage(), example: await buildExamplePage() };
  isolated = await startServer({ isolated: true, folders });
  plain = await startServer({ isolated: false, folders });
  chromium = await launchChromium();
});

afterAll(async () => {
  await chromium?.close();
  await isolated?.close();
  await plain?.close();
});

afterEach(async () => {
  await chromium.close();
});

async function openLab(server = isolated, drawn = false): Promise<{ page: Page; errors: string[] }> {
  const opened = await chromium.open(`${server.url}/page/index.html`, { drawn });
  await opened.page.waitForFunction(() => 'lab' in globalThis);
  return opened;
}

/** Grabs, pushes, plays and steps in a fixed order; the fingerprint after it. */
async function playThrough(page: Page, options: object): Promise<{ hash: string; transport?: string; skin: number[] }> {
  return page.evaluate(async (given) => {
    await lab.load('arm.glb', { ...given, build: { tets: 800 } });
    const { character } = lab;
    character.playClip('swing');
    await character.simulation.advance(7);
    const grip = character.grab(new lab.Vector3(0.95, 0.1, 0));
    for (let i = 0; i < 10; i++) {
      grip.moveTo(new lab.Vector3(0.95, 0.1 + 0.01 * i, 0.02 * i));
      await character.simulation.advance(2);
    }
    character.push(new lab.Vector3(0.7, 0, 0), new lab.Vector3(0, 0, 1));
    await character.simulation.advance(5);
    grip.release();
    await character.simulation.advance(8);
    const { transport } = character.simulation;
    return { hash: await character.simulation.hash(), transport, skin: lab.positions() };
  }, options);
}

describe('SoftCharacter in a browser', () => {
  it.each([
    ['shared memory', true, {}],
    ['transfer', false, {}],
    ['main thread', false, { worker: false }],
  ])('runs 120 frames of a rigged model by %s, textured, without an error', async (transport, isolate, options) => {
    const { page, errors } = await openLab(isolate ? isolated : plain, true);
    const seen = await page.evaluate(
      async (given) => {
        await lab.load('arm.glb', given);
        const start = lab.positions();
        await lab.run(120);
        await lab.runUntil(60);
        const { simulation, skins } = lab.character;
        const [material] = skins[0].material as unknown as { map: { image: { width: number } } }[];
        return {
          isolated: crossOriginIsolated,
          transport: simulation.transport,
          steps: simulation.stepCount,
          jointGap: simulation.certificate?.jointGap,
          start,
          positions: lab.positions(),
          texture: material.map.image.width,
          colours: lab.colours(),
          errors: lab.errors,
        };
      },
      { ...BUILD, ...options },
    );
    expect(errors).toEqual([]);
    expect(seen.errors).toEqual([]);
    expect(seen.isolated).toBe(isolate);
    expect(seen.transport).toBe(transport);
    expect(seen.steps).toBeGreaterThanOrEqual(60);
    expect(seen.jointGap).toBeLessThan(1e-9);
    expect(seen.positions.every(Number.isFinite)).toBe(true);
    expect(seen.positions).not.toEqual(seen.start);
    expect(seen.texture).toBe(1);
    expect(seen.colours).toBeGreaterThan(10);
    expect(page.workers().length).toBe(transport === 'main thread' ? 0 : 1);
  });

  it('gives the same bits in a worker and on the page, with and without shared memory', async () => {
    const { page, errors } = await openLab(isolated);
    const shared = await playThrough(page, {});
    const direct = await playThrough(page, { worker: false });
    const bare = await openLab(plain);
    const sent = await playThrough(bare.page, {});
    expect([shared.transport, sent.transport, direct.transport]).toEqual(['shared memory', 'transfer', 'main thread']);
    expect(shared.hash).toMatch(/^[0-9a-f]{16}$/);
    expect(shared.hash).toBe(direct.hash);
    expect(sent.hash).toBe(direct.hash);
    expect(shared.skin).toEqual(direct.skin);
    expect(sent.skin).toEqual(direct.skin);
    expect([...errors, ...bare.errors]).toEqual([]);
  });

  it('brings the grabbed point to within a centimetre of where it is dragged, and lets go', async () => {
    const { page, errors } = await openLab();
    const seen = await page.evaluate(async () => {
      await lab.load('arm.glb', { build: { tets: 800 } });
      const { character } = lab;
      const ray = new lab.Raycaster(new lab.Vector3(0.9, 0, 2), new lab.Vector3(0, 0, -1));
      const [{ point: hit }] = ray.intersectObjects(character.skins);
      const grip = character.grab(hit);
      const target = hit.clone().add(new lab.Vector3(-0.05, 0.15, 0.05));
      // step by step: how many a page takes per picture depends on the machine
      for (let i = 1; i <= 40; i++) {
        grip.moveTo(hit.clone().lerp(target, i / 40));
        await character.simulation.advance(1);
      }
      await character.simulation.advance(110);
      const away = grip.point.distanceTo(target);
      const held = grip.point.y;
      grip.release();
      await character.simulation.advance(60);
      const now = character.bone('elbow').position.y;
      return { hit: hit.toArray(), away, held, now };
    });
    expect(seen.hit[2]).toBeGreaterThan(0.1);
    expect(seen.away).toBeLessThan(0.01);
    // lifted, then down again
    expect(seen.held).toBeGreaterThan(0.1);
    expect(seen.now).toBeLessThan(0);
    expect(errors).toEqual([]);
  });

  it('reports a worker that was killed, and goes on with another', async () => {
    const { page, errors } = await openLab();
    const seen = await page.evaluate(async () => {
      await lab.load('arm.glb', { build: { tets: 800 } });
      const { simulation } = lab.body;
      const first = lab.positions();
      await lab.run(20);
      lab.workers[0].terminate();
      // its patience ends at once: a short one would end on a busy machine while the worker still builds
      while (lab.errors.length === 0) {
        await lab.run(1);
        lab.endPatience();
      }
      const states = [simulation.state];
      const shown = lab.positions();
      // nothing throws while it is gone
      const grip = lab.body.grab(new lab.Vector3(0.9, 0, 0));
      await lab.run(3);
      await lab.body.restart();
      states.push(simulation.state);
      const restarted = lab.positions();
      await simulation.advance(10);
      return {
        states,
        errors: [...lab.errors],
        kept: shown.every(Number.isFinite),
        again: restarted.every((x, i) => x === first[i]),
        held: grip.held,
        steps: simulation.stepCount,
      };
    });
    expect(seen.errors).toEqual([expect.stringContaining('lost: E_THREAD')]);
    expect(seen.states).toEqual(['lost', 'running']);
    expect(seen).toMatchObject({ kept: true, again: true, held: false, steps: 10 });
    expect(page.workers().length).toBe(1);
    expect(errors).toEqual([]);
  });

  it('leaves no worker and no memory of the graphics card behind', async () => {
    const { page, errors } = await openLab();
    const seen = await page.evaluate(async () => {
      const memory = () => ({ ...lab.renderer.info.memory });
      // the renderer keeps tables of its own once it has drawn anything
      await lab.load('arm.glb', { build: { tets: 800 } });
      await lab.run(2);
      lab.body.dispose();
      await lab.run(1);
      const before = memory();
      await lab.load('arm.glb', { build: { tets: 800 }, showBones: true });
      await lab.run(5);
      const during = memory();
      lab.body.dispose();
      await lab.run(1);
      return { before, during, after: memory() };
    });
    expect(seen.during.geometries).toBeGreaterThan(seen.before.geometries);
    expect(seen.during.textures).toBeGreaterThan(seen.before.textures);
    expect(seen.after).toMatchObject({ geometries: seen.before.geometries, textures: seen.before.textures });
    await expect.poll(() => page.workers().length, { timeout: PATIENCE }).toBe(0);
    expect(errors).toEqual([]);
  });

  it('says what is wrong with a file, in a worker too, and leaves nothing behind', async () => {
    const { page } = await openLab(plain);
    const why = await page.evaluate(async () => {
      const failures: string[] = [];
      for (const load of [
        lab.load('nothing.glb'),
        lab.load('index.html', { material: undefined }),
        lab.load('arm.glb', { kinematic: ['knee'] }),
        lab.load('arm.glb', { worker: () => new Worker('nothing.js', { type: 'module' }) }),
      ]) {
        failures.push(await load.then(String, (error: Error) => `${error.name}: ${error.message}`));
      }
      return failures;
    });
    expect(why).toEqual([
      expect.stringContaining('status 404'),
      expect.stringContaining('TendonError: E_FORMAT'),
      expect.stringContaining('shoulder, elbow'),
      expect.stringContaining('TendonError: E_THREAD'),
    ]);
    await expect.poll(() => page.workers().length, { timeout: PATIENCE }).toBe(0);
  });

  it.skipIf(!HAND)('makes a hand soft that others have rigged', async () => {
    const { page, errors } = await openLab();
    const seen = await page.evaluate(async () => {
      const stages = new Set<string>();
      await lab.load('hand.glb', { onProgress: (stage) => stages.add(stage) });
      await lab.run(120);
      await lab.runUntil(60);
      const { simulation, bodies } = lab.body;
      return {
        stages: [...stages],
        bones: bodies[0].bones.length,
        steps: simulation.stepCount,
        finite: lab.positions().every(Number.isFinite),
        jointGap: simulation.certificate?.jointGap,
        errors: lab.errors,
      };
    });
    expect(seen.stages).toContain('binding the skin');
    expect(seen.bones).toBeGreaterThan(10);
    expect(seen.steps).toBeGreaterThanOrEqual(60);
    expect(seen.finite).toBe(true);
    expect(seen.jointGap).toBeLessThan(1e-9);
    expect(seen.errors).toEqual([]);
    expect(errors).toEqual([]);
  });
});

describe('SoftBody in a browser', () => {
  it('runs a scene by its name, in a worker', async () => {
    const { page, errors } = await openLab(plain);
    const steps = await page.evaluate(async () => {
      await lab.scene('jelly-drop');
      await lab.run(30);
      await lab.runUntil(20);
      return lab.body.simulation.stepCount;
    });
    expect(steps).toBeGreaterThanOrEqual(20);
    expect(errors).toEqual([]);
  });
});

describe('pictures of 20,000 vertices', () => {
  it.each([
    ['shared memory', true],
    ['transfer', false],
  ])('come from the worker by %s', async (transport, isolate) => {
    const { page, errors } = await openLab(isolate ? isolated : plain);
    const seen = await page.evaluate(async () => {
      await lab.load('fine-arm.glb', { build: { tets: 800 } });
      await lab.run(20);
      const { simulation, skins } = lab.body;
      Object.assign(lab.cost, { ms: 0, answers: 0 });
      const answers: number[] = [];
      for (let i = 0; i < 100; i++) {
        const before = lab.cost.ms;
        await simulation.advance(1);
        answers.push(lab.cost.ms - before);
      }
      answers.sort((a, b) => a - b);
      const vertices = skins[0].geometry.getAttribute('position').count;
      return { vertices, transport: simulation.transport, mean: lab.cost.ms / 100, median: answers[50] };
    });
    expect(seen.vertices).toBeGreaterThan(19_000);
    expect(seen.transport).toBe(transport);
    expect(errors).toEqual([]);
    console.log(
      `${transport}: ${seen.vertices} vertices cost the page ${seen.mean.toFixed(3)} ms per picture (mean), ${seen.median.toFixed(3)} (median)`,
    );
  });
});

describe('the example', () => {
  it('shows a soft body on any page', async () => {
    const { page, errors } = await chromium.open(`${plain.url}/example/three-glb.html`);
    await page.waitForSelector('canvas');
    await expect.poll(() => page.workers().length, { timeout: PATIENCE }).toBe(1);
    const pictures: string[] = [];
    for (let i = 0; i < 60 && new Set(pictures).size < 5; i++) {
      pictures.push((await page.screenshot({ type: 'png' })).toString('base64'));
    }
    // it moves
    expect(new Set(pictures).size).toBeGreaterThanOrEqual(5);
    expect(errors).toEqual([]);
  });
});

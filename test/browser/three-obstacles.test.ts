/** Obstacles that come, move and go while a soft body runs, in a real browser: in a worker and on the page. */
import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { type Chromium, launchChromium, PATIENCE, type StaticServer, startServer } from '../support/pages/chromium.js';
import { buildThreePage } from '../support/pages/three-page.js';

declare const lab: import('./three-page/lab.js').Lab;

vi.setConfig({ testTimeout: 2 * PATIENCE, hookTimeout: 2 * PATIENCE });

let chromium: Chromium;
let isolated: StaticServer;
let plain: StaticServer;

beforeAll(async () => {
  const page = await buildThreePage();
  isolated = await startServer({ isolated: true, folders: { page } });
  plain = await startServer({ isolated: false, folders: { page } });
  chromium = await launchChromium();
});

afterAll(async () => {
  await chromium?.close();
  await isolated?.close();
  await plain?.close();
});

// a page behind another one draws nothing
afterEach(async () => {
  await chromium.close();
});

async function openLab(server: StaticServer): Promise<{ page: Page; errors: string[] }> {
  const opened = await chromium.open(`${server.url}/page/index.html`, { drawn: false });
  await opened.page.waitForFunction(() => 'lab' in globalThis);
  return opened;
}

/** An arm falls on a box that was not there at the start, is lifted by it, and falls on when it is taken away. */
async function playThrough(page: Page, options: object) {
  return page.evaluate(async (given) => {
    await lab.load('arm.glb', { ...given, build: { tets: 800 }, kinematic: 'none' });
    const { body } = lab;
    const { simulation } = body;
    const touched = new Set<string>();
    simulation.addEventListener('contact', ({ phase, obstacle }) => touched.add(`${phase} ${obstacle}`));
    // the arm stands elsewhere in the scene: meshes count where they are seen
    body.position.set(5, 1, 0);
    const height = () => body.skins[0].geometry.boundingSphere!.center.y;
    await simulation.advance(5);
    const lift = new lab.Mesh(new lab.BoxGeometry(4, 0.2, 4));
    lift.name = 'lift';
    lift.position.set(5, 0.5, 0);
    const number = body.addObstacle(lift);
    const name = body.obstacleName(number);
    await simulation.advance(115);
    const landed = height();
    for (let i = 0; i < 60; i++) {
      lift.position.y += 0.005;
      // tells where the mesh is, and takes no step: how many a page takes per picture depends on the machine
      body.step(0);
      await simulation.advance(1);
    }
    const lifted = height();
    body.removeObstacle(lift);
    await simulation.advance(60);
    const hash = await simulation.hash();
    const { transport } = simulation;
    return { number, name, landed, lifted, fallen: height(), hash, transport, touched: [...touched], told: lab.errors };
  }, options);
}

describe('obstacles of a soft body that runs', () => {
  it('come, lift and go, with the same bits in a worker and on the page', async () => {
    const first = await openLab(isolated);
    const shared = await playThrough(first.page, {});
    const direct = await playThrough(first.page, { worker: false });
    const second = await openLab(plain);
    const sent = await playThrough(second.page, {});
    expect([shared.transport, sent.transport, direct.transport]).toEqual(['shared memory', 'transfer', 'main thread']);
    expect(shared.hash).toMatch(/^[0-9a-f]{16}$/);
    expect({ ...shared, transport: '' }).toEqual({ ...direct, transport: '' });
    expect({ ...sent, transport: '' }).toEqual({ ...direct, transport: '' });
    expect(direct.name).toBe('lift');
    expect(direct.touched.sort()).toEqual(['begin 0', 'end 0', 'persist 0']);
    // the upper side of the box is at -0.4 in the arm's space, and the arm is about 0.2 thick
    expect(direct.landed).toBeGreaterThan(-0.4);
    expect(direct.landed).toBeLessThan(-0.2);
    expect(direct.lifted - direct.landed).toBeGreaterThan(0.25);
    expect(direct.fallen).toBeLessThan(-2);
    expect([...direct.told, ...first.errors, ...second.errors]).toEqual([]);
  });

  it('push what they are moved against, picture by picture', async () => {
    const { page, errors } = await openLab(plain);
    const seen = await page.evaluate(async () => {
      await lab.load('arm.glb', { build: { tets: 800 } });
      const { body } = lab;
      const pusher = new lab.Mesh(new lab.BoxGeometry(0.3, 0.2, 0.8));
      pusher.position.set(0.9, -0.8, 0);
      body.addObstacle(pusher);
      await lab.runUntil(5);
      // the arm hangs from its shoulder; the box comes from below, moved once per picture, as a page does
      await lab.run(120, () => {
        pusher.position.y = Math.min(0.1, pusher.position.y + 0.01);
      });
      await lab.runUntil(body.simulation.stepCount + 60);
      return { elbow: body.bone('elbow').position.y, told: lab.errors };
    });
    // without the box it hangs at -0.1, with it its upper side, 0.2 high, carries the arm
    expect(seen.elbow).toBeGreaterThan(0.1);
    expect([...seen.told, ...errors]).toEqual([]);
  });
});

/** Soft bodies on the page's own thread, which Node has too: what they do, whatever thread they run on. */
import { Group, Raycaster, Vector3 } from 'three';
import { describe, expect, it } from 'vitest';
import { buildScene } from '../../scenes/index.js';
import { SoftBody } from '../../three/index.js';
import { hairpin, withPins } from '../support/models/contact-shapes.js';
import { block, DT, middleNear, opened, positionsOf } from '../support/models/soft-bodies.js';

describe('SoftBody', () => {
  it('grabs a point, drags it to within a centimetre of the target, and lets go', async () => {
    const body = await block({ gravity: [0, 0, 0] });
    const scene = new Group().add(body);
    scene.position.set(0, 1, 0);
    const start = positionsOf(body);
    const corner = new Vector3(0.15, 0.05, 0.05);
    const grip = body.grab(corner.clone().add(scene.position));
    const target = new Vector3(0.2, 0.15, 0.05);
    for (let i = 1; i <= 60; i++) {
      const share = Math.min(1, i / 30);
      grip.moveTo(corner.clone().lerp(target, share).add(scene.position));
      await body.simulation.advance(1);
    }
    expect(grip.point.distanceTo(target.clone().add(scene.position))).toBeLessThan(0.01);
    const before = middleNear(start, start, corner, 0.03);
    const after = middleNear(start, positionsOf(body), corner, 0.03);
    expect(after.clone().sub(before).distanceTo(target.clone().sub(corner))).toBeLessThan(0.02);
    grip.release();
    expect(grip.held).toBe(false);
    grip.moveTo(new Vector3(0, 100, 0));
    await body.simulation.advance(30);
    expect(middleNear(start, positionsOf(body), corner, 0.03).y).toBeLessThan(1);
  });

  it('pins a point against gravity, and falls when the pin is gone', async () => {
    const body = await block();
    const pin = body.pin(new Vector3(0, 0.05, 0));
    await body.simulation.advance(60);
    expect(pin.point.distanceTo(new Vector3(0, 0.05, 0))).toBeLessThan(0.01);
    pin.release();
    await body.simulation.advance(30);
    const { center } = body.skins[0].geometry.boundingSphere!;
    expect(center.y).toBeLessThan(-0.5);
  });

  it('gives exactly the impulse it is pushed with', async () => {
    const body = await block({ gravity: [0, 0, 0], dt: DT });
    const mass = 0.3 * 0.1 * 0.1 * 1000;
    const centre = () => middleNear(start, positionsOf(body), new Vector3(), 10);
    const start = positionsOf(body);
    body.push(new Vector3(0, 0, 0.05), new Vector3(0, 0, 1.5), { radius: 1 });
    await body.simulation.advance(30);
    const at30 = centre();
    await body.simulation.advance(30);
    const speed = centre().sub(at30).z / (30 * DT);
    expect(speed).toBeCloseTo(1.5 / mass, 5);
    expect(centre().x).toBeCloseTo(0, 5);
  });

  it('draws states between the last two steps', async () => {
    const body = await block();
    body.step(DT);
    body.step(DT);
    const heights: number[] = [];
    for (let i = 0; i < 8; i++) {
      body.step(DT / 4);
      heights.push(body.skins[0].geometry.boundingSphere!.center.y);
    }
    for (let i = 1; i < heights.length; i++) expect(heights[i]).toBeLessThan(heights[i - 1]);
    // at rest for a quarter of a step at most: equal parts of a step are equal parts of the way
    const parts = heights.slice(1).map((height, i) => heights[i] - height);
    expect(parts[0]).toBeCloseTo(parts[1], 6);
    expect(body.simulation.stepCount).toBe(4);
    body.step(3600);
    expect(body.simulation.stepCount).toBe(8);
    expect(body.simulation.droppedSteps).toBeGreaterThan(200_000);
  });

  it('touches itself where that is asked for', async () => {
    const pinned = withPins(hairpin(2), (_x, y) => y < 0.1 + 1e-9);
    const lowestAfter = async (selfContact: boolean) => {
      const body = await SoftBody.fromDef(pinned, { worker: false, selfContact, damping: 0.5 });
      opened.push(body);
      const start = positionsOf(body);
      await body.simulation.advance(120);
      // of what was the upper arm
      return Math.min(...positionsOf(body).filter((_, i) => i % 3 === 1 && start[i] > 0.19 && start[i - 1] > 0.15));
    };
    // the lower arm's top is pinned at 0.1 m
    expect(await lowestAfter(true)).toBeGreaterThan(0.09);
    expect(await lowestAfter(false)).toBeLessThan(0.05);
  });

  it('can be hit by a ray where it is now, not where it was', async () => {
    const body = await block();
    const scene = new Group().add(body);
    const look = () => {
      scene.updateMatrixWorld();
      return new Raycaster(new Vector3(0, 0, 1), new Vector3(0, 0, -1)).intersectObjects(body.skins);
    };
    expect(look()[0].point.z).toBeCloseTo(0.05, 2);
    await body.simulation.advance(60);
    expect(look()).toEqual([]);
  });

  it('goes back to the first positions and takes the same steps again', async () => {
    const body = await SoftBody.fromScene('bar', { worker: false });
    opened.push(body);
    const first = await body.simulation.hash();
    await body.simulation.advance(5);
    const fifth = await body.simulation.hash();
    body.grab(new Vector3());
    body.reset();
    expect(await body.simulation.hash()).toBe(first);
    await body.simulation.advance(5);
    expect(await body.simulation.hash()).toBe(fifth);
    expect(body.simulation.certificate?.jointGap).toBeLessThan(1e-8);
  });

  it('draws the obstacles a scene came with where the simulation has them', async () => {
    const body = await SoftBody.fromScene('drum', { worker: false });
    opened.push(body);
    const [drum] = body.sceneObstacles!.meshes;
    expect(drum.position.toArray()).toEqual([0, expect.closeTo(1.1, 6), 0]);
    const start = drum.quaternion.clone();
    await body.simulation.advance(6);
    // a tenth of a second at 2 rad/s
    expect(drum.quaternion.angleTo(start)).toBeCloseTo(0.2, 4);
  });

  it('moves the bones of a scene as its drives do, by name or by description, and leaves them alone without', async () => {
    const named = await SoftBody.fromScene('fist', { worker: false });
    const given = await SoftBody.fromScene(buildScene('fist'), { worker: false });
    const still = await SoftBody.fromScene({ ...buildScene('fist'), drives: [] }, { worker: false });
    opened.push(named, given, still);
    const starts = [named, given, still].map(positionsOf);
    const moved = async (body: SoftBody, start: Float32Array) => {
      await body.simulation.advance(30);
      return Math.max(...positionsOf(body).map((x, i) => Math.abs(x - start[i])));
    };
    expect(await moved(named, starts[0])).toBeGreaterThan(0.01);
    expect(await moved(given, starts[1])).toBeGreaterThan(0.01);
    expect(await moved(still, starts[2])).toBeLessThan(0.005);
  });

  it('reports what cannot be done by an event, and goes on', async () => {
    const body = await block();
    const errors: string[] = [];
    body.simulation.addEventListener('error', ({ error, lost }) => errors.push(`${lost} ${error.message}`));
    body.grab(new Vector3(), { body: 7 });
    expect(errors).toEqual([expect.stringContaining('false E_INDEX')]);
    expect(() => body.grab(new Vector3(Number.NaN, 0, 0))).toThrow('E_NOT_FINITE');
    await body.simulation.advance(2);
    expect(body.simulation.stepCount).toBe(2);
  });

  it('can be started anew, and only the last start counts', async () => {
    const body = await block();
    const first = await body.simulation.hash();
    await body.simulation.advance(3);
    const early = body.restart();
    const late = body.restart();
    await expect(early).rejects.toThrow('the start was given up');
    await late;
    expect(await body.simulation.hash()).toBe(first);
    const given = body.restart();
    body.dispose();
    await expect(given).rejects.toThrow('E_THREAD');
    expect(body.simulation.state).toBe('disposed');
  });

  it('is of no more use once it is disposed of', async () => {
    const body = await block();
    const scene = new Group().add(body);
    let freed = 0;
    body.skins[0].geometry.addEventListener('dispose', () => freed++);
    body.dispose();
    expect(freed).toBe(1);
    expect(scene.children).toEqual([]);
    expect(body.simulation.state).toBe('disposed');
    body.step(1);
    await expect(body.simulation.advance(1)).rejects.toThrow('E_THREAD');
    await expect(body.restart()).rejects.toThrow('E_THREAD');
  });
});

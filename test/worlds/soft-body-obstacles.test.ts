/** Soft bodies and the meshes they land on: obstacles that come, move and go. */
import { BoxGeometry, Group, Mesh, PlaneGeometry } from 'three';
import { describe, expect, it } from 'vitest';
import { type ContactNews, SoftBody } from '../../three/index.js';
import { block, DT, opened } from '../support/models/soft-bodies.js';

describe('SoftBody', () => {
  it('lands on a mesh, says so, and is carried along when the mesh moves', async () => {
    const floor = new Mesh(new PlaneGeometry(4, 4).rotateX(-Math.PI / 2));
    floor.position.y = -0.1;
    const lift = new Mesh(new BoxGeometry(1, 0.1, 1));
    lift.position.y = -0.5;
    lift.name = 'lift';
    const body = await block({ obstacles: [floor, lift] });
    const heard: ContactNews[] = [];
    body.simulation.addEventListener('contact', (event) => heard.push(event));
    for (let i = 0; i < 90; i++) body.step(DT);
    expect(heard[0]).toMatchObject({ phase: 'begin', body: 0, obstacle: 0 });
    expect(heard.some(({ phase }) => phase === 'persist')).toBe(true);
    const resting = heard.filter(({ phase }) => phase === 'persist').at(-1)!;
    expect(resting.force[1] / (0.3 * 0.1 * 0.1 * 1000 * 9.81)).toBeCloseTo(1, 1);
    expect(resting.point[1]).toBeCloseTo(-0.1, 2);
    for (let i = 0; i < 120; i++) {
      lift.position.y += 0.005;
      body.step(DT);
    }
    expect(lift.position.y).toBeCloseTo(0.1, 6);
    expect(body.skins[0].geometry.boundingSphere!.center.y).toBeGreaterThan(0.17);
    expect(heard.some(({ phase, obstacle }) => phase === 'end' && obstacle === 0)).toBe(true);
    expect(heard.some(({ phase, obstacle }) => phase === 'begin' && obstacle === 1)).toBe(true);
  });

  it('finds obstacles where their meshes are, after a reset and before the first step too', async () => {
    const floor = new Mesh(new PlaneGeometry(4, 4).rotateX(-Math.PI / 2));
    floor.position.y = -3;
    const body = await block({ obstacles: [floor] });
    const first = await body.simulation.hash();
    body.step(0);
    body.reset();
    expect(await body.simulation.hash()).toBe(first);
    // through the body: it would be thrown up if the floor swept over it
    floor.position.y = -0.1;
    body.reset();
    for (let i = 0; i < 90; i++) body.step(DT);
    expect(body.skins[0].geometry.boundingSphere!.center.y).toBeCloseTo(-0.05, 1);
    new Group().add(body).position.y = 2;
    floor.position.y = 1.9;
    for (let i = 0; i < 30; i++) body.step(DT);
    expect(body.skins[0].geometry.boundingSphere!.center.y).toBeCloseTo(-0.05, 1);
  });

  it('takes, follows and loses obstacles while it runs', async () => {
    const body = await block();
    const floor = new Mesh(new PlaneGeometry(4, 4).rotateX(-Math.PI / 2));
    floor.name = 'floor';
    new Group().add(body).position.set(0, 3, 0);
    const heard: ContactNews[] = [];
    body.simulation.addEventListener('contact', (event) => heard.push(event));
    const run = (steps: number, each = () => {}) => {
      for (let i = 0; i < steps; i++) {
        each();
        body.step(DT);
      }
      return body.skins[0].geometry.boundingSphere!.center.y;
    };
    run(10);
    floor.position.y = 2.5;
    const number = body.addObstacle(floor);
    expect(body.obstacleName(number)).toBe('floor');
    expect(() => body.addObstacle(floor)).toThrow('E_DUPLICATE');
    // in the body's own space the floor is at -0.5, and the block is 0.1 high
    expect(run(110)).toBeCloseTo(-0.45, 1);
    const raised = run(60, () => {
      floor.position.y += 0.005;
    });
    expect(raised).toBeGreaterThan(-0.2);
    expect(heard.every(({ obstacle }) => obstacle === number)).toBe(true);
    body.removeObstacle(floor);
    expect(body.obstacleName(number)).toBeUndefined();
    // another takes its place at once, and has a number of its own
    const ledge = body.addObstacle({ name: 'ledge', shape: { kind: 'plane' }, position: [0, -0.6, 0] });
    expect(ledge).not.toBe(number);
    heard.length = 0;
    expect(run(110)).toBeCloseTo(-0.55, 1);
    expect(heard[0]).toMatchObject({ phase: 'end', obstacle: number });
    expect(heard.slice(1).every(({ obstacle }) => obstacle === ledge)).toBe(true);
    body.removeObstacle(ledge);
    expect(run(60)).toBeLessThan(-2);
    expect(() => body.removeObstacle(floor)).toThrow('E_UNKNOWN');
  });

  it('has the same obstacles when it is started anew', async () => {
    const first = new Mesh(new PlaneGeometry(4, 4).rotateX(-Math.PI / 2));
    first.position.y = -0.1;
    const body = await block({ obstacles: [first] });
    const later = first.clone();
    body.removeObstacle(first);
    later.position.y = -0.3;
    body.addObstacle(later);
    for (let i = 0; i < 30; i++) body.step(DT);
    later.position.y = -0.4;
    await body.restart();
    for (let i = 0; i < 120; i++) body.step(DT);
    expect(body.skins[0].geometry.boundingSphere!.center.y).toBeCloseTo(-0.35, 1);
  });

  it('can do without an obstacle of its scene, which is then no longer drawn', async () => {
    const body = await SoftBody.fromScene('jelly-drop', { worker: false });
    opened.push(body);
    const [floor] = body.sceneObstacles!.meshes;
    body.removeObstacle(floor);
    expect(floor.visible).toBe(false);
    await body.simulation.advance(120);
    expect(body.skins[0].geometry.boundingSphere!.center.y).toBeLessThan(-5);
  });

  it('says what is wrong with an obstacle that cannot be used, once, and goes on', async () => {
    const body = await block();
    const told: string[] = [];
    body.simulation.addEventListener('error', ({ error }) => told.push(error.message));
    const bad = body.addObstacle({ name: 'bad', shape: { kind: 'sphere', radius: -1 } });
    body.simulation.act({ kind: 'obstacle', index: bad, position: [0, 0, 0], rotation: [0, 0, 0, 1] });
    for (let i = 0; i < 5; i++) body.step(DT);
    expect(told).toEqual([expect.stringContaining('radius')]);
    expect(body.simulation.stepCount).toBeGreaterThan(2);
    body.removeObstacle(bad);
    expect(told.length).toBe(1);
  });
});

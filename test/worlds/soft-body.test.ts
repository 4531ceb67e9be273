/** Soft bodies on the page's own thread, which Node has too: what they do, whatever thread they run on. */
import { BoxGeometry, Group, Mesh, MeshBasicMaterial, PlaneGeometry, Quaternion, Raycaster, Vector3 } from 'three';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { buildScene } from '../../scenes/index.js';
import type { BodyDef } from '../../src/body/body-def.js';
import { writeCharacter } from '../../src/character/character-file.js';
import { loadCharacter } from '../../src/character/load-character.js';
import { writeGltf } from '../../src/io/gltf/gltf-write.js';
import { buildLattice } from '../../src/mesh/tets/tet-lattice.js';
import { type ContactNews, SoftBody, SoftCharacter, type SoftCharacterOptions } from '../../three/index.js';
import { hairpin, withPins } from '../support/contact-shapes.js';
import { armModel } from '../support/rigged-model.js';

const DT = 1 / 60;
/** 3 kg of jelly, 30 cm x 10 cm x 10 cm about the origin. */
const BLOCK: BodyDef = {
  name: 'block',
  ...buildLattice({ cells: [6, 2, 2], cellSize: [0.05, 0.05, 0.05], origin: [-0.15, -0.05, -0.05] }),
  materials: [{ model: 'arap', youngModulus: 2e4, poissonRatio: 0, density: 1000 }],
};
const open: SoftBody[] = [];
let arm: Uint8Array;

beforeAll(async () => {
  arm = await writeGltf(armModel({ swing: 0.8 }));
});

afterEach(() => {
  for (const body of open.splice(0)) body.dispose();
});

async function loadArm(options: SoftCharacterOptions = {}): Promise<SoftCharacter> {
  const character = await SoftCharacter.load(arm, { worker: false, build: { tets: 800 }, ...options });
  open.push(character);
  return character;
}

async function block(options = {}): Promise<SoftBody> {
  const body = await SoftBody.fromDef(BLOCK, { worker: false, ...options });
  open.push(body);
  return body;
}

function positionsOf(body: SoftBody): Float32Array {
  return Float32Array.from(body.skins[0].geometry.getAttribute('position').array);
}

/** Middle of the skin's vertices near a point at the start. */
function middleNear(start: Float32Array, now: Float32Array, point: Vector3, radius: number): Vector3 {
  const sum = new Vector3();
  let count = 0;
  for (let i = 0; i < start.length; i += 3) {
    if (new Vector3().fromArray(start, i).distanceTo(point) > radius) continue;
    sum.add(new Vector3().fromArray(now, i));
    count++;
  }
  return sum.divideScalar(count);
}

describe('SoftCharacter', () => {
  it('gives up when its signal says so, before or while it is built, and leaves nothing', async () => {
    const leaving = new AbortController();
    const stages: string[] = [];
    const onProgress = (stage: string): void => {
      stages.push(stage);
      leaving.abort(new Error('gone'));
    };
    await expect(loadArm({ signal: leaving.signal, onProgress })).rejects.toThrow('gone');
    expect(stages.length).toBeGreaterThan(0);
    stages.length = 0;
    await expect(loadArm({ signal: leaving.signal, onProgress })).rejects.toThrow('gone');
    expect(stages).toEqual([]);
  });

  it('shows the skin of the file in its rest shape, with unit normals, texture coordinates and bones', async () => {
    const character = await loadArm({ showBones: true, material: new MeshBasicMaterial() });
    const [skin] = character.skins;
    expect(skin.geometry.getAttribute('position').count).toBe(302);
    expect(skin.geometry.getAttribute('uv').count).toBe(302);
    const model = armModel().meshes[0].primitives[0];
    const worst = positionsOf(character).reduce((most, x, i) => Math.max(most, Math.abs(x - model.positions[i])), 0);
    expect(worst).toBeLessThan(1e-6);
    const normals = skin.geometry.getAttribute('normal');
    for (let i = 0; i < 288; i++) {
      const normal = new Vector3().fromBufferAttribute(normals, i);
      expect(normal.length()).toBeCloseTo(1, 5);
    }
    // on the side of the tube normals point away from its axis
    const side = new Vector3().fromBufferAttribute(normals, 12 * 12);
    expect(side.y).toBeGreaterThan(0.99);
    expect(character.bodies[0].bones.map(({ name }) => name)).toEqual(['shoulder', 'elbow']);
    expect(character.bone('elbow').position.x).toBeGreaterThan(0.5);
    expect(character.showBones).toBe(true);
    expect(skin.geometry.boundingSphere?.radius).toBeGreaterThan(0.5);
    expect(character.report.mass).toBeGreaterThan(10);
    expect(() => character.bone('knee')).toThrow('the bones are: shoulder, elbow');
  });

  it('is held by its root, hangs down, and stays at home where all bones are kinematic', async () => {
    const material = new MeshBasicMaterial();
    const hanging = await loadArm({ material });
    const stiff = await loadArm({ material, kinematic: 'all' });
    await hanging.simulation.advance(60);
    await stiff.simulation.advance(60);
    expect(hanging.bone('elbow').position.y).toBeLessThan(-0.05);
    expect(hanging.bone('shoulder').position.y).toBeCloseTo(0, 6);
    expect(stiff.bone('elbow').position.y).toBeCloseTo(0, 6);
    stiff.setKinematic('elbow', false);
    await stiff.simulation.advance(60);
    expect(stiff.bone('elbow').position.y).toBeLessThan(-0.05);
  });

  it('plays a clip on kinematic bones, wherever it was put', async () => {
    const half = Math.SQRT1_2;
    const character = await loadArm({
      material: new MeshBasicMaterial(),
      kinematic: 'all',
      position: [1, 2, 3],
      rotation: [0, half, 0, half],
    });
    expect(character.clips).toEqual([{ name: 'swing', duration: 1 }]);
    const start = character.bone('elbow').position.clone();
    character.playClip('swing', { fadeIn: 0 });
    await character.simulation.advance(15);
    // a quarter of the clip: the forearm is turned up by 0.8 rad about its joint at x = 0.5, seen along the turned axis
    const turn = new Quaternion(0, half, 0, half);
    const joint = new Vector3(0.5, 0, 0).applyQuaternion(turn).add(new Vector3(1, 2, 3));
    const raised = start
      .clone()
      .sub(joint)
      .applyAxisAngle(new Vector3(0, 0, 1).applyQuaternion(turn), 0.8)
      .add(joint);
    expect(character.bone('elbow').position.distanceTo(raised)).toBeLessThan(0.01);
    character.stopClip();
    await character.simulation.advance(30);
    expect(character.bone('elbow').position.distanceTo(raised)).toBeLessThan(0.01);
    expect(() => character.playClip('run')).toThrow('the clips are: swing');
  });

  it('sends kinematic bones where it is told', async () => {
    const character = await loadArm({ material: new MeshBasicMaterial(), kinematic: ['elbow'] });
    const target = character
      .bone('elbow')
      .position.clone()
      .add(new Vector3(0, 0.2, 0));
    character.setBoneTarget('elbow', target, new Quaternion());
    await character.simulation.advance(5);
    expect(character.bone('elbow').position.distanceTo(target)).toBeLessThan(1e-6);
    // the shoulder hangs on it
    expect(character.bone('shoulder').position.y).toBeGreaterThan(0);
  });

  it('loads a character that was built before, as it was', async () => {
    const options = { worker: false, material: new MeshBasicMaterial() };
    const file = await writeCharacter(await loadCharacter(arm, { tets: 800 }));
    const read = await SoftCharacter.load(file, options);
    const built = await loadArm(options);
    open.push(read);
    await Promise.all([read.simulation.advance(5), built.simulation.advance(5)]);
    expect(await read.simulation.hash()).toBe(await built.simulation.hash());
    expect(positionsOf(read)).toEqual(positionsOf(built));
    expect(read.clips).toEqual(built.clips);
  });

  it('refuses bones it does not have, and files that are none', async () => {
    await expect(loadArm({ material: new MeshBasicMaterial(), kinematic: ['knee'] })).rejects.toThrow(
      'shoulder, elbow',
    );
    const bytes = new Uint8Array(40).fill(7);
    await expect(SoftCharacter.load(bytes, { worker: false, material: new MeshBasicMaterial() })).rejects.toThrow(
      expect.objectContaining({ name: 'TendonError' }),
    );
  });
});

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
    open.push(body);
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

  it('touches itself where that is asked for', async () => {
    const pinned = withPins(hairpin(2), (_x, y) => y < 0.1 + 1e-9);
    const lowestAfter = async (selfContact: boolean) => {
      const body = await SoftBody.fromDef(pinned, { worker: false, selfContact, damping: 0.5 });
      open.push(body);
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
    open.push(body);
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
    open.push(body);
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
    open.push(named, given, still);
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

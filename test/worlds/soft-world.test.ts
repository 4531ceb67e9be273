/** Several characters in one simulation, on the page's own thread, which Node has too. */
import { BoxGeometry, Mesh, MeshBasicMaterial, PlaneGeometry, TorusGeometry, Vector3 } from 'three';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeGltf } from '../../src/io/gltf/gltf-write.js';
import { clothFromMesh, rigidFromMesh, SoftWorld } from '../../three/index.js';
import { armModel } from '../support/models/rigged-model.js';

const BUILD = { build: { tets: 800 } };
const OPTIONS = { worker: false, material: new MeshBasicMaterial() };
let arm: Uint8Array;

beforeAll(async () => {
  arm = await writeGltf(armModel({ swing: 0.8 }));
});

/** Lowest and highest point of a member's skin [m]. */
function heights(world: SoftWorld, member: number): [number, number] {
  const { array } = world.skins[member].geometry.getAttribute('position');
  const all = Array.from({ length: array.length / 3 }, (_, i) => array[3 * i + 1]);
  return [Math.min(...all), Math.max(...all)];
}

describe('SoftWorld', () => {
  it('lets one character fall on another, which carries it, on a floor for both', async () => {
    const floor = new Mesh(new PlaneGeometry(10, 10).rotateX(-Math.PI / 2));
    const free = { source: arm, kinematic: 'none', ...BUILD } as const;
    const characters = [
      { ...free, position: [0, 0.15, 0] },
      { ...free, position: [0, 0.6, 0] },
    ] as const;
    const world = await SoftWorld.load(characters, { ...OPTIONS, obstacles: [floor] });
    const touched = new Set<string>();
    world.simulation.addEventListener('contact', ({ body, otherBody, obstacle }) => {
      touched.add(
        otherBody >= 0 ? `${Math.min(body, otherBody)} on ${Math.max(body, otherBody)}` : `floor ${obstacle}`,
      );
    });
    expect(world.members.map(({ view }) => view.name)).toEqual([world.bodies[0].name, world.bodies[1].name]);
    expect(new Set(world.bodies.map(({ name }) => name)).size).toBe(2);
    await world.simulation.advance(40);
    expect(touched).toContain('0 on 1');
    expect(touched).toContain('floor 0');
    // the lower one is not left through: the upper one's lowest point stays above the lower one's
    expect(heights(world, 1)[0]).toBeGreaterThan(heights(world, 0)[0] + 0.02);
    expect(world.simulation.certificate?.jointGap).toBeLessThan(1e-9);
    world.dispose();
  });

  it('plays the clip of one, takes hold of the other', async () => {
    const apart = [
      { source: arm, kinematic: 'all', ...BUILD },
      { source: arm, position: [0, 2, 0], ...BUILD },
    ] as const;
    const world = await SoftWorld.load(apart, OPTIONS);
    const [first, second] = world.members;
    expect(second.info.clips.map(({ name }) => name)).toEqual(['swing']);
    const start = [first, second].map((member) => member.bone('elbow').position.clone());
    first.playClip('swing');
    const grip = second.grab(new Vector3(0.9, 2, 0));
    grip.moveTo(new Vector3(0.9, 2.2, 0));
    // a part of the way: after a second the clip is where it began
    await world.simulation.advance(35);
    expect(first.bone('elbow').position.distanceTo(start[0])).toBeGreaterThan(0.02);
    await world.simulation.advance(30);
    expect(grip.point.y).toBeGreaterThan(2.05);
    expect(() => second.playClip('nothing')).toThrow(/swing/);
    world.dispose();
    await expect(SoftWorld.load([], OPTIONS)).rejects.toMatchObject({ code: 'E_EMPTY' });
  });

  it('follows a clip by its motors with a strength, assisted at its root, and hangs without', async () => {
    const world = await SoftWorld.load([{ source: arm, kinematic: 'none', build: { tets: 300 } }], OPTIONS);
    const [member] = world.members;
    const { simulation } = world;
    member.setRoot('assisted', { blend: 0 });
    member.playClip('swing', { strength: 12 });
    await simulation.advance(40);
    expect(simulation.certificate?.trackingError).toBeGreaterThan(0);
    expect(simulation.certificate?.trackingError).toBeLessThan(0.3);
    expect(simulation.certificate?.assistForce).toBeGreaterThan(0);
    member.setBone('elbow', 'limp', { blend: 0.1 });
    member.setStrength(6, 'elbow');
    member.setRoot('free', { blend: 0 });
    await simulation.advance(5);
    expect(simulation.certificate?.assistForce).toBe(0);
    member.setStrength(0);
    member.setStrength(undefined, 'elbow');
    await simulation.advance(5);
    expect(simulation.certificate?.trackingError).toBe(0);
    expect(() => member.setBone('nose', 'limp')).toThrow('E_UNKNOWN');
    expect(() => member.setStrength(-1)).toThrow('E_RANGE');
    world.dispose();
  });

  it('takes rigid meshes, cloth and characters together: each carries the next', async () => {
    const floor = new Mesh(new PlaneGeometry(10, 10).rotateX(-Math.PI / 2));
    const block = new Mesh(new BoxGeometry(0.8, 0.2, 0.8));
    block.position.set(0, 0.1, 0);
    const ring = new Mesh(new TorusGeometry(0.2, 0.06, 8, 16).rotateX(Math.PI / 2));
    ring.position.set(0, 0.265, 0);
    const sheet = new Mesh(new PlaneGeometry(0.7, 0.7, 7, 7).rotateX(-Math.PI / 2));
    sheet.position.set(0, 0.35, 0);
    const material = { youngModulus: 2e5, poissonRatio: 0.3, density: 400 };
    const world = await SoftWorld.load(
      [{ source: arm, kinematic: 'none', position: [-0.5, 0.5, 0], build: { tets: 300 } }],
      {
        ...OPTIONS,
        obstacles: [floor],
        bodies: [
          rigidFromMesh(block, { name: 'block' }),
          rigidFromMesh(ring, { name: 'ring' }),
          clothFromMesh(sheet, { thickness: 0.01, material, name: 'sheet' }),
        ],
      },
    );
    expect(world.bodies.map(({ name }) => name).slice(1)).toEqual(['block', 'ring', 'sheet']);
    const touched = new Set<string>();
    world.simulation.addEventListener('contact', ({ body, otherBody }) => {
      if (otherBody >= 0) touched.add([body, otherBody].sort().join(' on '));
    });
    await world.simulation.advance(60);
    // the arm falls on the cloth, the cloth lies on the ring, the ring on the block
    for (const pair of ['0 on 3', '2 on 3', '1 on 2']) expect(touched).toContain(pair);
    expect(heights(world, 1)[0]).toBeGreaterThan(-0.005);
    expect(heights(world, 2)[0]).toBeGreaterThan(0.19);
    expect(world.simulation.certificate?.penetration).toBeLessThan(0.01);
    expect(world.members).toHaveLength(4);
    expect(() => world.members[1].info).toThrow('E_UNKNOWN');
    world.dispose();
  });

  it('refuses an open mesh as a rigid body', () => {
    expect(() => rigidFromMesh(new Mesh(new PlaneGeometry(1, 1)))).toThrow('E_SURFACE');
  });
});

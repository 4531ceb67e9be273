/** Rigid meshes, cloth and a character in one world of three.js: built of meshes of the scene, drawn, and asked what touched what. */
import { BoxGeometry, type Camera, Mesh, PlaneGeometry, type Scene, TorusGeometry, type WebGLRenderer } from 'three';
import { clothFromMesh, rigidFromMesh, SoftWorld } from '../../../three/index.js';

/** Steps until all have landed. */
const STEPS = 60;

/** An arm falls on a sheet, the sheet on a ring, the ring lies on a block; in a worker or on the page. */
export async function dropTogether(
  source: string,
  worker: boolean,
  renderer: WebGLRenderer,
  scene: Scene,
  camera: Camera,
) {
  const floor = new Mesh(new PlaneGeometry(10, 10).rotateX(-Math.PI / 2));
  const block = new Mesh(new BoxGeometry(0.8, 0.2, 0.8));
  block.position.set(0, 0.1, 0);
  const ring = new Mesh(new TorusGeometry(0.2, 0.06, 8, 16).rotateX(Math.PI / 2));
  ring.position.set(0, 0.265, 0);
  const sheet = new Mesh(new PlaneGeometry(0.7, 0.7, 7, 7).rotateX(-Math.PI / 2));
  sheet.position.set(0, 0.35, 0);
  const material = { youngModulus: 2e5, poissonRatio: 0.3, density: 400 };
  const world = await SoftWorld.load([{ source, kinematic: 'none', position: [-0.5, 0.5, 0], build: { tets: 300 } }], {
    worker,
    obstacles: [floor],
    bodies: [
      rigidFromMesh(block, { name: 'block' }),
      rigidFromMesh(ring, { name: 'ring' }),
      clothFromMesh(sheet, { thickness: 0.01, material, name: 'sheet' }),
    ],
  });
  scene.add(world);
  const touched = new Set<string>();
  world.simulation.addEventListener('contact', ({ body, otherBody }) => {
    if (otherBody >= 0) touched.add([body, otherBody].sort().join(' on '));
  });
  await world.simulation.advance(STEPS);
  renderer.render(scene, camera);
  const { calls, triangles } = renderer.info.render;
  const { penetration } = world.simulation.certificate ?? {};
  const names = world.bodies.map(({ name }) => name).slice(1);
  const positions = world.skins.flatMap(({ geometry }) => Array.from(geometry.getAttribute('position').array));
  world.dispose();
  scene.remove(world);
  return { touched: [...touched], calls, triangles, penetration, names, positions };
}

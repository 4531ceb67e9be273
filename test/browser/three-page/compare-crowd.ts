/** A crowd as three draws it, by bones and sparse positions, against plain meshes at the positions the solver has. */
import {
  BufferAttribute,
  BufferGeometry,
  type Camera,
  Mesh,
  MeshBasicMaterial,
  type Scene,
  Vector3,
  type WebGLRenderer,
} from 'three';
import type { SoftCrowd } from '../../../three/index.js';

const WHITE = new MeshBasicMaterial({ color: 'white' });

/** Largest distance of a vertex from the solver's [m]; pixels the crowd covers, and those that are not the same. */
export async function compareWithSolver(crowd: SoftCrowd, renderer: WebGLRenderer, scene: Scene, camera: Camera) {
  const positions = (await crowd.simulation.ask('positions')) as Float64Array[];
  const { info } = crowd.simulation;
  const at = new Vector3();
  let worst = 0;
  crowd.updateMatrixWorld(true);
  const meshes = crowd.members.map((member, i) => {
    member.skeleton.update();
    const { nodeOfVertex, triangles } = info.models[info.members[i].model];
    const own = positions[i];
    const vertices = new Float32Array(3 * nodeOfVertex.length);
    nodeOfVertex.forEach((node, v) => {
      vertices.set(own.subarray(3 * node, 3 * node + 3), 3 * v);
      member.getVertexPosition(v, at);
      worst = Math.max(worst, at.distanceTo(new Vector3().fromArray(vertices, 3 * v)));
    });
    const geometry = new BufferGeometry().setAttribute('position', new BufferAttribute(vertices, 3));
    return new Mesh(geometry.setIndex(new BufferAttribute(triangles, 1)), WHITE);
  });
  const kept = crowd.members.map(({ material }) => material);
  for (const member of crowd.members) member.material = member.material.map(() => WHITE);
  const drawn = picture(renderer, scene, camera);
  crowd.visible = false;
  scene.add(...meshes);
  const wanted = picture(renderer, scene, camera);
  scene.remove(...meshes);
  crowd.visible = true;
  crowd.members.forEach((member, i) => {
    member.material = kept[i];
  });
  let [covered, different] = [0, 0];
  wanted.forEach((colour, i) => {
    if (colour === 0xffffffff) covered++;
    if (colour !== drawn[i]) different++;
  });
  return { worst, covered, different };
}

function picture(renderer: WebGLRenderer, scene: Scene, camera: Camera): Uint32Array {
  renderer.render(scene, camera);
  const { width, height } = renderer.domElement;
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const copy = canvas.getContext('2d')!;
  copy.drawImage(renderer.domElement, 0, 0);
  return new Uint32Array(copy.getImageData(0, 0, width, height).data.buffer);
}

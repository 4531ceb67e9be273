/** How the page draws hundreds of rigid bodies: those of one model by one instanced mesh per part, each placed where its pose says. */
import { InstancedMesh, Matrix4, Quaternion, Vector3 } from 'three';
import { expect, it } from 'vitest';
import { layOutFrame } from '../../host/frames/frame-layout.js';
import { groupByParts, PartsView } from '../../viewer/draw/parts-view.js';
import { Simulation } from '../../viewer/worker/simulation.js';

it('draws the 1,280 rigid parts of the pile by eight meshes, each part at its pose', async () => {
  const simulation = await Simulation.create({ source: { kind: 'scene', name: 'pile-1600' }, settings: {} });
  const { bodies, obstacles } = simulation.info;
  const numbers = new Float32Array(simulation.length);
  simulation.advance(1, 1, numbers);
  const layout = layOutFrame(bodies, obstacles.length);
  const groups = groupByParts(bodies);
  // balls, loops and rings, of which there are 160 each
  expect(groups.map((group) => group.length)).toEqual([160, 160, 160]);
  const [matrix, place, turn, scale] = [new Matrix4(), new Vector3(), new Quaternion(), new Vector3()];
  let meshes = 0;
  let parts = 0;
  for (const group of groups) {
    const view = new PartsView(bodies, group);
    view.update(numbers, layout.bodies);
    view.children.forEach((mesh, part) => {
      if (!(mesh instanceof InstancedMesh)) throw new Error('drawn one by one');
      meshes++;
      parts += mesh.count;
      group.forEach((body, i) => {
        mesh.getMatrixAt(i, matrix);
        matrix.decompose(place, turn, scale);
        const at = layout.bodies[body].poses + part * 7 + 4;
        expect(place.distanceTo(new Vector3(...numbers.subarray(at, at + 3)))).toBeLessThan(1e-6);
      });
    });
    view.dispose();
  }
  expect(meshes).toBe(8);
  expect(parts).toBe(1280);
});

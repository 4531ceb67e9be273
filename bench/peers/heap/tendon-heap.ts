/** The pile in Tendon's coupled solver. */
import { buildPile1600Scene, HEAP } from '../../../scenes/coupled/pile-1600.js';
import { createWorld, disposeWorld, stepWorld } from '../../../src/index.js';
import { multiplyQuat } from '../../../src/math/quat.js';
import type { Heap, HeapRun } from './heap.js';

/** Builds it; nothing sleeps, as nowhere else. */
export async function tendonHeap({ parts, flesh }: Heap, each: number, substeps: number): Promise<HeapRun> {
  const scene = buildPile1600Scene({ each, soft: flesh.length > 0, substeps });
  const world = await createWorld({ ...scene, solver: { kind: 'coupled', substeps, ...HEAP } });
  const soft = world.bodies.filter(({ model }) => model.kind === 'flesh');
  const turn = new Float64Array(4);
  // bones start with their bodies' rotation; shapes are turned in them
  const inBone = parts.map(({ rotation }, b) => ({ b, rotation }));
  const starts = new Float64Array(parts.length * 4);
  forEachBone((b, quats, q) => starts.set(quats.subarray(q, q + 4), b * 4));
  const own = inBone.map(({ b, rotation }) => {
    const back = [-starts[b * 4], -starts[b * 4 + 1], -starts[b * 4 + 2], starts[b * 4 + 3]];
    const out = new Float64Array(4);
    multiplyQuat(out, 0, back, 0, rotation, 0);
    return out;
  });
  function forEachBone(visit: (b: number, quats: Float64Array, q: number, at: Float64Array) => void): void {
    let b = 0;
    for (const { model, state } of world.bodies) {
      for (let bone = 0; bone < model.bones.count; bone++)
        visit(b++, state.poses.quats as Float64Array, bone * 4, state.poses.translations as Float64Array);
    }
  }
  return {
    name: `Tendon, ${substeps} substeps`,
    step: () => {
      if (!stepWorld(world)) throw world.fault;
    },
    read: ({ positions, rotations, flesh: places }) => {
      forEachBone((b, quats, q, at) => {
        multiplyQuat(turn, 0, quats, q, own[b], 0);
        rotations.set(turn, b * 4);
        for (let k = 0; k < 3; k++) positions[b * 3 + k] = at[(q / 4) * 3 + k];
      });
      soft.forEach(({ state }, s) => {
        places[s].set(state.positions);
      });
    },
    dispose: () => disposeWorld(world),
  };
}

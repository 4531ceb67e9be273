/** Recordings as `.glb`: played back by an independent reader, every state is where it was, in a tenth of the bytes. */
import { describe, expect, it } from 'vitest';
import { readGltf } from '../../../src/io/gltf/gltf.js';
import { writeTakeGlb } from '../../../src/record/glb/write-take-glb.js';
import { POSE, type Take, type TakeBody } from '../../../src/record/take.js';
import { playGlb } from '../../support/checks/play-glb.js';
import { recordScene } from '../../support/record-scene.js';

const NO_LOOK = { materials: [{ name: 'flesh' }], textures: [], samplers: [], images: [] };

/** What one full morph target per state takes: positions and normals as f32. */
function fullSize({ bodies, times }: Take): number {
  return bodies.reduce((sum, body) => sum + 24 * (body.positions[0].length / 3) * times.length, 0);
}

function worstError(
  states: readonly Float32Array[],
  played: readonly (readonly number[])[],
  offset = [0, 0, 0],
): { max: number; rms: number } {
  let worst = 0;
  let sum = 0;
  states.forEach((state, i) => {
    expect(played[i].length).toBe(state.length);
    for (let v = 0; v < state.length; v += 3) {
      const sq = [0, 1, 2].reduce((total, k) => total + (state[v + k] + offset[k] - played[i][v + k]) ** 2, 0);
      worst = Math.max(worst, sq);
      sum += sq / (state.length / 3) / states.length;
    }
  });
  return { max: Math.sqrt(worst), rms: Math.sqrt(sum) };
}

describe('a recording', () => {
  it('of a body with bones is skinned to them, exact to a part of its size and small', async () => {
    const take = await recordScene({ kind: 'scene', name: 'pendulum' }, 4);
    const bytes = writeTakeGlb(take);
    const [body] = take.bodies;
    expect(take.times.length).toBe(121);
    const { max } = worstError(body.positions, playGlb(bytes, `${body.name} skin`));
    // all of it is bone
    expect(max).toBeLessThan(1e-6);
    expect(bytes.length).toBeLessThan(fullSize(take) / 10);
    const model = await readGltf(bytes);
    expect(model.warnings).toEqual([]);
    expect(model.skins[0].joints.length).toBeGreaterThanOrEqual(body.bones.length);
    expect(model.nodes.map(({ name }) => name)).toEqual(expect.arrayContaining(body.bones.map(({ name }) => name)));
  });

  it('of a body without bones goes with a joint that is fitted to it', async () => {
    const take = await recordScene({ kind: 'scene', name: 'bar' }, 1);
    const bytes = writeTakeGlb(take, { tolerance: 1e-4, share: 1 });
    const [body] = take.bodies;
    expect(worstError(body.positions, playGlb(bytes, `${body.name} skin`)).max).toBeLessThan(1e-4 * 1.5);
  });

  it('of something rigid needs no morph targets at all', () => {
    const turns = [0, 0.7, 1.4, 2.1];
    const corners = [0, 0, 0, 0.3, 0, 0, 0, 0.3, 0, 0, 0, 0.3];
    const poses = new Float32Array(turns.flatMap((a) => [0, 0, Math.sin(a / 2), Math.cos(a / 2), a, 2 * a, 0]));
    const positions = turns.map((a) => {
      const [c, s] = [Math.cos(a), Math.sin(a)];
      return Float32Array.from(corners, (_, i) => {
        const [x, y, z] = corners.slice(i - (i % 3), i - (i % 3) + 3);
        return [c * x - s * y + a, s * x + c * y + 2 * a, z][i % 3];
      });
    });
    const normals = turns.map(() => Float32Array.from(corners, (_, i) => (i % 3 === 2 ? 1 : 0)));
    const triangles = Uint32Array.of(0, 2, 1, 0, 1, 3, 1, 2, 3, 0, 3, 2);
    const body: TakeBody = {
      name: 'block',
      triangles,
      positions,
      normals,
      bones: [{ name: 'core', poses }],
      look: { uvs: [], pieces: [{ start: 0, count: 12, material: 0 }], gltf: NO_LOOK },
      offset: [1, 0, 0],
    };
    expect(poses.length).toBe(turns.length * POSE);
    const bytes = writeTakeGlb({ name: 'block', times: [0, 1, 2, 3], bodies: [body], obstacles: [] });
    expect(new TextDecoder().decode(bytes)).not.toContain('targets');
    expect(worstError(positions, playGlb(bytes, 'block skin'), [1, 0, 0]).max).toBeLessThan(1e-6);
  });
});

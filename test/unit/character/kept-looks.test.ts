/** What a file has besides triangles and bones: colours of vertices, flat triangles, morph targets and clips that drive them. */
import { describe, expect, it } from 'vitest';
import { SkinSurface } from '../../../host/frames/skin-surface.js';
import { buildModel } from '../../../src/body/model.js';
import { buildRigged } from '../../../src/character/build/rigged.js';
import { ClipPlayer } from '../../../src/character/clips/clip-player.js';
import { readGltf } from '../../../src/io/gltf/gltf.js';
import { writeGltf } from '../../../src/io/gltf/gltf-write.js';
import { colouredArm } from '../../support/models/rigged-model.js';

describe('what the file has', () => {
  it('is read back as it was written', async () => {
    const [{ primitives, targetNames }] = (await readGltf(await writeGltf(colouredArm()))).meshes;
    expect(targetNames).toEqual(['bulge', 'nothing']);
    const [given] = colouredArm().meshes[0].primitives;
    expect(primitives[0].colours).toEqual(given.colours);
    expect(primitives[0].flat).toBe(true);
    expect(primitives[0].targets?.map(({ positions }) => positions)).toEqual(
      given.targets?.map(({ positions }) => positions),
    );
  });

  it('is in the character', () => {
    const { skin, clips } = buildRigged(colouredArm(), { tets: 400 });
    expect(skin.surfaces[0].flat).toBe(true);
    expect(skin.surfaces[0].colours?.length).toBe((4 * skin.positions.length) / 3);
    expect(skin.morphs?.map(({ name, vertices }) => [name, vertices.length > 0])).toEqual([
      ['bulge', true],
      ['nothing', false],
    ]);
    expect(clips[0].morphs?.length).toBe(2 * clips[0].frameCount);
  });
});

describe('a morph target', () => {
  const character = buildRigged(colouredArm(), { tets: 400 });
  const model = buildModel(character.body);

  it('rides on the deformation: x = F (X + d) + t for any F', () => {
    const surface = new SkinSurface(character, model, false);
    const { info, morphs } = surface;
    expect(info.morphs).toEqual(['bulge', 'nothing']);
    const f = [0.8, 0.3, -0.1, -0.2, 1.1, 0.4, 0.1, -0.5, 0.9];
    const carry = (x: number, y: number, z: number, k: number) =>
      f[k * 3] * x + f[k * 3 + 1] * y + f[k * 3 + 2] * z + (k + 1) / 10;
    const moved = Float64Array.from(model.positions, (_, i) => {
      const [x, y, z] = model.positions.subarray(i - (i % 3), i - (i % 3) + 3);
      return carry(x, y, z, i % 3);
    });
    morphs?.set([0.6, 1]);
    const count = info.vertexCount * 3;
    const out = new Float32Array(2 * count);
    const layout = { positions: 0, normals: count, cage: 0, poses: 0, joints: 0, strain: 0, ball: 0, ghosts: 0 };
    surface.write(moved, moved, 1, out, layout);
    const { vertices, offsets } = character.skin.morphs![0];
    const shifted = character.skin.positions.slice();
    vertices.forEach((v, i) => {
      for (let k = 0; k < 3; k++) shifted[3 * v + k] += 0.6 * offsets[3 * i + k];
    });
    for (let i = 0; i < count; i += 3) {
      for (let k = 0; k < 3; k++)
        expect(out[i + k]).toBeCloseTo(carry(shifted[i], shifted[i + 1], shifted[i + 2], k), 5);
    }
  });

  it('is driven by a clip, and left alone by a clip of zeros', () => {
    const player = new ClipPlayer(character, model);
    const weights = new Float64Array(2);
    // past the lead-in, a quarter into the second round
    player.blendMorphs(character.clips[0], 1.25, weights);
    expect(weights[0]).toBeCloseTo(0.25, 6);
    const { clips, ...rest } = colouredArm();
    const still = clips[0].channels.map((channel) =>
      channel.path === 'weights' ? { ...channel, values: new Float32Array(4) } : channel,
    );
    const zeros = buildRigged({ ...rest, clips: [{ name: 'swing', channels: still }] }, { tets: 400 });
    expect(zeros.clips[0].morphs).toBeUndefined();
  });
});

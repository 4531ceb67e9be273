/** Motions written into the file a character came from: played by an independent reader, every vertex is where it was. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Character } from '../../src/character/character.js';
import { loadCharacter } from '../../src/character/load-character.js';
import { openGltfSource } from '../../src/io/gltf/gltf-source.js';
import { writeGltf } from '../../src/io/gltf/gltf-write.js';
import { largestExtent } from '../../src/mesh/tets/tet-mesh.js';
import type { ModelMotion } from '../../src/record/glb/model-motion.js';
import { writeModelGlb } from '../../src/record/glb/write-model-glb.js';
import { hasAssets, readAsset } from '../support/assets.js';
import type { Json } from '../support/checks/glb-parts.js';
import { playGlb } from '../support/checks/play-glb.js';
import { validateGltf } from '../support/checks/validate-gltf.js';
import { armModel } from '../support/models/rigged-model.js';

const STATES = 9;

/** Every bone turns about its own place, the skin goes along by its weights and swells besides. */
function madeUp(character: Character): ModelMotion {
  const { skin, skeleton } = character;
  const size = largestExtent(skin.positions);
  const angle = (bone: number, n: number) => 0.4 * Math.sin(n + bone) * (n > 0 ? 1 : 0);
  const positions = Array.from({ length: STATES }, (_, n) => {
    return Float32Array.from(skin.positions, (_, i) => {
      const v = Math.floor(i / 3);
      const swell = 0.02 * size * Math.sin(n + 9 * (skin.positions[3 * v] / size)) * (n > 0 ? 1 : 0);
      let sum = swell * skin.normals[i];
      for (let k = 4 * v; k < 4 * v + 4; k++) {
        const bone = skin.bones[k];
        const { place } = skeleton[bone];
        const [x, y, z] = [0, 1, 2].map((axis) => skin.positions[3 * v + axis] - place[axis]);
        const [c, s] = [Math.cos(angle(bone, n)), Math.sin(angle(bone, n))];
        const turned = [c * x - s * y, s * x + c * y, z];
        sum += skin.boneWeights[k] * (turned[i % 3] + place[i % 3]);
      }
      return sum;
    });
  });
  const bones = skeleton.map(({ name, place }, bone) => {
    const poses = Array.from({ length: STATES }, (_, n) => {
      return [0, 0, Math.sin(angle(bone, n) / 2), Math.cos(angle(bone, n) / 2), ...place];
    });
    return { name, poses: Float32Array.from(poses.flat()) };
  });
  const times = positions.map((_, n) => n / 30);
  return { character, times, positions, bones, centres: skeleton.flatMap(({ place }) => [...place]) };
}

/** How far the farthest vertex of any state is from where it was [m]. */
function farthest({ character, positions }: ModelMotion, bytes: Uint8Array): number {
  const { skin, report } = character;
  let worst = 0;
  const nodes = (openGltfSource(bytes).json as Json).nodes.filter(({ mesh }: Json) => mesh !== undefined);
  for (const { name } of nodes) {
    const own = skin.surfaces.filter((surface) => surface.name === name || `${surface.name} skin` === name);
    const played = playGlb(bytes, name);
    played.forEach((state, n) => {
      const truth = own.flatMap(({ vertexStart: v, vertexCount }) => [
        ...positions[n].subarray(3 * v, 3 * (v + vertexCount)),
      ]);
      expect(state.length).toBe(truth.length);
      for (let i = 0; i < truth.length; i += 3) {
        worst = Math.max(worst, Math.hypot(...[0, 1, 2].map((k) => report.unitScale * state[i + k] - truth[i + k])));
      }
    });
  }
  return worst;
}

const ASSETS = ['RobotExpressive.glb', 'Fox.glb'];
const MODELS: [string, () => Promise<Uint8Array>][] = [
  ['an arm', () => writeGltf(armModel({ swing: 1 }))],
  ...(hasAssets(...ASSETS) ? ASSETS.map((name): (typeof MODELS)[0] => [name, async () => readAsset(name)]) : []),
];

describe.each(MODELS)('%s', (_, read) => {
  let motion: ModelMotion;
  beforeAll(async () => {
    motion = madeUp(await loadCharacter(await read(), { tets: 1500 }));
  });

  it('has flesh as morph targets on its own skin, and keeps what it had', async () => {
    const { bytes, error } = await writeModelGlb(motion);
    const size = largestExtent(motion.character.skin.positions);
    expect(error.max).toBeLessThanOrEqual(5e-4 * size);
    expect(farthest(motion, bytes)).toBeLessThanOrEqual(5e-4 * size);
    expect(await validateGltf(bytes)).toEqual([]);
    const [before, after] = [motion.character.source!.json as Json, openGltfSource(bytes).json as Json];
    expect(after.animations[0].name).toBe('simulation');
    expect(after.animations.length).toBe(1 + (before.animations?.length ?? 0));
    expect(after.materials).toEqual(before.materials);
    expect(after.nodes.map(({ name, children }: Json) => [name, children])).toEqual(
      before.nodes.map(({ name, children }: Json) => [name, children]),
    );
  });

  it('has flesh as helper joints that play anywhere, as far off as it says', async () => {
    const { bytes, error, helpers } = await writeModelGlb(motion, { helpers: 24 });
    expect(helpers).toBeGreaterThan(0);
    expect(new TextDecoder().decode(bytes)).not.toContain('"targets"');
    expect(await validateGltf(bytes)).toEqual([]);
    const off = farthest(motion, bytes);
    expect(Math.abs(off - error.max)).toBeLessThan(1e-5 * largestExtent(motion.character.skin.positions));
    // without helpers all of the swelling is missing
    expect(error.rms).toBeLessThan(0.5 * 0.02 * largestExtent(motion.character.skin.positions));
  });

  it('has correctives whose weights follow from the pose, as far off as it says', async () => {
    const { bytes, error, targets } = await writeModelGlb(motion, { correctives: 3, clip: 'bent' });
    expect(targets).toBeGreaterThan(0);
    expect(targets).toBeLessThanOrEqual(6);
    expect(await validateGltf(bytes)).toEqual([]);
    const json = openGltfSource(bytes).json as Json;
    expect(json.animations[0].name).toBe('bent');
    const size = largestExtent(motion.character.skin.positions);
    // blended transforms shrink what they carry, and never stretch it
    expect(farthest(motion, bytes)).toBeLessThanOrEqual(error.max + 1e-5 * size);
    // a row of numbers for every target stands in the file: a constant, and three for each bone that drives
    const mesh = json.meshes.find(({ extras }: Json) => extras?.poseDrivers);
    expect(mesh.extras.poseDrivers.targets.length).toBe(
      mesh.extras.targetNames.filter((n: string) => n.startsWith('flesh')).length,
    );
    for (const row of mesh.extras.poseDrivers.targets)
      expect(row.length).toBe(1 + 3 * mesh.extras.poseDrivers.bones.length);
  });
});

/** Skins recomputed from a skeleton: blending by bones against rigid motions, and the lattice on a rigged model. */
import { describe, expect, it } from 'vitest';
import type { Character } from '../../../src/character/character.js';
import { blendDualQuaternions, blendLinear } from '../../../src/character/deform/blend-skin.js';
import { ClipPoses } from '../../../src/character/deform/clip-poses.js';
import { SkinDeformer } from '../../../src/character/deform/skin-deformer.js';
import { loadCharacter } from '../../../src/character/load-character.js';
import type { GltfModel } from '../../../src/io/gltf/gltf-model.js';
import { writeGltf } from '../../../src/io/gltf/gltf-write.js';
import { boxSurface } from '../../../src/mesh/surface/solid-surfaces.js';
import { restTransforms, writeTransform } from '../../../src/solvers/lattice/bones/bone-transforms.js';
import { hasAssets, readAsset } from '../../support/assets.js';
import { armModel } from '../../support/models/rigged-model.js';

const load = async (name: string): Promise<Character> => loadCharacter(readAsset(name));

/** Volume inside the skin, by the divergence theorem. */
function volumeOf({ skin }: Character, p: ArrayLike<number>): number {
  let sum = 0;
  for (let t = 0; t < skin.triangles.length; t += 3) {
    const [a, b, c] = [3 * skin.triangles[t], 3 * skin.triangles[t + 1], 3 * skin.triangles[t + 2]];
    sum +=
      p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) +
      p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]) +
      p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
  }
  return sum / 6;
}

/** Largest distance between two skins. */
function apart(a: Float32Array, b: Float32Array): number {
  let most = 0;
  for (let i = 0; i < a.length; i++) most = Math.max(most, Math.abs(a[i] - b[i]));
  return most;
}

const isHere = hasAssets('RiggedSimple.glb');

describe.runIf(isHere)('blended skins', () => {
  it('move rigidly where all bones move alike, in both ways', async () => {
    const character = await load('RiggedSimple.glb');
    const count = character.skeleton.length;
    const transforms = restTransforms(count);
    const quats = new Float64Array(4 * count);
    const [s, c] = [Math.sin(0.4), Math.cos(0.4)];
    for (let bone = 0; bone < count; bone++) {
      // opposite signs are the same turn
      quats.set(bone % 2 ? [0, s, 0, c] : [0, -s, 0, -c], 4 * bone);
      writeTransform(transforms, bone, quats, 4 * bone, [1, 2, 3], 0, [0, 0, 0], 0);
    }
    const { positions } = character.skin;
    const expected = new Float32Array(positions.length);
    const [cos, sin] = [Math.cos(0.8), Math.sin(0.8)];
    for (let i = 0; i < positions.length; i += 3) {
      expected[i] = cos * positions[i] + sin * positions[i + 2] + 1;
      expected[i + 1] = positions[i + 1] + 2;
      expected[i + 2] = -sin * positions[i] + cos * positions[i + 2] + 3;
    }
    const out = new Float32Array(positions.length);
    blendLinear(character.skin, transforms, out);
    expect(apart(out, expected)).toBeLessThan(2e-6);
    blendDualQuaternions(character.skin, transforms, quats, 4, out);
    expect(apart(out, expected)).toBeLessThan(2e-6);
  });
});

describe('an elbow at ninety degrees', () => {
  it('keeps 95 % of its volume, and no cell turns inside out', async () => {
    const character = await loadCharacter(await writeGltf(armModel({ swing: Math.PI / 2 })));
    const deformer = await SkinDeformer.create(character, { cells: 2500 });
    const poses = new ClipPoses(character);
    // the clip bends it farthest after a quarter of a second
    let inverted = 0;
    poses.leadIn(character.clips[0], 0.25, () => {
      inverted = Math.max(inverted, deformer.pose(poses.transforms).inverted);
    });
    const kept = volumeOf(character, deformer.positions) / volumeOf(character, character.skin.positions);
    expect(inverted).toBe(0);
    expect(kept).toBeGreaterThan(0.95);
    deformer.dispose();
  });
});

describe.runIf(isHere)('SkinDeformer', () => {
  it('leaves the rest shape alone, and bends with more of its volume than linear blending', async () => {
    const character = await load('RiggedSimple.glb');
    const deformer = await SkinDeformer.create(character, { cells: 1500 });
    deformer.pose(restTransforms(character.skeleton.length));
    expect(apart(deformer.positions, character.skin.positions)).toBeLessThan(1e-5);
    const poses = new ClipPoses(character);
    const clip = character.clips[0];
    const blended = new Float32Array(deformer.positions.length);
    const whole = volumeOf(character, character.skin.positions);
    let [deformed, linear] = [1, 1];
    poses.leadIn(clip, 0, () => deformer.pose(poses.transforms));
    for (let frame = 1; frame <= 30; frame++) {
      poses.advance(clip, (frame - 1) / 30, frame / 30, () => {
        const report = deformer.pose(poses.transforms);
        expect(report.inverted).toBe(0);
        expect(report.finite).toBe(true);
      });
      blendLinear(character.skin, poses.transforms, blended);
      deformed = Math.min(deformed, volumeOf(character, deformer.positions) / whole);
      linear = Math.min(linear, volumeOf(character, blended) / whole);
    }
    expect(deformed).toBeGreaterThan(linear);
    expect(deformed).toBeGreaterThan(0.97);
    deformer.dispose();
  });

  it('keeps its elbow at a right angle, where linear blending loses more of it', async () => {
    const character = await loadCharacter(await writeGltf(armModel({ radius: 0.16 })), { tets: 800 });
    const deformer = await SkinDeformer.create(character, { cells: 3000 });
    const transforms = restTransforms(2);
    for (let n = 1; n <= 10; n++) {
      const half = (n * Math.PI) / 40;
      writeTransform(transforms, 1, [0, 0, Math.sin(half), Math.cos(half)], 0, [0.5, 0, 0], 0, [0.5, 0, 0], 0);
      expect(deformer.pose(transforms).inverted).toBe(0);
    }
    const blended = new Float32Array(deformer.positions.length);
    blendLinear(character.skin, transforms, blended);
    // the rest of the arm moves rigidly: what is lost is lost at the elbow, a piece as long as the arm is thick
    const whole = volumeOf(character, character.skin.positions);
    const elbow = Math.PI * 0.16 ** 2 * 0.32;
    const lost = [deformer.positions, blended].map((skin) => (whole - volumeOf(character, skin)) / elbow);
    expect(lost[0]).toBeLessThan(0.05);
    expect(lost[1]).toBeGreaterThan(lost[0]);
    deformer.dispose();
  });

  it('says what to change where there are no bones to follow', async () => {
    const character = await load('RiggedSimple.glb');
    await expect(SkinDeformer.create({ ...character, skeleton: [] })).rejects.toMatchObject({ code: 'E_EMPTY' });
    await expect(SkinDeformer.create(character, { poissonRatio: 0.6 })).rejects.toMatchObject({ code: 'E_RANGE' });
  });
});

/** Two boxes around the same joint, 0.1 into each other, and an arm beside them: pieces that follow one bone each, and flesh. */
function armouredModel(): GltfModel {
  const model = armModel({ swing: 1 });
  const [arm] = model.meshes[0].primitives;
  const boxes = [0, 1].map((bone) => {
    const { positions, triangles } = boxSurface([0.3, 0.1, 0.1]);
    const count = positions.length / 3;
    return {
      ...arm,
      positions: Float32Array.from(positions, (value, i) => value + [0.25 + 0.5 * bone, 0.5, 0][i % 3]),
      normals: undefined,
      uvs: [],
      indices: Uint32Array.from(triangles),
      joints: Uint16Array.from({ length: 4 * count }, (_, i) => (i % 4 === 0 ? bone : 0)),
      weights: Float32Array.from({ length: 4 * count }, (_, i) => (i % 4 === 0 ? 1 : 0)),
    };
  });
  return { ...model, meshes: [{ name: 'arm', primitives: [arm, ...boxes] }] } as GltfModel;
}

describe('pieces that follow one bone', () => {
  it('are rigid with it, and are left to go through each other', async () => {
    const character = await loadCharacter(await writeGltf(armouredModel()));
    const deformer = await SkinDeformer.create(character, { cells: 1500 });
    expect(deformer.lattice.notes.join()).toContain('2 piece(s) of the skin follow one bone each');
    const poses = new ClipPoses(character);
    const { skin } = character;
    const blended = new Float32Array(skin.positions.length);
    // the boxes are far from the arm
    const isBox = (v: number): boolean => skin.positions[3 * v + 1] > 0.3;
    let [worst, flesh] = [0, 0];
    poses.leadIn(character.clips[0], 0.25, () => {
      const { depth, inverted } = deformer.pose(poses.transforms);
      expect(inverted).toBe(0);
      expect(depth).toBe(0);
      blendLinear(skin, poses.transforms, blended);
      for (let i = 0; i < blended.length; i++) {
        const off = Math.abs(deformer.positions[i] - blended[i]);
        if (isBox(Math.floor(i / 3))) worst = Math.max(worst, off);
        else flesh = Math.max(flesh, off);
      }
    });
    // a rigid motion, in f32; the flesh of the arm goes its own way
    expect(worst).toBeLessThan(1e-5);
    expect(flesh).toBeGreaterThan(1e-3);
    deformer.dispose();
  });
});

describe('obstacles around a deformed skin', () => {
  it('keep it out, where it would go into them without', async () => {
    const character = await loadCharacter(await writeGltf(armModel({ swing: 0.6 })));
    const { positions } = character.skin;
    const lowest = (skin: Float32Array): number =>
      skin.reduce((least, y, i) => (i % 3 === 1 ? Math.min(least, y) : least), 1);
    const rest = lowest(positions);
    const highest = positions.reduce((most, y, i) => (i % 3 === 1 ? Math.max(most, y) : most), rest);
    // a floor that cuts off a tenth of its height
    const height = rest + 0.1 * (highest - rest);
    const floor = { name: 'floor', shape: { kind: 'plane' }, position: [0, height, 0] } as const;
    const depths: number[] = [];
    let cell = 1;
    for (const obstacles of [[], [floor]]) {
      const deformer = await SkinDeformer.create(character, { cells: 800, obstacles });
      for (let n = 0; n < 4; n++) {
        expect(deformer.pose(restTransforms(character.skeleton.length)).inverted).toBe(0);
      }
      depths.push(height - lowest(deformer.positions));
      cell = deformer.lattice.fill.lattice.cellSize;
      deformer.dispose();
    }
    expect(depths[0]).toBeCloseTo(0.1 * (highest - rest), 6);
    // a point per cell is kept out: what lies between two of them is at most half a cell from one; 0.27 were seen
    expect(depths[1]).toBeLessThan(0.5 * cell);
    expect(depths[1]).toBeLessThan(0.5 * depths[0]);
  });
});

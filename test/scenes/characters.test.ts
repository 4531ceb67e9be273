/** Models made by others, built with no options and simulated: what the library promises for characters. */
import { describe, expect, it } from 'vitest';
import { buildRigged } from '../../src/character/build/rigged.js';
import type { Character } from '../../src/character/character.js';
import { readCharacter, writeCharacter } from '../../src/character/character-file.js';
import { bonesToDrive, ClipPlayer, POSE_STRIDE } from '../../src/character/clips/clip-player.js';
import { characterScene } from '../../src/character/load-character.js';
import { createWorld, disposeWorld, hashWorld, stepWorld, type World } from '../../src/index.js';
import { readGltf } from '../../src/io/gltf/gltf.js';
import { gltfSurface } from '../../src/io/gltf/gltf-surface.js';
import { labelComponents } from '../../src/mesh/components.js';
import { updateEmbedding } from '../../src/mesh/embedding.js';
import { summarizeMesh } from '../../src/mesh/tets/quality.js';
import { largestExtent } from '../../src/mesh/tets/tet-mesh.js';
import { hasAssets, readAsset } from '../support/assets.js';
import { worstJoint } from '../support/checks/joint-check.js';

const NAMES = ['hand', 'CesiumMan', 'Fox', 'RiggedSimple'];
const found = hasAssets(...NAMES.map((name) => `${name}.glb`));
const DEGREES = 180 / Math.PI;
/** Longer than any of the clips, and long enough to swing back. */
const SECONDS = 3.5;

const built = new Map<string, Promise<Character>>();
/** The character, built once for all tests. */
function character(name: string): Promise<Character> {
  const known = built.get(name) ?? readGltf(readAsset(`${name}.glb`)).then((model) => buildRigged(model, { name }));
  built.set(name, known);
  return known;
}

/** Steps a world and gives the worst of what happened. */
async function simulate(one: Character, kinematic: (bone: number) => boolean, clip?: number, seconds = SECONDS) {
  const bones = one.body.bones?.map((bone, i) => ({ ...bone, kinematic: kinematic(i) }));
  const body = { ...one.body, bones };
  const world: World = await createWorld({ name: 'test', description: '', bodies: [{ body }], dt: 1 / 60 });
  const { state, model } = world.bodies[0];
  const player = new ClipPlayer(one, model);
  const pose = new Float64Array(POSE_STRIDE * one.skeleton.length);
  const worst = { gap: 0, inverted: 0, finite: true, hash: '' };
  for (let step = 0; step < 60 * seconds && worst.finite; step++) {
    if (clip !== undefined) {
      player.pose(one.clips[clip], world.time + world.dt, pose);
      for (let bone = 0; bone < one.skeleton.length; bone++) {
        const o = POSE_STRIDE * bone;
        if (kinematic(bone)) state.boneTargets.set(pose.subarray(o, o + POSE_STRIDE), o);
      }
    }
    worst.finite = stepWorld(world);
    worst.inverted = Math.max(worst.inverted, world.certificate.inverted / model.tetCount);
    worst.gap = Math.max(
      worst.gap,
      world.certificate.jointGap / model.size,
      worstJoint(body, model, state).gap / model.size,
    );
  }
  worst.hash = hashWorld(world);
  disposeWorld(world);
  return worst;
}

describe.skipIf(!found).each(NAMES)('%s, with no options', (name) => {
  it('has well-shaped tets in one piece, bones and joints', async () => {
    const { body, skeleton } = await character(name);
    const { dihedral, invertedCount } = summarizeMesh(body);
    expect(invertedCount).toBe(0);
    expect(dihedral.min * DEGREES).toBeGreaterThan(5);
    expect(dihedral.max * DEGREES).toBeLessThan(170);
    expect(labelComponents(body).count).toBe(1);
    expect(skeleton.length).toBe({ hand: 20, CesiumMan: 19, Fox: 22, RiggedSimple: 2 }[name]);
    expect(body.joints).toHaveLength(skeleton.length - 1);
  });

  it('wears the skin of the file, to 1e-5 of its size', async () => {
    const { skin, embedding, body, report } = await character(name);
    const rest = new Float64Array(skin.positions.length);
    updateEmbedding(embedding, body.positions, rest);
    // the surface as an independent reader puts it together, in the file's units
    const given = gltfSurface(await readGltf(readAsset(`${name}.glb`))).positions.map((x) => x * report.unitScale);
    const tolerance = 1e-5 * largestExtent(given);
    const cell = (x: number): number => Math.round(x / (4 * tolerance));
    const near = new Map<string, number[]>();
    for (let i = 0; i < given.length; i += 3) {
      const key = [cell(given[i]), cell(given[i + 1]), cell(given[i + 2])].join();
      near.set(key, [...(near.get(key) ?? []), i]);
    }
    let unmatched = 0;
    for (let i = 0; i < rest.length; i += 3) {
      const candidates: number[] = [];
      for (let n = 0; n < 27; n++) {
        const d = [(n % 3) - 1, (Math.floor(n / 3) % 3) - 1, Math.floor(n / 9) - 1];
        candidates.push(...(near.get([0, 1, 2].map((k) => cell(rest[i + k]) + d[k]).join()) ?? []));
      }
      const fits = (j: number): boolean => [0, 1, 2].every((k) => Math.abs(given[j + k] - rest[i + k]) <= tolerance);
      if (!candidates.some(fits)) unmatched++;
    }
    expect(unmatched).toBe(0);
  });

  it(`hangs limp by its root for ${SECONDS} s: finite, joints closed, hardly an inverted tet`, async () => {
    const worst = await simulate(await character(name), (bone) => bone === 0);
    expect(worst.finite).toBe(true);
    expect(worst.gap).toBeLessThan(1e-9);
    expect(worst.inverted).toBeLessThan(0.005);
  });

  it('is the same after saving and loading, and again', async () => {
    const one = await character(name);
    const once = await readCharacter(await writeCharacter(one));
    const twice = await readCharacter(await writeCharacter(once));
    expect(once).toEqual(one);
    const hashes = await Promise.all(
      [one, once, twice].map((which) => simulate(which, (bone) => bone === 0, undefined, 0.2)),
    );
    expect(new Set(hashes.map(({ hash }) => hash)).size).toBe(1);
  });
});

describe.skipIf(!found)('clips that drive other halves, and the bones between them', () => {
  it.each(NAMES.filter((name) => name !== 'hand'))(
    '%s moves with its clip driving half of its bones, twice the same',
    async (name) => {
      const one = await character(name);
      const half = (bone: number): boolean => bone < one.skeleton.length / 2;
      const worst = await simulate(one, half, 0);
      expect(worst.finite).toBe(true);
      expect(worst.gap).toBeLessThan(1e-9);
      expect(worst.inverted).toBeLessThan(0.005);
      expect((await simulate(one, half, 0, 0.5)).hash).toBe((await simulate(one, half, 0, 0.5)).hash);
    },
  );

  it.each<[string, number, string, (bone: number, count: number) => boolean]>([
    ['CesiumMan', 0, 'every other bone', (bone) => bone % 2 === 0],
    ['Fox', 1, 'every other bone', (bone) => bone % 2 === 1],
    ['Fox', 2, 'the last half', (bone, count) => bone >= count / 2],
  ])('%s, clip %i, %s: finite, joints closed, hardly an inverted tet', async (name, clip, _half, chosen) => {
    const one = await character(name);
    const driven = bonesToDrive(one.skeleton, (bone) => chosen(bone, one.skeleton.length));
    const worst = await simulate(one, (bone) => driven[bone] === 1, clip);
    expect(worst.finite).toBe(true);
    expect(worst.gap).toBeLessThan(1e-9);
    expect(worst.inverted).toBeLessThan(0.005);
  });
});

describe.skipIf(!found)('what neighbours do', () => {
  /** Pieces of the body whose tets have their centre where `keep` says. */
  const pieces = ({ body }: Character, keep: (x: number, y: number, z: number) => boolean): number => {
    const tets: number[] = [];
    for (let t = 0; t < body.tets.length; t += 4) {
      const corners = [...body.tets.subarray(t, t + 4)];
      const [x, y, z] = [0, 1, 2].map((k) => corners.reduce((sum, v) => sum + body.positions[3 * v + k] / 4, 0));
      if (keep(x, y, z)) tets.push(...corners);
    }
    const index = new Map([...new Set(tets)].map((v, i) => [v, i]));
    const compact = Int32Array.from(tets, (v) => index.get(v) as number);
    return labelComponents({ positions: new Float64Array(3 * index.size), tets: compact }).count;
  };

  it.each([1500, 5000])('fingers of the hand are four pieces beyond the palm, at %s tets', async (tets) => {
    const hand = buildRigged(await readGltf(readAsset('hand.glb')), { tets });
    expect(pieces(hand, (_x, y) => y < -0.07)).toBe(4);
  });

  it('legs of the man are two pieces below the hip', async () => {
    expect(pieces(await character('CesiumMan'), (_x, y) => y < 0.5)).toBe(2);
  });
});

describe.skipIf(!found)('building', () => {
  it.each([
    ['CesiumMan', 12000],
    ['hand', 5000],
  ])('%s comes to about %s tets when asked', async (name, tets) => {
    const model = await readGltf(readAsset(`${name}.glb`));
    const { body } = buildRigged(model, { tets });
    expect(Math.abs(body.tets.length / 4 / tets - 1)).toBeLessThan(0.1);
  });

  it('hangs a character file by its root bone', async () => {
    const scene = characterScene(await character('CesiumMan'));
    expect(scene.bodies[0].body.bones?.filter((bone) => bone.kinematic).map(({ name }) => name)).toEqual([
      'Skeleton_torso_joint_1',
    ]);
  });
});

/**
 * TetGen and Gmsh as a user meets them: files in, a character out, simulated. Skipped, with a line that says so, where a program is not
 * installed. What is said when one is missing, hangs, fails or talks too much is tried on small stand-ins.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { registerBuild } from '../../cli/commands/build.js';
import { buildFromSurfaces } from '../../cli/files/build-surfaces.js';
import { MESHERS, meshWithGmsh, meshWithTetgen } from '../../cli/files/mesher.js';
import { prepareTwoSurfaces } from '../../src/character/build/surfaces/two-surface.js';
import { countPoorFlesh } from '../../src/character/build/surfaces/two-surface-character.js';
import type { Character } from '../../src/character/character.js';
import { readCharacter } from '../../src/character/character-file.js';
import { characterScene } from '../../src/character/load-character.js';
import { TendonError } from '../../src/errors.js';
import { createWorld, disposeWorld, stepWorld } from '../../src/index.js';
import { writeJointFile } from '../../src/io/joint-file.js';
import { writeObj } from '../../src/io/surfaces/obj.js';
import { updateEmbedding } from '../../src/mesh/embedding.js';
import { dihedralAngles, summarizeMesh } from '../../src/mesh/tets/quality.js';
import { worstJoint } from '../support/checks/joint-check.js';
import { capsuleSurface, humanSurfaces, namedParts } from '../support/models/capsules.js';
import { ballSurface, boxSurface, mergeSurfaces } from '../support/models/surfaces.js';

const folder = mkdtempSync(join(tmpdir(), 'tendon-mesher-'));
// where the meshers' own folders go too
vi.stubEnv('TMPDIR', folder);
afterAll(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const SKIN = boxSurface([0, 0, 0], [3, 1, 1], 3);
const BONES = namedParts([
  ['upper', boxSurface([0.3, 0.3, 0.3], [1.3, 0.7, 0.7])],
  ['lower', boxSurface([1.6, 0.3, 0.3], [2.7, 0.7, 0.7])],
]);
const JOINTS = {
  regions: [],
  bones: [
    { name: 'upper', regions: [] },
    { name: 'lower', regions: [] },
  ],
  joints: [
    {
      name: 'elbow',
      type: 'hinge' as const,
      bones: ['upper', 'lower'],
      anchor: [1.45, 0.5, 0.5] as const,
      axis: [0, 0, 1] as const,
    },
  ],
};
const BOX = prepareTwoSurfaces(SKIN, BONES, JOINTS);

/** A file of the test's folder. */
function put(name: string, bytes: Uint8Array | string): string {
  const path = join(folder, name);
  writeFileSync(path, bytes);
  return path;
}

/** A program that does what a shell script says. */
function standIn(name: string, script: string): string {
  const path = put(name, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

function boxFiles() {
  return {
    skin: put('skin.obj', writeObj(SKIN)),
    skeleton: put('bones.obj', writeObj(BONES)),
    joints: put('arm.joint', writeJointFile(JOINTS)),
  };
}

/** Whether a program is there; says so where it is not. */
function installed(program: string): boolean {
  const found = spawnSync(program, ['-h'], { timeout: 20_000 }).error === undefined;
  if (!found) console.warn(`${program} is not installed: its tests are skipped (apt-get install ${program})`);
  return found;
}

/** Hangs the character by its first bone for a second: finite, joints closed, nothing much inside out. */
async function hang(character: Character): Promise<void> {
  const scene = characterScene(character);
  const world = await createWorld(scene);
  const { model, state } = world.bodies[0];
  for (let i = 0; i < 60; i++) {
    stepWorld(world, 1 / 60);
    expect(world.fault).toBeUndefined();
  }
  const { gap, angle } = worstJoint(scene.bodies[0].body, model, state);
  expect(gap).toBeLessThan(1e-8 * model.size);
  expect(angle).toBeLessThan(1e-6);
  expect(world.certificate.inverted).toBeLessThan(0.005 * model.tetCount);
  disposeWorld(world);
}

describe.each(['tetgen', 'gmsh'])('%s', (name) => {
  const mesher = MESHERS.get(name)!;
  describe.skipIf(!installed(name))('where it is installed', () => {
    it('fills a box with two bones, region by region', async () => {
      const { positions, tets, regions } = await mesher(BOX);
      const volumes = new Map<number, number>();
      for (const region of new Set(regions)) {
        const own = tets.filter((_, i) => regions?.[i >> 2] === region);
        volumes.set(region, Math.abs(summarizeMesh({ positions, tets: own }).totalVolume));
      }
      expect([...volumes.keys()].sort()).toEqual([1, 2, 3]);
      expect(volumes.get(2)).toBeCloseTo(0.16, 9);
      expect(volumes.get(3)).toBeCloseTo(0.176, 9);
      expect(volumes.get(1)).toBeCloseTo(3 - 0.336, 9);
    });

    it('makes the flesh as fine as asked, and cavities empty', async () => {
      const coarse = await mesher(BOX);
      const fine = await mesher(BOX, { maxVolume: 0.001 });
      expect(fine.tets.length).toBeGreaterThan(2 * coarse.tets.length);
      const cavity = ballSurface([2.2, 0.5, 0.5], 0.3, 6);
      const inward = { ...cavity, triangles: cavity.triangles.slice().reverse() };
      const skin = {
        positions: Float64Array.of(...SKIN.positions, ...inward.positions),
        triangles: Int32Array.of(...SKIN.triangles, ...inward.triangles.map((v) => v + SKIN.positions.length / 3)),
      };
      const hollow = prepareTwoSurfaces(skin);
      expect(summarizeMesh(await mesher(hollow)).totalVolume).toBeCloseTo(hollow.volume, 9);
    });

    it('tendon build: files to a character that hangs by its bone with joints closed', async () => {
      const { skin, skeleton, joints } = boxFiles();
      const output = join(folder, `${name}.glb`);
      const log = vi.spyOn(console, 'log').mockImplementation(() => {});
      const program = new Command().exitOverride();
      registerBuild(program);
      await program.parseAsync(
        ['build', skin, '--skeleton', skeleton, '--joints', joints, '--mesher', name, '-o', output],
        { from: 'user' },
      );
      const text = log.mock.calls.join('\n');
      log.mockRestore();
      expect(text).toContain('2 bones, 1 joints');
      const character = await readCharacter(new Uint8Array(readFileSync(output)));
      expect(character.body.bones?.map(({ name: bone }) => bone)).toEqual(['upper', 'lower']);
      expect(character.body.joints?.[0]).toMatchObject({ type: 'hinge', anchor: [1.45, 0.5, 0.5], axis: [0, 0, 1] });
      await hang(character);
    });

    it('the procedural human: nine bones, sound angles, its own skin', async () => {
      const { skin, skeleton, joints } = humanSurfaces();
      const files = {
        skin: put('human.obj', writeObj(skin)),
        skeleton: put('human-bones.obj', writeObj(skeleton)),
        joints: put('human.joint', writeJointFile(joints)),
      };
      const character = await buildFromSurfaces({ ...files, mesher: name });
      const { body } = character;
      expect(body.name).toBe('human');
      expect(body.bones).toHaveLength(9);
      expect(body.joints).toHaveLength(8);
      const degrees = dihedralAngles(body).map((angle) => (angle * 180) / Math.PI);
      expect(degrees.reduce((a, b) => Math.min(a, b))).toBeGreaterThan(5);
      expect(degrees.reduce((a, b) => Math.max(a, b))).toBeLessThan(170);
      const shown = new Float64Array(skin.positions.length);
      updateEmbedding(character.embedding, body.positions, shown);
      expect(Math.max(...shown.map((x, i) => Math.abs(x - skin.positions[i])))).toBeLessThan(1e-6);
      await hang(character);
    });

    it('fills pieces beside and inside one another, and bones of several pieces', async () => {
      const skin = mergeSurfaces(
        SKIN,
        boxSurface([4, 0, 0], [5, 1, 1], 2),
        boxSurface([4.2, 0.2, 0.2], [4.5, 0.8, 0.8]),
      );
      const split = mergeSurfaces(
        boxSurface([0.2, 0.3, 0.3], [0.8, 0.7, 0.7]),
        boxSurface([4.6, 0.3, 0.3], [4.9, 0.7, 0.7]),
      );
      const { positions, tets, regions } = await mesher(prepareTwoSurfaces(skin, namedParts([['split', split]])));
      const bone = tets.filter((_, i) => regions?.[i >> 2] === 2);
      expect(summarizeMesh({ positions, tets }).totalVolume).toBeCloseTo(4, 9);
      expect(summarizeMesh({ positions, tets: bone }).totalVolume).toBeCloseTo(0.16 * 0.6 + 0.16 * 0.3, 9);
    });

    it('long thin triangles: cut for better tetrahedra, or told about', async () => {
      const skin = put('rod.obj', writeObj(capsuleSurface([0, 0, 0], [0, 8, 0], 0.5, 24, 1)));
      const character = await buildFromSurfaces({ skin, mesher: name });
      const poor = countPoorFlesh(character.body);
      const notes = character.report.notes.join();
      if (name === 'tetgen') expect([poor, notes.includes('triangles of the surfaces were cut')]).toEqual([0, true]);
      else expect(notes).toContain(`${poor} tetrahedra of the flesh have an angle`);
      await hang(character);
    });

    it('comes near a number of tetrahedra, and says where the surfaces alone make more', async () => {
      const files = boxFiles();
      const many = await buildFromSurfaces({ ...files, mesher: name, tets: 6000 });
      expect(many.body.tets.length / 4).toBeGreaterThan(4800);
      expect(many.body.tets.length / 4).toBeLessThan(7200);
      const few = await buildFromSurfaces({ ...files, mesher: name, tets: 50 });
      expect(few.report.notes.join()).toMatch(/surfaces alone make \d+ tetrahedra, more than 50/);
    });

    it('leaves nothing behind', () => {
      expect(tmpdir()).toBe(folder);
      expect(readdirSync(folder).filter((entry) => entry.startsWith('tendon-mesh-'))).toEqual([]);
    });
  });

  it('is asked for in one line where it is missing', async () => {
    const error = await mesher(BOX, { program: join(folder, 'nowhere') }).catch((reason) => reason);
    expect(error).toBeInstanceOf(TendonError);
    expect(error.code).toBe('E_PROGRAM');
    expect(error.message).toContain(`apt-get install ${name}`);
    expect(error.message).not.toContain('\n');
  });

  it('is stopped when it takes too long, or prints without end', async () => {
    const slow = await mesher(BOX, { program: standIn('slow', 'exec sleep 30'), seconds: 0.3 }).catch(
      (reason) => reason,
    );
    expect([slow.code, slow.value]).toEqual(['E_PROGRAM', '0.3 s']);
    const chatty = await mesher(BOX, { program: standIn('chatty', 'exec yes'), seconds: 20 }).catch((reason) => reason);
    expect(chatty.message).toContain('printed too much');
  });

  it('fails with a typed error when it leaves no mesh, or one that makes no sense', async () => {
    const silent = await mesher(BOX, { program: standIn('silent', 'exit 0') }).catch((reason) => reason);
    expect([silent.code, silent.message.includes('left no mesh')]).toEqual(['E_PROGRAM', true]);
    const wrong = standIn('wrong', 'echo "x y" > body.1.node; echo "1" > body.1.ele; echo "x" > body.msh');
    expect((await mesher(BOX, { program: wrong }).catch((reason) => reason)).code).toBe('E_FORMAT');
  });

  it('refuses more tetrahedra than anyone wants', async () => {
    await expect(async () => mesher(BOX, { maxVolume: 1e-12 })).rejects.toThrow('E_RANGE');
    await expect(async () => mesher(BOX, { maxVolume: 0 })).rejects.toThrow('E_RANGE');
  });
});

describe('what the meshers complain about', () => {
  it('TetGen: the facets it lists, by their names in the files', async () => {
    const listing = '  Facet #1 intersects facet #110 at triangles:\n    (   A) and (   B)';
    const corners = (t: number) => [...BOX.smesh.triangles.subarray(3 * t, 3 * t + 3)].reverse().join(', ');
    const lines = listing.replace('A', corners(4)).replace('B', corners(110));
    put('listing.txt', lines);
    const program = standIn('failing', `case "$1" in -d) cat ${join(folder, 'listing.txt')};; *) kill -ABRT $$;; esac`);
    const error = await meshWithTetgen(BOX, { program }).catch((reason) => reason);
    expect([error.code, error.value]).toEqual(['E_SURFACE', [4, 110]]);
    expect(error.message).toContain('triangle 4 of the skin and triangle 2 of the bone upper');
  });

  it('TetGen: what it printed before it gave up', async () => {
    const program = standIn('gave-up', 'echo "Recovering boundaries..."; echo "Found two segments intersect."; exit 3');
    const error = await meshWithTetgen(BOX, { program }).catch((reason) => reason);
    expect([error.code, error.value]).toEqual(['E_PROGRAM', 'Found two segments intersect.']);
    expect(error.message).toContain('exit code 3');
  });

  it('Gmsh: its error line, also where it ends well', async () => {
    const program = standIn('gmsh-error', 'echo "Info    : x"; echo "Error   : Unable to recover the edge"; exit 0');
    const error = await meshWithGmsh(BOX, { program }).catch((reason) => reason);
    expect([error.code, error.value]).toEqual(['E_PROGRAM', 'Unable to recover the edge']);
  });

  it.skipIf(!installed('tetgen'))('TetGen itself, on facets that were not checked', async () => {
    const positions = BOX.smesh.positions.slice();
    // One corner of a bone goes out through the skin.
    const corner = BOX.smesh.triangles[3 * 108];
    positions[3 * corner + 2] = -0.5;
    const error = await meshWithTetgen({ ...BOX, smesh: { ...BOX.smesh, positions } }).catch((reason) => reason);
    expect(error.code).toBe('E_SURFACE');
    expect(error.message).toMatch(/triangle \d+ of the skin and triangle \d+ of the bone upper/);
  });
});

describe('buildFromSurfaces', () => {
  it('passes on what the checks found, with no program run', async () => {
    const files = boxFiles();
    const bones = put('poking.obj', writeObj(namedParts([['upper', boxSurface([0.3, 0.3, 0.3], [1, 0.7, 2])]])));
    const error = await buildFromSurfaces({ skin: files.skin, skeleton: bones, mesher: 'tetgen' }).catch(
      (reason) => reason,
    );
    expect([error.code, error.place]).toEqual(['E_SURFACE', 'bone upper']);
    await expect(buildFromSurfaces({ ...files, mesher: 'other' })).rejects.toThrow('use lattice, tetgen or gmsh');
    await expect(buildFromSurfaces({ ...files, skin: join(folder, 'none.obj'), mesher: 'gmsh' })).rejects.toThrow(
      'cannot be read',
    );
    expect(existsSync(join(folder, 'none.obj'))).toBe(false);
  });
});

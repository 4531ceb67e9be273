/**
 * Damaged files of every format: each reader gives data or a typed error, soon, and touches nothing else.
 * TENDON_FUZZ is the number of mutants per format; TENDON_FUZZ_SEED the first seed (to replay: the one that was printed,
 * with TENDON_FUZZ=1).
 */
import { describe, expect, it } from 'vitest';
import { TendonError } from '../../src/errors.js';
import { readBvh } from '../../src/io/bvh.js';
import { readGltf } from '../../src/io/gltf/gltf.js';
import { readJointFile } from '../../src/io/joint-file.js';
import { readObj } from '../../src/io/surfaces/obj.js';
import { readPly } from '../../src/io/surfaces/ply.js';
import { readStl } from '../../src/io/surfaces/stl.js';
import { readGmsh } from '../../src/io/tets/gmsh.js';
import { readMedit } from '../../src/io/tets/medit.js';
import { readSmesh } from '../../src/io/tets/smesh.js';
import { readTetgen, writeTetgen } from '../../src/io/tets/tetgen.js';
import { readVtk } from '../../src/io/tets/vtk.js';
import { readVtu } from '../../src/io/tets/vtu.js';
import { mutate } from './mutate.js';
import { makeSeedFormats, TWO_TETS } from './seed-files.js';

const MUTANTS = Number(process.env.TENDON_FUZZ ?? 5000);
const FIRST_SEED = Number(process.env.TENDON_FUZZ_SEED ?? 1);
/** Longest a reader may take for one small file [ms]. */
const MAX_TIME = 2000;
/** Most that the largest size of the process may grow by [KiB]. */
const MAX_MEMORY = 512 * 1024;
const CODES = ['E_FORMAT', 'E_RANGE', 'E_INDEX', 'E_NOT_FINITE', 'E_EMPTY', 'E_DUPLICATE', 'E_UNKNOWN', 'E_JOINT'];

const { node, ele } = writeTetgen(TWO_TETS);
const READERS = new Map<string, (bytes: Uint8Array) => unknown>([
  ['obj', readObj],
  ['stl', readStl],
  ['ply', readPly],
  ['mesh', readMedit],
  ['node', (bytes) => readTetgen(bytes, ele)],
  ['ele', (bytes) => readTetgen(node, bytes)],
  ['face', (bytes) => readTetgen(node, ele, { face: bytes })],
  ['smesh', readSmesh],
  ['msh', readGmsh],
  ['vtk', readVtk],
  ['vtu', readVtu],
  ['glb', readGltf],
  ['gltf', readGltf],
  ['bvh', readBvh],
  ['joint', readJointFile],
]);

const formats = await makeSeedFormats();

describe('mutate', () => {
  it('gives the same mutant for the same seed, and mostly others for others', () => {
    for (const { files } of formats) {
      expect(mutate(files[0], 7)).toEqual(mutate(files[0], 7));
      const mutants = new Set(Array.from({ length: 100 }, (_, seed) => mutate(files[0], seed).join()));
      expect(mutants.size).toBeGreaterThan(80);
    }
  });
});

describe.each(formats)('damaged $name files', ({ name, files }) => {
  const read = READERS.get(name)!;

  it('are sound before they are damaged', async () => {
    for (const file of files) expect(await read(file)).toBeTypeOf('object');
  });

  it('give data or a typed error', { timeout: 600_000 }, async () => {
    const memory = process.resourceUsage().maxRSS;
    let errors = 0;
    let slowest = 0;
    for (let seed = FIRST_SEED; seed < FIRST_SEED + MUTANTS; seed++) {
      const mutant = mutate(files[seed % files.length], seed);
      const started = performance.now();
      try {
        requireSound(await read(mutant));
      } catch (error) {
        errors++;
        const isTyped = error instanceof TendonError && CODES.includes(error.code) && error.place !== '';
        if (!isTyped) throw new Error(`${name}, TENDON_FUZZ=1 TENDON_FUZZ_SEED=${seed}: ${error}`, { cause: error });
      }
      const time = performance.now() - started;
      slowest = Math.max(slowest, time);
      if (time > MAX_TIME) throw new Error(`${name}, TENDON_FUZZ_SEED=${seed}: took ${time} ms`);
      if ('polluted' in {}) throw new Error(`${name}, TENDON_FUZZ_SEED=${seed}: every object is polluted`);
    }
    // Damage that is never noticed would mean that nothing is checked.
    if (MUTANTS >= 1000) expect(errors).toBeGreaterThan(MUTANTS / 4);
    expect(slowest).toBeLessThan(MAX_TIME);
    expect(process.resourceUsage().maxRSS - memory).toBeLessThan(MAX_MEMORY);
  });
});

/** Throws unless every index of what was read points at something and every number is finite. */
function requireSound(data: unknown): void {
  const { positions, tets, triangles } = data as Partial<Record<string, Float64Array | Int32Array>>;
  if (positions === undefined) return;
  for (const value of positions) if (!Number.isFinite(value)) throw new Error(`a coordinate is ${value}`);
  for (const list of [tets, triangles]) {
    for (const index of list ?? []) {
      if (!(index >= 0 && index < positions.length / 3)) throw new Error(`index ${index} points at nothing`);
    }
  }
}

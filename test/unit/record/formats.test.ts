/** Baked files read back by readers of their own, written from the formats' descriptions. */
import { describe, expect, it } from 'vitest';
import { readObj } from '../../../src/io/surfaces/obj.js';
import type { BakeFormat, BakeFrame, BakeInfo, StreamFormat } from '../../../src/record/formats/bake-format.js';
import { BAKE_FORMATS, findBakeFormat } from '../../../src/record/formats/formats.js';

const INFO: BakeInfo = {
  name: '3 walk-er',
  fps: 24,
  firstFrame: 2,
  vertexCount: 3,
  triangles: [0, 1, 2],
  bones: [{ body: 'it', bone: 'arm, "left"' }],
  joints: [{ body: 'it', joint: '=elbow' }],
  parts: [{ name: 'it', vertexStart: 0, vertexCount: 3, cornerStart: 0, cornerCount: 3, boneStart: 0, boneCount: 1 }],
  centres: [0, 0, 0],
  obstacles: [],
};
const FRAMES: BakeFrame[] = [0, 1].map((n) => ({
  time: (2 + n) / 24,
  positions: [0, 0.1, 0.2, 1 / 3, 0.4, 0.5, n, 0.7, -1e-9],
  poses: [0, 0, 0, 1, 1, 2, 3 + n],
  jointForces: [0, -9.81, n],
  contacts: n === 0 ? [] : [1, 2, 3, 4, 5, 6],
  obstacles: [],
}));

/** A whole file, as a bake puts it together. */
function bake(format: BakeFormat): Uint8Array {
  const { header, frame, footer } = format as StreamFormat;
  const parts = FRAMES.map((one, i) => frame(INFO, one, i));
  const all = [
    header(
      INFO,
      FRAMES.map(({ time }) => time),
    ),
    ...parts,
    footer(INFO),
  ];
  return Uint8Array.from(all.flatMap((bytes) => [...bytes]));
}

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

describe('pc2', () => {
  it('holds the header and every number as f32', () => {
    const bytes = bake(BAKE_FORMATS.pc2);
    const view = new DataView(bytes.buffer);
    expect(text(bytes.subarray(0, 12))).toBe('POINTCACHE2\0');
    expect([12, 16, 28].map((at) => view.getInt32(at, true))).toEqual([1, 3, 2]);
    expect([20, 24].map((at) => view.getFloat32(at, true))).toEqual([2, 1]);
    const numbers = Array.from({ length: 18 }, (_, i) => view.getFloat32(32 + 4 * i, true));
    expect(numbers).toEqual(FRAMES.flatMap(({ positions }) => Array.from(positions, Math.fround)));
    expect(bytes.length).toBe(32 + 72);
  });
});

describe('mdd', () => {
  it('holds counts, times and every number, big-endian', () => {
    const view = new DataView(bake(BAKE_FORMATS.mdd).buffer);
    expect([view.getInt32(0), view.getInt32(4)]).toEqual([2, 3]);
    expect([view.getFloat32(8), view.getFloat32(12)]).toEqual(FRAMES.map(({ time }) => Math.fround(time)));
    const numbers = Array.from({ length: 18 }, (_, i) => view.getFloat32(16 + 4 * i));
    expect(numbers).toEqual(FRAMES.flatMap(({ positions }) => Array.from(positions, Math.fround)));
  });
});

describe('usda', () => {
  it('has an allowed name, the range of frames, and a sample for each', () => {
    const usd = text(bake(BAKE_FORMATS.usda));
    expect(usd).toMatch(/^#usda 1\.0\n/);
    expect(usd).toContain('def Mesh "_3_walk_er"');
    expect(usd).toMatch(/startTimeCode = 2\n\s+endTimeCode = 3/);
    const samples = [...usd.matchAll(/^\s+(\d+): \[(.*)\],$/gm)];
    expect(samples.map(([, frame]) => Number(frame))).toEqual([2, 3]);
    samples.forEach(([, , points], n) => {
      const numbers = points.replace(/[()]/g, '').split(', ').map(Number);
      expect(numbers.map(Math.fround)).toEqual(Array.from(FRAMES[n].positions, Math.fround));
    });
    expect(usd.split('{').length).toBe(usd.split('}').length);
  });
});

describe('csv', () => {
  it('has a row for every bone, joint and contact, names quoted and never a formula', () => {
    const lines = text(bake(BAKE_FORMATS.csv)).trimEnd().split('\n');
    expect(lines.length).toBe(1 + 2 + 3);
    expect(lines[1]).toMatch(/bone,it,"arm, ""left""",1,2,3,0,0,0,1,,,$/);
    expect(lines[2]).toMatch(/joint,it,'=elbow,,,,,,,,0,-9\.81,0$/);
    expect(lines[5]).toMatch(/contact,,0,1,2,3,,,,,4,5,6$/);
    const columns = lines[0].split(',').length;
    for (const line of [lines[2], lines[5]]) expect(line.split(',').length).toBe(columns);
  });
});

describe('sequences', () => {
  it('are files of their own', () => {
    const { obj, vtp } = BAKE_FORMATS;
    if (obj.kind !== 'sequence' || vtp.kind !== 'sequence') throw new Error('they are sequences');
    const { positions, triangles } = readObj(obj.file(INFO, FRAMES[1]));
    expect([...positions]).toEqual(FRAMES[1].positions);
    expect([...triangles]).toEqual([0, 1, 2]);
    const xml = text(vtp.file(INFO, FRAMES[1]));
    expect(xml).toContain('NumberOfPoints="3" NumberOfPolys="1"');
    expect(
      xml
        .match(/NumberOfComponents="3" format="ascii">([^<]*)</)?.[1]
        .split(' ')
        .map(Number),
    ).toEqual(FRAMES[1].positions);
  });
});

it('says which formats there are', () => {
  expect(findBakeFormat('A.B.PC2')).toBe(BAKE_FORMATS.pc2);
  expect(() => findBakeFormat('walk.doc')).toThrow(/\.pc2, \.mdd, \.usda/);
  expect(() => findBakeFormat('constructor')).toThrow(expect.objectContaining({ code: 'E_UNKNOWN' }));
});

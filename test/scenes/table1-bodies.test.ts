import { describe, expect, it } from 'vitest';
import { buildBar } from '../../scenes/cast/bar.js';
import { buildMermaid } from '../../scenes/cast/creatures/mermaid.js';
import { buildSnail } from '../../scenes/cast/creatures/snail.js';
import { buildHuman } from '../../scenes/cast/human.js';
import type { BodyDef } from '../../src/body/body-def.js';
import { flatness } from '../../src/character/build/bones/pick-bone-vertices.js';
import { extractSurface } from '../../src/mesh/surface/surface.js';
import { describeSurface } from '../../src/mesh/surface/surface-topology.js';
import { summarizeMesh } from '../../src/mesh/tets/quality.js';
import { meshVolume } from '../../src/mesh/tets/tet-mesh.js';
import { expectSolid } from '../unit/mesh/mesh-checks.js';

const DEGREE = Math.PI / 180;

/** [Li2019, Table 1], and what the body weighs [kg] and how far it reaches [m] here. */
const TABLE = [
  {
    name: 'bar',
    build: buildBar,
    coarse: 0.1,
    vertices: 1690,
    elastic: 1010,
    tets: 7661,
    bones: 2,
    joints: 1,
    mass: [33, 34],
  },
  {
    name: 'snail',
    build: buildSnail,
    coarse: 0.014,
    vertices: 28840,
    elastic: 14318,
    tets: 105694,
    bones: 1,
    joints: 0,
    mass: [0.7, 1.2],
  },
  {
    name: 'human',
    build: buildHuman,
    coarse: 0.06,
    vertices: 12683,
    elastic: 11617,
    tets: 45888,
    bones: 9,
    joints: 8,
    mass: [55, 75],
  },
  {
    name: 'mermaid',
    build: buildMermaid,
    coarse: 0.06,
    vertices: 7570,
    elastic: 5249,
    tets: 32270,
    bones: 9,
    joints: 0,
    mass: [55, 75],
  },
];

/** Expects bones that share no vertex, are solid, and joints that name them. */
function expectSkeleton(body: BodyDef): void {
  const owners = new Uint8Array(body.positions.length / 3);
  for (const bone of body.bones ?? []) {
    for (const vertex of Array.from(bone.vertices)) owners[vertex]++;
    expect(bone.vertices.length).toBeGreaterThanOrEqual(4);
    expect(flatness(body.positions, bone.vertices)).toBeGreaterThan(1e-5);
  }
  expect(Math.max(...owners)).toBe(1);
  const names = (body.bones ?? []).map((bone) => bone.name);
  expect(new Set(names).size).toBe(names.length);
  for (const joint of body.joints ?? []) {
    expect(joint.type).toBe('ball');
    expect(joint.bones).toHaveLength(2);
    for (const bone of joint.bones) expect(names).toContain(bone);
  }
}

/** Lowest and highest coordinate along an axis. */
function reach(body: BodyDef, axis: number): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = axis; i < body.positions.length; i += 3) {
    low = Math.min(low, body.positions[i]);
    high = Math.max(high, body.positions[i]);
  }
  return [low, high];
}

function eulerCharacteristic(body: BodyDef): number {
  const { triangles, vertices } = extractSurface(body);
  return describeSurface(triangles, vertices.length).eulerCharacteristic;
}

describe.each(TABLE)('$name', ({ build, coarse, vertices, elastic, tets, bones, joints, mass }) => {
  const body = build();

  it('has the counts of the paper within 5 %', () => {
    const vertexCount = body.positions.length / 3;
    const rigidCount = (body.bones ?? []).reduce((sum, bone) => sum + bone.vertices.length, 0);
    expect(Math.abs(vertexCount / vertices - 1)).toBeLessThan(0.05);
    expect(Math.abs((vertexCount - rigidCount) / elastic - 1)).toBeLessThan(0.05);
    expect(Math.abs(body.tets.length / 4 / tets - 1)).toBeLessThan(0.05);
    expect(body.bones).toHaveLength(bones);
    expect(body.joints ?? []).toHaveLength(joints);
  });

  it('is one conforming solid with a closed surface', () => expectSolid(body));

  it('has no flat tetrahedra', () => {
    const { dihedral } = summarizeMesh(body);
    expect(dihedral.min).toBeGreaterThan(10 * DEGREE);
    expect(dihedral.max).toBeLessThan(168 * DEGREE);
  });

  it('has solid bones that share no vertex, and joints that name them', () => expectSkeleton(body));

  it('weighs what it should', () => {
    const kilograms = meshVolume(body) * body.materials[0].density;
    expect(kilograms).toBeGreaterThan(mass[0]);
    expect(kilograms).toBeLessThan(mass[1]);
  });

  it('comes out the same every time', () => expect(build({ cell: coarse })).toEqual(build({ cell: coarse })));
});

describe('human', () => {
  it.each([0.035, 0.045, 0.06, 0.075])('with cell %s stands on the floor, 1.7 m tall, all limbs free', (cell) => {
    const body = buildHuman({ cell });
    expectSolid(body);
    expectSkeleton(body);
    expect(body.bones).toHaveLength(9);
    const [low, high] = reach(body, 1);
    expect(Math.abs(low)).toBeLessThan(0.01);
    expect(high).toBeGreaterThan(1.66);
    expect(high).toBeLessThan(1.72);
    const [right, left] = reach(body, 0);
    expect(left).toBeGreaterThan(0.6);
    expect(right).toBeLessThan(-0.6);
    // An arm grown to the trunk or a leg to the other would make a handle.
    expect(eulerCharacteristic(body)).toBe(2);
  });

  it('has joints at the same place left and right', () => {
    const joints = buildHuman({ cell: 0.06 }).joints ?? [];
    const left = joints.filter(({ name }) => name.endsWith('Left'));
    expect(left).toHaveLength(4);
    for (const { name, anchor } of left) {
      const mirrored = joints.find((joint) => joint.name === name.replace('Left', 'Right'));
      expect(mirrored?.anchor).toEqual([-anchor[0], anchor[1], anchor[2]]);
    }
  });

  it('has between 1,500 and 5,000 tetrahedra when coarse', () => {
    const tetCount = buildHuman({ cell: 0.075 }).tets.length / 4;
    expect(tetCount).toBeGreaterThan(1500);
    expect(tetCount).toBeLessThan(5000);
  });
});

describe('mermaid', () => {
  it.each([0.045, 0.06, 0.08])('with cell %s has both flukes and both hands, and a tail without bones', (cell) => {
    const body = buildMermaid({ cell });
    expectSolid(body);
    expectSkeleton(body);
    expect(eulerCharacteristic(body)).toBe(2);
    const [right, left] = reach(body, 0);
    expect(Math.min(left, -right)).toBeGreaterThan(0.6);
    const wide = (below: number): number => {
      let width = 0;
      for (let i = 0; i < body.positions.length; i += 3) {
        if (body.positions[i + 1] < below) width = Math.max(width, Math.abs(body.positions[i]));
      }
      return width;
    };
    expect(wide(0.1)).toBeGreaterThan(0.25);
    for (const { vertices } of body.bones ?? []) {
      for (const vertex of Array.from(vertices)) expect(body.positions[3 * vertex + 1]).toBeGreaterThan(0.7);
    }
  });
});

describe('snail', () => {
  it.each([0.008, 0.011, 0.018])('with cell %s crawls on the floor with its tentacles up', (cell) => {
    const body = buildSnail({ cell });
    expectSolid(body);
    expectSkeleton(body);
    expect(Math.abs(reach(body, 1)[0])).toBeLessThan(0.003);
    expect(reach(body, 0)[1]).toBeGreaterThan(0.15);
    let tip = 0;
    for (let i = 0; i < body.positions.length; i += 3) {
      if (body.positions[i] > 0.145) tip = Math.max(tip, body.positions[i + 1]);
    }
    expect(tip).toBeGreaterThan(0.115);
  });
});

describe('bar', () => {
  it('has a known volume and known ends', () => {
    const body = buildBar({ cells: [10, 2, 3], cell: 0.1, boneLayers: 3 });
    expect(meshVolume(body)).toBeCloseTo(0.06, 14);
    expect(reach(body, 0)).toEqual([0, 1]);
    const [left, right] = (body.bones ?? []).map((bone) => Array.from(bone.vertices, (v) => body.positions[3 * v]));
    expect(Math.max(...left)).toBeCloseTo(0.2, 14);
    expect(Math.min(...right)).toBeCloseTo(0.8, 14);
    expect(body.joints?.[0].anchor).toEqual([0.5, 0, 0]);
  });

  it('can be all soft and pinned at one end', () => {
    const body = buildBar({ boneLayers: 0, pinLayers: 1 });
    expect(body.bones).toBeUndefined();
    expect(body.pins).toHaveLength(49);
    for (const vertex of Array.from(body.pins ?? [])) expect(body.positions[3 * vertex]).toBe(0);
  });

  it.each([
    [{ boneLayers: 1 }, 'boneLayers'],
    [{ boneLayers: 20 }, 'boneLayers'],
    [{ pinLayers: 1 }, 'pinLayers'],
    [{ cells: [0, 1, 1] as const, boneLayers: 0 }, 'cells/0'],
  ])('rejects %o', (options, place) => {
    expect(() => buildBar(options)).toThrow(expect.objectContaining({ code: 'E_RANGE', place }));
  });
});

it('rejects a cell size that is none', () => {
  for (const cell of [0, -1, 1e9]) {
    expect(() => buildHuman({ cell })).toThrow(expect.objectContaining({ code: 'E_RANGE', place: 'cell' }));
  }
  expect(() => buildSnail({ cell: Number.NaN })).toThrow(expect.objectContaining({ code: 'E_NOT_FINITE' }));
});

/** The cast: hand, snake, fish, quadruped and tubes, fine and in real-time size, at rest and limp for two seconds. */
import { describe, expect, it } from 'vitest';
import { buildFish } from '../../scenes/cast/creatures/fish.js';
import { buildQuadruped } from '../../scenes/cast/creatures/quadruped.js';
import { buildSnake } from '../../scenes/cast/creatures/snake.js';
import { buildTubes } from '../../scenes/cast/creatures/tubes.js';
import { buildHand } from '../../scenes/cast/hand.js';
import type { BodyDef, JointDef, Vec3 } from '../../src/body/body-def.js';
import { flatness } from '../../src/character/build/bones/pick-bone-vertices.js';
import { embedFineSkin } from '../../src/character/fine-skin.js';
import { stepWorld } from '../../src/index.js';
import { updateEmbedding } from '../../src/mesh/embedding.js';
import { extractSurface } from '../../src/mesh/surface/surface.js';
import { describeSurface } from '../../src/mesh/surface/surface-topology.js';
import { summarizeMesh } from '../../src/mesh/tets/quality.js';
import { meshVolume } from '../../src/mesh/tets/tet-mesh.js';
import { createWorld, disposeWorld } from '../../src/world/create-world.js';
import { worstJoint } from '../support/checks/joint-check.js';
import { fleshScene } from '../support/models/bodies.js';
import { expectSolid } from '../unit/mesh/mesh-checks.js';

const DEGREE = Math.PI / 180;

/** Cell sizes between fine and coarse; what it weighs [kg], how it extends along the axes [m], how often it is pierced. */
const CAST = [
  {
    name: 'hand',
    build: buildHand,
    cells: [0.0098, 0.013],
    bones: 17,
    joints: { ball: 2, hinge: 14 },
    mass: [0.4, 0.6],
    size: [0.166, 0.241, 0.067],
    handles: 0,
  },
  {
    name: 'snake',
    build: buildSnake,
    cells: [0.018, 0.023],
    bones: 16,
    joints: { ball: 15, hinge: 0 },
    mass: [2, 3.2],
    size: [1.147, 0.057, 0.336],
    handles: 0,
  },
  {
    name: 'fish',
    build: buildFish,
    cells: [0.018, 0.026],
    bones: 7,
    joints: { ball: 0, hinge: 6 },
    mass: [1.4, 2.5],
    size: [0.179, 0.207, 0.458],
    handles: 0,
  },
  {
    name: 'quadruped',
    build: buildQuadruped,
    cells: [0.035, 0.05],
    bones: 19,
    joints: { ball: 10, hinge: 8 },
    mass: [25, 40],
    size: [0.297, 0.837, 1.083],
    handles: 0,
  },
  {
    name: 'tubes',
    build: buildTubes,
    cells: [0.016, 0.025],
    bones: 0,
    joints: { ball: 0, hinge: 0 },
    mass: [3, 3.8],
    size: [0.4, 0.13, 0.13],
    handles: 1,
  },
];

/** Distance from the lowest to the highest coordinate along each axis. */
function extent(body: BodyDef): number[] {
  return [0, 1, 2].map((axis) => {
    const values = body.positions.filter((_, i) => i % 3 === axis);
    return values.reduce((a, b) => Math.max(a, b)) - values.reduce((a, b) => Math.min(a, b));
  });
}

function handleCount(body: BodyDef): number {
  const { triangles, vertices } = extractSurface(body);
  return 1 - describeSurface(triangles, vertices.length).eulerCharacteristic / 2;
}

/** One solid with good angles; as many handles as it should have, so that no finger is grown to the next. */
function expectGoodMesh(body: BodyDef, handles: number): void {
  expectSolid(body);
  expect(handleCount(body)).toBe(handles);
  const { dihedral } = summarizeMesh(body);
  expect(dihedral.min).toBeGreaterThan(10 * DEGREE);
  expect(dihedral.max).toBeLessThan(168 * DEGREE);
}

/** Bones that share no vertex and are solid; joints that name them; a bone on either side of every anchor. */
function expectGoodSkeleton(body: BodyDef): void {
  const owners = new Uint8Array(body.positions.length / 3);
  for (const { vertices } of body.bones ?? []) {
    for (const vertex of Array.from(vertices)) owners[vertex]++;
    expect(vertices.length).toBeGreaterThanOrEqual(6);
    expect(flatness(body.positions, vertices)).toBeGreaterThan(1e-5);
  }
  expect(Math.max(0, ...owners)).toBeLessThanOrEqual(1);
  const names = (body.bones ?? []).map((bone) => bone.name);
  expect(new Set(names).size).toBe(names.length);
  const jointNames = (body.joints ?? []).map((joint) => joint.name);
  expect(new Set(jointNames).size).toBe(jointNames.length);
  for (const joint of body.joints ?? []) {
    expect(joint.bones).toHaveLength(2);
    for (const bone of joint.bones) expect(names).toContain(bone);
  }
  // A tree: every bone but the root hangs on exactly one joint.
  const hung = (body.joints ?? []).map((joint) => joint.bones[1]);
  expect(new Set(hung).size).toBe(hung.length);
  if (names.length > 0) expect(hung).toHaveLength(names.length - 1);
}

function centre(body: BodyDef, bone: string): number[] {
  const vertices = Array.from((body.bones ?? []).find(({ name }) => name === bone)?.vertices ?? []);
  return [0, 1, 2].map((k) => vertices.reduce((sum, v) => sum + body.positions[3 * v + k], 0) / vertices.length);
}

const joint = (body: BodyDef, name: string): JointDef | undefined => body.joints?.find((one) => one.name === name);
const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

describe.each(CAST)('$name', ({ name, build, cells, bones, joints, mass, size, handles }) => {
  const scene = fleshScene(name);
  const live = scene.bodies[0].body;

  it('has between 1,500 and 5,000 tetrahedra in its scene, and all of its bones and joints', () => {
    expect(live.tets.length / 4).toBeGreaterThan(1500);
    expect(live.tets.length / 4).toBeLessThan(5000);
    expect(live.bones).toHaveLength(bones);
    const ofType = (type: string): number => (live.joints ?? []).filter((one) => one.type === type).length;
    expect({ ball: ofType('ball'), hinge: ofType('hinge') }).toEqual(joints);
    expectGoodMesh(live, handles);
    expectGoodSkeleton(live);
  });

  it('has tens of thousands of tetrahedra by default, and carries that skin in its scene', () => {
    const fine = build();
    expect(fine.tets.length / 4).toBeGreaterThan(40_000);
    expect(fine.tets.length / 4).toBeLessThan(60_000);
    expectGoodMesh(fine, handles);
    expectGoodSkeleton(fine);
    extent(fine).forEach((length, axis) => {
      expect(length).toBeCloseTo(size[axis], 2);
    });
    const skin = embedFineSkin(live, fine);
    const moved = new Float64Array(skin.positions.length);
    updateEmbedding(skin.embedding, live.positions, moved);
    expect(moved.every((x, i) => Math.abs(x - skin.positions[i]) < 1e-12)).toBe(true);
    // Vertices outside the coarse mesh are extrapolated, but not by far.
    expect(skin.embedding.weights.every((weight) => Math.abs(weight) < 2.5)).toBe(true);
  });

  it.each(cells)('is sound with cell %s', (cell) => {
    const body = build({ cell });
    expectGoodMesh(body, handles);
    expectGoodSkeleton(body);
    const kilograms = meshVolume(body) * body.materials[0].density;
    expect(kilograms).toBeGreaterThan(mass[0]);
    expect(kilograms).toBeLessThan(mass[1]);
    // Thin ends may be cut or grow by a cell.
    extent(body).forEach((length, axis) => {
      expect(Math.abs(length - size[axis])).toBeLessThan(0.02 * size[axis] + 0.8 * cell);
    });
  });

  it('comes out the same every time', () => expect(build({ cell: cells[1] })).toEqual(build({ cell: cells[1] })));

  it('stays finite for two seconds with its joints closed and hardly an element turned over', async () => {
    const world = await createWorld(scene);
    const [body] = world.bodies;
    let inverted = 0;
    for (let step = 0; step < 120; step++) {
      expect(stepWorld(world)).toBe(true);
      inverted = Math.max(inverted, world.certificate.inverted);
      const { gap, angle } = worstJoint(live, body.model, body.state);
      expect(gap).toBeLessThan(1e-6 * body.model.size);
      expect(angle).toBeLessThan(1e-6);
    }
    // corotated flesh can be turned over, and the dog's is where its legs hit the ground: 0.58 % with 60 plain iterations
    expect(inverted).toBeLessThan((0.006 * live.tets.length) / 4);
    expect(body.state.positions.every(Number.isFinite)).toBe(true);
    disposeWorld(world);
  });
});

describe('hand', () => {
  const body = buildHand({ cell: 0.0112 });
  const FINGERS = ['index', 'middle', 'ring', 'little'];

  it('has three bones in each finger, bent by hinges across it, towards the palm when turned forward', () => {
    for (const finger of FINGERS) {
      const [proximal, middle, distal] = ['Proximal', 'Middle', 'Distal'].map((part) => centre(body, finger + part));
      for (const hinge of ['Knuckle', 'Joint', 'Tip']) {
        const { type, axis = [0, 0, 0] } = joint(body, finger + hinge) ?? {};
        expect(type).toBe('hinge');
        expect(dot(axis, axis)).toBeCloseTo(1, 12);
        const along = [0, 1, 2].map((k) => distal[k] - proximal[k]);
        // Bone centres on a coarse lattice lie a little off the finger's middle line.
        expect(Math.abs(dot(axis, along)) / Math.sqrt(dot(along, along))).toBeLessThan(0.1);
        // axis x along: where the tip goes; the palm faces +z.
        expect(axis[0] * along[1] - axis[1] * along[0]).toBeGreaterThan(0);
      }
      expect(middle[1]).toBeGreaterThan(proximal[1]);
      expect(distal[1]).toBeGreaterThan(middle[1]);
      expect(distal[2]).toBeGreaterThan(proximal[2]);
    }
  });

  it('has a thumb on a ball, like the wrist, and hinges across it', () => {
    expect(joint(body, 'wrist')?.type).toBe('ball');
    expect(joint(body, 'thumbKnuckle')?.type).toBe('ball');
    const along = [0, 1, 2].map((k) => centre(body, 'thumbDistal')[k] - centre(body, 'thumbProximal')[k]);
    for (const hinge of ['thumbJoint', 'thumbTip']) {
      const axis = joint(body, hinge)?.axis ?? [0, 0, 0];
      expect(Math.abs(dot(axis, along)) / Math.sqrt(dot(along, along))).toBeLessThan(0.15);
    }
  });

  it('hangs by its forearm, which is the only bone that does not follow from physics', () => {
    const kinematic = (fleshScene('hand').bodies[0].body.bones ?? []).filter((bone) => bone.kinematic);
    expect(kinematic.map((bone) => bone.name)).toEqual(['forearm']);
  });
});

describe('quadruped', () => {
  const body = buildQuadruped({ cell: 0.047 });

  it('stands on the floor, left and right alike', () => {
    const lowest = body.positions.filter((_, i) => i % 3 === 1).reduce((a, b) => Math.min(a, b));
    expect(Math.abs(lowest)).toBeLessThan(0.01);
    for (const { name, anchor } of (body.joints ?? []).filter((one) => one.name.endsWith('Left'))) {
      const mirrored: Vec3 = [-anchor[0], anchor[1], anchor[2]];
      expect(joint(body, name.replace('Left', 'Right'))?.anchor).toEqual(mirrored);
    }
  });

  it.each(['elbow', 'knee', 'wrist', 'hock'])('bends its %s forward and back only', (name) => {
    for (const side of ['Left', 'Right']) {
      expect(joint(body, name + side)).toMatchObject({ type: 'hinge', axis: [1, 0, 0] });
    }
  });

  it.each(['shoulderLeft', 'hipRight', 'neckBase', 'nape', 'back', 'tailRoot'])('has a ball for %s', (name) => {
    expect(joint(body, name)?.type).toBe('ball');
  });
});

describe('fish', () => {
  it('has no bones in its fins', () => {
    const body = buildFish({ cell: 0.012 });
    for (const { vertices } of body.bones ?? []) {
      for (const vertex of Array.from(vertices)) {
        const [x, y, z] = body.positions.subarray(3 * vertex, 3 * vertex + 3);
        expect(Math.abs(x)).toBeLessThan(0.035);
        expect(y).toBeGreaterThan(0.02);
        expect(y).toBeLessThan(0.13);
        expect(z).toBeGreaterThan(-0.16);
      }
    }
  });
});

describe('snake', () => {
  it('lies in an S on the floor and tapers', () => {
    const body = buildSnake({ cell: 0.018 });
    const spine = Array.from({ length: 15 }, (_, i) => centre(body, `vertebra${i + 1}`));
    const sideways = spine.map(([, , z]) => z);
    expect(Math.max(...sideways) - Math.min(...sideways)).toBeGreaterThan(0.25);
    const turns = sideways
      .slice(2)
      .map((z, i) => Math.sign(z - sideways[i + 1]) !== Math.sign(sideways[i + 1] - sideways[i]));
    expect(turns.filter(Boolean).length).toBeGreaterThanOrEqual(2);
    expect(Math.abs(body.positions.filter((_, i) => i % 3 === 1).reduce((a, b) => Math.min(a, b)))).toBeLessThan(0.004);
  });
});

describe('tubes', () => {
  it('are held at one end, or nowhere', () => {
    const body = buildTubes({ cell: 0.0235 });
    expect(body.pins?.length).toBeGreaterThan(20);
    for (const pin of Array.from(body.pins ?? [])) expect(body.positions[3 * pin]).toBeLessThan(0.02);
    expect(buildTubes({ cell: 0.0235, pinned: false }).pins).toBeUndefined();
  });

  it.each([0.016, 0.0235])(
    'cross with their hollows joined, with cell %s: four openings make three handles',
    (cell) => {
      expectGoodMesh(buildTubes({ cell, crossing: true }), 3);
    },
  );
});

it('rejects cell sizes that are none', () => {
  for (const { build } of CAST) {
    expect(() => build({ cell: -1 })).toThrow(expect.objectContaining({ code: 'E_RANGE', place: 'cell' }));
  }
});

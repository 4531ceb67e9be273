/** What a stranger may write wrongly for a world of the coupled solver: a typed error with the place and the value, or a repair that is looked at here. */
import { describe, expect, it } from 'vitest';
import { buildLoop, buildSheet, buildSoftBox, rigidBody } from '../../scenes/cast/coupled-bodies.js';
import { type AnySceneDef, createWorld, disposeWorld, stepWorld, TendonError } from '../../src/index.js';

const BALL = rigidBody('ball', { kind: 'sphere', radius: 0.1 });
const LOOP = buildLoop('loop', 6, 0.13, 0.025);
const SHEET = buildSheet('sheet', [4, 4], [1, 1], 0.002, { youngModulus: 1e5, poissonRatio: 0.3, density: 500 });
const CORNERS = [0, 0, 0, 0.2, 0, 0, 0, 0.2, 0, 0, 0, 0.2];
const FACES = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
const INSIDE_OUT = [0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2];

/** A world of one body; anything may be wrong with it. */
function world(body: unknown, placed: object = {}, rest: object = {}): AnySceneDef {
  const scene = { name: 'bad', description: 'one body', solver: { kind: 'coupled' }, bodies: [{ body, ...placed }] };
  return { ...scene, ...rest } as unknown as AnySceneDef;
}
const part = (shape: object, more: object = {}) => ({
  kind: 'rigid',
  name: 'r',
  parts: [{ name: 'r', shape, ...more }],
});
const ball = (more: object) => part({ kind: 'sphere', radius: 0.1 }, more);
const mesh = (positions: unknown, triangles: unknown) => part({ kind: 'mesh', positions, triangles });
const joint = (more: object) => ({
  ...LOOP,
  joints: [{ name: 'j', type: 'ball', bones: ['rod 0', 'rod 1'], anchor: [0, 0, 0], ...more }],
});
const sheet = (more: object) => ({ ...SHEET, ...more });
const woven = (more: object) => sheet({ material: { ...SHEET.material, ...more } });
const solver = (more: object) => world(BALL, {}, { solver: { kind: 'coupled', ...more } });
const SOFT = buildSoftBox('soft', [2, 2, 2], 0.1);
const TIE = LOOP.joints?.[0];
const { bones: _none, ...FLESH } = SOFT;
const fleshOfPoint = {
  ...FLESH,
  bones: [{ name: 'a', vertices: [0] }],
  joints: [{ name: 'j', type: 'ball', bones: ['a'], anchor: Array.from(SOFT.positions).slice(0, 3) }],
};
const PAIR = [0, 0.3].map((x, i) => ({ name: 'ab'[i], shape: { kind: 'sphere', radius: 0.1 }, position: [x, 0, 0] }));
const PAIR_JOINTS = [
  { name: 'to the world', type: 'ball', bones: ['a'], anchor: [0, 0, 0] },
  { name: 'between', type: 'ball', bones: ['a', 'b'], anchor: [0.3, 0, 0] },
];
const BODY = 'scene/bodies/0/body';
const ATTACHED = 'scene/bodies/1/attachments';
/** A ball that flesh is attached to. */
const attached = (more: object | null, others: object[] = []) =>
  world(
    BALL,
    {},
    { bodies: [{ body: BALL }, { body: SOFT, attachments: [more && { to: 'ball', ...more }] }, ...others] },
  );
const SHAPE = `${BODY}/parts/0/shape`;

/** What is wrong, the world, the code of the error and its place. */
const WRONG: readonly (readonly [string, AnySceneDef, string, string])[] = [
  ['a surface with a hole', world(mesh(CORNERS, FACES.slice(0, 9))), 'E_SURFACE', `${SHAPE}/triangles`],
  ['one triangle turned', world(mesh(CORNERS, [0, 1, 2, ...FACES.slice(3)])), 'E_SURFACE', `${SHAPE}/triangles`],
  [
    'a surface around nothing',
    world(
      mesh(
        CORNERS.map((x, i) => (i % 3 === 2 ? 0 : x)),
        FACES,
      ),
    ),
    'E_SURFACE',
    SHAPE,
  ],
  ['no surface', world(mesh([], [])), 'E_SURFACE', SHAPE],
  ['positions forgotten', world(mesh(undefined, FACES)), 'E_EMPTY', `${SHAPE}/positions`],
  ['triangles forgotten', world(mesh(CORNERS, undefined)), 'E_EMPTY', `${SHAPE}/triangles`],
  ['a vertex that is not there', world(mesh(CORNERS, [9, ...FACES.slice(1)])), 'E_INDEX', `${SHAPE}/triangles/0`],
  ['a vertex nowhere', world(mesh([Number.NaN, ...CORNERS.slice(1)], FACES)), 'E_NOT_FINITE', `${SHAPE}/positions/0`],
  ['no density', world(ball({ density: 0 })), 'E_RANGE', `${BODY}/parts/0/density`],
  ['no mass', world(ball({ mass: 0 })), 'E_RANGE', `${BODY}/parts/0/mass`],
  ['a mass that is no number', world(ball({ mass: Number.NaN })), 'E_NOT_FINITE', `${BODY}/parts/0/mass`],
  ['no radius', world(part({ kind: 'sphere', radius: 0 })), 'E_RANGE', `${SHAPE}/radius`],
  ['a flat box', world(part({ kind: 'box', halfExtents: [0.1, 0, 0.1] })), 'E_RANGE', `${SHAPE}/halfExtents/1`],
  ['a ring without a hole', world(part({ kind: 'torus', radius: 0.1, tubeRadius: 0.2 })), 'E_RANGE', `${SHAPE}/radius`],
  ['a shape nobody knows', world(part({ kind: 'banana' })), 'E_UNKNOWN', `${SHAPE}/kind`],
  ['no parts', world({ kind: 'rigid', name: 'r', parts: [] }), 'E_EMPTY', `${BODY}/parts`],
  ['no turn', world(ball({ rotation: [0, 0, 0, 0] })), 'E_RANGE', `${BODY}/parts/0/rotation`],
  ['a joint to nobody', world(joint({ bones: ['rod 0', 'x'] })), 'E_JOINT', `${BODY}/joints/0/bones/1`],
  ['a joint with itself', world(joint({ bones: ['rod 0', 'rod 0'] })), 'E_JOINT', `${BODY}/joints/0/bones`],
  ['a hinge without an axis', world(joint({ type: 'hinge', axis: [0, 0, 0] })), 'E_JOINT', `${BODY}/joints/0/axis`],
  ['a joint nowhere', world(joint({ anchor: undefined })), 'E_EMPTY', `${BODY}/joints/0/anchor`],
  ['a joint of no bones', world(joint({ bones: undefined })), 'E_EMPTY', `${BODY}/joints/0/bones`],
  ['a joint in a plane', world(joint({ anchor: [0, 0] })), 'E_RANGE', `${BODY}/joints/0/anchor`],
  ['a joint beyond the horizon', world(joint({ anchor: [1e6, 0, 0] })), 'E_JOINT', `${BODY}/joints/0/anchor`],
  ['half an axis', world(joint({ type: 'hinge', axis: [0, 1] })), 'E_RANGE', `${BODY}/joints/0/axis`],
  ['a part in a plane', world(ball({ position: [0, 0] })), 'E_RANGE', `${BODY}/parts/0/position`],
  ['three numbers for a turn', world(ball({ rotation: [0, 0, 1] })), 'E_RANGE', `${BODY}/parts/0/rotation`],
  ['a vertex of no triangle', world(mesh([...CORNERS, 9, 9, 9], FACES)), 'E_SURFACE', `${SHAPE}/positions/12`],
  ['cloth thicker than wide', world(sheet({ thickness: 10 })), 'E_RANGE', `${BODY}/thickness`],
  ['cloth without thickness', world(sheet({ thickness: 0 })), 'E_RANGE', `${BODY}/thickness`],
  ['cloth whose thickness was forgotten', world(sheet({ thickness: undefined })), 'E_RANGE', `${BODY}/thickness`],
  ['cloth without triangles', world(sheet({ triangles: [] })), 'E_EMPTY', `${BODY}/triangles`],
  ['cloth of nothing', world(woven({ density: 0 })), 'E_RANGE', `${BODY}/material/density`],
  ['cloth that gives way', world(woven({ youngModulus: 0 })), 'E_RANGE', `${BODY}/material/youngModulus`],
  ['a pin in no vertex', world(sheet({ pins: [999] })), 'E_INDEX', `${BODY}/pins/0`],
  ['flesh too large', world(buildSoftBox('big', [14, 14, 14], 0.05)), 'E_RANGE', `${BODY}/positions`],
  ['no substeps', solver({ substeps: 0 }), 'E_RANGE', 'options/substeps'],
  ['half a substep', solver({ substeps: 1.5 }), 'E_RANGE', 'options/substeps'],
  ['sweeps for one track', solver({ sweeps: 5 }), 'E_RANGE', 'options/sweeps'],
  ['more pushed out than there is', solver({ pushOut: 2 }), 'E_RANGE', 'options/pushOut'],
  ['pushed out by magic', solver({ pushOutBy: 'magic' }), 'E_RANGE', 'options/pushOutBy'],
  ['nobody incompressible', solver({ incompressible: ['nobody'] }), 'E_UNKNOWN', 'options/incompressible/0'],
  ['iterations nobody takes', world(BALL, {}, { iterations: 'x' }), 'E_NOT_FINITE', 'scene/iterations'],
  ['contact nobody looks at', world(BALL, {}, { contact: 5 }), 'E_RANGE', 'scene/contact'],
  ['edges of one', solver({ edges: 1 }), 'E_RANGE', 'options/edges'],
  ['flesh that touches itself a little', solver({ selfContact: 0.5 }), 'E_RANGE', 'options/selfContact'],
  [
    'incompressible twice',
    world(SOFT, {}, { solver: { kind: 'coupled', incompressible: ['soft', 'soft'] } }),
    'E_DUPLICATE',
    'options/incompressible/1',
  ],
  [
    'incompressible, one of two',
    world(
      SOFT,
      {},
      { bodies: [{ body: SOFT }, { body: SOFT }], solver: { kind: 'coupled', incompressible: ['soft'] } },
    ),
    'E_DUPLICATE',
    'options/incompressible/0',
  ],
  ['attached to one of two', attached({ vertices: [0] }, [{ body: BALL }]), 'E_DUPLICATE', `${ATTACHED}/0/to`],
  ['attached by nothing', attached({ vertices: [] }), 'E_EMPTY', `${ATTACHED}/0/vertices`],
  ['attached by a number', attached({ vertices: 5 }), 'E_RANGE', `${ATTACHED}/0/vertices`],
  ['attached by a word', attached({ vertices: ['0'] }), 'E_INDEX', `${ATTACHED}/0/vertices/0`],
  ['an attachment that is not there', attached(null), 'E_EMPTY', `${ATTACHED}/0`],
  ['parts of letters', world({ kind: 'rigid', name: 'r', parts: 'abc' }), 'E_RANGE', `${BODY}/parts`],
  ['joints of a number', world({ ...LOOP, joints: 5 }), 'E_RANGE', `${BODY}/joints`],
  ['two joints of a name', world({ ...LOOP, joints: [TIE, TIE] }), 'E_DUPLICATE', `${BODY}/joints/1/name`],
  [
    'limits of a number',
    world(joint({ type: 'hinge', axis: [0, 0, 1], limits: 5 })),
    'E_RANGE',
    `${BODY}/joints/0/limits`,
  ],
  ['pins of a number', world(sheet({ pins: 5 })), 'E_RANGE', `${BODY}/pins`],
  ['a place nowhere', world(BALL, { position: [0, Number.NaN, 0] }), 'E_NOT_FINITE', 'scene/bodies/0/position/1'],
  ['friction that pulls', world(BALL, { friction: -1 }), 'E_RANGE', 'scene/bodies/0/friction'],
  [
    'a velocity of no number',
    world(BALL, { velocity: [Number.NaN, 0, 0] }),
    'E_NOT_FINITE',
    'scene/bodies/0/velocity/0',
  ],
  [
    'a floor that gives more than it gets',
    world(BALL, {}, { obstacles: [{ name: 'floor', shape: { kind: 'plane' }, restitution: 2 }] }),
    'E_RANGE',
    'scene/obstacles/0/restitution',
  ],
  [
    'a motor of nobody',
    world(BALL, {}, { drives: [{ kind: 'motor', body: 'x', joint: 'j' }] }),
    'E_UNKNOWN',
    'scene/drives/0/body',
  ],
];

describe('worlds that cannot be', () => {
  for (const [what, scene, code, place] of WRONG) {
    it(`${what}: ${code}`, async () => {
      const error = await createWorld(scene).catch((thrown) => thrown);
      expect(error).toBeInstanceOf(TendonError);
      expect([error.code, error.place]).toEqual([code, place]);
    });
  }

  it('a motor of a joint that a rigid body does not have', async () => {
    const scene = world(BALL, {}, { drives: [{ kind: 'motor', body: 'ball', joint: 'j', stiffness: 1 }] });
    const error = await createWorld(scene).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(TendonError);
    expect(String(error.value)).toBe('j');
  });
});

describe('what is repaired', () => {
  it('a surface seen from inside is turned: the body weighs the same and falls the same', async () => {
    const heights = [];
    for (const triangles of [FACES, INSIDE_OUT]) {
      const made = await createWorld(world(mesh(CORNERS, triangles)));
      // a sixth of the cube of its edges, of water
      expect(made.bodies[0].model.totalMass).toBeCloseTo((1000 * 0.2 ** 3) / 6, 9);
      for (let n = 0; n < 6; n++) stepWorld(made);
      heights.push(made.bodies[0].state.poses.translations[1]);
      disposeWorld(made);
    }
    expect(heights[1]).toBe(heights[0]);
    // g t²/2 below the middle of a corner of a cube
    expect(heights[0]).toBeCloseTo(0.05 - 0.5 * 9.81 * 0.01, 9);
  });

  it('two bodies in the same place come apart', async () => {
    const both = { bodies: ['a', 'b'].map((name, i) => ({ name, body: BALL, position: [0.001 * i, 0, 0] })) };
    const made = await createWorld(world(BALL, {}, { ...both, gravity: [0, 0, 0] }));
    for (let n = 0; n < 120; n++) expect(stepWorld(made)).toBe(true);
    const [a, b] = made.bodies.map(({ state }) => state.poses.translations[0]);
    expect(b - a).toBeGreaterThan(0.199);
    disposeWorld(made);
  });

  // joints are closed to a billionth of the size, wherever they are
  it.each([
    ['of one vertex, hung up by it', fleshOfPoint],
    ['that turns about its own centre', { kind: 'rigid', name: 'r', parts: PAIR, joints: PAIR_JOINTS }],
  ])('a joint in the centre of a bone %s stays closed', async (_name, body) => {
    const made = await createWorld(world(body, { angularVelocity: [1, 2, 3] }));
    for (let n = 0; n < 60; n++) {
      expect(stepWorld(made)).toBe(true);
      expect(made.certificate.jointGap).toBeLessThan(1e-9 * made.certificate.bodySize);
    }
    disposeWorld(made);
  });
});

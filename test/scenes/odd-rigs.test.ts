/** The same figure in the many ways rigged files are written: each becomes a sound character, or an error that helps. */
import { describe, expect, it } from 'vitest';
import { buildRigged } from '../../src/character/build/rigged.js';
import type { Character } from '../../src/character/character.js';
import { readCharacter, writeCharacter } from '../../src/character/character-file.js';
import { characterScene } from '../../src/character/load-character.js';
import { createWorld, disposeWorld, stepWorld } from '../../src/index.js';
import { readGltf } from '../../src/io/gltf/gltf.js';
import { updateEmbedding } from '../../src/mesh/embedding.js';
import { summarizeMesh } from '../../src/mesh/tets/quality.js';
import type { GlbParts } from '../support/checks/glb-parts.js';
import { worstJoint } from '../support/checks/joint-check.js';
import { FIGURE_JOINTS, FIGURE_PIECES, type FigureOptions, figureGlb } from '../support/models/odd-rigs.js';

const DEGREES = 180 / Math.PI;
const HEIGHT = 1.65;
const scaled = (factor: number) => (p: readonly number[]) => p.map((x) => factor * x);
const zUp = ([x, y, z]: readonly number[]) => [x, -z, y];
const turnZ = (angle: number) => [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)];

/** Joints of fingers and a face, more than a lattice can hold. */
const MANY = [
  ...FIGURE_JOINTS,
  ...Array.from({ length: 200 }, (_, i) => [`face ${i}`, 2, [0.05 * Math.sin(i), 1.6, 0.05 * Math.cos(i)]] as const),
];

/** A mesh of one square, hung on a node: 2 is the spine's, 0 the armature's, -1 the scene. */
function addSquare(parts: GlbParts, size: number, parent: number, translation: number[]): void {
  const corners = [-size, 0, 0, size, 0, 0, size, -2 * size, 0, -size, -2 * size, 0];
  const primitive = {
    attributes: { POSITION: parts.numbers(Float32Array.from(corners), 'VEC3') },
    indices: parts.numbers(Uint16Array.of(0, 2, 1, 0, 3, 2), 'SCALAR'),
  };
  const { json } = parts;
  json.meshes.push({ primitives: [primitive] });
  json.nodes.push({ name: 'square', mesh: json.meshes.length - 1, translation });
  const list = parent < 0 ? json.scenes[0].nodes : json.nodes[parent].children;
  list.push(json.nodes.length - 1);
}

/** Other ways to write down the same figure. */
const SAME: readonly [string, FigureOptions, note?: RegExp][] = [
  ['centimetres under a scaled armature', { space: scaled(100), armature: { scale: [0.01, 0.01, 0.01] } }],
  ['centimetres', { space: scaled(100) }, /centimetres/],
  ['z up, turned by the armature', { space: zUp, armature: { rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2] } }],
  ['z up', { space: zUp }, /z up/],
  ['a mesh and a skin for each part', { separate: true }],
  ['positions and normals in turn', { positions: 'interleaved' }],
  ['sparse positions', { positions: 'sparse' }],
  ['positions as short integers', { positions: 'short', space: scaled(1e4), armature: { scale: [1e-4, 1e-4, 1e-4] } }],
  ['weights as bytes', { weights: 'byte' }],
  ['weights as short integers', { weights: 'short' }],
  ['eight influences', { weights: 'eight' }],
  ['weights that add up to 2.5', { weights: 'unnormalised' }],
  ['joints in no order', { order: [10, 3, 5, 0, 7, 2, 9, 1, 8, 4, 6] }],
  ['joints that all have one name', { joints: FIGURE_JOINTS.map(([, parent, place]) => ['bone', parent, place]) }],
  ['ground beside it', { change: (parts) => addSquare(parts, 5, -1, [0, 0, -3]) }, /left out/],
];

/** Other figures. */
const OTHER: readonly [string, FigureOptions, note?: RegExp][] = [
  ['the figure itself', {}],
  ['a mirrored armature', { armature: { scale: [-1, 1.2, 1] } }],
  ['more than 200 joints', { joints: MANY }, /merged/],
  ['tubes without ends', { caps: false }, /winding numbers/],
  ['boxes', { around: 4 }],
  ['limbs apart from the trunk', { pieces: FIGURE_PIECES.filter(({ joint }) => joint % 2 === 0) }, /not connected/],
  ['a cape', { change: (parts) => addSquare(parts, 0.35, 2, [0, 0.3, -0.3]) }, /held by/],
];

async function build(options: FigureOptions): Promise<Character> {
  return buildRigged(await readGltf(figureGlb(options)), { tets: 1200 });
}

function expectNotes({ report }: Character, note: RegExp | undefined): void {
  // every part of the figure follows one bone, and is told to be hard
  const odd = report.notes.filter((one) => !one.includes('follow one bone each'));
  if (note === undefined) expect(odd).toEqual([]);
  else expect(report.notes.join()).toMatch(note);
}

describe('one figure, written in many ways, is one character', async () => {
  const plain = await build({});
  it.each(SAME)('%s', async (_name, options, note) => {
    const { body, report, skeleton } = await build(options);
    expectNotes({ ...plain, report }, note);
    expect(skeleton.map(({ parent }) => parent)).toEqual(plain.skeleton.map(({ parent }) => parent));
    expect(body.tets).toEqual(plain.body.tets);
    const off = body.positions.reduce((worst, x, i) => Math.max(worst, Math.abs(x - plain.body.positions[i])), 0);
    // short integers move the ends of the figure by 0.05 mm each, and the size of the cubes follows
    expect(off).toBeLessThan(2e-4);
    expect(report.mass / plain.report.mass).toBeCloseTo(1, 2);
  });
});

describe('other figures become sound characters that hang for 5 s', () => {
  it.each(OTHER)('%s', async (_name, options, note) => {
    const character = await build(options);
    const { body, skin, embedding } = character;
    expectNotes(character, note);
    expect(body.bones?.length).toBeGreaterThan(5);
    const { dihedral } = summarizeMesh(body);
    expect(dihedral.min * DEGREES).toBeGreaterThan(5);
    expect(dihedral.max * DEGREES).toBeLessThan(170);
    const rest = new Float64Array(skin.positions.length);
    updateEmbedding(embedding, body.positions, rest);
    const off = rest.reduce((worst, x, i) => Math.max(worst, Math.abs(x - skin.positions[i])), 0);
    expect(off).toBeLessThan(1e-5 * HEIGHT);
    expect(await readCharacter(await writeCharacter(character))).toEqual(character);

    const scene = characterScene(character);
    const world = await createWorld(scene);
    const { model, state } = world.bodies[0];
    const worst = { finite: true, gap: 0, inverted: 0, lowest: 0 };
    for (let step = 0; step < 300 && worst.finite; step++) {
      worst.finite = stepWorld(world);
      worst.gap = Math.max(worst.gap, worstJoint(scene.bodies[0].body, model, state).gap / model.size);
      worst.inverted = Math.max(worst.inverted, world.certificate.inverted / model.tetCount);
    }
    for (let i = 1; i < state.positions.length; i += 3) worst.lowest = Math.min(worst.lowest, state.positions[i]);
    disposeWorld(world);
    expect(worst.finite).toBe(true);
    expect(worst.gap).toBeLessThan(1e-9);
    expect(worst.inverted).toBeLessThan(0.005);
    // nothing has come off and fallen: that would be 120 m below
    expect(worst.lowest).toBeGreaterThan(-2 * HEIGHT);
  });
});

describe('what cannot be built', () => {
  const require = (extension: string) => (parts: GlbParts) => {
    parts.json.extensionsUsed = parts.json.extensionsRequired = [extension];
  };
  it.each<[string, FigureOptions, RegExp]>([
    [
      'an extension nobody knows',
      { change: require('EXT_mesh_folded') },
      /E_FORMAT.*EXT_mesh_folded.*save the model without/,
    ],
    ['scale zero', { armature: { scale: [0, 0, 0] } }, /E_EMPTY.*scaled to zero/],
  ])('%s says what to do', async (_name, options, message) => {
    await expect(readGltf(figureGlb(options)).then((model) => buildRigged(model))).rejects.toThrow(message);
  });
});

describe('a clip whose keys jump', () => {
  it('is slowed so that bones can follow', async () => {
    const change = (parts: GlbParts) => {
      const input = parts.numbers(Float32Array.of(0, 0.5, 1), 'SCALAR');
      const values = [turnZ(0), turnZ(-1.2), turnZ(0)].flat();
      const sampler = { input, output: parts.numbers(Float32Array.from(values), 'VEC4'), interpolation: 'STEP' };
      const channels = [{ sampler: 0, target: { node: 4, path: 'rotation' } }];
      parts.json.animations = [{ name: 'wave', samplers: [sampler], channels }];
    };
    const { clips, report, skeleton } = buildRigged(await readGltf(figureGlb({ change })), { tets: 1200 });
    expect(report.notes.join()).toMatch(/clip wave jumps/);
    const [{ rotations, frameCount }] = clips;
    const bone = skeleton.findIndex(({ name }) => name === 'arm.L');
    const angle = (frame: number): number => {
      const o = 4 * (frame * skeleton.length + bone);
      return 2 * Math.atan2(rotations[o + 2], rotations[o + 3]);
    };
    let most = 0;
    for (let frame = 1; frame < frameCount; frame++) most = Math.max(most, Math.abs(angle(frame) - angle(frame - 1)));
    // half of what a step lets a bone turn
    expect(most).toBeLessThan(0.25);
    expect(Math.min(...Array.from({ length: frameCount }, (_, frame) => angle(frame)))).toBeCloseTo(-1.2, 1);
  });
});

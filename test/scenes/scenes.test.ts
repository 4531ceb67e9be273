import { describe, expect, it } from 'vitest';
import { bendPositions } from '../../scenes/bend.js';
import { buildChainScene } from '../../scenes/chain.js';
import { buildScene, SCENES } from '../../scenes/index.js';
import type { BodyDef } from '../../src/body/body-def.js';
import { isFlesh } from '../../src/body/kinds/any-body-def.js';
import { createWorld, disposeWorld, findBone, stepWorld, type WorldBody } from '../../src/index.js';
import { repairTetMesh } from '../../src/mesh/tets/repair-tet-mesh.js';
import { fleshScene } from '../support/models/bodies.js';

const PAPER_SCENES = ['bar', 'snail', 'washing-machine', 'aerial-silk', 'mermaid'];
/** Scenes with the time step and iterations of the paper. */
const PAPER_TIMED = [...PAPER_SCENES, 'aerial-silk-loose'];

/** Largest change of the distance between two vertices of a bone, over a sample of pairs [m]. */
function boneStretch(body: BodyDef, moved: Float64Array): number {
  const between = (p: Float64Array, i: number, j: number): number =>
    Math.hypot(p[3 * i] - p[3 * j], p[3 * i + 1] - p[3 * j + 1], p[3 * i + 2] - p[3 * j + 2]);
  let worst = 0;
  for (const { vertices } of body.bones ?? []) {
    for (let a = 0; a < vertices.length; a++) {
      const i = vertices[a];
      const j = vertices[(a * 7 + 3) % vertices.length];
      worst = Math.max(worst, Math.abs(between(moved, i, j) - between(body.positions, i, j)));
    }
  }
  return worst;
}

describe('the table of scenes', () => {
  it('has the scenes of the paper first, then ours', () => {
    expect([...SCENES.keys()].slice(0, PAPER_SCENES.length)).toEqual(PAPER_SCENES);
    expect([...SCENES.keys()]).toEqual(
      expect.arrayContaining(['aerial-silk-loose', 'pile', 'fist', 'stairs', 'jelly-drop', 'ragdoll', 'chain']),
    );
    for (const { description } of SCENES.values()) expect(description.length).toBeGreaterThan(10);
  });

  it.each(['', 'Bar', '__proto__', 'constructor'])('does not know %j and lists those it knows', (name) => {
    expect(() => buildScene(name)).toThrow(expect.objectContaining({ code: 'E_UNKNOWN', value: name }));
    expect(() => buildScene(name)).toThrow(/bar, snail, .*chain/);
  });
});

/** Flesh is as heavy as water [kg/m³]; toys are not. */
const DENSITIES = new Map([['trampoline', 400]]);
/** Scenes with a step and iterations of their own: many that land at once, and one that turns fast. */
const TIMED_APART = new Map([
  ['pile', [1 / 120, 8]],
  ['falling-cat', [1 / 120, 10]],
]);

describe.each([...SCENES.keys()])('scene %s', (name) => {
  const scene = buildScene(name);
  const flesh = scene.bodies.flatMap(({ body, startPositions }) => (isFlesh(body) ? [{ body, startPositions }] : []));

  it('is named, timed and sound', () => {
    expect(scene.name).toBe(name);
    const [dt, iterations] = PAPER_TIMED.includes(name) ? [0.033, 20] : (TIMED_APART.get(name) ?? [1 / 60, 10]);
    expect(scene.dt).toBe(dt);
    expect(scene.iterations).toBe(iterations);
    expect(scene.bodies.length).toBeGreaterThan(0);
    for (const { body } of flesh) {
      expect(() => repairTetMesh(body, { strict: true })).not.toThrow();
      for (const { model, density } of body.materials) {
        expect(['corotated', 'stableNeoHookean']).toContain(model);
        expect(density).toBe(DENSITIES.get(name) ?? 1000);
      }
    }
  });

  it('names bones that exist, each vertex in one bone at most', () => {
    for (const { body } of flesh) {
      const names = (body.bones ?? []).map((bone) => bone.name);
      const owners = new Uint8Array(body.positions.length / 3);
      for (const bone of body.bones ?? []) for (const vertex of Array.from(bone.vertices)) owners[vertex]++;
      for (const vertex of Array.from(body.pins ?? [])) owners[vertex]++;
      expect(Math.max(...owners)).toBeLessThanOrEqual(1);
      for (const joint of body.joints ?? []) for (const bone of joint.bones) expect(names).toContain(bone);
    }
  });

  it('starts with its bones in shape', () => {
    for (const { body, startPositions } of flesh) {
      expect(boneStretch(body, startPositions ?? body.positions)).toBeLessThan(1e-12);
    }
  });
});

describe('what is special about a scene', () => {
  it('lays the acrobat on two silks held at both ends, with its eight joints or with none', () => {
    const { bodies } = fleshScene('aerial-silk');
    expect(bodies.map(({ name, body }) => name ?? body.name)).toEqual(['acrobat', 'backSilk', 'legSilk']);
    expect(bodies[0].body.joints).toHaveLength(8);
    expect(bodies[1].body.pins).toHaveLength(2 * 8);
    const loose = fleshScene('aerial-silk-loose').bodies[0].body;
    expect(loose.joints).toEqual([]);
    expect(loose.bones).toEqual(bodies[0].body.bones);
  });

  it('has twelve characters of eight kinds in the pile', () => {
    const { bodies } = buildScene('pile');
    expect(new Set(bodies.map(({ name }) => name)).size).toBe(12);
    expect(new Set(bodies.map(({ body }) => body)).size).toBe(8);
  });

  it('closes both hands halfway through the period and opens them again', async () => {
    const world = await createWorld(buildScene('fist'));
    const [fist, grip] = world.bodies;
    const tip = (body: WorldBody): number => body.state.poses.translations[3 * findBone(body, 'middleDistal') + 1];
    const [open, gripOpen] = [tip(fist), tip(grip)];
    const lowest = { fist: open, grip: gripOpen };
    for (let step = 0; step < 240; step++) {
      expect(stepWorld(world)).toBe(true);
      expect(world.certificate.clampedBones).toBe(0);
      lowest.fist = Math.min(lowest.fist, tip(fist));
      lowest.grip = Math.min(lowest.grip, tip(grip));
    }
    // the fist reaches the palm; the ball keeps the other hand further open
    expect(open - lowest.fist).toBeGreaterThan(0.06);
    expect(gripOpen - lowest.grip).toBeLessThan(open - lowest.fist);
    expect(tip(fist)).toBeCloseTo(open, 3);
    disposeWorld(world);
  });

  it('bends the tail of the mermaid by some tenths of a metre', () => {
    const { body, startPositions } = fleshScene('mermaid').bodies[0];
    const moved = Float64Array.from(startPositions ?? [], (x, i) => Math.abs(x - body.positions[i]));
    expect(Math.max(...moved)).toBeGreaterThan(0.3);
  });

  it('has about 1,700 vertices in the jelly bar, one end pinned and no bones', () => {
    const { body } = fleshScene('jelly-bar').bodies[0];
    expect(body.positions.length / 3).toBe(1715);
    expect(body.pins).toHaveLength(49);
    expect(body.bones).toBeUndefined();
  });

  it.each([1, 2, 30])('builds chains of %s rods with a joint each and no flesh', (links) => {
    const { body } = buildChainScene(links).bodies[0];
    expect(body.bones).toHaveLength(links);
    expect(body.joints).toHaveLength(links);
    const rigid = (body.bones ?? []).reduce((sum, bone) => sum + bone.vertices.length, 0);
    expect(rigid).toBe(body.positions.length / 3);
  });

  it.each([0, 1.5, Number.NaN])('rejects a chain of %s rods', (links) => {
    expect(() => buildChainScene(links)).toThrow(expect.objectContaining({ place: 'count' }));
  });
});

describe('bendPositions', () => {
  const line = Float64Array.of(0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 2.5, 0.5, 0);

  it('leaves the near end, turns the far end rigidly', () => {
    const bent = bendPositions(line, { along: 0, toward: 1, start: 1, end: 2, angle: Math.PI / 2 });
    expect([...bent.slice(0, 6)]).toEqual([0, 0, 0, 1, 0, 0]);
    // Tangents meet halfway at x = 1.5; the far end points along +y from there.
    [1.5, 0.5, 0, 1.5, 1.5, 0, 1, 1, 0].forEach((value, i) => {
      expect(bent[6 + i]).toBeCloseTo(value, 14);
    });
  });

  it('bends towards lower coordinates and the other way round', () => {
    const bent = bendPositions(line, { along: 0, toward: 1, start: 2, end: 1, angle: -Math.PI / 2 });
    expect(bent[0]).toBeCloseTo(1.5, 14);
    expect(bent[1]).toBeCloseTo(-1.5, 14);
    expect([...bent.slice(9, 12)]).toEqual([3, 0, 0]);
  });
});

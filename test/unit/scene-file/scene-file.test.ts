/** Scene files: what is written is read back to the last bit, and what is wrong is named with its place. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { buildScene, SCENES } from '../../../scenes/index.js';
import { type AnySceneDef, createWorld, disposeWorld, hashWorld, stepWorld } from '../../../src/index.js';
import { nearestName } from '../../../src/scene-file/nearest-name.js';
import { readScene, writeScene } from '../../../src/scene-file-index.js';

const SMALL = [
  'jelly-bar',
  'pendulum',
  'chain',
  'fist',
  'drum',
  'falling-cat',
  'ragdoll-limits',
  'tracked-walk',
  'swimming-fish',
  'flexing-arm',
  'trampoline',
  'stretch',
  'tangled-tubes',
];

describe('a scene file', () => {
  it.each(SMALL)('of %s is read back as it was written', async (name) => {
    const text = writeScene(buildScene(name));
    const again = await readScene(text);
    expect(JSON.parse(writeScene(again))).toEqual(JSON.parse(text));
    const before = buildScene(name);
    expect(again.bodies.map(({ body }) => again.bodies.findIndex((one) => one.body === body))).toEqual(
      before.bodies.map(({ body }) => before.bodies.findIndex((one) => one.body === body)),
    );
  });

  // muscles, drives, and a crowd whose first row stands at minus zero
  it.each(['jelly-bar', 'flexing-arm', 'crowd'])(
    'of %s runs to the same hash, until something is changed',
    async (name) => {
      const run = async (scene: AnySceneDef) => {
        const world = await createWorld(scene);
        for (let n = 0; n < 3; n++) stepWorld(world);
        const hash = hashWorld(world);
        disposeWorld(world);
        return hash;
      };
      const text = writeScene(buildScene(name));
      const direct = await run(buildScene(name));
      expect(await run(await readScene(text))).toBe(direct);
      const changed = await readScene(text);
      expect(await run({ ...changed, gravity: [0, -5, 0] })).not.toBe(direct);
    },
  );

  it('may name a solver that a program adds, with options only that one knows', async () => {
    const solver = { kind: 'magic', wands: 2 };
    const text = writeScene({ ...buildScene('pendulum'), solver });
    expect((await readScene(text)).solver).toEqual(solver);
  });

  it('asks for bodies that are files, and is refused where nobody answers', async () => {
    const [{ body }] = buildScene('pendulum').bodies;
    const file = {
      tendonScene: 1,
      name: 'x',
      description: 'x',
      bodyDefs: { rod: { file: 'rod.glb', hang: 'top' } },
      bodies: [{ body: 'rod' }],
    };
    const asked: unknown[] = [];
    const scene = await readScene(JSON.stringify(file), async (...words) => {
      asked.push(words);
      return body;
    });
    expect(asked).toEqual([['rod.glb', 'top', 'bodyDefs/rod/file']]);
    expect(scene.bodies[0].body).toBe(body);
    await expect(readScene(JSON.stringify(file))).rejects.toMatchObject({
      code: 'E_FORMAT',
      place: 'bodyDefs/rod/file',
    });
  });
});

describe('what is wrong in a scene file', () => {
  const plain = () => JSON.parse(writeScene(buildScene('pendulum')));
  const change = (alter: (file: ReturnType<typeof plain>) => void) => {
    const file = plain();
    alter(file);
    return readScene(JSON.stringify(file));
  };
  const key = Object.keys(plain().bodyDefs)[0];

  it.each<[string, (file: ReturnType<typeof plain>) => void, string, RegExp]>([
    ['a field that is misspelt', (f) => Object.assign(f, { gravty: [0, 0, 0] }), 'gravty', /did you mean gravity/],
    ['one further down', (f) => Object.assign(f.bodies[0], { postion: [0, 0, 0] }), 'bodies/0/postion', /position/],
    [
      'one in a body',
      (f) => Object.assign(f.bodyDefs[key], { materiels: 1 }),
      `bodyDefs/${key}/materiels`,
      /materials/,
    ],
    ['a vector too short', (f) => Object.assign(f, { gravity: [0, 1] }), 'gravity/2', /needed/],
    ['a number that is text', (f) => Object.assign(f, { dt: '1/60' }), 'dt', /expected number/],
    ['another version', (f) => Object.assign(f, { tendonScene: 7 }), 'tendonScene', /expected 1/],
    [
      'a body nobody described',
      (f) => Object.assign(f.bodies[0], { body: `${key}x` }),
      'bodies/0/body',
      /did you mean/,
    ],
    ['no description of a body', (f) => delete f.bodyDefs, 'bodyDefs', /needed/],
    ['no kind of solver', (f) => Object.assign(f, { solver: { substeps: 2 } }), 'solver/kind', /needed/],
    [
      'an option of a solver',
      (f) => Object.assign(f, { solver: { kind: 'coupled', substep: 3 } }),
      'solver/substep',
      /did you mean substeps/,
    ],
    [
      'an option of another solver',
      (f) => Object.assign(f, { solver: { kind: 'coupled', iterations: 3 } }),
      'solver/iterations',
      /there are kind, substeps/,
    ],
    [
      'a shape',
      (f) => Object.assign(f, { obstacles: [{ name: 'ball', shape: { kind: 'spere', radius: 1 } }] }),
      'obstacles/0/shape/kind',
      /did you mean sphere/,
    ],
    [
      'a length of a shape',
      (f) => Object.assign(f, { obstacles: [{ name: 'ball', shape: { kind: 'sphere', radus: 1 } }] }),
      'obstacles/0/shape/radus',
      /did you mean radius/,
    ],
    [
      'a drive',
      (f) => Object.assign(f, { drives: [{ kind: 'push', body: 'x', bone: 'y', forse: [0, 0, 0] }] }),
      'drives/0/forse',
      /did you mean force/,
    ],
    [
      'a signal of a drive',
      (f) => Object.assign(f, { drives: [{ kind: 'motor', body: 'x', joint: 'y', angle: { kind: 'wave', form: 0 } }] }),
      'drives/0/angle/form',
      /did you mean from/,
    ],
    [
      'a limit of a joint',
      (f) => Object.assign(f.bodyDefs[key].joints[0], { limits: { cones: 1 } }),
      `bodyDefs/${key}/joints/0/limits/cones`,
      /did you mean cone/,
    ],
    [
      'a field of a rigid part',
      (f) => Object.assign(f.bodyDefs, { box: { kind: 'rigid', name: 'box', prts: [] } }),
      'bodyDefs/box/prts',
      /did you mean parts/,
    ],
    [
      'a kind of body',
      (f) => Object.assign(f.bodyDefs, { box: { kind: 'ridgid', name: 'box' } }),
      'bodyDefs/box/kind',
      /did you mean rigid/,
    ],
  ])('%s is named with its place', async (_, alter, place, advice) => {
    await expect(change(alter)).rejects.toMatchObject({ code: 'E_FORMAT', place });
    await expect(change(alter)).rejects.toThrow(advice);
  });

  it.each(['', '[]', '{"__proto__": {}}', `${'['.repeat(1000)}`, 'nonsense'])('%j is no scene', async (text) => {
    await expect(readScene(text)).rejects.toMatchObject({ name: 'TendonError' });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });
});

it('finds the name that was meant', () => {
  expect(nearestName('ragdol', [...SCENES.keys()])).toBe('ragdoll');
  expect(nearestName('xyz', [...SCENES.keys()])).toBeUndefined();
});

it('has a schema that is the published one', async () => {
  const published = readFileSync(new URL('../../../schema/tendon-scene.schema.json', import.meta.url), 'utf8');
  // run node tools/scene-schema.mjs after a change; plain JavaScript, because a tool runs it too
  const { sceneSchemaText } = await import('../../support/scene-schema.mjs' as string);
  expect(JSON.parse(published)).toEqual(JSON.parse(await sceneSchemaText()));
});

/**
 * Bodies of kind `lattice` in worlds: from a rigged model and from a surface, with no options. Free fall as backward Euler has it in
 * closed form (V01), rigid motion of all bones, snapshots and scene files that go on bit by bit, and what is refused.
 */
import { describe, expect, it } from 'vitest';
import { latticeOfLayer, latticeOfSurface } from '../../../src/character/build/kinds/lattice-of.js';
import { buildLayered } from '../../../src/character/build/kinds/layer-character.js';
import { latticeScene } from '../../../src/character/load-character.js';
import type { AnySceneDef, LatticeDef } from '../../../src/index.js';
import {
  createWorld,
  disposeWorld,
  hashWorld,
  restoreSnapshot,
  setBoneTarget,
  stepWorld,
  TendonError,
  takeSnapshot,
} from '../../../src/index.js';
import { sphereSurface } from '../../../src/mesh/surface/solid-surfaces.js';
import { readScene, writeScene } from '../../../src/scene-file-index.js';
import { armModel } from '../../support/models/rigged-model.js';

const arm = latticeOfLayer(buildLayered(armModel()), { cells: 600 });
const QUASISTATIC = { kind: 'lattice', mode: 'quasistatic', weight: false } as const;

describe('bodies of cells', () => {
  it('stay as they are where nothing moves them, and turn as a whole with all of their bones', async () => {
    const world = await createWorld({ ...latticeScene(arm), solver: QUASISTATIC });
    const [{ model, state }] = world.bodies;
    expect(stepWorld(world)).toBe(true);
    for (let i = 0; i < state.positions.length; i++) {
      expect(Math.abs(state.positions[i] - model.positions[i])).toBeLessThan(1e-6 * model.size);
    }
    // a quarter turn about y in ten steps
    for (let n = 1; n <= 10; n++) {
      const [s, c] = [Math.sin((n * Math.PI) / 40), Math.cos((n * Math.PI) / 40)];
      const [sine, cosine] = [Math.sin((n * Math.PI) / 20), Math.cos((n * Math.PI) / 20)];
      for (let bone = 0; bone < model.bones.count; bone++) {
        const [x, y, z] = model.bones.centre.subarray(3 * bone, 3 * bone + 3);
        const position = [cosine * x + sine * z, y, cosine * z - sine * x] as const;
        setBoneTarget(world.bodies[0], bone, { position, rotation: [0, s, 0, c] });
      }
      expect(stepWorld(world)).toBe(true);
    }
    for (let v = 0; v < model.vertexCount; v++) {
      const [x, y, z] = model.positions.subarray(3 * v, 3 * v + 3);
      [z, y, -x].forEach((value, k) => {
        expect(Math.abs(state.positions[3 * v + k] - value)).toBeLessThan(1e-4 * model.size);
      });
    }
    expect(world.certificate.inverted).toBe(0);
    const { meanVolume, leastVolume } = world.certificate.cells!;
    expect(Math.abs(meanVolume - 1)).toBeLessThan(1e-3);
    expect(leastVolume).toBeGreaterThan(0.99);
    disposeWorld(world);
  });

  it('fall as backward Euler does where there are no bones: - g h^2 n (n + 1) / 2', async () => {
    const body = latticeOfSurface(sphereSurface(0.2), { name: 'ball', cells: 200 });
    const world = await createWorld({
      name: 'ball',
      description: '',
      bodies: [{ body }],
      solver: { kind: 'lattice' },
      dt: 1 / 60,
    });
    const { positions } = world.bodies[0].state;
    const height = (): number => positions.reduce((sum, value, i) => (i % 3 === 1 ? sum + value : sum), 0);
    const start = height();
    for (let n = 1; n <= 20; n++) {
      expect(stepWorld(world)).toBe(true);
      const fallen = (9.81 * n * (n + 1)) / 2 / 3600;
      expect(Math.abs((3 * (height() - start)) / positions.length + fallen)).toBeLessThan(2e-5);
    }
    disposeWorld(world);
  });

  it('go on bit by bit from snapshots and from scene files', async () => {
    const drives = [{ kind: 'bend', body: arm.body.name, joints: [{ joint: arm.body.bones![1].name, angle: 0.5 }] }];
    const scene = { ...latticeScene(arm), drives } as AnySceneDef;
    const hashes: string[] = [];
    for (const def of [scene, await readScene(writeScene(scene))]) {
      const world = await createWorld(def);
      for (let n = 0; n < 3; n++) stepWorld(world);
      const snapshot = takeSnapshot(world);
      for (let n = 0; n < 3; n++) stepWorld(world);
      hashes.push(hashWorld(world));
      restoreSnapshot(world, snapshot);
      for (let n = 0; n < 3; n++) stepWorld(world);
      hashes.push(hashWorld(world));
      disposeWorld(world);
    }
    expect(new Set(hashes).size).toBe(1);
  });

  it('are refused where they make no sense, with the place of it', async () => {
    const refused: [string, Partial<LatticeDef>][] = [
      ['cells', { cells: [] }],
      ['corners/0', { corners: Int32Array.from(arm.body.corners).copyWithin(0, 7, 8) }],
      ['skin/cells/0', { skin: { ...arm.body.skin, cells: new Int32Array(arm.body.skin.cells.length).fill(-1) } }],
      ['regions/0', { regions: new Int32Array(arm.body.cells.length / 3).fill(3) }],
      ['bones/1/nodes/0', { bones: arm.body.bones!.map((bone) => ({ ...bone, nodes: [0] })) }],
    ];
    for (const [place, wrong] of refused) {
      const scene = { ...latticeScene(arm), bodies: [{ body: { ...arm.body, ...wrong } }] };
      const error = await createWorld(scene).then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      expect(error).toBeInstanceOf(TendonError);
      expect((error as TendonError).place).toContain(place);
    }
  });
});

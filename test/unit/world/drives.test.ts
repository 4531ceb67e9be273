/** Drives: data and callbacks that act before each part of a step. */
import { afterEach, describe, expect, it } from 'vitest';
import {
  type AnySceneDef,
  addDrive,
  createWorld,
  type DriveDef,
  disposeWorld,
  hashWorld,
  type RigidBodyDef,
  removeDrive,
  resetWorld,
  type SignalDef,
  stepWorld,
  type World,
} from '../../../src/index.js';
import { makeSignal } from '../../../src/world/signals.js';

const rod = (name: string, x: number) =>
  ({ name, shape: { kind: 'box', halfExtents: [0.1, 0.02, 0.02] }, position: [x, 0, 0], kinematic: true }) as const;
const ARM: RigidBodyDef = {
  kind: 'rigid',
  name: 'arm',
  parts: [rod('upper', 0.1), rod('lower', 0.3)],
  joints: [{ name: 'elbow', type: 'hinge', bones: ['upper', 'lower'], anchor: [0.2, 0, 0], axis: [0, 0, 1] }],
};

let world: World | undefined;
afterEach(() => {
  if (world) disposeWorld(world);
  world = undefined;
});

async function start(drives: readonly DriveDef[], more: Partial<AnySceneDef> = {}): Promise<World> {
  world = await createWorld({ name: 'd', description: 'd', bodies: [{ body: ARM }], drives, ...more });
  return world;
}

describe('signals', () => {
  it('are constant, swing like a cosine, or go straight from key to key', () => {
    expect(makeSignal(3, 'x')(7)).toBe(3);
    const wave = makeSignal({ kind: 'wave', from: 1, to: 3, period: 4, phase: 0.25 }, 'x');
    // (from + to)/2 − (to − from)/2 cos(2π(t/4 − 1/4)): closed form
    for (const t of [0, 0.7, 1, 3]) expect(wave(t)).toBeCloseTo(2 - Math.cos(2 * Math.PI * (t / 4 - 0.25)), 12);
    const keys: SignalDef = { kind: 'keys', times: [0, 1, 3], values: [0, 2, -2] };
    expect([-1, 0, 0.5, 1, 2, 3, 9].map(makeSignal(keys, 'x'))).toEqual([0, 0, 1, 2, 0, -2, -2]);
    expect([4, -0.5].map(makeSignal({ ...keys, loop: true }, 'x'))).toEqual([2, -1]);
  });

  it.each([
    [{ kind: 'wave', from: 0, to: 1, period: 0 }, 'E_RANGE'],
    [{ kind: 'keys', times: [0, 0], values: [1, 2] }, 'E_RANGE'],
    [{ kind: 'keys', times: [0, 1], values: [1] }, 'E_RANGE'],
    [{ kind: 'keys', times: [], values: [] }, 'E_EMPTY'],
    [Number.NaN, 'E_NOT_FINITE'],
    [{ kind: 'noise' }, 'E_UNKNOWN'],
  ])('that make no sense are refused: %j', (def, code) => {
    expect(() => makeSignal(def as SignalDef, 'x')).toThrow(expect.objectContaining({ code }));
  });
});

describe('drives as data', () => {
  it('bend a chain about its joints', async () => {
    const angle = { kind: 'keys', times: [0, 0.5], values: [0, 0.5] } as const;
    await start([{ kind: 'bend', body: 'arm', joints: [{ joint: 'elbow', angle }] }]);
    for (let n = 0; n < 30; n++) expect(stepWorld(world!)).toBe(true);
    // the forearm's middle is 0.1 m beyond the elbow, turned by half a radian about z
    const [x, y] = world!.bodies[0].state.poses.translations.subarray(3);
    expect(x).toBeCloseTo(0.2 + 0.1 * Math.cos(0.5), 12);
    expect(y).toBeCloseTo(0.1 * Math.sin(0.5), 12);
  });

  it('send a bone through poses, wherever the body was put, and start over with a reset', async () => {
    const half = Math.SQRT1_2;
    const drive: DriveDef = {
      kind: 'pose',
      body: 'arm',
      bone: 'upper',
      times: [0, 1],
      offsets: [
        [0, 0, 0],
        [0, 0.6, 0],
      ],
      turns: [
        [0, 0, 0, 1],
        [0, 0, half, half],
      ],
    };
    await start([drive], { bodies: [{ body: ARM, position: [0, 0, 5] }] });
    const start0 = hashWorld(world!);
    for (let n = 0; n < 60; n++) stepWorld(world!);
    const { translations, quats } = world!.bodies[0].state.poses;
    expect([...translations.subarray(0, 3)].map((v) => Math.round(v * 1e9) / 1e9)).toEqual([0.1, 0.6, 5]);
    expect(Math.abs(quats[2])).toBeCloseTo(half, 9);
    const hash = hashWorld(world!);
    resetWorld(world!);
    expect(hashWorld(world!)).toBe(start0);
    for (let n = 0; n < 60; n++) stepWorld(world!);
    expect(hashWorld(world!)).toBe(hash);
  });

  it.each<[string, DriveDef, string]>([
    ['body', { kind: 'bend', body: 'leg', joints: [] }, 'E_UNKNOWN'],
    ['joints/0/joint', { kind: 'bend', body: 'arm', joints: [{ joint: 'knee', angle: 1 }] }, 'E_UNKNOWN'],
    ['kind', { kind: 'dance', body: 'arm' } as unknown as DriveDef, 'E_UNKNOWN'],
    ['times', { kind: 'pose', body: 'arm', bone: 'upper', times: [] }, 'E_EMPTY'],
  ])('that make no sense are refused with their place: %s', async (place, drive, code) => {
    await expect(start([drive])).rejects.toMatchObject({ code, place: `scene/drives/0/${place}` });
  });
});

describe('drives as callbacks', () => {
  it('are asked before every part of a step, with the time at its end', async () => {
    await start([]);
    const times: number[] = [];
    const drive = (_: World, time: number) => void times.push(time);
    addDrive(world!, drive);
    stepWorld(world!, 0.01);
    stepWorld(world!, 0.02);
    removeDrive(world!, drive);
    stepWorld(world!, 0.01);
    expect(times).toEqual([0.01, 0.03]);
  });

  it('that throw leave the world as it was', async () => {
    await start([]);
    const hash = hashWorld(world!);
    addDrive(world!, ({ bodies }) => {
      bodies[0].state.boneTargets[4] += 1;
      throw new Error('no');
    });
    expect(() => stepWorld(world!)).toThrow('no');
    expect(hashWorld(world!)).toBe(hash);
  });
});

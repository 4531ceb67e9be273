/** Tendon itself, as one engine among others. */
import { createWorld, disposeWorld, type RigidBodyDef, stepWorld, type WorldOptions } from '../../src/index.js';
import { ARM, type ArmRun, angleOf, armPoints, busyMs, G, type Peer, PILE, type PileRun, pileCentres } from './peer.js';

const GRAVITY = [0, -G, 0] as const;

/** Tendon with a solver. */
export function tendonPeer(name: string, kind: string, options: WorldOptions): Peer {
  return { name, arm: (h) => arm(kind, options, h), pile: (h) => pile(kind, options, h) };
}

async function arm(kind: string, options: WorldOptions, h: number): Promise<ArmRun> {
  const halfExtents = [ARM.length / 2, ARM.thick / 2, ARM.thick / 2] as const;
  const part = (name: string, x: number) =>
    ({ name, shape: { kind: 'box', halfExtents }, position: [x, 0, 0], density: ARM.density }) as const;
  const body: RigidBodyDef = {
    kind: 'rigid',
    name: 'arm',
    parts: [part('upper', 0.5), part('lower', 1.5)],
    joints: [
      { name: 'shoulder', type: 'ball', bones: ['upper'], anchor: [0, 0, 0] },
      { name: 'elbow', type: 'ball', bones: ['upper', 'lower'], anchor: [1, 0, 0] },
    ],
  };
  const solver = { kind };
  const scene = { name: 'arm', description: '', bodies: [{ body }], gravity: GRAVITY, dt: h, solver };
  const world = await createWorld(scene, { ...options, selfContact: false } as WorldOptions);
  const began = busyMs();
  for (let n = 0; n < Math.round(ARM.seconds / h); n++) if (!stepWorld(world)) throw world.fault;
  const ms = busyMs() - began;
  const { translations: t, quats: q } = world.bodies[0].state.poses;
  const turn = (bone: number): number => angleOf(q[4 * bone], q[4 * bone + 1], q[4 * bone + 2], q[4 * bone + 3]);
  const points = armPoints([t[0], t[1]], [t[3], t[4]], [turn(0), turn(1)]);
  disposeWorld(world);
  return { ...points, ms };
}

async function pile(kind: string, options: WorldOptions, h: number): Promise<PileRun> {
  const half = PILE.side / 2;
  const body: RigidBodyDef = {
    kind: 'rigid',
    name: 'cube',
    parts: [{ name: 'cube', shape: { kind: 'box', halfExtents: [half, half, half] }, density: PILE.density }],
  };
  const bodies = pileCentres().map((position) => ({ body, position, friction: PILE.friction }));
  const obstacles = [{ name: 'floor', shape: { kind: 'plane' }, friction: PILE.friction }] as const;
  const scene = { name: 'pile', description: '', bodies, obstacles, gravity: GRAVITY, dt: h, solver: { kind } };
  const world = await createWorld(scene, options);
  const began = busyMs();
  for (let n = 0; n < Math.round(PILE.seconds / h); n++) if (!stepWorld(world)) throw world.fault;
  const ms = busyMs() - began;
  const centres = world.bodies.flatMap(({ state }) => [...state.poses.translations.subarray(0, 3)]);
  disposeWorld(world);
  return { centres, ms };
}

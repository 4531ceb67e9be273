/** Rapier (Apache-2.0), with impulse joints, its usual ones, or with joints in reduced coordinates. */
import {
  ARM,
  type ArmRun,
  angleOf,
  armPoints,
  busyMs,
  type Foreign,
  G,
  type Peer,
  PILE,
  type PileRun,
  pileCentres,
} from './peer.js';

/** Rapier, from its module. */
export async function rapierPeers(module: Foreign): Promise<Peer[]> {
  const rapier = module.default ?? module;
  await rapier.init();
  return [
    { name: 'Rapier', arm: (h) => arm(rapier, h, false), pile: (h) => pile(rapier, h) },
    { name: 'Rapier, multibody', arm: (h) => arm(rapier, h, true), pile: (h) => pile(rapier, h) },
  ];
}

async function arm(rapier: Foreign, h: number, reduced: boolean): Promise<ArmRun> {
  const world = new rapier.World({ x: 0, y: -G, z: 0 });
  world.timestep = h;
  const ground = world.createRigidBody(rapier.RigidBodyDesc.fixed());
  const bars = [0.5, 1.5].map((x) => {
    const body = world.createRigidBody(rapier.RigidBodyDesc.dynamic().setTranslation(x, 0, 0).setCanSleep(false));
    const shape = rapier.ColliderDesc.cuboid(ARM.length / 2, ARM.thick / 2, ARM.thick / 2);
    // in no group: bars do not touch each other
    world.createCollider(shape.setDensity(ARM.density).setCollisionGroups(0), body);
    return body;
  });
  const place = (x: number) => ({ x, y: 0, z: 0 });
  const join = (a: Foreign, b: Foreign, at: number): void => {
    const data = rapier.JointData.spherical(place(at), place(-0.5));
    if (reduced) world.createMultibodyJoint(data, a, b, true);
    else world.createImpulseJoint(data, a, b, true);
  };
  join(ground, bars[0], 0);
  join(bars[0], bars[1], 0.5);
  const began = busyMs();
  for (let n = 0; n < Math.round(ARM.seconds / h); n++) world.step();
  const ms = busyMs() - began;
  const centres = bars.map((bar: Foreign) => [bar.translation().x, bar.translation().y]);
  const turns = bars.map((bar: Foreign) => {
    const { x, y, z, w } = bar.rotation();
    return angleOf(x, y, z, w);
  });
  const points = armPoints(centres[0], centres[1], [turns[0], turns[1]]);
  world.free();
  return { ...points, ms };
}

async function pile(rapier: Foreign, h: number): Promise<PileRun> {
  const world = new rapier.World({ x: 0, y: -G, z: 0 });
  world.timestep = h;
  const ground = world.createRigidBody(rapier.RigidBodyDesc.fixed().setTranslation(0, -1, 0));
  world.createCollider(rapier.ColliderDesc.cuboid(20, 1, 20).setFriction(PILE.friction), ground);
  const half = PILE.side / 2;
  const cubes = pileCentres().map(([x, y, z]) => {
    const body = world.createRigidBody(rapier.RigidBodyDesc.dynamic().setTranslation(x, y, z).setCanSleep(false));
    const shape = rapier.ColliderDesc.cuboid(half, half, half).setDensity(PILE.density).setFriction(PILE.friction);
    world.createCollider(shape, body);
    return body;
  });
  const began = busyMs();
  for (let n = 0; n < Math.round(PILE.seconds / h); n++) world.step();
  const ms = busyMs() - began;
  const centres = cubes.flatMap((cube: Foreign) => [cube.translation().x, cube.translation().y, cube.translation().z]);
  world.free();
  return { centres, ms };
}

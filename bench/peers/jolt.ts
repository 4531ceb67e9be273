/** Jolt Physics (MIT), with damping and sleep switched off so that it solves the same problem. */
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

/** Layers of bodies. */
export const STILL = 0;
export const MOVING = 1;

/** Jolt, from its module. */
export async function joltPeers(module: Foreign): Promise<Peer[]> {
  const jolt = await module.default();
  return [{ name: 'Jolt', arm: (h) => arm(jolt, h), pile: (h) => pile(jolt, h) }];
}

/** A world of two layers, which touch each other where that is wanted. */
export function makeJoltWorld(jolt: Foreign, touch: boolean): Foreign {
  const settings = new jolt.JoltSettings();
  settings.mMaxWorkerThreads = 0;
  const pairs = new jolt.ObjectLayerPairFilterTable(2);
  if (touch) {
    pairs.EnableCollision(STILL, MOVING);
    pairs.EnableCollision(MOVING, MOVING);
  }
  const phases = new jolt.BroadPhaseLayerInterfaceTable(2, 2);
  phases.MapObjectToBroadPhaseLayer(STILL, new jolt.BroadPhaseLayer(0));
  phases.MapObjectToBroadPhaseLayer(MOVING, new jolt.BroadPhaseLayer(1));
  settings.mObjectLayerPairFilter = pairs;
  settings.mBroadPhaseLayerInterface = phases;
  settings.mObjectVsBroadPhaseLayerFilter = new jolt.ObjectVsBroadPhaseLayerFilterTable(phases, 2, pairs, 2);
  const world = new jolt.JoltInterface(settings);
  jolt.destroy(settings);
  world.GetPhysicsSystem().SetGravity(new jolt.Vec3(0, -G, 0));
  return world;
}

function addBox(
  jolt: Foreign,
  world: Foreign,
  half: readonly number[],
  at: readonly number[],
  moves: boolean,
): Foreign {
  // corners as sharp as they go
  const shape = new jolt.BoxShapeSettings(new jolt.Vec3(...half), 0.001);
  shape.mDensity = ARM.density;
  const turn = new jolt.Quat(0, 0, 0, 1);
  const type = moves ? jolt.EMotionType_Dynamic : jolt.EMotionType_Static;
  const made = shape.Create().Get();
  const settings = new jolt.BodyCreationSettings(made, new jolt.RVec3(...at), turn, type, moves ? MOVING : STILL);
  settings.mLinearDamping = 0;
  settings.mAngularDamping = 0;
  settings.mAllowSleeping = false;
  settings.mFriction = PILE.friction;
  const bodies = world.GetPhysicsSystem().GetBodyInterface();
  const body = bodies.CreateBody(settings);
  bodies.AddBody(body.GetID(), jolt.EActivation_Activate);
  return body;
}

async function arm(jolt: Foreign, h: number): Promise<ArmRun> {
  const world = makeJoltWorld(jolt, false);
  const half = [ARM.length / 2, ARM.thick / 2, ARM.thick / 2];
  const ground = addBox(jolt, world, [0.1, 0.1, 0.1], [0, 0, 0], false);
  const bars = [0.5, 1.5].map((x) => addBox(jolt, world, half, [x, 0, 0], true));
  const join = (a: Foreign, b: Foreign, x: number): void => {
    const settings = new jolt.PointConstraintSettings();
    settings.mPoint1 = new jolt.RVec3(x, 0, 0);
    settings.mPoint2 = new jolt.RVec3(x, 0, 0);
    world.GetPhysicsSystem().AddConstraint(settings.Create(a, b));
  };
  join(ground, bars[0], 0);
  join(bars[0], bars[1], 1);
  const began = busyMs();
  for (let n = 0; n < Math.round(ARM.seconds / h); n++) world.Step(h, 1);
  const ms = busyMs() - began;
  const centres = bars.map((bar: Foreign) => {
    const p = bar.GetCenterOfMassPosition();
    return [p.GetX(), p.GetY()];
  });
  const turns = bars.map((bar: Foreign) => {
    const q = bar.GetRotation();
    return angleOf(q.GetX(), q.GetY(), q.GetZ(), q.GetW());
  });
  const points = armPoints(centres[0], centres[1], [turns[0], turns[1]]);
  jolt.destroy(world);
  return { ...points, ms };
}

async function pile(jolt: Foreign, h: number): Promise<PileRun> {
  const world = makeJoltWorld(jolt, true);
  addBox(jolt, world, [20, 1, 20], [0, -1, 0], false);
  const half = PILE.side / 2;
  const cubes = pileCentres().map((centre) => addBox(jolt, world, [half, half, half], centre, true));
  const began = busyMs();
  for (let n = 0; n < Math.round(PILE.seconds / h); n++) world.Step(h, 1);
  const ms = busyMs() - began;
  const centres = cubes.flatMap((cube: Foreign) => {
    const p = cube.GetCenterOfMassPosition();
    return [p.GetX(), p.GetY(), p.GetZ()];
  });
  jolt.destroy(world);
  return { centres, ms };
}

/** The pile in Jolt; flesh as its own soft bodies, which touch rigid bodies but not each other. */
import { MOVING, makeJoltWorld, STILL } from '../jolt.js';
import type { Foreign } from '../peer.js';
import { DENSITY, FLOOR_FRICTION, FRICTION, type Heap, type HeapRun, PEG_FRICTION, ringPieces } from './heap.js';
import { addJoltFlesh } from './jolt-flesh.js';

/** Builds it. */
export async function joltHeap(module: Foreign, heap: Heap): Promise<HeapRun> {
  const jolt = await module.default();
  const world = makeJoltWorld(jolt, true);
  const system = world.GetPhysicsSystem();
  const bodyInterface = system.GetBodyInterface();
  const add = (shape: Foreign, at: readonly number[], turn: readonly number[], moves: boolean, friction: number) => {
    const type = moves ? jolt.EMotionType_Dynamic : jolt.EMotionType_Static;
    const layer = moves ? MOVING : STILL;
    const settings = new jolt.BodyCreationSettings(shape, new jolt.RVec3(...at), new jolt.Quat(...turn), type, layer);
    settings.mLinearDamping = 0;
    settings.mAngularDamping = 0;
    settings.mAllowSleeping = false;
    settings.mFriction = friction;
    return settings;
  };
  const make = (settings: Foreign) => {
    const body = bodyInterface.CreateBody(settings);
    bodyInterface.AddBody(body.GetID(), jolt.EActivation_Activate);
    jolt.destroy(settings);
    return body;
  };
  const level = [0, 0, 0, 1];
  make(add(new jolt.BoxShape(new jolt.Vec3(50, 1, 50)), [0, -1, 0], level, false, FLOOR_FRICTION));
  for (const { radius, halfLength, position } of heap.pegs)
    make(add(new jolt.CapsuleShape(halfLength, radius), position, level, false, PEG_FRICTION));
  const shapes = new Map<string, Foreign>();
  const filters = new Map<number, Foreign>();
  const bodies = heap.parts.map(({ shape, position, rotation, loop, rod }) => {
    const key = JSON.stringify(shape);
    const known = shapes.get(key) ?? shapeOf(jolt, shape);
    shapes.set(key, known);
    const settings = add(known, position, rotation, true, FRICTION);
    if (loop > 0) {
      const filter = filters.get(loop) ?? neighboursApart(jolt);
      filters.set(loop, filter);
      settings.mCollisionGroup.SetGroupFilter(filter);
      settings.mCollisionGroup.SetGroupID(loop);
      settings.mCollisionGroup.SetSubGroupID(rod);
    }
    return make(settings);
  });
  for (const { parts, place } of heap.joints) {
    const settings = new jolt.PointConstraintSettings();
    settings.mPoint1 = new jolt.RVec3(...place);
    settings.mPoint2 = new jolt.RVec3(...place);
    system.AddConstraint(settings.Create(bodies[parts[0]], bodies[parts[1]]));
  }
  const soft = addJoltFlesh(jolt, bodyInterface, heap);
  return {
    name: 'Jolt 1.1',
    step: () => world.Step(1 / 60, 1),
    read: ({ positions, rotations, flesh }) => {
      bodies.forEach((body: Foreign, b: number) => {
        const p = body.GetCenterOfMassPosition();
        const q = body.GetRotation();
        positions.set([p.GetX(), p.GetY(), p.GetZ()], b * 3);
        rotations.set([q.GetX(), q.GetY(), q.GetZ(), q.GetW()], b * 4);
      });
      soft.read(flesh);
    },
    dispose: () => jolt.destroy(world),
  };
}

/** Rods of a loop that share a joint do not touch. */
function neighboursApart(jolt: Foreign): Foreign {
  const filter = new jolt.GroupFilterTable(6);
  for (let i = 0; i < 6; i++) filter.DisableCollision(i, (i + 1) % 6);
  return filter;
}

function shapeOf(jolt: Foreign, shape: Heap['parts'][number]['shape']): Foreign {
  const weighed = (settings: Foreign) => {
    settings.mDensity = DENSITY;
    return settings;
  };
  const made = (settings: Foreign) => {
    const result = settings.Create().Get();
    result.AddRef();
    return result;
  };
  if (shape.kind === 'sphere') return made(weighed(new jolt.SphereShapeSettings(shape.radius)));
  if (shape.kind === 'capsule') return made(weighed(new jolt.CapsuleShapeSettings(shape.halfLength, shape.radius)));
  if (shape.kind !== 'torus') throw new Error(`no ${shape.kind} in the pile`);
  const ring = new jolt.StaticCompoundShapeSettings();
  for (const { position, rotation, halfLength } of ringPieces(shape.radius)) {
    const piece = weighed(new jolt.CapsuleShapeSettings(halfLength, shape.tubeRadius));
    ring.AddShapeShapeSettings(new jolt.Vec3(...position), new jolt.Quat(...rotation), piece, 0);
  }
  return made(ring);
}

/** The pile in Rapier; flesh as its own soft bodies, of the same tets and corotated. */
import { type Foreign, G } from '../peer.js';
import { DENSITY, FLOOR_FRICTION, FRICTION, type Heap, type HeapRun, PEG_FRICTION, ringPieces } from './heap.js';
import { fleshStart, type HeapFlesh } from './heap-flesh.js';

/** Which of Rapier's solvers holds soft bodies together: each tet a constraint among the contacts, or one linear system a body. */
export type RapierSoft = 'Constraints' | 'Fem';

/** Builds it. */
export async function rapierHeap(module: Foreign, heap: Heap, solver: RapierSoft = 'Constraints'): Promise<HeapRun> {
  const rapier = module.default ?? module;
  await rapier.init();
  const world = new rapier.World({ x: 0, y: -G, z: 0 });
  world.timestep = 1 / 60;
  const still = (x: number, y: number, z: number) =>
    world.createRigidBody(rapier.RigidBodyDesc.fixed().setTranslation(x, y, z));
  // the obstacle's friction counts, as in Tendon
  const against = (desc: Foreign, friction: number) =>
    desc.setFriction(friction).setFrictionCombineRule(rapier.CoefficientCombineRule.Min);
  world.createCollider(against(rapier.ColliderDesc.cuboid(50, 1, 50), FLOOR_FRICTION), still(0, -1, 0));
  for (const { radius, halfLength, position } of heap.pegs) {
    const [x, y, z] = position;
    world.createCollider(against(rapier.ColliderDesc.capsule(halfLength, radius), PEG_FRICTION), still(x, y, z));
  }
  const bodies = heap.parts.map(({ shape, position, rotation }) => {
    const [x, y, z] = position;
    const [i, j, k, w] = rotation;
    const desc = rapier.RigidBodyDesc.dynamic().setTranslation(x, y, z).setRotation({ x: i, y: j, z: k, w });
    const body = world.createRigidBody(desc.setCanSleep(false));
    for (const collider of collidersOf(rapier, shape))
      world.createCollider(collider.setDensity(DENSITY).setFriction(FRICTION), body);
    return body;
  });
  const vector = ([x, y, z]: readonly number[]) => ({ x, y, z });
  for (const { parts, anchors } of heap.joints) {
    const data = rapier.JointData.spherical(vector(anchors[0]), vector(anchors[1]));
    world.createImpulseJoint(data, bodies[parts[0]], bodies[parts[1]], true).setContactsEnabled(false);
  }
  const soft = heap.flesh.map((flesh) => world.createSoftBody(softBody(rapier, flesh, solver)));
  return {
    name: soft.length > 0 && solver === 'Fem' ? 'Rapier 0.21, FEM' : 'Rapier 0.21',
    step: () => world.step(),
    read: ({ positions, rotations, flesh }) => {
      bodies.forEach((body: Foreign, b: number) => {
        const t = body.translation();
        const q = body.rotation();
        positions.set([t.x, t.y, t.z], b * 3);
        rotations.set([q.x, q.y, q.z, q.w], b * 4);
      });
      soft.forEach((body: Foreign, s: number) => {
        flesh[s].set(body.particlePositions());
      });
    },
    dispose: () => world.free(),
  };
}

function collidersOf(rapier: Foreign, shape: Heap['parts'][number]['shape']): Foreign[] {
  if (shape.kind === 'sphere') return [rapier.ColliderDesc.ball(shape.radius)];
  if (shape.kind === 'capsule') return [rapier.ColliderDesc.capsule(shape.halfLength, shape.radius)];
  if (shape.kind !== 'torus') throw new Error(`no ${shape.kind} in the pile`);
  return ringPieces(shape.radius).map(({ position: [x, y, z], rotation: [i, j, k, w], halfLength }) =>
    rapier.ColliderDesc.capsule(halfLength, shape.tubeRadius)
      .setTranslation(x, y, z)
      .setRotation({ x: i, y: j, z: k, w }),
  );
}

function softBody(rapier: Foreign, flesh: HeapFlesh, solver: RapierSoft): Foreign {
  const { tets, masses, surface, youngModulus, poissonRatio } = flesh.model;
  const material = new rapier.SoftBodyMaterial();
  material.youngModulus = youngModulus;
  material.poissonRatio = poissonRatio;
  return new rapier.SoftBodyDesc(Float32Array.from(fleshStart(flesh)))
    .setCells(Uint32Array.from(tets))
    .setSurface(Uint32Array.from(surface.triangles, (vertex) => surface.vertices[vertex]))
    .setMasses(Float32Array.from(masses))
    .setCellModel(rapier.SoftBodyCellModel.Corotational)
    .setSolver(rapier.SoftBodySolver[solver])
    .setMaterial(material)
    .setSurfaceCollider(rapier.ColliderDesc.ball(0.01).setFriction(FRICTION))
    .setCanSleep(false);
}

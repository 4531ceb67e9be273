/**
 * Soft bodies in Jolt: edges of the tets as springs and tets that keep their volume, with compliances that come to the same material. Springs in all
 * directions of stiffness k and length l are a solid of E = Σ k l² / 6V with λ = μ = 0.4 E; a tet has six edges, so each gets k = E V / l² from each of
 * its tets, and what is missing of λ is the volumes'.
 */
import { MOVING } from '../jolt.js';
import type { Foreign } from '../peer.js';
import { FRICTION, type Heap } from './heap.js';
import { type FleshModel, fleshEdges } from './heap-flesh.js';

/** Share of E that springs have as λ. */
const SPRING_LAMBDA = 0.4;

/** Adds the flesh of a pile; `read` writes where its vertices are. */
export function addJoltFlesh(
  jolt: Foreign,
  bodyInterface: Foreign,
  heap: Heap,
): { read(flesh: readonly Float64Array[]): void } {
  const models = new Map<FleshModel, Foreign>();
  const bodies = heap.flesh.map(({ model, position, rotation }) => {
    const shared = models.get(model) ?? sharedSettings(jolt, model);
    models.set(model, shared);
    const settings = new jolt.SoftBodyCreationSettings(
      shared,
      new jolt.RVec3(...position),
      new jolt.Quat(...rotation),
      MOVING,
    );
    settings.mLinearDamping = 0;
    settings.mAllowSleeping = false;
    settings.mFriction = FRICTION;
    const body = bodyInterface.CreateSoftBody(settings);
    bodyInterface.AddBody(body.GetID(), jolt.EActivation_Activate);
    jolt.destroy(settings);
    return body;
  });
  return {
    read: (flesh) => {
      bodies.forEach((body, s) => {
        const about = body.GetCenterOfMassPosition();
        const [x, y, z] = [about.GetX(), about.GetY(), about.GetZ()];
        const motion = jolt.castObject(body.GetMotionProperties(), jolt.SoftBodyMotionProperties);
        for (let v = 0; v < flesh[s].length / 3; v++) {
          const at = motion.GetVertex(v).mPosition;
          flesh[s].set([x + at.GetX(), y + at.GetY(), z + at.GetZ()], v * 3);
        }
      });
    },
  };
}

function sharedSettings(jolt: Foreign, model: FleshModel): Foreign {
  const { positions, masses, tets, volumes, surface, youngModulus, poissonRatio } = model;
  const settings = new jolt.SoftBodySharedSettings();
  masses.forEach((mass, v) => {
    const vertex = new jolt.SoftBodySharedSettingsVertex();
    vertex.mPosition = new jolt.Float3(positions[v * 3], positions[v * 3 + 1], positions[v * 3 + 2]);
    vertex.mInvMass = 1 / mass;
    settings.mVertices.push_back(vertex);
    jolt.destroy(vertex);
  });
  const { triangles, vertices } = surface;
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [0, 1, 2].map((k) => vertices[triangles[t + k]]);
    settings.AddFace(new jolt.SoftBodySharedSettingsFace(a, b, c, 0));
  }
  for (const [a, b, volume] of fleshEdges(model)) {
    let square = 0;
    for (let k = 0; k < 3; k++) square += (positions[a * 3 + k] - positions[b * 3 + k]) ** 2;
    const stiffness = (youngModulus * volume) / square;
    settings.mEdgeConstraints.push_back(new jolt.SoftBodySharedSettingsEdge(a, b, 1 / stiffness));
  }
  const lambda = (youngModulus * poissonRatio) / ((1 + poissonRatio) * (1 - 2 * poissonRatio));
  const missing = lambda - SPRING_LAMBDA * youngModulus;
  volumes.forEach((volume, t) => {
    // a tet's measure is six times its volume
    const corners = tets.subarray(t * 4, t * 4 + 4);
    settings.mVolumeConstraints.push_back(new jolt.SoftBodySharedSettingsVolume(...corners, (36 * volume) / missing));
  });
  settings.CalculateEdgeLengths();
  settings.CalculateVolumeConstraintVolumes();
  settings.Optimize();
  settings.AddRef();
  return settings;
}

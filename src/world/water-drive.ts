/**
 * Still water around a body, as a drive: every triangle of its surface that moves along its normal is resisted with ½ ρ C A v²
 * [Newton's drag, per triangle], and what moves along its plane is not. Enough for fins to push and bodies to glide. Made with the drives of a scene.
 */

import type { Model } from '../body/model.js';
import type { BodyState } from '../body/state.js';
import { requireInRange } from '../errors.js';
import type { WaterDrive } from '../scene/drive-def.js';
import type { Drive } from './drives.js';
import type { WorldBody } from './world.js';

const DENSITY = 1000;
const DRAG = 1;

/** Makes the drive, or throws a TendonError that names what is wrong. Forces on vertices of the surface are its own. */
export function makeWaterDrive(body: WorldBody, def: WaterDrive, path: string): Drive {
  const density = requireInRange(def.density ?? DENSITY, 0, 1e5, `${path}/density`);
  const factor = 0.5 * density * requireInRange(def.drag ?? DRAG, 0, 100, `${path}/drag`);
  const { surface } = body.model;
  const triangles = Int32Array.from(surface.triangles, (corner) => surface.vertices[corner]);
  const masses = movedMasses(body.model);
  const normal = new Float64Array(3);
  return (_, __, dt) => {
    const { forces } = body.state;
    for (let i = 0; i < triangles.length; i++) forces.fill(0, triangles[i] * 3, triangles[i] * 3 + 3);
    for (let t = 0; t < triangles.length; t += 3) resist(body.state, masses, triangles, t, factor, dt, normal);
  };
}

/** Adds the force on one triangle, a third to each corner; no more than stops it within the step. */
function resist(
  state: BodyState,
  masses: Float64Array,
  triangles: Int32Array,
  t: number,
  factor: number,
  dt: number,
  normal: Float64Array,
): void {
  const { positions: x, velocities: v, forces } = state;
  const [a, b, c] = [triangles[t] * 3, triangles[t + 1] * 3, triangles[t + 2] * 3];
  const [ux, uy, uz] = [x[b] - x[a], x[b + 1] - x[a + 1], x[b + 2] - x[a + 2]];
  const [wx, wy, wz] = [x[c] - x[a], x[c + 1] - x[a + 1], x[c + 2] - x[a + 2]];
  normal[0] = uy * wz - uz * wy;
  normal[1] = uz * wx - ux * wz;
  normal[2] = ux * wy - uy * wx;
  const twice = Math.sqrt(normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]);
  if (!(twice > 0)) return;
  let speed = 0;
  for (let k = 0; k < 3; k++) speed += (normal[k] * (v[a + k] + v[b + k] + v[c + k])) / (3 * twice);
  // water is moved out of the way in front, and follows behind
  const drag = factor * 0.5 * twice * Math.abs(speed);
  const mass = (masses[triangles[t]] + masses[triangles[t + 1]] + masses[triangles[t + 2]]) / 3;
  const force = -speed * Math.min(drag, mass / dt);
  for (let k = 0; k < 3; k++) {
    const share = (force * normal[k]) / (3 * twice);
    forces[a + k] += share;
    forces[b + k] += share;
    forces[c + k] += share;
  }
}

/** Mass that each vertex of the surface moves with [kg]: its own, or its share of its bone. */
function movedMasses({ bones, masses, surface, vertexCount }: Model): Float64Array {
  const shared = new Int32Array(bones.count);
  for (const v of surface.vertices) if (bones.ofVertex[v] >= 0) shared[bones.ofVertex[v]]++;
  return Float64Array.from({ length: vertexCount }, (_, v) => {
    const bone = bones.ofVertex[v];
    return bone >= 0 && shared[bone] > 0 ? bones.mass[bone] / shared[bone] : masses[v];
  });
}

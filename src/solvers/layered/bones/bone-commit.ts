/**
 * The end of a step for bones: new poses, and velocities that carry the same momentum there. Velocities are never derived from the
 * closed positions: that would turn the closing into speed.
 *
 * The spin of each bone keeps its angular momentum, ω' = I'⁻¹ I ω. Closing joints moves centres sideways of their velocities, which
 * changes Σ m c × v by a little; one common spin about the centre of mass gives it back, so that a body in free flight keeps its
 * momentum to rounding.
 */
import { multiplyMat3Vec3 } from '../../../math/mat3.js';
import { invertMat3 } from '../../../math/mat3-inverse.js';
import type { LayerBody } from '../layer-body.js';
import type { LayerModel } from '../layer-model.js';
import { advanceBones } from './bone-advance.js';
import { turnInertia } from './bone-step.js';

const CENTRE = new Float64Array(3);
const EARLIER_CENTRE = new Float64Array(3);
const MISSING = new Float64Array(3);
const TOTAL = new Float64Array(9);
const SPIN = new Float64Array(3);

/** Moves the bones with the velocities V = (ω, v at the reference point) and stores both. False where they are not finite. */
export function commitBones(body: LayerBody, velocity: Float64Array, h: number): boolean {
  const { state, free, model } = body;
  for (let i = 0; i < 6 * model.bones.count; i++) if (!Number.isFinite(velocity[i])) return false;
  body.limits.excess = 0;
  advanceBones(body, velocity, h, free, true);
  storeVelocities(body, velocity);
  if (body.fronts.held[0] === 0) restoreMomentum(body);
  state.poses.copy(free);
  return true;
}

/** Velocities of centres, and spins with the angular momentum each bone had before it turned. */
function storeVelocities(body: LayerBody, velocity: Float64Array): void {
  const { state, fronts, inertia, free, model } = body;
  const { reference } = fronts;
  const { translations } = state.poses;
  for (let bone = 0; bone < model.bones.count; bone++) {
    const c = 3 * bone;
    const v = 6 * bone;
    const i = 9 * bone;
    const rx = translations[c] - reference[c];
    const ry = translations[c + 1] - reference[c + 1];
    const rz = translations[c + 2] - reference[c + 2];
    const wx = velocity[v];
    const wy = velocity[v + 1];
    const wz = velocity[v + 2];
    state.velocities[c] = velocity[v + 3] + wy * rz - wz * ry;
    state.velocities[c + 1] = velocity[v + 4] + wz * rx - wx * rz;
    state.velocities[c + 2] = velocity[v + 5] + wx * ry - wy * rx;
    const lx = inertia[i] * wx + inertia[i + 1] * wy + inertia[i + 2] * wz;
    const ly = inertia[i + 3] * wx + inertia[i + 4] * wy + inertia[i + 5] * wz;
    const lz = inertia[i + 6] * wx + inertia[i + 7] * wy + inertia[i + 8] * wz;
    // R' I₀⁻¹ R'ᵀ L
    const r = free.rotations;
    const inverse = model.bones.inverseInertia;
    const x = r[i] * lx + r[i + 3] * ly + r[i + 6] * lz;
    const y = r[i + 1] * lx + r[i + 4] * ly + r[i + 7] * lz;
    const z = r[i + 2] * lx + r[i + 5] * ly + r[i + 8] * lz;
    const a = inverse[i] * x + inverse[i + 1] * y + inverse[i + 2] * z;
    const b = inverse[i + 3] * x + inverse[i + 4] * y + inverse[i + 5] * z;
    const d = inverse[i + 6] * x + inverse[i + 7] * y + inverse[i + 8] * z;
    state.spins[c] = r[i] * a + r[i + 1] * b + r[i + 2] * d;
    state.spins[c + 1] = r[i + 3] * a + r[i + 4] * b + r[i + 5] * d;
    state.spins[c + 2] = r[i + 6] * a + r[i + 7] * b + r[i + 8] * d;
  }
}

/** Adds the common spin that gives back the angular momentum lost by closing joints. */
function restoreMomentum(body: LayerBody): void {
  const { state, free, inertia, model } = body;
  const { count, mass } = model.bones;
  const { velocities, spins } = state;
  const before = state.poses.translations;
  const after = free.translations;
  centreOfMass(model, before, EARLIER_CENTRE);
  centreOfMass(model, after, CENTRE);
  MISSING.fill(0);
  TOTAL.fill(0);
  for (let bone = 0; bone < count; bone++) {
    const c = 3 * bone;
    const m = mass[bone];
    const x = after[c] - CENTRE[0];
    const y = after[c + 1] - CENTRE[1];
    const z = after[c + 2] - CENTRE[2];
    const dx = m * (before[c] - EARLIER_CENTRE[0] - x);
    const dy = m * (before[c + 1] - EARLIER_CENTRE[1] - y);
    const dz = m * (before[c + 2] - EARLIER_CENTRE[2] - z);
    MISSING[0] += dy * velocities[c + 2] - dz * velocities[c + 1];
    MISSING[1] += dz * velocities[c] - dx * velocities[c + 2];
    MISSING[2] += dx * velocities[c + 1] - dy * velocities[c];
    turnInertia(body, bone, free.rotations);
    addInertia(inertia, 9 * bone, m, x, y, z);
  }
  if (!invertMat3(TOTAL, 0, TOTAL, 0)) return;
  multiplyMat3Vec3(SPIN, 0, TOTAL, 0, MISSING, 0);
  for (let bone = 0; bone < count; bone++) {
    const c = 3 * bone;
    const x = after[c] - CENTRE[0];
    const y = after[c + 1] - CENTRE[1];
    const z = after[c + 2] - CENTRE[2];
    velocities[c] += SPIN[1] * z - SPIN[2] * y;
    velocities[c + 1] += SPIN[2] * x - SPIN[0] * z;
    velocities[c + 2] += SPIN[0] * y - SPIN[1] * x;
    for (let k = 0; k < 3; k++) spins[c + k] += SPIN[k];
  }
}

/** out = centre of mass of a character whose bones' centres are at `places` [m]. */
export function centreOfMass({ bones, totalMass }: LayerModel, places: Float64Array, out: Float64Array): void {
  out.fill(0);
  for (let bone = 0; bone < bones.count; bone++) {
    for (let k = 0; k < 3; k++) out[k] += bones.mass[bone] * places[3 * bone + k];
  }
  for (let k = 0; k < 3; k++) out[k] /= totalMass;
}

/** TOTAL += inertia of a bone, moved to a point (x, y, z) away from its centre. */
function addInertia(inertia: Float64Array, i: number, m: number, x: number, y: number, z: number): void {
  TOTAL[0] += inertia[i] + m * (y * y + z * z);
  TOTAL[4] += inertia[i + 4] + m * (x * x + z * z);
  TOTAL[8] += inertia[i + 8] + m * (x * x + y * y);
  const xy = inertia[i + 1] - m * x * y;
  const xz = inertia[i + 2] - m * x * z;
  const yz = inertia[i + 5] - m * y * z;
  TOTAL[1] += xy;
  TOTAL[3] += xy;
  TOTAL[2] += xz;
  TOTAL[6] += xz;
  TOTAL[5] += yz;
  TOTAL[7] += yz;
}

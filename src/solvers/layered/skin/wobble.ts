/**
 * Flesh that lags behind its bones: every slow mode of the skin is an oscillator of three directions, in the rest shape,
 *
 *     q̈ + 2 ζ ω q̇ + ω² q = −Σ φ m a,    a: acceleration of the bones that carry it
 *
 * taken on exactly for a force that is constant over the step. It moves the rest shape that is shown; neither bones nor contact feel it, for a
 * contact that did would feed the oscillators by the jolts it gives to bones. Where skin is pressed in it does not wobble. Last stage of the
 * layered step.
 */
import { lengthVec3 } from '../../../math/vec3.js';
import type { LayerBody } from '../layer-body.js';
import type { WobbleModes } from './wobble-modes.js';

/** ζ: share of the critical damping. */
export const WOBBLE_DAMPING = 0.1;
/** Flesh goes no farther than this share of the depth it has. */
const FARTHEST = 0.5;
/** Skin that is pressed in by this share of its depth does not wobble any more. */
const PRESSED = 0.1;
/** Numbers per mode in the state: q and q̇, 3 each. */
export const WOBBLE_STRIDE = 6;

/** Terms of the series, and halvings before it: the step of a mode is then below 1/4 rad, or 1e-20 is missing. */
const TERMS = 14;
const QUARTER = 0.25;

const LINEAR = new Float64Array(3);
const TURNING = new Float64Array(3);
const SPIN = new Float64Array(3);

/** The oscillators of one body. */
export class Wobble {
  readonly #modes: WobbleModes;
  /** Four numbers per mode: what q and q̇ become of a unit of each, for steps of #h. */
  readonly #propagator: Float64Array;
  /** Force of the step, 3 per mode. */
  readonly #force: Float64Array;
  #h = 0;

  constructor(modes: WobbleModes) {
    this.#modes = modes;
    this.#propagator = new Float64Array(4 * modes.count);
    this.#force = new Float64Array(3 * modes.count);
  }

  /** Takes the oscillators on by h [s], pushed as `push` said. */
  advance(body: LayerBody, h: number): void {
    const { count, rates } = this.#modes;
    if (h !== this.#h) this.#prepare(h);
    const { wobble: w } = body.state;
    const e = this.#propagator;
    for (let mode = 0; mode < count; mode++) {
      const square = rates[mode] * rates[mode];
      for (let k = 0; k < 3; k++) {
        const o = WOBBLE_STRIDE * mode + k;
        // about where the force would hold it
        const held = this.#force[3 * mode + k] / square;
        const away = w[o] - held;
        const rate = w[o + 3];
        w[o] = held + e[4 * mode] * away + e[4 * mode + 1] * rate;
        w[o + 3] = e[4 * mode + 2] * away + e[4 * mode + 3] * rate;
      }
    }
    this.place(body);
  }

  /** Moves the rest shape as the state has it. */
  place({ model, state, rest }: LayerBody): void {
    const { count, shapes } = this.#modes;
    const { positions, depths, nodeCount, standIn } = model;
    const { wobble: w, dents } = state;
    let share = 0;
    for (let p = 0; p < nodeCount; p++) {
      let x = 0;
      let y = 0;
      let z = 0;
      for (let mode = 0; mode < count; mode++) {
        const phi = shapes[mode * nodeCount + p];
        const o = WOBBLE_STRIDE * mode;
        x += phi * w[o];
        y += phi * w[o + 1];
        z += phi * w[o + 2];
      }
      const still = lengthVec3(dents, 3 * standIn[p]) / (PRESSED * depths[p]);
      const loose = still < 1 ? 1 - still : 0;
      rest[3 * p] = loose * x;
      rest[3 * p + 1] = loose * y;
      rest[3 * p + 2] = loose * z;
      const square = x * x + y * y + z * z;
      if (square > share * depths[p] * depths[p]) share = square / (depths[p] * depths[p]);
    }
    const scale = share > FARTHEST * FARTHEST ? FARTHEST / Math.sqrt(share) : 1;
    for (let i = 0; i < rest.length; i++) rest[i] = positions[i] + scale * rest[i];
  }

  /** Notes what the bones' change of velocity in a step of h [s] does to the modes; `velocity`: that of its end, poses those of its start. */
  push(body: LayerBody, velocity: Float64Array, h: number): void {
    const { count, carried } = this.#modes;
    const f = this.#force;
    const bones = body.model.bones.count;
    f.fill(0);
    for (let bone = 0; bone < bones; bone++) {
      readAcceleration(body, bone, velocity, h);
      for (let mode = 0; mode < count; mode++) {
        const c = 4 * (mode * bones + bone);
        const o = 3 * mode;
        const x = carried[c + 1];
        const y = carried[c + 2];
        const z = carried[c + 3];
        // a + α × d + ω × (ω × d)
        const along = SPIN[0] * x + SPIN[1] * y + SPIN[2] * z;
        const square = SPIN[0] * SPIN[0] + SPIN[1] * SPIN[1] + SPIN[2] * SPIN[2];
        f[o] -= carried[c] * LINEAR[0] + TURNING[1] * z - TURNING[2] * y + SPIN[0] * along - square * x;
        f[o + 1] -= carried[c] * LINEAR[1] + TURNING[2] * x - TURNING[0] * z + SPIN[1] * along - square * y;
        f[o + 2] -= carried[c] * LINEAR[2] + TURNING[0] * y - TURNING[1] * x + SPIN[2] * along - square * z;
      }
    }
  }

  /** exp(h A), A = (0, 1; −ω², −2 ζ ω), by its series on a short step and squaring. */
  #prepare(h: number): void {
    this.#h = h;
    const { rates } = this.#modes;
    for (let mode = 0; mode < rates.length; mode++) {
      const omega = rates[mode];
      let halvings = 0;
      let short = h;
      for (; short * omega > QUARTER; halvings++) short /= 2;
      // in q and q̇/ω, where both numbers are alike
      const [a, b] = [short * omega, -2 * WOBBLE_DAMPING * short * omega];
      let e = [1, 0, 0, 1];
      let term = [1, 0, 0, 1];
      for (let n = 1; n <= TERMS; n++) {
        term = multiply(term, [0, a / n, -a / n, b / n]);
        e = e.map((value, i) => value + term[i]);
      }
      for (let n = 0; n < halvings; n++) e = multiply(e, e);
      this.#propagator.set([e[0], e[1] / omega, e[2] * omega, e[3]], 4 * mode);
    }
  }
}

/** LINEAR, TURNING, SPIN = acceleration of a bone's centre, its angular acceleration and its spin, in its own axes. */
function readAcceleration(body: LayerBody, bone: number, velocity: Float64Array, h: number): void {
  const { state, fronts } = body;
  const { rotations: r, translations } = state.poses;
  const c = 3 * bone;
  const v = 6 * bone;
  const rx = translations[c] - fronts.reference[c];
  const ry = translations[c + 1] - fronts.reference[c + 1];
  const rz = translations[c + 2] - fronts.reference[c + 2];
  const ax = (velocity[v + 3] + velocity[v + 1] * rz - velocity[v + 2] * ry - state.velocities[c]) / h;
  const ay = (velocity[v + 4] + velocity[v + 2] * rx - velocity[v] * rz - state.velocities[c + 1]) / h;
  const az = (velocity[v + 5] + velocity[v] * ry - velocity[v + 1] * rx - state.velocities[c + 2]) / h;
  const tx = (velocity[v] - state.spins[c]) / h;
  const ty = (velocity[v + 1] - state.spins[c + 1]) / h;
  const tz = (velocity[v + 2] - state.spins[c + 2]) / h;
  for (let k = 0; k < 3; k++) {
    const x = r[9 * bone + k];
    const y = r[9 * bone + 3 + k];
    const z = r[9 * bone + 6 + k];
    LINEAR[k] = x * ax + y * ay + z * az;
    TURNING[k] = x * tx + y * ty + z * tz;
    SPIN[k] = x * velocity[v] + y * velocity[v + 1] + z * velocity[v + 2];
  }
}

function multiply(a: readonly number[], b: readonly number[]): number[] {
  return [a[0] * b[0] + a[1] * b[2], a[0] * b[1] + a[1] * b[3], a[2] * b[0] + a[3] * b[2], a[2] * b[1] + a[3] * b[3]];
}

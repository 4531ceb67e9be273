/**
 * Muscles that are lines over points of bones, implicit like motors. With the length l at the end of the step, l_n at its start:
 *
 *     T = K (l − l_min)₊ + d (l − l_n)/h ≥ 0,     K = a F/(l₀ − l_min)
 *
 * The tension pulls at every point along both segments. The matrix gets (K + d/h) times the outer product of l's slopes, T/length across each
 * segment, and what point forces add to the turning of their bones. Owned by motors.ts, which calls it wherever motors act.
 */
import type { BonePoses } from '../../../body/bone-poses.js';
import type { LineMuscle } from '../../../body/muscles.js';
import type { Actuator, MoveWork } from './actuator.js';
import type { BoneSystem } from './bone-system.js';
import { addDiagonal, addOuter } from './system-blocks.js';

/** One line in the step in progress. */
interface Line {
  readonly def: LineMuscle;
  /** Place of each point from its bone's centre, and in the world; slope of the length by each place, 3 each [m]. */
  readonly arms: Float64Array;
  readonly places: Float64Array;
  readonly slopes: Float64Array;
  /** Length of each segment. */
  readonly segments: Float64Array;
  /** K, its damping over h, the length at the start, and the tension that counts as balanced. */
  stiffness: number;
  damping: number;
  start: number;
  length: number;
  tension: number;
  base: number;
  keptLength: number;
  keptTension: number;
}

/** Lines of one body. */
export class LineMuscles implements Actuator {
  any = false;
  readonly #lines: readonly Line[];
  readonly #row = new Float64Array(6);
  readonly #other = new Float64Array(6);

  constructor(defs: readonly LineMuscle[]) {
    this.#lines = defs.map((def) => ({
      def,
      arms: new Float64Array(def.points.length),
      places: new Float64Array(def.points.length),
      slopes: new Float64Array(def.points.length),
      segments: new Float64Array(def.bones.length - 1),
      stiffness: 0,
      damping: 0,
      start: 0,
      length: 0,
      tension: 0,
      base: 0,
      keptLength: 0,
      keptTension: 0,
    }));
  }

  /** Starts a step of `h` [s] from these poses; call before the motors start. */
  restart(activations: Float64Array, poses: BonePoses, h: number): void {
    this.any = false;
    for (const line of this.#lines) {
      const { def } = line;
      const a = activations[def.muscle];
      line.stiffness = (a * def.force) / (def.restLength - def.shortest);
      line.damping = (a * def.damping) / h;
      line.base = 0;
      this.any ||= line.stiffness > 0;
      this.#place(line, poses);
      line.start = line.length;
    }
  }

  /** Lengths, slopes and tensions at these poses. */
  measure(poses: BonePoses): void {
    for (const line of this.#lines) {
      this.#place(line, poses);
      const pull = line.stiffness * Math.max(0, line.length - line.def.shortest);
      line.tension = Math.max(0, pull + line.damping * (line.length - line.start)) - line.base;
    }
  }

  keepBase(poses: BonePoses): void {
    this.releaseBase();
    this.measure(poses);
    for (const line of this.#lines) line.base = line.tension;
  }

  releaseBase(): void {
    for (const line of this.#lines) line.base = 0;
  }

  keep(poses: BonePoses): void {
    this.measure(poses);
    for (const line of this.#lines) {
      line.keptLength = line.length;
      line.keptTension = line.tension;
    }
  }

  addWork(poses: BonePoses, work: MoveWork): void {
    this.measure(poses);
    for (const line of this.#lines) {
      work.before -= line.keptTension * (line.length - line.keptLength);
      work.after -= line.tension * (line.length - line.keptLength);
    }
  }

  /** Tension of each muscle that is a line, to `out` by muscle [N]. */
  readTensions(out: Float64Array): void {
    for (const { def, tension } of this.#lines) out[def.muscle] = tension;
  }

  addForces(system: BoneSystem, poses: BonePoses, share: number): void {
    for (const line of this.#lines) {
      for (let i = 0; i < line.def.bones.length && line.tension !== 0; i++) {
        const bone = line.def.bones[i];
        if (!system.isMovable(bone)) continue;
        this.#slopeOf(line, i, poses, this.#row);
        const first = system.order.start[bone];
        for (let k = 0; k < 6; k++) system.unknowns[first + k] -= share * line.tension * this.#row[k];
      }
    }
  }

  addStiffness(system: BoneSystem, poses: BonePoses): void {
    for (const line of this.#lines) {
      const total = line.tension + line.base;
      if (total <= 0) continue;
      const kappa = line.stiffness + line.damping;
      for (let i = 0; i < line.def.bones.length; i++) {
        for (let j = 0; j <= i; j++) this.#addOuter(system, line, i, j, poses, kappa);
        this.#addCurvature(system, line, i, total);
      }
    }
  }

  /** Adds κ times the product of the slopes at points i and j, and T/length of the segment between them where they are neighbours. */
  #addOuter(system: BoneSystem, line: Line, i: number, j: number, poses: BonePoses, kappa: number): void {
    const [a, b] = [line.def.bones[i], line.def.bones[j]];
    if (!system.isMovable(a) || !system.isMovable(b)) return;
    this.#slopeOf(line, i, poses, this.#row);
    this.#slopeOf(line, j, poses, this.#other);
    addOuter(system, a, b, this.#row, this.#other, kappa, i !== j);
  }

  /**
   * Upper bound of how a point force turns with its bone: with μ = −force at the arm q, ½(|μ||q| − μ·q) or −μ·q on every turn; and of T/length
   * across the segments beside the point, on its shift and turn alike.
   */
  #addCurvature(system: BoneSystem, line: Line, i: number, tension: number): void {
    const bone = line.def.bones[i];
    if (!system.isMovable(bone)) return;
    let [along, arm, slope] = [0, 0, 0];
    for (let k = i * 3; k < i * 3 + 3; k++) {
      along += tension * line.slopes[k] * line.arms[k];
      arm += line.arms[k] * line.arms[k];
      slope += line.slopes[k] * line.slopes[k];
    }
    const turn = Math.max(0, 0.5 * (tension * Math.sqrt(arm * slope) - along), -along);
    const across = tension * (inverse(line.segments[i - 1]) + inverse(line.segments[i]));
    // springs between two points are at most twice each point's own
    addDiagonal(system, bone, turn + 2 * across * arm, 2 * across);
  }

  /** Slope of the length by turn and shift of a point's bone, in the axes of the bone. */
  #slopeOf(line: Line, i: number, { rotations }: BonePoses, out: Float64Array): void {
    const { slopes, arms } = line;
    const o = i * 3;
    const r = line.def.bones[i] * 9;
    const [x, y, z] = [slopes[o], slopes[o + 1], slopes[o + 2]];
    const mx = arms[o + 1] * z - arms[o + 2] * y;
    const my = arms[o + 2] * x - arms[o] * z;
    const mz = arms[o] * y - arms[o + 1] * x;
    for (let k = 0; k < 3; k++) {
      out[k] = rotations[r + k] * mx + rotations[r + 3 + k] * my + rotations[r + 6 + k] * mz;
      out[3 + k] = rotations[r + k] * x + rotations[r + 3 + k] * y + rotations[r + 6 + k] * z;
    }
  }

  /** Places of the points, segments, length and its slopes. */
  #place(line: Line, { rotations, translations }: BonePoses): void {
    const { arms, places, slopes, segments } = line;
    const { bones, points } = line.def;
    slopes.fill(0);
    line.length = 0;
    for (let i = 0; i < bones.length; i++) {
      for (let k = 0; k < 3; k++) {
        const r = bones[i] * 9 + k * 3;
        arms[i * 3 + k] =
          rotations[r] * points[i * 3] + rotations[r + 1] * points[i * 3 + 1] + rotations[r + 2] * points[i * 3 + 2];
        places[i * 3 + k] = arms[i * 3 + k] + translations[bones[i] * 3 + k];
      }
      if (i > 0) this.#addSegment(line, i, places, slopes, segments);
    }
  }

  #addSegment(line: Line, i: number, places: Float64Array, slopes: Float64Array, segments: Float64Array): void {
    const o = i * 3;
    const [x, y, z] = [places[o] - places[o - 3], places[o + 1] - places[o - 2], places[o + 2] - places[o - 1]];
    const length = Math.sqrt(x * x + y * y + z * z);
    segments[i - 1] = length;
    line.length += length;
    if (!(length > 0)) return;
    slopes[o] += x / length;
    slopes[o + 1] += y / length;
    slopes[o + 2] += z / length;
    slopes[o - 3] -= x / length;
    slopes[o - 2] -= y / length;
    slopes[o - 1] -= z / length;
  }
}

/** 1/x; 0 where there is no segment, or one without length. */
function inverse(x: number | undefined): number {
  return x !== undefined && x > 0 ? 1 / x : 0;
}

/** What every engine is asked: two bodies on which the truth is known, and how long it takes for them. */

/** A module of somebody else's, without types of ours. */
// biome-ignore lint/suspicious/noExplicitAny: the packages are installed on demand and are no dependency
export type Foreign = any;

/** Acceleration of gravity [m/s²]. */
export const G = 9.81;
/** Two bars of 1 m x 0.1 m x 0.1 m, jointed end to end, released level. */
export const ARM = { length: 1, thick: 0.1, density: 1000, seconds: 1 } as const;
/** Cubes of 0.2 m in columns on a floor, touching each other exactly: at rest, and so they stay. */
export const PILE = { side: 0.2, across: 4, tall: 5, density: 1000, friction: 0.5, seconds: 2 } as const;

/** Where the arm is at the end. */
export interface ArmRun {
  /** Elbow, by the upper and by the lower bar, and tip: x, y each [m]. */
  readonly elbow: readonly [number, number];
  readonly elbowBelow: readonly [number, number];
  readonly tip: readonly [number, number];
  /** Time of the processor it took [ms]. */
  readonly ms: number;
}

/** Where the cubes' centres are at the end, x, y, z each [m]. */
export interface PileRun {
  readonly centres: ArrayLike<number>;
  readonly ms: number;
}

/** An engine with its settings. */
export interface Peer {
  readonly name: string;
  arm(h: number): Promise<ArmRun>;
  pile(h: number): Promise<PileRun>;
}

/** Time the processor has spent on this process [ms]: what else runs on the machine does not count. */
export function busyMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Centres of the cubes at the start [m]. */
export function pileCentres(): [number, number, number][] {
  const { side, across, tall } = PILE;
  const centres: [number, number, number][] = [];
  for (let y = 0; y < tall; y++) {
    for (let x = 0; x < across; x++) {
      // columns stand apart by half a side: what one does must not hold up the next
      for (let z = 0; z < across; z++) centres.push([1.5 * side * x, side * (y + 0.5), 1.5 * side * z]);
    }
  }
  return centres;
}

/** Elbow and tip from the centres of the bars and their turns about z [rad]. */
export function armPoints(upper: readonly number[], lower: readonly number[], angles: readonly [number, number]) {
  const half = ARM.length / 2;
  const along = (centre: readonly number[], angle: number, by: number): [number, number] => [
    centre[0] + by * Math.cos(angle),
    centre[1] + by * Math.sin(angle),
  ];
  return {
    elbow: along(upper, angles[0], half),
    elbowBelow: along(lower, angles[1], -half),
    tip: along(lower, angles[1], half),
  };
}

/** Turn about z of a quaternion x,y,z,w [rad]. */
export function angleOf(x: number, y: number, z: number, w: number): number {
  return Math.atan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z));
}

/** The truth for the arm: Lagrange's equations of two uniform bars by Runge-Kutta of fourth order with steps of 10 µs. */
export function trueArm(): { readonly elbow: [number, number]; readonly tip: [number, number] } {
  const { length: l, thick, seconds } = ARM;
  const d = l / 2;
  const own = (l * l + thick * thick) / 12;
  // per unit of mass of one bar; angles from +x
  const slope = ([a, b, va, vb]: readonly number[]): number[] => {
    const [c, s] = [Math.cos(a - b), Math.sin(a - b)];
    const [m11, m12, m22] = [own + d * d + l * l, l * d * c, own + d * d];
    const f1 = -l * d * vb * vb * s - (d + l) * G * Math.cos(a);
    const f2 = l * d * va * va * s - d * G * Math.cos(b);
    const det = m11 * m22 - m12 * m12;
    return [va, vb, (m22 * f1 - m12 * f2) / det, (m11 * f2 - m12 * f1) / det];
  };
  const h = 1e-5;
  let y = [0, 0, 0, 0];
  const moved = (k: readonly number[], by: number): number[] => y.map((value, i) => value + by * k[i]);
  for (let n = 0; n < Math.round(seconds / h); n++) {
    const k1 = slope(y);
    const k2 = slope(moved(k1, h / 2));
    const k3 = slope(moved(k2, h / 2));
    const k4 = slope(moved(k3, h));
    y = y.map((value, i) => value + (h / 6) * (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]));
  }
  const elbow: [number, number] = [l * Math.cos(y[0]), l * Math.sin(y[0])];
  return { elbow, tip: [elbow[0] + l * Math.cos(y[1]), elbow[1] + l * Math.sin(y[1])] };
}

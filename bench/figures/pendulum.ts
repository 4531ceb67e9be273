/** Figure 9 of [Li2019]: a rigid bar on a pin, released level, against Runge-Kutta. */
import { createWorld, disposeWorld, stepWorld, type WorldOptions } from '../../src/index.js';
import { buildBoxes } from './boxes.js';
import { COLORS, type Figure, type Series } from './svg-plot.js';

const G = 9.81;
const SECONDS = 3;
/** Inertia of the uniform bar (1 m, 0.1 m thick) about its end over its mass [m²], and distance of its centre [m]. */
const INERTIA = 1 / 3 + 0.01 / 12;
const ARM = 0.5;
/** Every so many seconds a point is kept. */
const KEPT = 0.01;

/** Angle of the bar from level [rad], never jumping, and distance of its tip from where Runge-Kutta has it [m]. */
export interface PendulumCurve {
  readonly integrator: 'backwardEuler' | 'bdf2';
  readonly h: number;
  readonly angle: readonly number[];
  readonly tipError: readonly number[];
}

/** Everything Figure 9 shows. */
export interface PendulumData {
  readonly time: readonly number[];
  readonly reference: readonly number[];
  readonly curves: readonly PendulumCurve[];
}

/** Swings for three seconds with both integrators and two time steps. */
export async function measurePendulum(): Promise<PendulumData> {
  const reference = rungeKutta(1e-4);
  const curves: PendulumCurve[] = [];
  for (const integrator of ['backwardEuler', 'bdf2'] as const) {
    for (const h of [0.01, 0.001]) {
      const angle = await swing(h, { integrator, iterations: h === 0.01 ? 8 : 4 });
      const tipError = angle.map((value, i) => 2 * Math.abs(Math.sin((value - reference[i]) / 2)));
      curves.push({ integrator, h, angle, tipError });
    }
  }
  return { time: reference.map((_, i) => i * KEPT), reference, curves };
}

/** Draws it. */
export function plotPendulum({ time, reference, curves }: PendulumData): Figure {
  const looks = [
    { color: COLORS.red, label: 'backward Euler, h = 0.01 s' },
    { color: COLORS.orange, label: 'backward Euler, h = 0.001 s' },
    { color: COLORS.blue, label: 'BDF2, h = 0.01 s' },
    { color: COLORS.sky, label: 'BDF2, h = 0.001 s' },
  ];
  const degrees = (angles: readonly number[]) => angles.map((angle) => (angle * 180) / Math.PI);
  const rk4: Series = { x: time, y: degrees(reference), color: COLORS.black, label: 'Runge-Kutta', width: 3.6 };
  const x = { label: 'time [s]', range: [0, SECONDS] } as const;
  return {
    description: 'A rigid bar swinging from one end, by backward Euler and BDF2, against Runge-Kutta.',
    legend: [rk4, ...looks.map((look) => ({ ...look, x: [], y: [] }))],
    panels: [
      {
        title: '(a) angle from level',
        x,
        y: { label: 'angle [degrees]', range: [-190, 10], ticks: [-180, -135, -90, -45, 0] },
        series: [rk4, ...curves.map(({ angle }, i) => ({ x: time, y: degrees(angle), width: 1.6, ...looks[i] }))],
        legend: 'none',
      },
      {
        title: '(b) distance of the tip from Runge-Kutta',
        x,
        y: { label: 'distance [m]', scale: 'log', range: [1e-7, 10] },
        series: curves.map(({ tipError }, i) => ({ x: time, y: tipError, ...looks[i] })),
        legend: 'none',
      },
    ],
  };
}

/** One line for the terminal. */
export function describePendulum({ curves }: PendulumData): string {
  const parts = curves.map(({ integrator, h, tipError }) => {
    const name = integrator === 'bdf2' ? 'BDF2' : 'backward Euler';
    return `${name} h=${h}: ${tipError[tipError.length - 1].toPrecision(3)} m`;
  });
  return `tip against Runge-Kutta after ${SECONDS} s: ${parts.join(', ')}`;
}

/** Angle every KEPT seconds from the solver. */
async function swing(h: number, options: WorldOptions): Promise<number[]> {
  const body = buildBoxes(
    [{ name: 'bar', centre: [ARM, 0, 0], sides: [1, 0.1, 0.1] }],
    [{ name: 'pin', type: 'ball', bones: ['bar'], anchor: [0, 0, 0] }],
  );
  const scene = { name: 'bar', description: '', bodies: [{ body }], gravity: [0, -G, 0], dt: h } as const;
  const world = await createWorld(scene, options);
  const { rotations } = world.bodies[0].state.poses;
  const angles = [0];
  for (let n = 1; n <= Math.round(SECONDS / h); n++) {
    if (!stepWorld(world)) throw world.fault;
    if (n % Math.round(KEPT / h) === 0) angles.push(Math.atan2(rotations[3], rotations[0]));
  }
  disposeWorld(world);
  return unwrap(angles);
}

/** Angle every KEPT seconds: θ'' = −g d cos θ / (I/m), classical fourth order. */
function rungeKutta(h: number): number[] {
  const acceleration = (angle: number) => (-G * ARM * Math.cos(angle)) / INERTIA;
  let angle = 0;
  let rate = 0;
  const angles = [0];
  const every = Math.round(KEPT / h);
  for (let n = 1; n <= Math.round(SECONDS / h); n++) {
    const a1 = acceleration(angle);
    const r2 = rate + (h / 2) * a1;
    const a2 = acceleration(angle + (h / 2) * rate);
    const r3 = rate + (h / 2) * a2;
    const a3 = acceleration(angle + (h / 2) * r2);
    const r4 = rate + h * a3;
    const a4 = acceleration(angle + h * r3);
    angle += (h / 6) * (rate + 2 * r2 + 2 * r3 + r4);
    rate += (h / 6) * (a1 + 2 * a2 + 2 * a3 + a4);
    if (n % every === 0) angles.push(angle);
  }
  return angles;
}

/** The same angles without jumps of a whole turn. */
function unwrap(angles: readonly number[]): number[] {
  let turns = 0;
  return angles.map((angle, i) => {
    if (i > 0) turns -= Math.round((angle - angles[i - 1]) / (2 * Math.PI));
    return angle + 2 * Math.PI * turns;
  });
}

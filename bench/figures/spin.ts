/** How fast a free bone loses its spin to the integrator: backward Euler against BDF2. */
import { createWorld, disposeWorld, stepWorld } from '../../src/index.js';
import { buildBoxes } from './boxes.js';
import { COLORS, type Figure } from './svg-plot.js';

const SECONDS = 3;
/** One turn per second [rad/s]. */
const OMEGA = 2 * Math.PI;

/** Spin at each step [rad/s]. */
export interface SpinCurve {
  readonly integrator: 'backwardEuler' | 'bdf2';
  readonly h: number;
  readonly time: readonly number[];
  readonly spin: readonly number[];
}

/** Spins for three seconds, both integrators, frames of 30, 60 and 240 Hz. */
export async function measureSpin(): Promise<SpinCurve[]> {
  const curves: SpinCurve[] = [];
  for (const integrator of ['backwardEuler', 'bdf2'] as const) {
    for (const rate of [30, 60, 240]) curves.push(await turn(integrator, 1 / rate));
  }
  return curves;
}

/** Draws it. */
export function plotSpin(curves: readonly SpinCurve[]): Figure {
  const colors = [COLORS.red, COLORS.orange, COLORS.green];
  const panel = (integrator: SpinCurve['integrator'], title: string) => {
    const own = curves.filter((curve) => curve.integrator === integrator);
    const lines = own.map(({ h, time, spin }, i) => ({
      x: time,
      y: spin.map((value) => value / OMEGA),
      color: colors[i],
      label: `h = 1/${Math.round(1 / h)} s`,
    }));
    return {
      title,
      x: { label: 'time [s]', range: [0, SECONDS] },
      y: { label: 'spin, relative to the start', range: [0, 1.05], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1] },
      series: [
        { x: [0, SECONDS], y: [1, 1], color: COLORS.black, style: 'dashed', width: 1.3, label: 'true' },
        ...lines,
      ],
      legend: integrator === 'backwardEuler' ? 'bottomLeft' : 'none',
    } as const;
  };
  return {
    description: 'Spin of a free rigid box that starts with one turn per second, by backward Euler and by BDF2.',
    panels: [panel('backwardEuler', '(a) backward Euler'), panel('bdf2', '(b) BDF2')],
  };
}

/** One line for the terminal. */
export function describeSpin(curves: readonly SpinCurve[]): string {
  const parts = curves.map(({ integrator, h, spin }) => {
    const lost = 100 * (1 - spin[spin.length - 1] / OMEGA);
    return `${integrator === 'bdf2' ? 'BDF2' : 'backward Euler'} h=1/${Math.round(1 / h)}: ${lost.toPrecision(2)} %`;
  });
  return `spin lost in ${SECONDS} s: ${parts.join(', ')}`;
}

async function turn(integrator: SpinCurve['integrator'], h: number): Promise<SpinCurve> {
  const body = buildBoxes([{ name: 'box', centre: [0, 0, 0], sides: [0.3, 0.2, 0.1] }], []);
  const scene = { name: 'spin', description: '', bodies: [{ body }], gravity: [0, 0, 0], dt: h } as const;
  const world = await createWorld(scene, { integrator, iterations: 40 });
  const { state } = world.bodies[0];
  // The rate each integrator would itself have left after a step that turned the box by ωh, columns of R first: a
  // difference, (R − R_before)/h, for backward Euler and the derivative, to second order, for BDF2.
  const second = integrator === 'bdf2';
  const turned = second ? 0 : (1 - Math.cos(OMEGA * h)) / h;
  const turning = second ? OMEGA : Math.sin(OMEGA * h) / h;
  state.boneRates.set([turned, turning, 0, -turning, turned, 0]);
  const time = [0];
  const spin = [OMEGA];
  let before = 0;
  for (let n = 1; n <= Math.round(SECONDS / h); n++) {
    if (!stepWorld(world)) throw world.fault;
    const now = Math.atan2(state.poses.rotations[3], state.poses.rotations[0]);
    time.push(n * h);
    spin.push(Math.atan2(Math.sin(now - before), Math.cos(now - before)) / h);
    before = now;
  }
  disposeWorld(world);
  return { integrator, h, time, spin };
}

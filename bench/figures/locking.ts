/**
 * Figures 6 and 7 of [Li2019]: a bar whose rigid ends are wrung in opposite directions by a couple on each. Imitated bones
 * lock: the stiffer they are, the less they turn per iteration.
 */

import { buildBar } from '../../scenes/cast/bar.js';
import type { BodyDef } from '../../src/body/body-def.js';
import type { Model } from '../../src/body/model.js';
import { createWorld, disposeWorld, resetWorld, stepWorld } from '../../src/index.js';
import { withStiffBones } from '../../src/solvers/projective/compare/imitate-bones.js';
import { plainFlesh } from './boxes.js';
import { iterateShapes } from './shape-loop.js';
import { COLORS, type Figure, type Series } from './svg-plot.js';

const H = 0.033;
/** How far the couple would turn a free end in one step [rad]. */
const TURN = 0.2;
/** Iterations at which the turn is read. */
export const LOCKING_ITERATIONS = [1, 2, 3, 4, 5, 7, 10, 14, 20, 30, 50, 70, 100, 140, 200, 300];
export const STIFF_FACTORS = [10, 100, 1000];
export const SHAPE_WEIGHTS = [10, 100, 1000];

/** Share of the true turn that is reached after each of LOCKING_ITERATIONS. */
export interface LockingData {
  readonly exact: readonly number[];
  /** One curve per factor of STIFF_FACTORS. */
  readonly stiff: readonly (readonly number[])[];
  /** One curve per weight of SHAPE_WEIGHTS. */
  readonly shape: readonly (readonly number[])[];
  /** 1 − ρᵏ with ρ = w / (w + m/h²), per weight: a bone by itself. */
  readonly closedForm: readonly (readonly number[])[];
  /** A bone by itself, measured, per weight. */
  readonly alone: readonly (readonly number[])[];
}

/** Wrings the bar. */
export async function measureLocking(): Promise<LockingData> {
  const body = buildBar({ cells: [20, 4, 4], cell: 0.05, boneLayers: 6, material: plainFlesh(1e3) });
  const ends = (body.bones ?? []).map((bone) => Array.from(bone.vertices));
  const exactTurns = await turnInWorld(body, ends);
  const full = exactTurns[exactTurns.length - 1];
  const shares = (turns: readonly number[], whole: number) => turns.map((turn) => turn / whole);
  const stiff: number[][] = [];
  for (const factor of STIFF_FACTORS) stiff.push(shares(await turnInWorld(withStiffBones(body, factor), ends), full));
  const shape: number[][] = [];
  const alone: number[][] = [];
  for (const weight of SHAPE_WEIGHTS) {
    shape.push(shares(await turnInShapes(body, ends, weight), full));
    const bone = loneBone();
    alone.push(shares(await turnInShapes(bone, [Array.from(bone.bones![0].vertices)], weight), TURN));
  }
  const closedForm = SHAPE_WEIGHTS.map((weight) => LOCKING_ITERATIONS.map((k) => 1 - (weight / (weight + 1)) ** k));
  return { exact: shares(exactTurns, full), stiff, shape, closedForm, alone };
}

/** Draws it. */
export function plotLocking(data: LockingData): Figure {
  const x = { label: 'local/global iterations', scale: 'log', range: [1, 300] } as const;
  const y = { label: 'share of the turn reached', range: [0, 1.12], ticks: [0, 0.2, 0.4, 0.6, 0.8, 1] } as const;
  const colors = [COLORS.orange, COLORS.red, COLORS.purple];
  const line = (y: readonly number[], color: string, more: Partial<Series>): Series => {
    return { x: LOCKING_ITERATIONS, y, color, markers: true, ...more };
  };
  const exact = line(data.exact, COLORS.blue, { width: 2.6, tag: { text: 'exact bones', x: 2, y: 1.05 } });
  const spots = [
    { x: 9, y: 0.85, anchor: 'end' },
    { x: 45, y: 0.66, anchor: 'end' },
    { x: 130, y: 0.29, anchor: 'end' },
  ] as const;
  const curves = (all: readonly (readonly number[])[], texts: readonly string[]) =>
    all.map((one, i) => line(one, colors[i], { tag: { ...spots[i], text: texts[i] } }));
  const stiff = curves(
    data.stiff,
    STIFF_FACTORS.map((factor) => `${factor} times as stiff`),
  );
  const shape = curves(
    data.shape,
    SHAPE_WEIGHTS.map((weight) => `wh²/m = ${weight}`),
  );
  const thin = { style: 'dashed', markers: false, width: 1.3 } as const;
  const closed = data.closedForm.map((one, i) =>
    line(one, COLORS.black, { ...thin, tag: i === 0 ? { text: 'dashed: 1 − ρᵏ', x: 24, y: 0.8 } : undefined }),
  );
  return {
    description: 'Share of the true turn reached by the wrung ends of a bar against iterations.',
    panels: [
      { title: '(a) bones imitated by stiff elements', x, y, series: [exact, ...stiff] },
      {
        title: '(b) bones imitated by shape constraints',
        x,
        y,
        series: [exact, ...shape, ...closed],
      },
    ],
  };
}

/** One line for the terminal. */
export function describeLocking(data: LockingData): string {
  const at = LOCKING_ITERATIONS.indexOf(20);
  const list = (curves: readonly (readonly number[])[]) => curves.map((one) => percent(one[at])).join(' / ');
  return `turn reached after 20 iterations: exact ${percent(data.exact[at])} (after 1: ${percent(data.exact[0])}), stiff ×10/×100/×1000 ${list(data.stiff)}, shape weights 10/100/1000 ${list(data.shape)}`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** A box of nearly no stiffness that is one bone: the case with the closed form. */
function loneBone(): BodyDef {
  const bar = buildBar({ cells: [4, 2, 2], cell: 0.05, boneLayers: 2, material: plainFlesh(1e-3) });
  const vertices = Array.from({ length: bar.positions.length / 3 }, (_, i) => i);
  return { ...bar, bones: [{ name: 'all', vertices }], joints: [] };
}

/** Where the couples would take the vertices of the ends in one step; the rest stays. */
function wrung(model: Model, ends: readonly (readonly number[])[]): Float64Array {
  const target = model.positions.slice();
  ends.forEach((vertices, end) => {
    const angle = end === 0 ? TURN : -TURN;
    const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
    for (const v of vertices) {
      const [y, z] = [model.positions[v * 3 + 1], model.positions[v * 3 + 2]];
      target[v * 3 + 1] = cos * y - sin * z;
      target[v * 3 + 2] = sin * y + cos * z;
    }
  });
  return target;
}

/** Angle about the bar's axis by which an end has turned [rad]: the best fit in the masses. */
function turnOf(model: Model, positions: Float64Array, vertices: readonly number[]): number {
  let sine = 0;
  let cosine = 0;
  for (const v of vertices) {
    const [y, z] = [model.positions[v * 3 + 1], model.positions[v * 3 + 2]];
    sine += model.masses[v] * (y * positions[v * 3 + 2] - z * positions[v * 3 + 1]);
    cosine += model.masses[v] * (y * positions[v * 3 + 1] + z * positions[v * 3 + 2]);
  }
  return Math.atan2(sine, cosine);
}

/** Turn of the first end after one step of each number of iterations. */
async function turnInWorld(body: BodyDef, ends: readonly (readonly number[])[]): Promise<number[]> {
  const scene = { name: 'wrung', description: '', bodies: [{ body }], gravity: [0, 0, 0], dt: H } as const;
  // as published: every iteration by itself
  const world = await createWorld(scene, { accelerated: false });
  const { model, state } = world.bodies[0];
  const target = wrung(model, ends);
  const turns = LOCKING_ITERATIONS.map((iterations) => {
    resetWorld(world);
    world.options.iterations = iterations;
    for (let i = 0; i < target.length; i++) {
      state.forces[i] = (model.masses[Math.floor(i / 3)] * (target[i] - model.positions[i])) / (H * H);
    }
    if (!stepWorld(world)) throw world.fault;
    return turnOf(model, state.positions, ends[0]);
  });
  disposeWorld(world);
  return turns;
}

async function turnInShapes(body: BodyDef, ends: readonly (readonly number[])[], weight: number): Promise<number[]> {
  const turns: number[] = [];
  const most = LOCKING_ITERATIONS[LOCKING_ITERATIONS.length - 1];
  await iterateShapes(
    body,
    weight,
    H,
    (model) => wrung(model, ends),
    most,
    (model, positions) => {
      turns.push(turnOf(model, positions, ends[0]));
    },
  );
  return LOCKING_ITERATIONS.map((n) => turns[n - 1]);
}

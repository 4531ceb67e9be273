/**
 * What the departures from [Galoppo2007] buy: a ball pressed 2 cm into a held tube, by number of nodes. As published the force
 * grows with the mesh, because M_λ leaves out how nodes move each other; with the exact compliance it settles.
 */
import { skinLimbs } from '../../scenes/cast/limbs.js';
import type { LayerDef } from '../../src/body/kinds/layer-def.js';
import { ObstacleSet } from '../../src/collision/obstacles/obstacle.js';
import { type PublishedRow, publishedImpulses } from '../../src/solvers/layered/compare/published-contact.js';
import { blockSolve, publishedMatrices } from '../../src/solvers/layered/compare/published-layer.js';
import { LayerBody } from '../../src/solvers/layered/layer-body.js';
import { buildLayerModel } from '../../src/solvers/layered/layer-model.js';
import { LayeredCore } from '../../src/solvers/layered/layered-core.js';
import type { LayeredOptions } from '../../src/solvers/layered/options.js';
import { IMPULSE_N, TOUCH } from '../../src/solvers/layered/touch/touch-list.js';
import { COLORS, type Figure } from './svg-plot.js';

const H = 1 / 60;
/** Nodes around the tube and rings of them. */
const MESHES = [
  [10, 29],
  [14, 41],
  [20, 58],
  [28, 82],
  [40, 116],
] as const;
const MATERIAL = { model: 'corotated', youngModulus: 4e4, poissonRatio: 0.4, density: 1000 } as const;
/** The ball [m]: 2 cm deep in a tube of radius 8 cm. */
const RADIUS = 0.5;
const HEIGHT = 0.56;
/** A force that lasts has no inertia in it; as good as none [kg]. */
const NO_MASS = 1e-9;

/** Mesh whose pressure is shown. */
const SHOWN = [28, 82] as const;

/** Force on the ball by number of nodes [N], and pressure along the top of the tube by place [kPa]. */
export interface PressedTubeData {
  readonly nodes: readonly number[];
  readonly exact: readonly number[];
  readonly published: readonly number[];
  /** Places from the middle [m]. */
  readonly places: readonly number[];
  readonly exactPressure: readonly number[];
  readonly publishedPressure: readonly number[];
}

/** Presses tubes of all sizes. */
export function measurePressedTube(): PressedTubeData {
  const exact = pressureOnTop(press(...SHOWN, 'exact'));
  const published = pressureOnTop(press(...SHOWN, 'printed'));
  return {
    nodes: MESHES.map(([around, rings]) => around * rings + 2),
    exact: MESHES.map(([around, rings]) => pressTube(around, rings, 'exact')),
    published: MESHES.map(([around, rings]) => pressTube(around, rings, 'printed')),
    places: exact.places,
    exactPressure: exact.pressures,
    publishedPressure: published.pressures,
  };
}

/** Force on the ball [N], every node able to touch: with the exact compliance, or with the rows of the paper. */
export function pressTube(around: number, rings: number, contact: LayeredOptions['contact']): number {
  const { touches } = press(around, rings, contact);
  let force = 0;
  for (let c = 0; c < touches.count; c++) force += touches.data[TOUCH * c + IMPULSE_N] / H;
  return force;
}

/** The same by the matrices of the paper, without a step: every node in the ball is to leave it [N]. */
export function pressByRows(around: number, rings: number): number {
  const model = buildLayerModel(tube(around, rings));
  const body = new LayerBody(model);
  body.place([0, 0, 0], [0, 0, 0, 1]);
  const masses = new Float64Array(model.nodeCount).fill(NO_MASS);
  const matrices = publishedMatrices(body, model.stiffness, masses, H);
  const impulses = publishedImpulses(matrices, blockSolve(matrices), rowsInBall(model.positions));
  return impulses.reduce((sum, impulse) => sum + impulse, 0) / H;
}

function press(around: number, rings: number, contact: LayeredOptions['contact']): LayeredCore {
  const body = new LayerBody(buildLayerModel(tube(around, rings)));
  body.place([0, 0, 0], [0, 0, 0, 1]);
  const ball = {
    name: 'ball',
    shape: { kind: 'sphere', radius: RADIUS },
    position: [0, HEIGHT, 0],
    friction: 0,
  } as const;
  const core = new LayeredCore([body], new ObstacleSet([ball]), { sweeps: 300, selfContact: false, contact });
  for (let step = 0; step < 40; step++) {
    core.obstacles.predict(H);
    core.step([0, 0, 0], H);
    core.obstacles.commit();
  }
  return core;
}

/** Pressure on the nodes along the top of the tube [kPa]. */
function pressureOnTop({ bodies: [{ model }], touches }: LayeredCore): { places: number[]; pressures: number[] } {
  const { positions, areas } = model;
  const top = Array.from(areas.keys()).filter((p) => {
    const isTop = positions[3 * p + 1] > 0.0799 && Math.abs(positions[3 * p + 2]) < 1e-6;
    return isTop && Math.abs(positions[3 * p]) < 0.2;
  });
  top.sort((a, b) => positions[3 * a] - positions[3 * b]);
  const force = new Float64Array(areas.length);
  for (let c = 0; c < touches.count; c++) force[touches.nodes[2 * c]] += touches.data[TOUCH * c + IMPULSE_N] / H;
  return { places: top.map((p) => positions[3 * p]), pressures: top.map((p) => force[p] / areas[p] / 1000) };
}

/** Every node in the ball is to leave it in one step. */
function rowsInBall(positions: Float64Array): PublishedRow[] {
  const rows: PublishedRow[] = [];
  for (let node = 0; node < positions.length / 3; node++) {
    const [x, y, z] = [positions[3 * node], positions[3 * node + 1] - HEIGHT, positions[3 * node + 2]];
    const distance = Math.sqrt(x * x + y * y + z * z);
    if (distance >= RADIUS) continue;
    const normal = [x / distance, y / distance, z / distance] as const;
    rows.push({ node, normal, speed: (RADIUS - distance) / H });
  }
  return rows;
}

/** 1 m long, held by its one bone. */
function tube(around: number, rings: number): LayerDef {
  const points = [
    [-0.5, 0, 0],
    [0.5, 0, 0],
  ] as const;
  const def = skinLimbs('tube', [{ name: 'tube', points, radii: [0.08, 0.08], rings }], around);
  const bones = def.bones.map((bone) => ({ ...bone, kinematic: true }));
  return { ...def, bones, material: MATERIAL, contactSpacing: 0 };
}

/** Draws it. */
export function plotPressedTube(data: PressedTubeData): Figure {
  const { nodes, exact, published, places, exactPressure, publishedPressure } = data;
  const x = { label: 'nodes of the skin', scale: 'log', range: [200, 6000] } as const;
  const y = { label: 'force on the ball [N]', scale: 'log', range: [100, 10000] } as const;
  return {
    description:
      'Force on a ball pressed into a tube by number of nodes, and pressure along the tube, exact and as published',
    panels: [
      {
        title: 'A ball pressed 2 cm into a soft tube',
        legend: 'topLeft',
        x,
        y,
        series: [
          { x: nodes, y: exact, color: COLORS.blue, markers: true, width: 2.6, label: 'exact compliance' },
          { x: nodes, y: published, color: COLORS.red, markers: true, label: 'as published: block diagonal' },
        ],
      },
      {
        title: `Pressure along the top, ${SHOWN[0] * SHOWN[1] + 2} nodes`,
        x: { label: 'place along the tube [m]', range: [-0.2, 0.2] },
        y: { label: 'pressure [kPa]', range: [0, Math.ceil(Math.max(...publishedPressure) / 20) * 20] },
        series: [
          { x: places, y: exactPressure, color: COLORS.blue, markers: true, width: 2.6 },
          { x: places, y: publishedPressure, color: COLORS.red, markers: true },
        ],
        legend: 'none',
      },
    ],
  };
}

/** Sums it up. */
export function describePressedTube({ nodes, exact, published }: PressedTubeData): string {
  const last = nodes.length - 1;
  const times = (i: number): string => (published[i] / exact[i]).toFixed(1);
  return `as published ${times(0)} times the force at ${nodes[0]} nodes, ${times(last)} times at ${nodes[last]}`;
}

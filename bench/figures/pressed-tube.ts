/**
 * What the departures from [Galoppo2007] buy: a ball pressed 2 cm into a held tube, by number of nodes. As published the force
 * grows with the mesh, because M_λ leaves out how nodes move each other; with the exact compliance it settles.
 */
import { skinLimbs } from '../../scenes/cast/limbs.js';
import type { LayerDef } from '../../src/body/kinds/layer-def.js';
import { lameOf } from '../../src/body/materials.js';
import { ObstacleSet } from '../../src/collision/obstacles/obstacle.js';
import { type PublishedRow, publishedImpulses } from '../../src/solvers/layered/compare/published-contact.js';
import { blockSolve, publishedMatrices } from '../../src/solvers/layered/compare/published-layer.js';
import { LayerBody } from '../../src/solvers/layered/layer-body.js';
import { buildLayerModel } from '../../src/solvers/layered/layer-model.js';
import { LayeredCore } from '../../src/solvers/layered/layered-core.js';
import { layerModulus, skinMatrix } from '../../src/solvers/layered/skin/skin-matrix.js';
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

/** Force on the ball by number of nodes [N]. */
export interface PressedTubeData {
  readonly nodes: readonly number[];
  readonly exact: readonly number[];
  readonly published: readonly number[];
}

/** Presses tubes of all sizes. */
export function measurePressedTube(): PressedTubeData {
  return {
    nodes: MESHES.map(([around, rings]) => around * rings + 2),
    exact: MESHES.map(([around, rings]) => pressTube(around, rings, 'exact')),
    published: MESHES.map(([around, rings]) => pressTube(around, rings, 'published')),
  };
}

/** Force on the ball [N]: with the layered solver, every node able to touch, or by the block-diagonal rows of the paper. */
export function pressTube(around: number, rings: number, contact: 'exact' | 'published'): number {
  const model = buildLayerModel(tube(around, rings));
  const body = new LayerBody(model);
  body.place([0, 0, 0], [0, 0, 0, 1]);
  if (contact === 'exact') return pressExactly(body);
  const { positions, triangles, areas, depths } = model;
  const modulus = layerModulus(lameOf(MATERIAL, 'material'));
  const stiffness = skinMatrix({ positions, triangles }, areas, depths, modulus);
  const masses = new Float64Array(model.nodeCount).fill(NO_MASS);
  const matrices = publishedMatrices(body, stiffness, masses, H);
  const impulses = publishedImpulses(matrices, blockSolve(matrices), rowsInBall(positions));
  return impulses.reduce((sum, impulse) => sum + impulse, 0) / H;
}

function pressExactly(body: LayerBody): number {
  const ball = {
    name: 'ball',
    shape: { kind: 'sphere', radius: RADIUS },
    position: [0, HEIGHT, 0],
    friction: 0,
  } as const;
  const core = new LayeredCore([body], new ObstacleSet([ball]), { sweeps: 300, selfContact: false });
  for (let step = 0; step < 40; step++) {
    core.obstacles.predict(H);
    core.step([0, 0, 0], H);
    core.obstacles.commit();
  }
  let force = 0;
  for (let c = 0; c < core.touches.count; c++) force += core.touches.data[TOUCH * c + IMPULSE_N] / H;
  return force;
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
export function plotPressedTube({ nodes, exact, published }: PressedTubeData): Figure {
  const x = { label: 'nodes of the skin', scale: 'log', range: [200, 6000] } as const;
  const y = { label: 'force on the ball [N]', scale: 'log', range: [100, 10000] } as const;
  return {
    description: 'Force on a ball pressed into a tube, by number of nodes, exact and as published',
    panels: [
      {
        title: 'A ball pressed 2 cm into a soft tube',
        x,
        y,
        series: [
          { x: nodes, y: exact, color: COLORS.blue, markers: true, width: 2.6, label: 'exact compliance' },
          { x: nodes, y: published, color: COLORS.red, markers: true, label: 'as published: block diagonal' },
        ],
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

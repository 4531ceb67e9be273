/**
 * A rigid body's outside for finding contacts: a signed distance, asked by others, and samples, points with a radius that ask the
 * distance of others. A ball is one sample, a rod a few, a ring twenty; boxes and meshes are vertices and points on edges, of no
 * radius, that know which way is out.
 */

import type { RigidShape } from '../../body/kinds/rigid-def.js';
import { cos, sin } from '../../math/trig.js';
import { probeShape, type ShapeDef, type ShapeProbe } from '../shapes/shape.js';
import { shapeBox } from '../shapes/shape-box.js';
import { cappedSamples, meshSamples } from './mesh-samples.js';

/** What rigid bodies and obstacles can look like. */
export type AnyShape = ShapeDef | RigidShape;

/** The outside of what is never touched: a bone in flesh. */
export const UNTOUCHED: SampledShape = {
  shape: { kind: 'sphere', radius: 0 },
  samples: new Float64Array(0),
  count: 0,
  box: new Float64Array(6),
  reach: 0,
};

type TorusShape = Extract<RigidShape, { readonly kind: 'torus' }>;

/** Numbers per sample: position, radius, outward direction (0, 0, 0: all ways are out). */
export const SAMPLE = 7;

const RING_SAMPLES = 20;
const ROD_SAMPLES = 5;
/** Points along an edge of a box, without its ends. */
const EDGE_SAMPLES = 3;

/** A shape with its samples and the box around it. */
export interface SampledShape {
  readonly shape: AnyShape;
  readonly samples: Float64Array;
  readonly count: number;
  /** Lowest and highest corner in the body's frame [m]; undefined for what has no end (planes, containers). */
  readonly box: Float64Array | undefined;
  /** Of a ball around the origin that holds everything; infinite without a box. */
  readonly reach: number;
  /** Half sides of a box, and of what the axis of a rod is; undefined for everything else. */
  readonly core?: readonly number[];
}

/** Samples of a shape. */
export function sampleShape(shape: AnyShape): SampledShape {
  const samples = Float64Array.from(samplesOf(shape).flat());
  const box = new Float64Array(6);
  const bounded = boxOf(shape, box);
  let reach = 0;
  for (let k = 0; k < 3; k++) reach += Math.max(box[k] * box[k], box[3 + k] * box[3 + k]);
  return {
    shape,
    samples,
    count: samples.length / SAMPLE,
    box: bounded ? box : undefined,
    reach: bounded ? Math.sqrt(reach) : Number.POSITIVE_INFINITY,
    core: coreOf(shape),
  };
}

function coreOf(shape: AnyShape): readonly number[] | undefined {
  if ('container' in shape && shape.container) return undefined;
  if (shape.kind === 'capsule') return [0, shape.halfLength, 0];
  return shape.kind === 'box' ? shape.halfExtents : undefined;
}

function boxOf(shape: AnyShape, box: Float64Array): boolean {
  if (shape.kind !== 'torus') return shapeBox(shape, box);
  const wide = shape.radius + shape.tubeRadius;
  box.set([-wide, -shape.tubeRadius, -wide, wide, shape.tubeRadius, wide]);
  return true;
}

function samplesOf(shape: AnyShape): number[][] {
  if (shape.kind !== 'torus' && 'container' in shape && shape.container) return [];
  switch (shape.kind) {
    case 'sphere':
      return [[0, 0, 0, shape.radius, 0, 0, 0]];
    case 'capsule':
      return Array.from({ length: ROD_SAMPLES }, (_, i) => {
        const y = shape.halfLength * ((2 * i) / (ROD_SAMPLES - 1) - 1);
        return [0, y, 0, shape.radius, 0, 0, 0];
      });
    case 'torus':
      return Array.from({ length: RING_SAMPLES }, (_, i) => {
        const angle = (2 * Math.PI * i) / RING_SAMPLES;
        return [shape.radius * cos(angle), 0, shape.radius * sin(angle), shape.tubeRadius, 0, 0, 0];
      });
    case 'box':
      return boxSamples(shape.halfExtents);
    case 'cylinder':
      return cappedSamples(shape.radius, shape.halfLength);
    case 'mesh':
      return meshSamples(shape.positions, shape.triangles);
    default:
      return [];
  }
}

/** Corners, then points along the edges. */
function boxSamples(half: readonly number[]): number[][] {
  const out: number[][] = [];
  const add = (x: number, y: number, z: number, nx: number, ny: number, nz: number) => {
    const length = Math.sqrt(nx * nx + ny * ny + nz * nz);
    out.push([x * half[0], y * half[1], z * half[2], 0, nx / length, ny / length, nz / length]);
  };
  const ends = [-1, 1];
  for (const x of ends) for (const y of ends) for (const z of ends) add(x, y, z, x, y, z);
  for (let i = 1; i <= EDGE_SAMPLES; i++) {
    const t = (2 * i) / (EDGE_SAMPLES + 1) - 1;
    for (const a of ends) {
      for (const b of ends) {
        add(t, a, b, 0, a, b);
        add(a, t, b, a, 0, b);
        add(a, b, t, a, b, 0);
      }
    }
  }
  return out;
}

/**
 * Distance and outward normal of the shape at the probe's place. `facing`: the outward direction of the sample that asks, in the
 * shape's frame. A wall pushes what comes from outside back into its own inside, never out of it: at an edge the nearest wall can be
 * the wrong one, and then the next wall that faces the sample is meant. False where there is none.
 */
export function probeFacing(sampled: SampledShape, probe: ShapeProbe, facing: Float64Array): boolean {
  const { shape } = sampled;
  const { normal } = probe;
  if (shape.kind === 'torus') probeTorus(shape, probe);
  else probeShape(shape, probe);
  const along = normal[0] * facing[0] + normal[1] * facing[1] + normal[2] * facing[2];
  const directed = facing[0] !== 0 || facing[1] !== 0 || facing[2] !== 0;
  if (!directed || along < FACES) return true;
  return (
    shape.kind === 'box' &&
    !('container' in shape && shape.container) &&
    probeFacedWall(shape.halfExtents, probe, facing)
  );
}

/** Cosine below which a wall and a sample face each other. */
const FACES = -0.2;
/** How far beside a wall a sample may be, as a share of the box, to be held by it. */
const BESIDE = 1e-3;

/** The nearest wall of a box among those that face the sample, if the sample is over it. */
function probeFacedWall(half: readonly number[], { at, normal, distance }: ShapeProbe, facing: Float64Array): boolean {
  let best = -1;
  let over = Number.NEGATIVE_INFINITY;
  for (let k = 0; k < 3; k++) {
    if (!(Math.abs(facing[k]) > -FACES)) continue;
    const sign = facing[k] < 0 ? 1 : -1;
    const away = sign * at[k] - half[k];
    if (away > over) {
      over = away;
      best = k;
    }
  }
  if (best < 0 || over < -half[best]) return false;
  for (let k = 0; k < 3; k++) if (k !== best && Math.abs(at[k]) > half[k] * (1 + BESIDE)) return false;
  normal.fill(0);
  normal[best] = facing[best] < 0 ? 1 : -1;
  distance[0] = over;
  return true;
}

function probeTorus({ radius, tubeRadius }: TorusShape, { at, normal, distance }: ShapeProbe): void {
  const across = Math.sqrt(at[0] * at[0] + at[2] * at[2]);
  const usable = across > 1e-150;
  const rx = usable ? at[0] / across : 1;
  const rz = usable ? at[2] / across : 0;
  const out = across - radius;
  const length = Math.sqrt(out * out + at[1] * at[1]);
  distance[0] = length - tubeRadius;
  const known = length > 1e-150;
  normal[0] = known ? (rx * out) / length : 0;
  normal[1] = known ? at[1] / length : 1;
  normal[2] = known ? (rz * out) / length : 0;
}

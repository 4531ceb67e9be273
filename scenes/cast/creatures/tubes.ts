/** Soft hollow tubes, open at both ends, along x: one, or two that cross and share their hollow. No bones. */
import type { BodyDef } from '../../../src/body/body-def.js';
import { meshCharacter } from '../../../src/character/shapes/mesh-character.js';
import type { Shape } from '../../../src/character/shapes/sdf.js';
import { smoothIntersection, smoothUnion } from '../../../src/character/shapes/sdf-combine.js';
import { square } from '../../../src/math/powers.js';

/** How to build tubes. */
export interface TubesOptions {
  /** Side of the lattice cubes [m]; default 0.01 (48,000 tetrahedra), coarse 0.0235 (3,700). */
  readonly cell?: number;
  /** Two tubes crossing at right angles, the second along z; default false. */
  readonly crossing?: boolean;
  /** The flesh vertices of the end at x = 0 stay where they are; default true. */
  readonly pinned?: boolean;
}

const LENGTH = 0.4;
const RADIUS = 0.065;
const WALL = 0.026;
/** To which the rims are rounded at most [m]. */
const RIM = 0.011;

/** Builds the tube: from x = 0 to 0.4 m, the second one through its middle. */
export function buildTubes(options: TubesOptions = {}): BodyDef {
  const { cell = 0.01, crossing = false, pinned = true } = options;
  const inner = RADIUS - Math.max(WALL, 1.2 * cell);
  // A rim rounder than the lattice can follow would come out ragged.
  const rim = cell < 0.015 ? RIM : RIM / 2;
  const outside = [tube(0, RADIUS, rim)];
  // Longer than the outside, so that both ends are open.
  const inside = [tube(0.1, inner, 0)];
  if (crossing) {
    outside.push(alongZ(outside[0]));
    inside.push(alongZ(inside[0]));
  }
  const skin = smoothIntersection(1.6 * rim, smoothUnion(0.03, outside), complement(smoothUnion(0.01, inside)));
  const body = meshCharacter({ name: 'tubes', skin, bones: [], cell, snap: 1 });
  return pinned ? { ...body, pins: verticesBefore(body.positions, 0.8 * cell) } : body;
}

/** A cylinder along x, longer than the tube by `extra` at either end, edges rounded to `rim` [m]. */
function tube(extra: number, radius: number, rim: number): Shape {
  const half = LENGTH / 2 + extra;
  const distance = (x: number, y: number, z: number): number => {
    const along = Math.abs(x - LENGTH / 2) - half + rim;
    const across = Math.sqrt(y * y + z * z) - radius + rim;
    const outer = Math.sqrt(square(Math.max(0, along)) + square(Math.max(0, across)));
    return Math.min(0, Math.max(along, across)) + outer - rim;
  };
  return {
    distance,
    low: [LENGTH / 2 - half, -radius, -radius],
    high: [LENGTH / 2 + half, radius, radius],
  };
}

function complement({ distance }: Shape): Shape {
  return {
    distance: (x, y, z) => -distance(x, y, z),
    low: [-Infinity, -Infinity, -Infinity],
    high: [Infinity, Infinity, Infinity],
  };
}

/** The tube turned a quarter about its middle, from the x to the z direction. */
function alongZ({ distance, low, high }: Shape): Shape {
  const middle = LENGTH / 2;
  return {
    distance: (x, y, z) => distance(middle + z, y, x - middle),
    low: [middle + low[2], low[1], low[0] - middle],
    high: [middle + high[2], high[1], high[0] - middle],
  };
}

function verticesBefore(positions: Float64Array, x: number): Int32Array {
  const found: number[] = [];
  for (let i = 0; i < positions.length; i += 3) if (positions[i] < x) found.push(i / 3);
  return Int32Array.from(found);
}

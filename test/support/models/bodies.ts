/** Small bodies for physics tests: boxes of known inertia, chains of them, bars of flesh between bones. */

import { buildScene } from '../../../scenes/index.js';
import type { BodyDef, BoneDef, JointDef, MaterialDef, Vec3 } from '../../../src/body/body-def.js';
import { requireFlesh } from '../../../src/body/kinds/any-body-def.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import type { SceneDef } from '../../../src/scene/scene-def.js';

export const STIFF: MaterialDef = { model: 'arap', youngModulus: 1e5, poissonRatio: 0, density: 1000 };

/** A box that is one rigid bone. */
export interface BoxDef {
  readonly name: string;
  readonly centre: Vec3;
  readonly sides: Vec3;
}

/**
 * Boxes of one cell each, split into five: the eight lumped masses are such that a box of sides a, b, c has the second
 * moments m/4 (a², b², c²) exactly, centre in the middle. A continuum box of sides √3 a, √3 b, √3 c has the same.
 */
export function buildBoxes(boxes: readonly BoxDef[], joints: readonly JointDef[] = [], material = STIFF): BodyDef {
  const positions: number[] = [];
  const tets: number[] = [];
  const bones: BoneDef[] = [];
  for (const { name, centre, sides } of boxes) {
    const first = positions.length / 3;
    const origin = centre.map((c, k) => c - sides[k] / 2) as unknown as Vec3;
    const mesh = buildLattice({ cells: [1, 1, 1], cellSize: sides, origin });
    positions.push(...mesh.positions);
    for (const vertex of mesh.tets) tets.push(vertex + first);
    bones.push({ name, vertices: Array.from({ length: mesh.positions.length / 3 }, (_, i) => first + i) });
  }
  return {
    name: 'boxes',
    positions: Float64Array.from(positions),
    tets: Int32Array.from(tets),
    bones,
    joints,
    materials: [material],
  };
}

/** Sides of the box whose lumped masses have the second moments of a continuum box of the given sides. */
export function lumpedSides(sides: Vec3): Vec3 {
  return [sides[0] / Math.sqrt(3), sides[1] / Math.sqrt(3), sides[2] / Math.sqrt(3)];
}

/** `count` boxes in a row along x, neighbours joined half way between their centres; the first pinned at x = 0 if asked. */
export function buildChain(count: number, options: { pinned?: boolean; size?: number; type?: JointDef['type'] } = {}) {
  const { pinned = false, size = 1, type = 'ball' } = options;
  const boxes = Array.from({ length: count }, (_, i) => ({
    name: `b${i}`,
    centre: [(i + 0.5) * size, 0, 0] as Vec3,
    sides: lumpedSides([size, 0.4 * size, 0.3 * size]),
  }));
  const joints: JointDef[] = [];
  if (pinned) joints.push({ name: 'pin', type, bones: ['b0'], anchor: [0, 0, 0] });
  for (let i = 1; i < count; i++) {
    joints.push({ name: `j${i}`, type, bones: [`b${i - 1}`, `b${i}`], anchor: [i * size, 0, 0] });
  }
  return buildBoxes(boxes, joints);
}

/** A bar of cells along `axis` (x by default) whose first and last layers of vertices are bones `a` and `b`. */
export interface FleshBarOptions {
  readonly cells: readonly [number, number, number];
  readonly cell: number;
  /** Layers of vertices in each bone. */
  readonly layers: number;
  readonly material: MaterialDef;
  readonly axis?: 0 | 1 | 2;
  readonly split?: 'five' | 'six';
  readonly joint?: JointDef['type'] | 'none';
  /** Extra joints. */
  readonly joints?: readonly JointDef[];
}

/** Flesh between two bones, with a joint in the middle of it; low corner at the origin. */
export function buildFleshBar(options: FleshBarOptions): BodyDef {
  const { cells, cell, layers, material, axis = 0, split = 'five', joint = 'ball' } = options;
  const mesh = buildLattice({ cells, cellSize: cell, split });
  const inLayers = (from: number, to: number) => {
    const picked: number[] = [];
    for (let v = 0; v < mesh.positions.length / 3; v++) {
      const layer = Math.round(mesh.positions[v * 3 + axis] / cell);
      if (layer >= from && layer < to) picked.push(v);
    }
    return picked;
  };
  const n = cells[axis];
  const middle = cells.map((c) => (c * cell) / 2) as unknown as Vec3;
  const joints: JointDef[] = [...(options.joints ?? [])];
  if (joint !== 'none') joints.push({ name: 'middle', type: joint, bones: ['a', 'b'], anchor: middle });
  return {
    name: 'fleshBar',
    ...mesh,
    bones: [
      { name: 'a', vertices: inLayers(0, layers) },
      { name: 'b', vertices: inLayers(n + 1 - layers, n + 1) },
    ],
    joints,
    materials: [material],
  };
}

/** A scene whose bodies are all of flesh, by name. */
export function fleshScene(name: string): SceneDef {
  const scene = buildScene(name);
  const bodies = scene.bodies.map((placed, i) => ({ ...placed, body: requireFlesh(placed.body, `bodies/${i}`) }));
  return { ...scene, bodies };
}

/**
 * What hangs on what where a rig does not say: feet that follow a controller hang on the root of the rig, though they belong to
 * the shins they touch. A joint whose skin is far from that of the joint it hangs on, and touches the skin of another, is hung on that.
 */
import type { Vec3 } from '../../body/body-def.js';
import { closestOnTriangle } from '../../mesh/surface/closest-on-triangle.js';
import { largestExtent } from '../../mesh/tets/tet-mesh.js';
import type { Rig } from './rig.js';
import { INFLUENCES } from './rig-collector.js';

/** Scratch: the way to the nearest point of a triangle, which nobody asks for here. */
const WAY = new Float64Array(3);
/** Skin farther apart than the first share of the body's size is apart, nearer than the second it touches. */
const APART = 0.15;
const TOUCHING = 0.015;
/** Points of its skin that stand for a joint. */
const MOST_POINTS = 100;

/** The skin of each joint: corners x,y,z of its triangles, and those of a few of them. */
interface OwnSkin {
  readonly triangles: readonly number[];
  readonly points: readonly number[];
}

/**
 * The parents, with such joints hung on what they touch; of several the one whose skin is nearest to the joint itself.
 * `positions`: those of the rig's vertices, `places`: those of the joints [m]; `areas`: how much skin each joint has [m^2].
 */
export function attachLoose(
  rig: Pick<Rig, 'joints' | 'triangles' | 'owners' | 'weights'>,
  positions: Float32Array,
  places: readonly Vec3[],
  parents: readonly number[],
  areas: ArrayLike<number>,
  notes: string[],
): number[] {
  const skins = ownSkins(rig, positions);
  const hasSkin = (joint: number): boolean => skins[joint].triangles.length > 0;
  const size = largestExtent(positions);
  const attached = [...parents];
  const above = (joint: number): number => {
    let at = attached[joint];
    while (at >= 0 && !hasSkin(at)) at = attached[at];
    return at;
  };
  // joints with skin and none above them hang on the one of them with the most skin
  const tops = parents.map((_, joint) => joint).filter((joint) => hasSkin(joint) && above(joint) < 0);
  const weight = tops.map((top) => parents.reduce((sum, _, j) => sum + (isBelow(parents, j, top) ? areas[j] : 0), 0));
  const root = tops[weight.indexOf(Math.max(...weight))];
  parents.forEach((_, joint) => {
    if (!hasSkin(joint) || joint === root) return;
    const parent = above(joint) < 0 ? root : above(joint);
    if (gap(skins[joint], skins[parent], APART * size) < APART * size) return;
    let best = -1;
    let nearest = Infinity;
    parents.forEach((_parent, other) => {
      if (other === joint || !hasSkin(other) || isBelow(attached, other, joint)) return;
      const away = distanceTo(skins[other].triangles, places[joint], 0);
      if (away >= nearest || gap(skins[joint], skins[other], TOUCHING * size) >= TOUCHING * size) return;
      [nearest, best] = [away, other];
    });
    if (best < 0) return;
    attached[joint] = best;
    const name = (one: number): string => rig.joints[one].name;
    notes.push(`${name(joint)} hangs on ${name(parent)} in the file but touches ${name(best)}: hung on that`);
  });
  return attached;
}

function ownSkins(
  { joints, triangles, owners, weights }: Pick<Rig, 'joints' | 'triangles' | 'owners' | 'weights'>,
  p: Float32Array,
): OwnSkin[] {
  const corners: number[][] = joints.map(() => []);
  const strongest = (v: number): number => {
    let best = INFLUENCES * v;
    for (let k = best + 1; k < INFLUENCES * (v + 1); k++) if (weights[k] > weights[best]) best = k;
    return weights[best] > 0 ? owners[best] : -1;
  };
  for (let t = 0; t < triangles.length; t += 3) {
    const joint = strongest(triangles[t]);
    if (joint < 0 || strongest(triangles[t + 1]) !== joint || strongest(triangles[t + 2]) !== joint) continue;
    for (let k = 0; k < 3; k++) for (let c = 0; c < 3; c++) corners[joint].push(p[3 * triangles[t + k] + c]);
  }
  return corners.map((list) => {
    const step = Math.max(1, Math.ceil(list.length / 3 / MOST_POINTS));
    return { triangles: list, points: list.filter((_, i) => Math.floor(i / 3) % step === 0) };
  });
}

/** Smallest distance found between the skins of two joints; not looked for any further once it is below `enough` [m]. */
function gap(a: OwnSkin, b: OwnSkin, enough: number): number {
  let nearest = Infinity;
  for (const [from, to] of [
    [a, b],
    [b, a],
  ]) {
    for (let i = 0; i < from.points.length && nearest >= enough; i += 3) {
      nearest = Math.min(nearest, distanceTo(to.triangles, from.points, i));
    }
  }
  return nearest;
}

/** Distance of a point from triangles, nine numbers each [m]. */
function distanceTo(triangles: readonly number[], point: ArrayLike<number>, i: number): number {
  const x = point[i];
  const y = point[i + 1];
  const z = point[i + 2];
  let nearest = Infinity;
  for (let corner = 0; corner < triangles.length / 3; corner += 3) {
    nearest = closestOnTriangle(triangles, corner, corner + 1, corner + 2, x, y, z, nearest, WAY);
  }
  return Math.sqrt(nearest);
}

function isBelow(parents: readonly number[], joint: number, ancestor: number): boolean {
  for (let at = joint; at >= 0; at = parents[at]) if (at === ancestor) return true;
  return false;
}

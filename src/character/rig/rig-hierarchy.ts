/**
 * The tree of a rig's joints. Most files have it; some list all joints side by side (hand models of WebXR do), and then it
 * is found from their names, or failing that from which joints are near each other.
 */
import type { Vec3 } from '../../body/body-def.js';
import { square } from '../../math/powers.js';
import type { RigJoint } from './rig.js';

/** Words that say how far along a limb a joint is. */
const RANKS: ReadonlyMap<string, number> = new Map([
  ['metacarpal', 0],
  ['metatarsal', 0],
  ['upper', 0.5],
  ['proximal', 1],
  ['intermediate', 2],
  ['middle', 2],
  ['medial', 2],
  ['lower', 2.5],
  ['distal', 3],
  ['tip', 4],
  ['end', 4],
]);
const ROOT_NAME = /wrist|^hand|root|hips?$|pelvis|spine|torso|body/i;

/** Parent of each joint, -1 for roots. `places`: where they are. */
export function findParents(joints: readonly RigJoint[], places: readonly Vec3[], notes: string[]): number[] {
  const given = joints.map((joint) => joint.parent);
  const roots = given.filter((parent) => parent < 0).length;
  if (joints.length < 3 || roots < 0.7 * joints.length) return given;
  const byName = parentsByName(joints, places);
  if (byName !== undefined) {
    notes.push(`the ${joints.length} joints lie side by side in the file: chained by their names`);
    return byName;
  }
  notes.push(`the ${joints.length} joints lie side by side in the file: chained by nearness`);
  return parentsByNearness(rootOf(joints, places), places);
}

/** Chains joints whose names differ only in words or numbers that say how far along they are; undefined where few do. */
function parentsByName(joints: readonly RigJoint[], places: readonly Vec3[]): number[] | undefined {
  const chains = new Map<string, { joint: number; rank: number }[]>();
  joints.forEach(({ name }, joint) => {
    const { group, rank } = splitName(name);
    if (rank === undefined) return;
    const chain = chains.get(group) ?? [];
    chain.push({ joint, rank });
    chains.set(group, chain);
  });
  const parents = joints.map(() => -1);
  const root = rootOf(joints, places);
  let chained = 0;
  for (const chain of chains.values()) {
    if (chain.length < 2) continue;
    chained += chain.length;
    chain.sort((a, b) => a.rank - b.rank || a.joint - b.joint);
    chain.forEach(({ joint }, i) => {
      parents[joint] = i === 0 ? (joint === root ? -1 : root) : chain[i - 1].joint;
    });
  }
  if (chained < 0.6 * joints.length) return undefined;
  parents.forEach((parent, joint) => {
    if (parent < 0 && joint !== root) parents[joint] = root;
  });
  return isTree(parents) ? parents : undefined;
}

/** "index-finger-phalanx-distal" -> group "index finger phalanx", rank 3; numbers at the end rank by their value. */
function splitName(name: string): { group: string; rank: number | undefined } {
  const words = name
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .replace(/([A-Za-z])(\d)/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
  let rank: number | undefined;
  const group: string[] = [];
  words.forEach((word, i) => {
    // "middle finger" is a finger, "finger middle" a place along it
    const known = i === 0 ? undefined : RANKS.get(word);
    const number = i > 0 && /^\d+$/.test(word) ? Number(word) : undefined;
    if (known !== undefined || number !== undefined) rank = known ?? number;
    else if (word !== 'phalanx') group.push(word);
  });
  return { group: group.join(' '), rank };
}

/** The joint that sounds like the root, else the one nearest to the middle of all. */
function rootOf(joints: readonly RigJoint[], places: readonly Vec3[]): number {
  const named = joints.findIndex(({ name }) => ROOT_NAME.test(name));
  if (named >= 0) return named;
  const middle = [0, 1, 2].map((k) => places.reduce((sum, place) => sum + place[k], 0) / places.length);
  const away = places.map((place) => distanceSq(place, middle));
  return away.indexOf(Math.min(...away));
}

/** A shortest spanning tree, grown from the root (Prim). */
function parentsByNearness(root: number, places: readonly Vec3[]): number[] {
  const parents = places.map(() => -1);
  const nearest = places.map((place) => distanceSq(place, places[root]));
  const link = places.map(() => root);
  const done = places.map((_, i) => i === root);
  for (let n = 1; n < places.length; n++) {
    let next = -1;
    for (let i = 0; i < places.length; i++) {
      if (!done[i] && (next < 0 || nearest[i] < nearest[next])) next = i;
    }
    done[next] = true;
    parents[next] = link[next];
    for (let i = 0; i < places.length; i++) {
      const away = distanceSq(places[i], places[next]);
      if (done[i] || away >= nearest[i]) continue;
      nearest[i] = away;
      link[i] = next;
    }
  }
  return parents;
}

function isTree(parents: readonly number[]): boolean {
  return parents.every((_, start) => {
    let at = start;
    for (let steps = 0; at >= 0; steps++, at = parents[at]) if (steps > parents.length) return false;
    return true;
  });
}

function distanceSq(a: ArrayLike<number>, b: ArrayLike<number>): number {
  return square(a[0] - b[0]) + square(a[1] - b[1]) + square(a[2] - b[2]);
}

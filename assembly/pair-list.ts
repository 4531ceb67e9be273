/**
 * The narrow phase of many pairs, in parts that any thread takes: every part has a table of its own, in which records follow each other. Memory is laid
 * out by src/solvers/coupled/contacts/pair-list.ts. A pair, 24 bytes:
 *
 *     margin (f64) | body a 8, body b 12 | what was found 16 (as `findSoftPair` says it), or `NO_ROOM` | its first record 20
 */
import { findRigidPair, findSoftPair } from './body-pairs';
import { CANDIDATE } from './manifold';
import { refreshFaces } from './soft-faces';

const PAIR: usize = 24;
const MODEL: usize = 64;
const NO_ROOM: u32 = 0xffffffff;
/** Whose faces are asked for. */
const WANTED: u32 = 2;

/** Looks at pairs [first, last) of the list. `table`: of the part; behind the usual, at 40, where its records begin and end, and how many bytes a pair may need. */
export function findPairs(first: usize, last: usize, table: usize, pairs: usize): void {
  const rigid: usize = load<u32>(table, 20);
  const start: u32 = load<u32>(table, 40), end: u32 = load<u32>(table, 44), most: u32 = load<u32>(table, 48);
  let at = start;
  for (let n = first; n < last; n++) {
    const pair = pairs + n * PAIR;
    if (at + most > end) {
      store<u32>(pair, NO_ROOM, 16);
      continue;
    }
    store<u32>(table, at, 24);
    const a: usize = load<u32>(pair, 8), b: usize = load<u32>(pair, 12);
    let found: u32;
    if (b < rigid) {
      const count: u32 = findRigidPair(table, a, b, load<f64>(pair));
      found = count | (count << 16);
    } else found = findSoftPair(table, a, b, load<f64>(pair));
    store<u32>(pair, found, 16);
    store<u32>(pair, at, 20);
    at += (found >>> 16) * <u32>CANDIDATE;
  }
}

/** Boxes of clusters and normals of those soft bodies [first, last) that somebody is going to ask. */
export function refreshBodies(first: usize, last: usize, own: usize, models: usize): void {
  for (let s = first; s < last; s++) {
    const model = models + s * MODEL;
    if (load<u32>(model, 44) == WANTED) refreshFaces(model);
  }
}

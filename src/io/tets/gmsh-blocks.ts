/** Sections of Gmsh's format 4.1, where nodes and elements come in blocks, one per entity. Used by `readGmsh`. */

import type { TextScanner } from '../text/text-scanner.js';
import { type GmshLists, pushGmshElement } from './gmsh-lists.js';

const LIMIT = 0x7fffffff;

/** `$Entities`: which physical group each surface and volume belongs to. */
export function readGmshEntities(scanner: TextScanner, lists: GmshLists): void {
  const max = scanner.limits.maxElements;
  const counts = [0, 0, 0, 0].map(() => scanner.wantInteger('a number of entities', 0, max));
  for (let dimension = 0; dimension < 4; dimension++) {
    for (let i = 0; i < counts[dimension]; i++) {
      const tag = scanner.wantInteger('an entity', -LIMIT, LIMIT);
      const coordinateCount = dimension === 0 ? 3 : 6;
      for (let k = 0; k < coordinateCount; k++) scanner.wantNumber('a coordinate');
      const groupCount = scanner.wantInteger('a number of groups', 0, max);
      for (let k = 0; k < groupCount; k++) {
        const group = scanner.wantInteger('a group', -LIMIT, LIMIT);
        if (k === 0) lists.groups.set(`${dimension} ${tag}`, group);
      }
      if (dimension === 0) continue;
      const boundCount = scanner.wantInteger('a number of bounds', 0, max);
      for (let k = 0; k < boundCount; k++) scanner.wantNumber('a bound');
    }
  }
}

/** `$Nodes` or `$Elements`. */
export function readGmshBlocks(scanner: TextScanner, lists: GmshLists, what: 'nodes' | 'elements'): void {
  const max = what === 'nodes' ? scanner.limits.maxVertices : scanner.limits.maxElements;
  const blockCount = scanner.wantInteger('the number of blocks', 0, max);
  const total = scanner.wantInteger(`the number of ${what}`, 0, max);
  scanner.wantNumber('the smallest number');
  scanner.wantNumber('the largest number');
  let count = 0;
  for (let block = 0; block < blockCount; block++) {
    const first = scanner.wantInteger('the dimension of a block', 0, 3);
    const tag = scanner.wantInteger('the entity of a block', -LIMIT, LIMIT);
    // Nodes: whether parameters follow the coordinates. Elements: their type.
    const third = scanner.wantInteger('a number', 0, 1000);
    const inBlock = scanner.wantInteger('the size of a block', 0, total - count);
    count += inBlock;
    if (what === 'nodes') readNodeBlock(scanner, lists, inBlock, third > 0 ? first : 0);
    else readElementBlock(scanner, lists, { count: inBlock, type: third, dimension: first, tag });
  }
  if (count !== total) scanner.fail(count, `${total} ${what} were announced`);
}

function readNodeBlock(scanner: TextScanner, lists: GmshLists, count: number, parameterCount: number): void {
  const start = lists.positions.length / 3;
  for (let i = 0; i < count; i++) {
    const tag = scanner.wantInteger('the number of a node', 0, Number.MAX_SAFE_INTEGER);
    if (lists.nodes.has(tag)) scanner.fail(tag, 'two nodes have the same number', 'E_DUPLICATE');
    lists.nodes.set(tag, start + i);
  }
  for (let i = 0; i < count; i++) {
    for (let k = 0; k < 3; k++) lists.positions.push(scanner.wantNumber('a coordinate'));
    for (let k = 0; k < parameterCount; k++) scanner.wantNumber('a parameter');
  }
}

interface ElementBlock {
  readonly count: number;
  readonly type: number;
  readonly dimension: number;
  readonly tag: number;
}

function readElementBlock(scanner: TextScanner, lists: GmshLists, block: ElementBlock): void {
  const region = lists.groups.get(`${block.dimension} ${block.tag}`) ?? block.tag;
  for (let i = 0; i < block.count; i++) {
    if (!scanner.nextLine()) scanner.failEnd('an element');
    scanner.number(0);
    pushGmshElement(scanner, lists, { type: block.type, region, firstWord: 1 });
  }
}

/** What both versions of Gmsh's format share: lists that grow, and which elements are of use. Used by `readGmsh`. */
import { pushPolygon, requireCounts } from '../mesh-data.js';
import type { TextScanner } from '../text/text-scanner.js';

/** What has been read of a file so far. */
export interface GmshLists {
  readonly positions: number[];
  readonly tets: number[];
  readonly regions: number[];
  readonly triangles: number[];
  readonly triangleRegions: number[];
  /** Vertex by number of the node: any numbers, in any order. */
  readonly nodes: Map<number, number>;
  /** First physical group of each surface and volume, by `dimension tag`. */
  readonly groups: Map<string, number>;
}

/** An element in the words of the current line. */
export interface GmshElement {
  readonly type: number;
  readonly region: number;
  /** Word that names its first node. */
  readonly firstWord: number;
}

/** Corners by Gmsh's number of the type; those of second order start with the same corners. */
const TRIANGLE_LIKE = new Map([
  [2, 3],
  [9, 3],
  [3, 4],
  [10, 4],
  [16, 4],
]);
const TET_LIKE = [4, 11];

/** Empty lists. */
export function makeGmshLists(): GmshLists {
  return {
    positions: [],
    tets: [],
    regions: [],
    triangles: [],
    triangleRegions: [],
    nodes: new Map(),
    groups: new Map(),
  };
}

/** Adds an element if it is of a kind we use. */
export function pushGmshElement(scanner: TextScanner, lists: GmshLists, element: GmshElement): void {
  const { type, region, firstWord } = element;
  const isTet = TET_LIKE.includes(type);
  const cornerCount = isTet ? 4 : TRIANGLE_LIKE.get(type);
  if (cornerCount === undefined) return;
  const corners: number[] = [];
  for (let i = firstWord; i < firstWord + cornerCount; i++) {
    const vertex = lists.nodes.get(scanner.number(i));
    if (vertex === undefined) scanner.fail(scanner.number(i), 'no node has this number', 'E_INDEX');
    corners.push(vertex);
  }
  if (isTet) {
    lists.tets.push(...corners);
    lists.regions.push(region);
  } else {
    const added = pushPolygon(corners, lists.triangles);
    for (let i = 0; i < added; i++) lists.triangleRegions.push(region);
  }
  requireCounts(scanner, 0, lists.regions.length + lists.triangleRegions.length);
}

/** Steps over the word that ends a section. */
export function wantEnd(scanner: TextScanner, end: string): void {
  const found = scanner.wantText(`"${end}"`);
  if (found !== end) scanner.fail(found, `"${end}" was expected`);
}

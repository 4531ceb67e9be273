/** Bodies for contact tests: boxes, balls and prisms, soft, rigid or half of each, made of a few tets; sizes in metres. */
import type { BodyDef, MaterialDef, Vec3 } from '../../../src/body/body-def.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import { ballBody } from '../checks/penetration.js';

/** What a body is made of: flesh, one bone, or a bone on a layer of flesh. */
export type Kind = 'soft' | 'rigid' | 'bone on flesh';

/** Hard rubber, in which boxes of 20 cm keep their shape. */
export const RUBBER: MaterialDef = { model: 'corotated', youngModulus: 1e6, poissonRatio: 0.4, density: 1000 };

interface Mesh {
  readonly positions: Float64Array;
  readonly tets: Int32Array;
}

/** A mesh as a body without bones. */
export function softBody(name: string, mesh: Mesh, material: MaterialDef = RUBBER): BodyDef {
  return { name, positions: mesh.positions, tets: mesh.tets, bones: [], materials: [material] };
}

/** The body as one bone. */
export function asBone(body: BodyDef): BodyDef {
  const vertices = Array.from({ length: body.positions.length / 3 }, (_, i) => i);
  return { ...body, bones: [{ name: 'bone', vertices }] };
}

/** The body with the vertices pinned for which `held` says so. */
export function withPins(body: BodyDef, held: (x: number, y: number, z: number) => boolean): BodyDef {
  const pins: number[] = [];
  for (let v = 0; v < body.positions.length / 3; v++) {
    const [x, y, z] = body.positions.subarray(v * 3, v * 3 + 3);
    if (held(x, y, z)) pins.push(v);
  }
  return { ...body, pins };
}

export interface BoxOptions {
  readonly sides?: Vec3;
  readonly cells?: readonly [number, number, number];
  readonly material?: MaterialDef;
}

/** A box standing on y = 0, its middle above the origin. */
export function standingBox(kind: Kind, options: BoxOptions = {}): BodyDef {
  const { sides = [0.2, 0.2, 0.2], cells = [4, 4, 4], material = RUBBER } = options;
  const cellSize = sides.map((side, k) => side / cells[k]) as unknown as Vec3;
  const mesh = buildLattice({ cells, cellSize, origin: [-sides[0] / 2, 0, -sides[2] / 2] });
  const body = softBody(`${kind} box`, mesh, material);
  if (kind === 'soft') return body;
  if (kind === 'rigid') return asBone(body);
  const above = [...(asBone(body).bones![0].vertices as number[])].filter(
    (v) => mesh.positions[v * 3 + 1] > 1.2 * cellSize[1],
  );
  return { ...body, bones: [{ name: 'bone', vertices: above }] };
}

/** A ball about the origin. */
export function ball(kind: 'soft' | 'rigid', radius: number, cells: number, material: MaterialDef = RUBBER): BodyDef {
  const body = { ...ballBody(radius, cells), materials: [material] };
  return kind === 'soft' ? body : asBone(body);
}

/** A single tet standing on y = 0. */
export function particle(size: number, material: MaterialDef = RUBBER): BodyDef {
  const corners: Vec3[] = [0, 1, 2].map((i) => {
    const angle = (2 * Math.PI * i) / 3;
    return [size * Math.cos(angle), 0, size * Math.sin(angle)];
  });
  return softBody('particle', solid([...corners, [0, size, 0]], [[0, 1, 2, 3]]), material);
}

/** Tets of positive volume from corners in any order. */
function solid(points: readonly Vec3[], tets: readonly (readonly number[])[]): Mesh {
  const oriented = tets.map(([a, b, c, d]) => {
    const [u, v, w] = [b, c, d].map((i) => [0, 1, 2].map((k) => points[i][k] - points[a][k]));
    const volume =
      u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
    return volume > 0 ? [a, b, c, d] : [a, c, b, d];
  });
  return { positions: Float64Array.from(points.flat()), tets: Int32Array.from(oriented.flat()) };
}

/** A pyramid on a square of the given width in y = 0, its tip at (0, height, 0); a negative height points down. */
export function spike(width: number, height: number): Mesh {
  const w = width / 2;
  const points: Vec3[] = [
    [-w, 0, -w],
    [w, 0, -w],
    [w, 0, w],
    [-w, 0, w],
    [0, height, 0],
  ];
  return solid(points, [
    [0, 1, 2, 4],
    [0, 2, 3, 4],
  ]);
}

/** A cuboid on y = 0 with a pit in its top, an upside-down pyramid `depth` deep that is as wide as the cuboid. */
export function pit(width: number, height: number, depth: number): Mesh {
  const w = width / 2;
  const square = (y: number): Vec3[] => [
    [-w, y, -w],
    [w, y, -w],
    [w, y, w],
    [-w, y, w],
  ];
  const points: Vec3[] = [...square(0), ...square(height), [0, height - depth, 0]];
  const sides = [0, 1, 2, 3].flatMap((i) => {
    const next = (i + 1) % 4;
    return [
      [i, next, next + 4, 8],
      [i, next + 4, i + 4, 8],
    ];
  });
  return solid(points, [[0, 1, 2, 8], [0, 2, 3, 8], ...sides]);
}

/** A polygon in x and y, cut into triangles, drawn out along z from −length/2 to length/2 in `layers` layers. */
function prism(
  outline: readonly (readonly [number, number])[],
  triangles: readonly (readonly number[])[],
  length: number,
  layers = 1,
): Mesh {
  const points: Vec3[] = [];
  for (let layer = 0; layer <= layers; layer++) {
    for (const [x, y] of outline) points.push([x, y, (layer / layers - 0.5) * length]);
  }
  const tets: number[][] = [];
  const n = outline.length;
  for (let from = 0; from < layers * n; from += n) {
    for (const triangle of triangles) {
      // sorted, so that prisms side by side cut the face between them the same way
      const [a, b, c] = [...triangle].sort((i, j) => i - j).map((i) => i + from);
      tets.push([a, b, c, c + n], [a, b, b + n, c + n], [a, a + n, b + n, c + n]);
    }
  }
  return solid(points, tets);
}

/** A prism on y = 0 whose edge runs along z at the given height; a negative height points down. */
export function wedge(width: number, height: number, length: number, layers = 1): Mesh {
  return prism(
    [
      [-width / 2, 0],
      [width / 2, 0],
      [0, height],
    ],
    [[0, 1, 2]],
    length,
    layers,
  );
}

/** A cuboid on y = 0 with a groove along z in its top, `depth` deep and as wide as the cuboid. */
export function groove(width: number, height: number, depth: number, length: number, layers = 1): Mesh {
  const w = width / 2;
  const outline = [
    [-w, 0],
    [w, 0],
    [w, height],
    [0, height - depth],
    [-w, height],
  ] as const;
  return prism(
    outline,
    [
      [0, 1, 3],
      [1, 2, 3],
      [0, 3, 4],
    ],
    length,
    layers,
  );
}

/** A disc about the z axis, its rim a polygon of `corners` corners. */
export function disc(radius: number, width: number, corners: number): Mesh {
  const rim = Array.from({ length: corners }, (_, i): [number, number] => {
    const angle = (2 * Math.PI * i) / corners;
    return [radius * Math.sin(angle), -radius * Math.cos(angle)];
  });
  const slices = rim.map((_, i) => [0, 1 + i, 1 + ((i + 1) % corners)]);
  return prism([[0, 0], ...rim], slices, width);
}

/** Two arms along x, two cells thick and `apart` cells apart, that meet at x = 0 to 0.1: a C. The upper one is shorter. Cells of 5 cm. */
export function hairpin(apart: number): BodyDef {
  const cell = 0.05;
  const mesh = buildLattice({
    cells: [16, 4 + apart, 3],
    cellSize: cell,
    inside: (x, y) => x < 2 * cell || y < 2 * cell || (y > (2 + apart) * cell && x < 12 * cell),
  });
  return softBody('hairpin', mesh, { ...RUBBER, youngModulus: 1e5, poissonRatio: 0.3 });
}

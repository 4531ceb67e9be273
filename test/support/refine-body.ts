/** A body cut finer without being changed otherwise: every tet into eight through the middles of its edges, what is rigid staying as it was. */
import type { BodyDef } from '../../src/body/body-def.js';

/** The body with eight tets for each; its vertices come first, in their order. */
export function refineBody(body: BodyDef): BodyDef {
  const positions = Array.from(body.positions);
  const bones = (body.bones ?? []).map((bone) => ({ ...bone, vertices: Array.from(bone.vertices) }));
  const boneOf = new Map(bones.flatMap(({ vertices }, bone) => vertices.map((v) => [v, bone])));
  const middles = new Map<string, number>();
  const middle = (a: number, b: number): number => {
    const key = `${Math.min(a, b)} ${Math.max(a, b)}`;
    const known = middles.get(key);
    if (known !== undefined) return known;
    const made = positions.length / 3;
    for (let k = 0; k < 3; k++) positions.push((positions[a * 3 + k] + positions[b * 3 + k]) / 2);
    middles.set(key, made);
    const bone = boneOf.get(a);
    if (bone !== undefined && bone === boneOf.get(b)) bones[bone].vertices.push(made);
    return made;
  };
  const tets: number[] = [];
  for (let t = 0; t < body.tets.length; t += 4) {
    const [a, b, c, d] = body.tets.subarray(t, t + 4);
    const [ab, ac, ad, bc, bd, cd] = [
      middle(a, b),
      middle(a, c),
      middle(a, d),
      middle(b, c),
      middle(b, d),
      middle(c, d),
    ];
    for (const corner of [
      [a, ab, ac, ad],
      [ab, b, bc, bd],
      [ac, bc, c, cd],
      [ad, bd, cd, d],
    ])
      tets.push(...corner);
    // what is left is an octahedron, cut along its shortest diagonal
    const cuts: [number, number, number[]][] = [
      [ab, cd, [ac, ad, bd, bc]],
      [ac, bd, [ab, bc, cd, ad]],
      [ad, bc, [ab, bd, cd, ac]],
    ];
    const [[from, to, ring]] = cuts.sort((one, other) => length(positions, one) - length(positions, other));
    for (let k = 0; k < 4; k++) tets.push(...upright(positions, [from, to, ring[k], ring[(k + 1) % 4]]));
  }
  return { ...body, positions: Float64Array.from(positions), tets: Int32Array.from(tets), bones };
}

function length(x: readonly number[], [a, b]: readonly [number, number, number[]]): number {
  return Math.hypot(...[0, 1, 2].map((k) => x[a * 3 + k] - x[b * 3 + k]));
}

/** The tet with its corners in the order that makes its volume positive. */
function upright(x: readonly number[], [a, b, c, d]: readonly number[]): number[] {
  const [[ux, uy, uz], [vx, vy, vz], [wx, wy, wz]] = [b, c, d].map((v) =>
    [0, 1, 2].map((k) => x[v * 3 + k] - x[a * 3 + k]),
  );
  const volume = ux * (vy * wz - vz * wy) - uy * (vx * wz - vz * wx) + uz * (vx * wy - vy * wx);
  return volume > 0 ? [a, b, c, d] : [a, b, d, c];
}

/**
 * Skins made of tubes, one for each limb, on a tree of bones along them: layered characters with any number of nodes, for
 * measuring what a step costs. Limbs overlap where they meet; each is a closed surface of its own.
 */
import type { Vec3 } from '../../src/body/body-def.js';
import type { LayerBoneDef, LayerDef } from '../../src/body/kinds/layer-def.js';
import { cos, sin } from '../../src/math/trig.js';

/** A limb: bones along points, the first joined to a bone of another limb, and how thick it is at its points. */
export interface Limb {
  readonly name: string;
  /** Bone it hangs on; none for the limb with the root. */
  readonly on?: string;
  /** One more than bones [m]. */
  readonly points: readonly Vec3[];
  readonly radii: readonly number[];
  /** Rings of nodes along it. */
  readonly rings: number;
}

const TWO_PI = 6.283185307179586;

/** Builds the skin; `around`: nodes per ring. Bones are called after their limb: "leg 0", "leg 1" and so on. */
export function skinLimbs(name: string, limbs: readonly Limb[], around: number): LayerDef {
  const positions: number[] = [];
  const triangles: number[] = [];
  const owners: number[] = [];
  const weights: number[] = [];
  const bones: LayerBoneDef[] = [];
  for (const limb of limbs) {
    const first = bones.length;
    const count = limb.points.length - 1;
    for (let i = 0; i < count; i++) {
      const parent = i > 0 ? bones.length - 1 : bones.findIndex((bone) => bone.name === limb.on);
      bones.push({ name: `${limb.name} ${i}`, parent, place: limb.points[i] });
    }
    const start = positions.length / 3;
    for (let ring = 0; ring < limb.rings; ring++) {
      const along = (ring / (limb.rings - 1)) * count;
      addRing(limb, along, around, positions);
      for (let j = 0; j < around; j++) addWeights(along, first, count, bones[first].parent, owners, weights);
    }
    for (const end of [0, count]) {
      positions.push(...limb.points[end]);
      addWeights(end, first, count, bones[first].parent, owners, weights);
    }
    addTriangles(start, limb.rings, around, triangles);
  }
  return {
    kind: 'layer',
    name,
    positions: Float64Array.from(positions),
    triangles: Int32Array.from(triangles),
    bones,
    owners,
    weights,
    material: { model: 'corotated', youngModulus: 4e4, poissonRatio: 0.4, density: 1000 },
  };
}

/** Nodes around the limb at a place along it. */
function addRing({ points, radii }: Limb, along: number, around: number, positions: number[]): void {
  const part = Math.min(points.length - 2, Math.floor(along));
  const share = along - part;
  const [a, b] = [points[part], points[part + 1]];
  const d = [b[0] - a[0], b[1] - a[1], b[2] - a[2]];
  const length = Math.sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
  const axis = d.map((v) => v / length);
  // any direction across, and the one at a right angle to both
  const helper = Math.abs(axis[1]) < 0.8 ? [0, 1, 0] : [0, 0, 1];
  const u = cross(helper, axis);
  const size = Math.sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
  const x = u.map((v) => v / size);
  const y = cross(axis, x);
  const radius = radii[part] * (1 - share) + radii[part + 1] * share;
  for (let j = 0; j < around; j++) {
    const [c, s] = [cos((TWO_PI * j) / around), sin((TWO_PI * j) / around)];
    for (let k = 0; k < 3; k++) positions.push(a[k] + share * d[k] + radius * (c * x[k] + s * y[k]));
  }
}

/** From one bone to the next within a quarter of a bone's length of the joint between them. */
function addWeights(
  along: number,
  first: number,
  count: number,
  parent: number,
  owners: number[],
  weights: number[],
): void {
  const bone = Math.min(count - 1, Math.floor(along));
  const share = along - bone;
  const before = bone > 0 ? first + bone - 1 : parent;
  const after = bone < count - 1 ? first + bone + 1 : -1;
  const back = before >= 0 && share < 0.25 ? 0.5 - 2 * share : 0;
  const on = after >= 0 && share > 0.75 ? 2 * (share - 0.75) : 0;
  owners.push(first + bone, Math.max(0, before), Math.max(0, after), 0);
  weights.push(1 - back - on, back, on, 0);
}

function addTriangles(start: number, rings: number, around: number, triangles: number[]): void {
  const ends = start + rings * around;
  for (let j = 0; j < around; j++) {
    const k = (j + 1) % around;
    for (let i = 0; i + 1 < rings; i++) {
      const [a, b] = [start + i * around + j, start + i * around + k];
      triangles.push(a, b, b + around, a, b + around, a + around);
    }
    triangles.push(ends, start + k, start + j);
    triangles.push(ends + 1, start + (rings - 1) * around + j, start + (rings - 1) * around + k);
  }
}

function cross(a: readonly number[], b: readonly number[]): number[] {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

/** Closed capsules, and the procedural human as two surfaces: its skin, and a capsule for each of its bones. */

import { buildHuman } from '../../../scenes/cast/human.js';
import { ELBOW, SHOULDER, WRIST } from '../../../scenes/cast/human-parts.js';
import type { Vec3 } from '../../../src/body/body-def.js';
import type { JointFile } from '../../../src/io/joint-file.js';
import type { SurfaceData } from '../../../src/io/mesh-data.js';
import type { ObjPart } from '../../../src/io/surfaces/obj.js';
import { extractSurface, gatherSurfacePositions } from '../../../src/mesh/surface/surface.js';
import type { TriangleMesh } from '../../../src/mesh/surface/triangle-mesh.js';
import { mergeSurfaces } from './surfaces.js';

/** A capsule from `a` to `b`, facing outward. */
export function capsuleSurface(a: Vec3, b: Vec3, radius: number, around = 8, shaftRings?: number): TriangleMesh {
  const along = [0, 1, 2].map((k) => b[k] - a[k]);
  const length = Math.hypot(along[0], along[1], along[2]);
  const w = along.map((x) => x / length);
  const helper = Math.abs(w[0]) < 0.7 ? [1, 0, 0] : [0, 1, 0];
  const cross = (p: number[], q: number[]) => [
    p[1] * q[2] - p[2] * q[1],
    p[2] * q[0] - p[0] * q[2],
    p[0] * q[1] - p[1] * q[0],
  ];
  const normal = cross(w, helper);
  const size = Math.hypot(normal[0], normal[1], normal[2]);
  const u = normal.map((x) => x / size);
  const v = cross(w, u);
  const positions: number[] = [];
  const triangles: number[] = [];
  // Rings from one pole to the other; the middle of the shaft gets some of its own.
  const caps = 2;
  const shaft = shaftRings ?? Math.max(1, Math.round(length / (1.2 * radius)));
  const rings: [height: number, width: number][] = [];
  for (let i = 1; i <= caps; i++) {
    const angle = (Math.PI / 2) * (i / caps);
    rings.push([-radius * Math.cos(angle), radius * Math.sin(angle)]);
  }
  for (let i = 1; i <= shaft; i++) rings.push([(length * i) / shaft, radius]);
  for (let i = 1; i < caps; i++) {
    const angle = (Math.PI / 2) * (i / caps);
    rings.push([length + radius * Math.sin(angle), radius * Math.cos(angle)]);
  }
  const put = (height: number, x: number, y: number): number =>
    positions.push(...[0, 1, 2].map((k) => a[k] + height * w[k] + x * u[k] + y * v[k])) / 3 - 1;
  const low = put(-radius, 0, 0);
  for (const [height, width] of rings) {
    for (let i = 0; i < around; i++) {
      const angle = (2 * Math.PI * i) / around;
      put(height, width * Math.cos(angle), width * Math.sin(angle));
    }
  }
  const high = put(length + radius, 0, 0);
  const at = (ring: number, i: number): number => 1 + ring * around + (i % around);
  for (let i = 0; i < around; i++) {
    triangles.push(low, at(0, i + 1), at(0, i));
    for (let r = 0; r + 1 < rings.length; r++) {
      triangles.push(at(r, i), at(r, i + 1), at(r + 1, i + 1), at(r, i), at(r + 1, i + 1), at(r + 1, i));
    }
    triangles.push(at(rings.length - 1, i), at(rings.length - 1, i + 1), high);
  }
  return { positions: Float64Array.from(positions), triangles: Int32Array.from(triangles) };
}

/** Surfaces under names, as an OBJ file with an object for each holds them. */
export function namedParts(parts: readonly (readonly [string, TriangleMesh])[]): SurfaceData & { parts: ObjPart[] } {
  let start = 0;
  const list = parts.map(([object, { triangles }]) => {
    const part = { object, group: '', material: '', start, count: triangles.length / 3 };
    start += part.count;
    return part;
  });
  return { ...mergeSurfaces(...parts.map(([, mesh]) => mesh)), parts: list };
}

/** The procedural human: the skin of its coarse mesh, five bones on its left side and trunk and four on the right. */
export function humanSurfaces(cell = 0.075): {
  skin: TriangleMesh;
  skeleton: SurfaceData & { parts: ObjPart[] };
  joints: JointFile;
} {
  const body = buildHuman({ cell });
  const surface = extractSurface(body);
  const positions = new Float64Array(3 * surface.vertices.length);
  gatherSurfacePositions(surface, body.positions, positions);
  const hip: Vec3 = [0.09, 0.9, 0];
  const knee: Vec3 = [0.122, 0.49, 0.008];
  const ankle: Vec3 = [0.14, 0.085, -0.025];
  const limbs: [string, Vec3, Vec3, number][] = [
    ['upperArm', SHOULDER, ELBOW, 0.016],
    ['forearm', ELBOW, WRIST, 0.014],
    ['thigh', hip, knee, 0.024],
    ['shin', knee, ankle, 0.016],
  ];
  const share = (a: Vec3, b: Vec3, t: number): Vec3 =>
    [0, 1, 2].map((k) => a[k] + t * (b[k] - a[k])) as unknown as Vec3;
  const mirror = ([x, y, z]: Vec3): Vec3 => [-x, y, z];
  const bones: [string, TriangleMesh][] = [['torso', capsuleSurface([0, 1.36, -0.01], [0, 0.98, -0.01], 0.05, 12)]];
  for (const [name, a, b, radius] of limbs) {
    const [from, to] = [share(a, b, 0.18), share(a, b, 0.82)];
    bones.push([`${name}Left`, capsuleSurface(from, to, radius)]);
    bones.push([`${name}Right`, capsuleSurface(mirror(from), mirror(to), radius)]);
  }
  return {
    skin: { positions, triangles: surface.triangles },
    skeleton: namedParts(bones),
    joints: {
      regions: [],
      bones: bones.map(([name]) => ({ name, regions: [] })),
      joints: body.joints!,
    },
  };
}

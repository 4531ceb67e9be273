/** Which shape a three.js geometry stands for: a simple one where it is known to be that, else its own triangles. */
import { type BufferGeometry, Quaternion, Vector3 } from 'three';
import type { HeightFieldShape, ShapeDef } from '../../src/collision/shapes/shape-def.js';
import { TendonError } from '../../src/errors.js';
import type { Vec3 } from '../protocol.js';

/** Shares of a size by which things may differ and still count as the same. */
const SAME = 1e-3;
/** A round shape of few segments does not reach its own radius. */
const ROUND = 0.25;

/** A shape and how it lies in the space of its geometry. */
export interface PlacedShape {
  readonly def: Exclude<ShapeDef, HeightFieldShape>;
  /** Middle of the shape in the geometry's space, before scaling. */
  readonly centre: Vector3;
  /** From the shape's frame, y up, to the geometry's. */
  readonly turn: Quaternion;
}

/** `cell`: of the distance field, where one is needed [m]. */
export function shapeFromGeometry(geometry: BufferGeometry, scale: Vector3, place: string, cell?: number): PlacedShape {
  return simpleShape(geometry, scale) ?? meshShape(geometry, scale, place, cell);
}

/** Undefined where the geometry is not, or not known to be, one of the simple shapes. */
function simpleShape(geometry: BufferGeometry, scale: Vector3): PlacedShape | undefined {
  const given = (geometry as { parameters?: Readonly<Record<string, number>> }).parameters ?? {};
  const [sx, sy, sz] = scale.toArray().map(Math.abs);
  switch (geometry.type) {
    case 'BoxGeometry': {
      const { width, height, depth } = given;
      const halfExtents: Vec3 = [(width * sx) / 2, (height * sy) / 2, (depth * sz) / 2];
      return upright({ kind: 'box', halfExtents }, geometry, [width, height, depth], SAME);
    }
    case 'SphereGeometry': {
      const { radius, phiLength, thetaLength } = given;
      if (!isWhole(phiLength, 2 * Math.PI) || !isWhole(thetaLength, Math.PI) || !isEven([sx, sy, sz])) return undefined;
      const size = 2 * radius;
      return upright({ kind: 'sphere', radius: radius * sx }, geometry, [size, size, size], ROUND);
    }
    case 'CylinderGeometry': {
      const { radiusTop, radiusBottom, height, thetaLength } = given;
      if (!isWhole(thetaLength, 2 * Math.PI) || radiusTop !== radiusBottom || !isEven([sx, sz])) return undefined;
      const size = 2 * radiusTop;
      const def = { kind: 'cylinder' as const, radius: radiusTop * sx, halfLength: (height * sy) / 2 };
      return upright(def, geometry, [size, height, size], ROUND);
    }
    case 'CapsuleGeometry': {
      if (!isEven([sx, sy, sz])) return undefined;
      const size = 2 * given.radius;
      // `length` before three r173
      const length = given.height ?? given.length;
      const def = { kind: 'capsule' as const, radius: given.radius * sx, halfLength: (length * sx) / 2 };
      return upright(def, geometry, [size, length + size, size], ROUND);
    }
    case 'PlaneGeometry':
      return planeShape(geometry);
    default:
      return undefined;
  }
}

/** The way a plane faces is read from the geometry itself, which is often turned to lie flat. */
function planeShape(geometry: BufferGeometry): PlacedShape {
  const normal = new Vector3().fromBufferAttribute(geometry.getAttribute('normal'), 0).normalize();
  const turn = new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), normal);
  return { def: { kind: 'plane' }, centre: boxOf(geometry).getCenter(new Vector3()), turn };
}

/** A shape of the given size, which may have been moved; undefined where the geometry was turned or scaled afterwards. */
function upright(
  def: PlacedShape['def'],
  geometry: BufferGeometry,
  size: Vec3,
  slack: number,
): PlacedShape | undefined {
  const box = boxOf(geometry);
  const found = box.getSize(new Vector3()).toArray();
  if (!found.every((value, k) => value <= size[k] * (1 + SAME) && value >= size[k] * (1 - slack))) return undefined;
  return { def, centre: box.getCenter(new Vector3()), turn: new Quaternion() };
}

/** The triangles of the geometry, scaled. */
function meshShape(geometry: BufferGeometry, scale: Vector3, place: string, cell?: number): PlacedShape {
  const points = geometry.getAttribute('position');
  const triangles = geometry.index
    ? Int32Array.from(geometry.index.array)
    : Int32Array.from({ length: points?.count ?? 0 }, (_, i) => i);
  if (!points || triangles.length < 3) {
    throw new TendonError('E_EMPTY', `${place}/geometry`, geometry.type, 'a geometry without triangles is no obstacle');
  }
  const positions = new Float64Array(3 * points.count);
  const point = new Vector3();
  for (let i = 0; i < points.count; i++)
    point
      .fromBufferAttribute(points, i)
      .multiply(scale)
      .toArray(positions, 3 * i);
  const def = { kind: 'mesh' as const, positions, triangles, ...(cell !== undefined && { cell }) };
  return { def, centre: new Vector3(), turn: new Quaternion() };
}

function boxOf(geometry: BufferGeometry) {
  geometry.computeBoundingBox();
  return geometry.boundingBox!;
}

function isEven(scales: readonly number[]): boolean {
  return scales.every((scale) => Math.abs(scale - scales[0]) <= SAME * scales[0]);
}

function isWhole(found: number, whole: number): boolean {
  return found >= whole * (1 - SAME);
}

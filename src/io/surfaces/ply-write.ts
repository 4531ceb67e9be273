/** The numbers after the header of a PLY file. Used by `writePly`. */

import { TextWriter } from '../text/text-writer.js';
import type { PlyData } from './ply.js';
import type { PlyFormat } from './ply-header.js';

/** Header and numbers in one. */
export function writePlyBody(header: string, data: PlyData, format: PlyFormat): Uint8Array {
  return format === 'ascii' ? writeAscii(header, data) : writeBinary(header, data, format === 'binary_little_endian');
}

function writeAscii(header: string, { positions, triangles, regions, normals, uvs }: PlyData): Uint8Array {
  const writer = new TextWriter();
  writer.line(header.trimEnd());
  for (let v = 0; v < positions.length / 3; v++) {
    const row = [
      ...positions.subarray(3 * v, 3 * v + 3),
      ...(normals?.subarray(3 * v, 3 * v + 3) ?? []),
      ...(uvs?.subarray(2 * v, 2 * v + 2) ?? []),
    ];
    writer.numbers(row, 0, row.length);
  }
  for (let t = 0; t < triangles.length / 3; t++) {
    const row = [...triangles.subarray(3 * t, 3 * t + 3), ...(regions?.subarray(t, t + 1) ?? [])];
    writer.numbers(row, 0, row.length, '3');
  }
  return writer.finish();
}

function writeBinary(header: string, data: PlyData, isLittle: boolean): Uint8Array {
  const { positions, triangles, regions, normals, uvs } = data;
  const head = new TextEncoder().encode(header);
  const vertexCount = positions.length / 3;
  const triangleCount = triangles.length / 3;
  const vertexSize = 24 + (normals ? 24 : 0) + (uvs ? 16 : 0);
  const triangleSize = 13 + (regions ? 4 : 0);
  const bytes = new Uint8Array(head.length + vertexCount * vertexSize + triangleCount * triangleSize);
  bytes.set(head);
  const view = new DataView(bytes.buffer);
  let at = head.length;
  const putDoubles = (values: Float64Array | undefined, from: number, count: number): void => {
    if (values === undefined) return;
    for (let i = from; i < from + count; i++, at += 8) view.setFloat64(at, values[i], isLittle);
  };
  for (let v = 0; v < vertexCount; v++) {
    putDoubles(positions, 3 * v, 3);
    putDoubles(normals, 3 * v, 3);
    putDoubles(uvs, 2 * v, 2);
  }
  for (let t = 0; t < triangleCount; t++) {
    view.setUint8(at++, 3);
    for (let i = 0; i < 3; i++, at += 4) view.setInt32(at, triangles[3 * t + i], isLittle);
    if (regions) {
      view.setInt32(at, regions[t], isLittle);
      at += 4;
    }
  }
  return bytes;
}

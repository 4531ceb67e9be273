/** A torus around the y axis, facing outward. */
import type { TriangleMesh } from '../../../src/mesh/surface/triangle-mesh.js';

/** `ring`: radius of the circle inside the tube; `tube`: radius of the tube; `cuts` quads around the tube, thrice that along. */
export function torusSurface(ring: number, tube: number, cuts: number): TriangleMesh {
  const positions: number[] = [];
  const triangles: number[] = [];
  const along = 3 * cuts;
  for (let i = 0; i < along; i++) {
    for (let j = 0; j < cuts; j++) {
      const [turn, roll] = [(2 * Math.PI * i) / along, (2 * Math.PI * j) / cuts];
      const out = ring + tube * Math.cos(roll);
      positions.push(out * Math.cos(turn), tube * Math.sin(roll), out * Math.sin(turn));
      const [a, b] = [i * cuts + j, i * cuts + ((j + 1) % cuts)];
      const [c, d] = [((i + 1) % along) * cuts + j, ((i + 1) % along) * cuts + ((j + 1) % cuts)];
      triangles.push(a, b, d, a, d, c);
    }
  }
  return { positions: Float64Array.from(positions), triangles: Int32Array.from(triangles) };
}

/**
 * Forces of a sheet, in f64. In the plane corotated triangles of plane stress: with D the two edges, B their inverse at rest, F = D B (3 × 2)
 * and R = F (FᵀF)^(-1/2) the frame closest to it,  P = 2μ (F − R) + λ tr(RᵀF − I) R,  force on corner k: −A P B_k. Out of it bending,
 * linear in the positions: −K x.
 */
import type { Sheet } from '../../../../body/kinds/sheet.js';

const F = new Float64Array(6);
const P = new Float64Array(6);
/** μ and λ times the area of the triangle at hand: numbers handed over one by one are boxed. */
const MODULI = new Float64Array(2);
/** Share of the squared stretch that a collapsed triangle is taken to have: its frame is then anything, but a number. */
const COLLAPSED = 1e-12;

/** out += forces of a sheet whose vertices start at `first`. */
export function addSheetForces(sheet: Sheet, x: Float64Array, first: number, out: Float64Array): void {
  const { triangles, inverseRest, areas, mu, lambda } = sheet;
  for (let t = 0; t < areas.length; t++) {
    const a = (first + triangles[t * 3]) * 3;
    const b = (first + triangles[t * 3 + 1]) * 3;
    const c = (first + triangles[t * 3 + 2]) * 3;
    const o = t * 4;
    for (let k = 0; k < 3; k++) {
      const e0 = x[b + k] - x[a + k];
      const e1 = x[c + k] - x[a + k];
      F[k * 2] = e0 * inverseRest[o] + e1 * inverseRest[o + 2];
      F[k * 2 + 1] = e0 * inverseRest[o + 1] + e1 * inverseRest[o + 3];
    }
    MODULI[0] = areas[t] * mu;
    MODULI[1] = areas[t] * lambda;
    sheetStress(P, F, MODULI);
    for (let k = 0; k < 3; k++) {
      const f1 = P[k * 2] * inverseRest[o] + P[k * 2 + 1] * inverseRest[o + 1];
      const f2 = P[k * 2] * inverseRest[o + 2] + P[k * 2 + 1] * inverseRest[o + 3];
      out[b + k] -= f1;
      out[c + k] -= f2;
      out[a + k] += f1 + f2;
    }
  }
  addBending(sheet, x, first, out);
}

/** p = 2μ (F − R) + λ tr(RᵀF − I) R for a 3 × 2 gradient, row major. `moduli`: μ and λ. */
export function sheetStress(p: Float64Array, f: Float64Array, moduli: Float64Array): void {
  const mu = moduli[0];
  const lambda = moduli[1];
  const c00 = f[0] * f[0] + f[2] * f[2] + f[4] * f[4];
  const c01 = f[0] * f[1] + f[2] * f[3] + f[4] * f[5];
  const c11 = f[1] * f[1] + f[3] * f[3] + f[5] * f[5];
  const least = COLLAPSED * (c00 + c11) * (c00 + c11);
  // the root of a 2 × 2 matrix C is (C + s I)/t with s² = det C and t² = tr C + 2s, and t is its trace
  const s = Math.sqrt(Math.max(c00 * c11 - c01 * c01, least));
  const trace = Math.sqrt(c00 + c11 + 2 * s);
  const scale = trace > 0 ? 1 / (s * trace) : 0;
  const i00 = scale * (c11 + s);
  const i01 = -scale * c01;
  const i11 = scale * (c00 + s);
  const pull = lambda * (trace - 2) - 2 * mu;
  for (let k = 0; k < 6; k += 2) {
    p[k] = 2 * mu * f[k] + pull * (f[k] * i00 + f[k + 1] * i01);
    p[k + 1] = 2 * mu * f[k + 1] + pull * (f[k] * i01 + f[k + 1] * i11);
  }
}

function addBending({ bending }: Sheet, x: Float64Array, first: number, out: Float64Array): void {
  const { size, rowStart, columns, values } = bending;
  for (let row = 0; row < size; row++) {
    let s0 = 0;
    let s1 = 0;
    let s2 = 0;
    const at = (first + row) * 3;
    for (let n = rowStart[row]; n < rowStart[row + 1]; n++) {
      // rows sum to nothing: seen from the vertex itself, so that places far from the origin lose no digits
      const o = (first + columns[n]) * 3;
      s0 += values[n] * (x[o] - x[at]);
      s1 += values[n] * (x[o + 1] - x[at + 1]);
      s2 += values[n] * (x[o + 2] - x[at + 2]);
    }
    out[at] -= s0;
    out[at + 1] -= s1;
    out[at + 2] -= s2;
  }
}

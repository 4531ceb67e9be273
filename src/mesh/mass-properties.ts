/**
 * Volume, centre and second moment ∫ x xᵀ dV of solids: of any closed surface by the divergence theorem, exactly for its triangles,
 * and of simple shapes in closed form. For building rigid bodies.
 */
import type { TriangleMesh } from './surface/triangle-mesh.js';

/** How the volume of a solid is spread; multiplied by a density, how its mass is. */
export interface MassProperties {
  /** [m³] */
  readonly volume: number;
  /** Centroid [m]. */
  readonly centre: Float64Array;
  /** ∫ r rᵀ dV about the centroid, 9 numbers, row major [m⁵]. */
  readonly secondMoment: Float64Array;
}

/**
 * Of the inside of a closed surface. Every triangle spans a tet with the origin; with s = a + b + c its corners' sum, that tet has
 * V = a·(b × c)/6, ∫ x = V s/4 and ∫ x xᵀ = V (a aᵀ + b bᵀ + c cᵀ + s sᵀ)/20. Negative for surfaces that face inwards.
 */
export function meshMassProperties({ positions, triangles }: TriangleMesh): MassProperties {
  let volume = 0;
  const centre = new Float64Array(3);
  const second = new Float64Array(9);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [triangles[t] * 3, triangles[t + 1] * 3, triangles[t + 2] * 3];
    const p = positions;
    const cross =
      p[a] * (p[b + 1] * p[c + 2] - p[b + 2] * p[c + 1]) +
      p[a + 1] * (p[b + 2] * p[c] - p[b] * p[c + 2]) +
      p[a + 2] * (p[b] * p[c + 1] - p[b + 1] * p[c]);
    const share = cross / 6;
    volume += share;
    for (let i = 0; i < 3; i++) {
      const sum = p[a + i] + p[b + i] + p[c + i];
      centre[i] += (share * sum) / 4;
      for (let j = 0; j < 3; j++) {
        const all = p[a + j] + p[b + j] + p[c + j];
        const corners = p[a + i] * p[a + j] + p[b + i] * p[b + j] + p[c + i] * p[c + j];
        second[i * 3 + j] += (share * (corners + sum * all)) / 20;
      }
    }
  }
  for (let i = 0; i < 3; i++) centre[i] /= volume;
  for (let i = 0; i < 3; i++) for (let j = 0; j < 3; j++) second[i * 3 + j] -= volume * centre[i] * centre[j];
  return { volume, centre, secondMoment: second };
}

/** Of a solid that is centred and symmetric about its axes, from its volume and ∫ x², ∫ y², ∫ z² as means over the volume [m²]. */
function symmetric(volume: number, xx: number, yy: number, zz: number): MassProperties {
  const secondMoment = Float64Array.of(xx * volume, 0, 0, 0, yy * volume, 0, 0, 0, zz * volume);
  return { volume, centre: new Float64Array(3), secondMoment };
}

/** A box of sides 2·halfExtents: the mean of x² is a third of the half side squared. */
export function boxMassProperties([x, y, z]: readonly [number, number, number]): MassProperties {
  return symmetric(8 * x * y * z, (x * x) / 3, (y * y) / 3, (z * z) / 3);
}

/** A cylinder along y: r²/4 across, half the length squared over 3 along. */
export function cylinderMassProperties(radius: number, halfLength: number): MassProperties {
  const across = (radius * radius) / 4;
  return symmetric(2 * Math.PI * radius * radius * halfLength, across, (halfLength * halfLength) / 3, across);
}

/** A capsule along y: its cylinder, and two half balls whose centroids lie 3r/8 beyond the ends. */
export function capsuleMassProperties(radius: number, halfLength: number): MassProperties {
  const r2 = radius * radius;
  const tube = 2 * Math.PI * r2 * halfLength;
  const ball = (4 / 3) * Math.PI * r2 * radius;
  const volume = tube + ball;
  const across = (tube * r2) / 4 + (ball * r2) / 5;
  // of a half ball about its flat side: the mean of y² is r²/5 and that of y is 3r/8
  const ends = ball * (r2 / 5 + 2 * halfLength * ((3 * radius) / 8) + halfLength * halfLength);
  const along = (tube * halfLength * halfLength) / 3 + ends;
  return symmetric(volume, across / volume, along / volume, across / volume);
}

/** A ring about y, of tube radius a and middle radius R: (4R² + 3a²)/8 across and a²/4 along. */
export function torusMassProperties(radius: number, tubeRadius: number): MassProperties {
  const across = (4 * radius * radius + 3 * tubeRadius * tubeRadius) / 8;
  const volume = 2 * Math.PI * Math.PI * radius * tubeRadius * tubeRadius;
  return symmetric(volume, across, (tubeRadius * tubeRadius) / 4, across);
}

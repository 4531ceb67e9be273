/** Rigid bodies: mass and inertia against closed forms, surfaces closed and outward, bad input refused. */
import { describe, expect, it } from 'vitest';
import type { RigidBodyDef, RigidShape } from '../../../src/body/kinds/rigid-def.js';
import { buildRigidModel } from '../../../src/body/kinds/rigid-model.js';
import { meshMassProperties } from '../../../src/mesh/mass-properties.js';
import { countOpenEdges } from '../../../src/mesh/surface/triangle-mesh.js';

const one = (shape: RigidShape, more = {}): RigidBodyDef => ({
  kind: 'rigid',
  name: 'it',
  parts: [{ name: 'it', shape, ...more }],
});

/** Mass and moments of inertia from second moments: I_xx = ∫ (y² + z²). */
function inertiaOf(def: RigidBodyDef): { mass: number; inertia: number[]; centre: number[] } {
  const { bones } = buildRigidModel(def);
  const s = bones.secondMoment;
  return { mass: bones.mass[0], inertia: [s[4] + s[8], s[0] + s[8], s[0] + s[4]], centre: [...bones.centre] };
}

describe('mass and inertia', () => {
  // textbook moments about the centre: ball 2/5 m r², box m(a² + b²)/12 of full sides, rod m r²/2 about its axis and m(3r² + l²)/12 across,
  // ring m(R² + 3a²/4) about its axis and m(4R² + 5a²)/8 across
  const { PI } = Math;
  const CASES: [RigidShape, number, [number, number, number]][] = [
    [{ kind: 'sphere', radius: 0.3 }, (4 / 3) * PI * 0.3 ** 3, [0.036, 0.036, 0.036]],
    [{ kind: 'box', halfExtents: [0.1, 0.2, 0.3] }, 0.048, [0.52 / 12, 0.4 / 12, 0.2 / 12]],
    [{ kind: 'cylinder', radius: 0.2, halfLength: 0.5 }, PI * 0.04, [(3 * 0.04 + 1) / 12, 0.02, (3 * 0.04 + 1) / 12]],
    [
      { kind: 'torus', radius: 0.5, tubeRadius: 0.1 },
      2 * PI * PI * 0.5 * 0.01,
      [(4 * 0.25 + 5 * 0.01) / 8, 0.25 + 0.75 * 0.01, (4 * 0.25 + 5 * 0.01) / 8],
    ],
  ];
  it.each(CASES)('of $kind are those of the smooth shape', (shape, volume, perMass) => {
    const { mass, inertia } = inertiaOf(one(shape));
    expect(mass / (1000 * volume)).toBeCloseTo(1, 12);
    perMass.forEach((expected, k) => {
      expect(inertia[k] / mass / expected).toBeCloseTo(1, 12);
    });
  });

  it('of a capsule are those of a cylinder and a ball cut in half', () => {
    // [closed form] I across of a capsule: m_c (l²/12 + r²/4) + m_s (2r²/5 + h² + 3hr/4), h half the cylinder's length
    const [r, h] = [0.2, 0.5];
    const tube = 1000 * Math.PI * r * r * 2 * h;
    const ball = (1000 * 4 * Math.PI * r ** 3) / 3;
    const across = tube * ((4 * h * h) / 12 + (r * r) / 4) + ball * ((2 * r * r) / 5 + h * h + (3 * h * r) / 4);
    const { mass, inertia } = inertiaOf(one({ kind: 'capsule', radius: r, halfLength: h }));
    expect(mass).toBeCloseTo(tube + ball, 9);
    expect(inertia[0] / across).toBeCloseTo(1, 12);
    expect(inertia[1] / ((tube * r * r) / 2 + (2 * ball * r * r) / 5)).toBeCloseTo(1, 12);
  });

  it('of any closed surface are those of its triangles, wherever it lies and however it is turned', () => {
    // a tetrahedron's second moments: ∫ x xᵀ = V (Σ c cᵀ + s sᵀ)/20 over its corners, here a unit corner tet moved and turned
    const shape: RigidShape = {
      kind: 'mesh',
      positions: [1, 1, 1, 2, 1, 1, 1, 2, 1, 1, 1, 2],
      triangles: [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3],
    };
    const half = Math.SQRT1_2;
    const { mass, inertia, centre } = inertiaOf(
      one(shape, { mass: 6, rotation: [0, half, 0, half], position: [0, 3, 0] }),
    );
    expect(mass).toBeCloseTo(6, 12);
    // about its centroid each principal moment sum of a corner tet is 3/80·2 per mass on the diagonal: ∫x² = 3/80 m
    inertia.forEach((moment) => {
      expect(moment).toBeCloseTo((6 * 2 * 3) / 80, 12);
    });
    // centroid (5/4, 5/4, 5/4), turned by 90 degrees about y: (z, y, -x), then moved
    expect(centre[0]).toBeCloseTo(1.25, 12);
    expect(centre[1]).toBeCloseTo(4.25, 12);
    expect(centre[2]).toBeCloseTo(-1.25, 12);
  });
});

describe('surfaces', () => {
  it.each<[RigidShape, number]>([
    [{ kind: 'sphere', radius: 0.3 }, 0.036 * Math.PI],
    [{ kind: 'box', halfExtents: [0.1, 0.2, 0.3] }, 0.048],
    [{ kind: 'capsule', radius: 0.1, halfLength: 0.2 }, Math.PI * 0.01 * 0.4 + 0.004 * (Math.PI / 3)],
    [{ kind: 'cylinder', radius: 0.1, halfLength: 0.2 }, Math.PI * 0.01 * 0.4],
    [{ kind: 'torus', radius: 0.3, tubeRadius: 0.1 }, 2 * Math.PI * Math.PI * 0.3 * 0.01],
  ])('of $kind are closed, outward, and enclose nearly the volume of the smooth shape', (shape, volume) => {
    const { surface, positions } = buildRigidModel(one(shape));
    const mesh = { positions, triangles: surface.triangles.map((i) => surface.vertices[i]) };
    expect(countOpenEdges(mesh)).toBe(0);
    const ratio = meshMassProperties(mesh).volume / volume;
    expect(ratio).toBeLessThan(1 + 1e-12);
    expect(ratio).toBeGreaterThan(0.93);
  });
});

describe('bad input', () => {
  const open: RigidShape = { kind: 'mesh', positions: [0, 0, 0, 1, 0, 0, 0, 1, 0], triangles: [0, 1, 2] };
  it.each([
    ['no part', { kind: 'rigid', name: 'it', parts: [] } as RigidBodyDef, 'E_EMPTY'],
    ['an open surface', one(open), 'E_SURFACE'],
    ['a corner that does not exist', one({ ...open, triangles: [0, 1, 3] }), 'E_INDEX'],
    ['a mass of zero', one({ kind: 'sphere', radius: 1 }, { mass: 0 }), 'E_RANGE'],
    ['a radius of zero', one({ kind: 'sphere', radius: 0 }), 'E_RANGE'],
    ['a shape nobody knows', one({ kind: 'cone' } as unknown as RigidShape), 'E_UNKNOWN'],
    ['a rotation without length', one({ kind: 'sphere', radius: 1 }, { rotation: [0, 0, 0, 0] }), 'E_RANGE'],
    ['a ring thicker than wide', one({ kind: 'torus', radius: 0.1, tubeRadius: 0.2 }), 'E_RANGE'],
  ])('%s is refused', (_, def, code) => {
    expect(() => buildRigidModel(def)).toThrow(expect.objectContaining({ code }));
  });
});

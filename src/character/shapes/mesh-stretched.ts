/**
 * Meshes a character in a space stretched along one axis: where lengths are drawn out the tetrahedra come out shorter
 * that way, and thin parts keep their shape on a lattice that would be too coarse for them.
 */
import type { BodyDef, Vec3 } from '../../body/body-def.js';
import { improveTets } from '../../mesh/tets/improve-tets.js';
import { type CharacterPlan, meshCharacter } from './mesh-character.js';
import type { Shape } from './sdf.js';

/** Which lengths are drawn out, and how much. */
export interface AxisStretch {
  /** 0 x, 1 y, 2 z. */
  readonly axis: 0 | 1 | 2;
  /** The stretch between these coordinates [m] has its lengths multiplied; default everything. */
  readonly low?: number;
  readonly high?: number;
  /** 0.5 to 2: beyond, tetrahedra get flat. Below 1 saves tetrahedra. */
  readonly factor: number;
}

/** Meshes a plan as `meshCharacter` does, its lattice finer or coarser along an axis. */
export function meshStretched(plan: CharacterPlan, stretch: AxisStretch): BodyDef {
  const body = meshCharacter({
    ...plan,
    skin: stretchShape(plan.skin, stretch),
    bones: plan.bones.map(({ name, shape }) => ({ name, shape: stretchShape(shape, stretch) })),
  });
  const positions = body.positions.slice();
  for (let i = stretch.axis; i < positions.length; i += 3) positions[i] = toBody(positions[i], stretch);
  return { ...body, positions: improveTets({ positions, tets: body.tets }).positions };
}

function stretchShape({ distance, low, high }: Shape, stretch: AxisStretch): Shape {
  const { axis } = stretch;
  const corner = (point: Vec3): Vec3 => {
    const moved = [point[0], point[1], point[2]];
    moved[axis] = toLattice(moved[axis], stretch);
    return [moved[0], moved[1], moved[2]];
  };
  const stretched = {
    0: (x: number, y: number, z: number) => distance(toBody(x, stretch), y, z),
    1: (x: number, y: number, z: number) => distance(x, toBody(y, stretch), z),
    2: (x: number, y: number, z: number) => distance(x, y, toBody(z, stretch)),
  };
  return { distance: stretched[axis], low: corner(low), high: corner(high) };
}

function toLattice(value: number, { low = -Infinity, high = Infinity, factor }: AxisStretch): number {
  const inside = Math.min(high, Math.max(low, value));
  return inside === value ? factor * value : value + (factor - 1) * inside;
}

function toBody(value: number, { low = -Infinity, high = Infinity, factor }: AxisStretch): number {
  const inside = Math.min(high, Math.max(low, value / factor));
  return inside === value / factor ? inside : value - (factor - 1) * inside;
}

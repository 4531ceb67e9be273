/** Creatures without limbs for the coupled solver: a straight body of flesh along x with a row of bones in it, joined end to end by balls. */
import type { BodyDef, JointDef, MaterialDef, Vec3 } from '../../../src/body/body-def.js';
import { meshCharacter } from '../../../src/character/shapes/mesh-character.js';
import { roundCone } from '../../../src/character/shapes/sdf.js';
import { chain } from '../../../src/character/shapes/sdf-combine.js';

/** What a worm is like. */
export interface WormOptions {
  readonly name: string;
  /** Bones; one joint less. */
  readonly bones: number;
  /** From end to end of the middle line [m]; its round ends come on top. */
  readonly length: number;
  /** Radius at equal steps from tail to head [m]. */
  readonly radii: readonly number[];
  /** Side of the lattice cubes [m]. */
  readonly cell: number;
  readonly material: MaterialDef;
}

/** Name of the joint between bone i and the next. */
export const jointName = (i: number): string => `joint ${i}`;

/** Builds a worm around the origin. Bones stop short of the joints, so that the flesh there can bend. */
export function buildWorm({ name, bones, length, radii, cell, material }: WormOptions): BodyDef {
  const at = (share: number): Vec3 => [length * (share - 0.5), 0, 0];
  const radiusAt = (share: number): number => {
    const place = share * (radii.length - 1);
    const i = Math.min(radii.length - 2, Math.floor(place));
    return radii[i] + (place - i) * (radii[i + 1] - radii[i]);
  };
  const joints = Array.from(
    { length: bones - 1 },
    (_, i): JointDef => ({
      name: jointName(i),
      type: 'ball',
      bones: [`bone ${i}`, `bone ${i + 1}`],
      anchor: at((i + 1) / bones),
    }),
  );
  return meshCharacter({
    name,
    skin: chain(
      radii.map((_, i) => at(i / (radii.length - 1))),
      radii,
    ),
    bones: Array.from({ length: bones }, (_, i) => {
      const [from, to] = [(i + 0.18) / bones, (i + 0.82) / bones];
      return { name: `bone ${i}`, shape: roundCone(at(from), at(to), 0.45 * radiusAt((i + 0.5) / bones)) };
    }),
    joints,
    cell,
    snap: 0.8,
    material,
  });
}

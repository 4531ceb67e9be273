/** An arm that hangs from its shoulder, 0.6 m long, bending in its elbow towards +x: two bones, a hinge, and muscles in the upper arm. */
import type { BodyDef } from '../../src/body/body-def.js';
import { addBellies } from '../../src/character/build/belly-fibres.js';
import { FLESH } from '../../src/character/build/flesh.js';
import { meshCharacter } from '../../src/character/shapes/mesh-character.js';
import { ellipsoid, roundCone } from '../../src/character/shapes/sdf.js';
import { smoothUnion } from '../../src/character/shapes/sdf-combine.js';

/** Height of shoulder, elbow, wrist and fingertips [m]. */
const [SHOULDER, ELBOW, WRIST, TIP] = [0.9, 0.6, 0.35, 0.22];

/** Builds the arm; `cell`: side of the lattice cubes [m]. */
export function buildFlexingArm(cell = 0.02): BodyDef {
  const skin = smoothUnion(0.03, [
    roundCone([0, SHOULDER, 0], [0, ELBOW, 0], 0.052, 0.04),
    roundCone([0, ELBOW, 0], [0, WRIST, 0], 0.041, 0.026),
    ellipsoid([0.018, 0.76, 0], [0.036, 0.085, 0.04]),
    ellipsoid([0, 0.28, 0], [0.022, 0.075, 0.04]),
  ]);
  const bones = [
    { name: 'upperArm', shape: roundCone([0, SHOULDER + 0.03, 0], [0, ELBOW + 0.035, 0], 0.017, 0.016) },
    { name: 'forearm', shape: roundCone([0, ELBOW - 0.035, 0], [0, TIP + 0.03, 0], 0.018, 0.018) },
  ];
  const joints = [
    {
      name: 'elbow',
      type: 'hinge' as const,
      bones: ['upperArm', 'forearm'],
      anchor: [0, ELBOW, 0] as const,
      axis: [0, 0, 1] as const,
      limits: { range: [-0.05, 2.5] as const },
    },
  ];
  const body = meshCharacter({ name: 'arm', skin, bones, joints, cell, material: { ...FLESH, poissonRatio: 0.45 } });
  const held = (body.bones ?? []).map((bone) => ({ ...bone, kinematic: bone.name === 'upperArm' }));
  return addBellies({ ...body, bones: held });
}

/** Bones and joints of a layered character as the rest of the house knows them: limits, motors and whoever asks for joints by name. Built with the model. */
import type { JointDef } from '../../../body/body-def.js';
import type { Bones } from '../../../body/bones.js';
import { buildJoints, type Joints } from '../../../body/joints/joints.js';
import type { LayerBoneDef } from '../../../body/kinds/layer-def.js';
import type { LayerBones } from '../bones/layer-bones.js';

/** Bones that carry no vertex alone: every node is carried by several. */
export function describeBones(bones: LayerBones, nodeCount: number): Bones {
  const { count, names, mass, centre, inertia, kinematic } = bones;
  const secondMoment = new Float64Array(9 * count);
  for (let bone = 0; bone < count; bone++) {
    const o = 9 * bone;
    const half = (inertia[o] + inertia[o + 4] + inertia[o + 8]) / 2;
    for (let k = 0; k < 9; k++) secondMoment[o + k] = (k % 4 === 0 ? half : 0) - inertia[o + k];
  }
  return {
    count,
    names,
    vertexStart: new Int32Array(count + 1),
    vertices: new Int32Array(0),
    ofVertex: new Int32Array(nodeCount).fill(-1),
    mass,
    centre,
    secondMoment,
    rank: new Uint8Array(count).fill(3),
    kinematic,
  };
}

/** Joints between bones and their parents: that of bone b is pair b − 1, since the first bone is the only root. */
export function describeJoints(defs: readonly LayerBoneDef[], bones: Bones, path: string): Joints {
  const joints = defs.flatMap(({ name, parent, place, joint, axis, secondAxis, limits, motor }): JointDef[] => {
    if (parent < 0) return [];
    const type = joint ?? 'ball';
    return [{ name, type, bones: [defs[parent].name, name], anchor: place, axis, secondAxis, limits, motor }];
  });
  return buildJoints(joints, bones, path);
}

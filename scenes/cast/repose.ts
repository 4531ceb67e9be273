/** A skinned character in another rest pose: bones turned about their joints, skin and joints carried along by the weights. */
import type { Vec3 } from '../../src/body/body-def.js';
import type { LayerDef } from '../../src/body/kinds/layer-def.js';
import { multiplyQuat, rotateVec3 } from '../../src/math/quat.js';
import { axisAngleQuat } from '../../src/math/rotation.js';

/** Turn of a bone against its parent [rad], about an axis through its joint. */
export interface BoneTurn {
  readonly axis: Vec3;
  readonly angle: number;
}

/** The character with bones turned by name; those below go along. */
export function reposeLayer(def: LayerDef, turns: Readonly<Record<string, BoneTurn>>): LayerDef {
  const { bones, positions, owners, weights } = def;
  const quats = new Float64Array(4 * bones.length);
  const places = new Float64Array(3 * bones.length);
  const arm = new Float64Array(3);
  const turn = new Float64Array(4);
  bones.forEach(({ name, parent, place }, bone) => {
    const { axis, angle } = turns[name] ?? { axis: [1, 0, 0], angle: 0 };
    axisAngleQuat(turn, 0, axis, 0, angle);
    if (parent < 0) {
      quats.set(turn, 4 * bone);
      places.set(place, 3 * bone);
      return;
    }
    multiplyQuat(quats, 4 * bone, quats, 4 * parent, turn, 0);
    for (let k = 0; k < 3; k++) arm[k] = place[k] - bones[parent].place[k];
    rotateVec3(places, 3 * bone, quats, 4 * parent, arm, 0);
    for (let k = 0; k < 3; k++) places[3 * bone + k] += places[3 * parent + k];
  });
  const moved = new Float64Array(positions.length);
  const turned = new Float64Array(3);
  for (let i = 0; i < owners.length; i++) {
    const p = 3 * Math.floor(i / 4);
    const bone = owners[i];
    if (!(weights[i] > 0)) continue;
    for (let k = 0; k < 3; k++) arm[k] = positions[p + k] - bones[bone].place[k];
    rotateVec3(turned, 0, quats, 4 * bone, arm, 0);
    for (let k = 0; k < 3; k++) moved[p + k] += weights[i] * (turned[k] + places[3 * bone + k]);
  }
  return {
    ...def,
    positions: moved,
    bones: bones.map((bone, i) => ({ ...bone, place: [places[3 * i], places[3 * i + 1], places[3 * i + 2]] })),
  };
}

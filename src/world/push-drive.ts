/** The drive that pushes a bone with a force of time. Made with the drives of a scene. */
import { TendonError } from '../errors.js';
import type { PushDrive } from '../scene/drive-def.js';
import { findBone } from './bone-control.js';
import type { Drive } from './drives.js';
import { makeSignal } from './signals.js';
import type { WorldBody } from './world.js';

/** Makes the drive, or throws a TendonError that names what is wrong. Forces on the bone's vertices are its own. */
export function makePushDrive(body: WorldBody, def: PushDrive, path: string): Drive {
  const { bones, masses } = body.model;
  if (bones.count === 0) return () => {};
  const bone = findBone(body, def.bone);
  const given = def.force?.length ?? 3;
  if (given !== 3) throw new TendonError('E_RANGE', `${path}/force`, given, 'one number or signal per direction: 3');
  const signals = [0, 1, 2].map((k) => makeSignal(def.force?.[k] ?? 0, `${path}/force/${k}`));
  return (_, time) => {
    const { forces } = body.state;
    for (let k = 0; k < 3; k++) {
      const perMass = signals[k](time) / bones.mass[bone];
      for (let n = bones.vertexStart[bone]; n < bones.vertexStart[bone + 1]; n++) {
        forces[bones.vertices[n] * 3 + k] = perMass * masses[bones.vertices[n]];
      }
    }
  };
}

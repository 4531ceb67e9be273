/** The drive that activates a muscle over time. Made with the drives of a scene. */
import type { ActivationDrive } from '../scene/drive-def.js';
import type { Drive } from './drives.js';
import { motorState } from './joint-control.js';
import { findMuscle } from './muscle-control.js';
import { makeSignal } from './signals.js';
import type { WorldBody } from './world.js';

/** Makes the drive, or throws a TendonError that names what is wrong. Signals are kept within 0 and 1. */
export function makeActivationDrive(body: WorldBody, def: ActivationDrive, path: string): Drive {
  const muscle = findMuscle(body, def.muscle);
  const signal = makeSignal(def.activation, `${path}/activation`);
  return (_, time) => {
    motorState(body).activations[muscle] = Math.max(0, Math.min(1, signal(time)));
  };
}

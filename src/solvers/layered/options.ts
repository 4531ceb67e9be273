/** What can be chosen about the layered solver, with defaults that need no choosing. */

/** Options of the layered solver. */
export interface LayeredOptions {
  /** Contact with exact compliance, pushing only; or 'printed', for comparison: nodes inside are held by equalities, each yielding by itself. */
  readonly contact: 'exact' | 'printed';
  /** Sweeps over the contacts in a step. */
  readonly sweeps: number;
  /** How fast a limp joint goes back to its rest pose by itself [Hz], and its damping as a share of the critical one. */
  readonly limpFrequency: number;
  readonly limpDamping: number;
  /** The same of joints that follow a pose. */
  readonly driveFrequency: number;
  readonly driveDamping: number;
  /** Most that the root of a body that follows a pose is accelerated towards it [m/s²]. */
  readonly driveStrength: number;
  /** Share of the soft depth that can be pressed in; then comes the hard core. */
  readonly coreShare: number;
  /** Whether limbs of a character touch each other. */
  readonly selfContact: boolean;
  /** How fast a grip pulls, in masses of the body [Hz]. */
  readonly gripFrequency: number;
}

/** Measured: a limp chain without damping gains energy from rounding of its turns; 16 Hz follows a walk to 0.2°. */
export const LAYERED_DEFAULTS: LayeredOptions = {
  contact: 'exact',
  sweeps: 10,
  limpFrequency: 1,
  limpDamping: 0.5,
  driveFrequency: 16,
  driveDamping: 1,
  driveStrength: 50,
  coreShare: 0.8,
  selfContact: true,
  gripFrequency: 4,
};

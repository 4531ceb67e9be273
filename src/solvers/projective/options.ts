/** Options of the projective solver, and what its integrators mean in numbers. */
import type { InertiaWeights } from './bones/bone-motion.js';

/** Stages of a step, in their order. */
export const PROJECTIVE_STAGES = ['predict', 'local', 'global', 'bones', 'contact', 'finish'] as const;

/** How bones are kept rigid. */
export type BoneMethod = 'exact' | 'published' | 'stiff' | 'shape';

/** How a body is solved. */
export interface ProjectiveOptions {
  /** Local/global iterations per step; data, never a time budget. */
  iterations: number;
  /**
   * Estimated error (`certificate.error`) below which the iterations of a step end early, as a share of the correction that is
   * needed; 0 takes all of them. One more iteration follows, in which the joints are closed.
   */
  tolerance: number;
  /** Whether each iteration uses what the ones before it have shown; without, it is the plain local/global iteration of [Li2019]. */
  accelerated: boolean;
  /**
   * Whether regions of flesh turn as a whole in accelerated iterations, unless other bodies touch the body: what swings or falls on the ground, a hand, a head, limbs,
   * comes far closer to its converged step in ten of them, at 7 to 16 % more time. 'auto': in bodies of up to 16 bones, beyond which it takes more,
   * and while no more than 192 contact sides touch them.
   */
  turningRegions: boolean | 'auto';
  /**
   * Whether tets share strains through their vertices, so that coarse flesh is as soft as fine and does not lock at high Poisson ratios. Takes a tenth to a
   * third more time. Scenes of characters from files ask for it.
   */
  smoothed: boolean;
  /**
   * 'exact': bones feel the flesh and the flesh follows them. For comparison: 'published', the projection of [Li2019 Alg. 1];
   * 'stiff', bones imitated by stiff elements; 'shape', bones imitated by soft shape constraints.
   */
  bones: BoneMethod;
  /**
   * 'backwardEuler' (first order, strongly damped) or 'bdf2' (second order). With 'bdf2' a step in which contacts push anywhere
   * in the world, and the one after it, are backward Euler's: what looks back past a hit takes it for a rebound.
   */
  integrator: 'backwardEuler' | 'bdf2';
  /** Rate at which velocities die away by themselves [1/s]. */
  damping: number;
}

export const PROJECTIVE_DEFAULTS: Readonly<ProjectiveOptions> = {
  iterations: 10,
  tolerance: 0,
  accelerated: true,
  turningRegions: 'auto',
  smoothed: false,
  bones: 'exact',
  integrator: 'backwardEuler',
  damping: 0,
};

/** Whether iterations learn from each other. */
export function isAccelerated({ accelerated, bones }: ProjectiveOptions): boolean {
  return accelerated && bones === 'exact';
}

/** Length of the step before where it says nothing of the next [s]. */
export const NO_PAST = 0;

/**
 * The inertial target y as a combination of what is known. Backward Euler: y = x + h v. BDF2 with equal steps:
 * y = (4x − x')/3 + (2h/3)(4v − v')/3, and accelerations count with (2h/3)² instead of h². The first step, any
 * step after a change of h, and steps in which contacts push or pushed before, have no usable past: backward Euler.
 */
export function inertiaWeights(options: ProjectiveOptions, h: number, earlierStep: number): InertiaWeights {
  const kept = 1 / (1 + options.damping * h);
  if (options.integrator === 'backwardEuler' || earlierStep !== h) {
    return { position: 1, velocity: h * kept, earlierPosition: 0, earlierVelocity: 0, acceleration: h * h };
  }
  return {
    position: 4 / 3,
    velocity: (8 * h * kept) / 9,
    earlierPosition: -1 / 3,
    earlierVelocity: (-2 * h * kept) / 9,
    acceleration: (4 * h * h) / 9,
  };
}

/** Works the weights out again only when the time steps or the options have changed, so that a step allocates nothing. */
export class WeightCache {
  #h = Number.NaN;
  #earlier = Number.NaN;
  #integrator = '';
  #damping = Number.NaN;
  #weights!: InertiaWeights;

  get(options: ProjectiveOptions, h: number, earlier: number): InertiaWeights {
    const { integrator, damping } = options;
    const known = this.#h === h && this.#earlier === earlier && this.#integrator === integrator;
    if (!known || this.#damping !== damping) {
      this.#weights = inertiaWeights(options, h, earlier);
      this.#h = h;
      this.#earlier = earlier;
      this.#integrator = integrator;
      this.#damping = damping;
    }
    return this.#weights;
  }
}

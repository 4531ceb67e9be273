/** How the coupled solver is set. */

/** Options of the coupled solver. */
export interface CoupledOptions {
  /** Parts each step is taken in; default 2. More of them beat more sweeps. */
  readonly substeps: number;
  /** Largest island, in contacts and joint blocks, that is solved by conjugate gradients; default 400. */
  readonly gradientRows: number;
  /** Sweeps over larger islands, in the position and in the velocity track; default 10 and 6. */
  readonly sweeps: readonly [number, number];
  /** Share of a penetration that one substep takes away, and the speed it does so with at most [m/s]; default 0.3 and 2. */
  readonly pushOut: number;
  readonly pushOutSpeed: number;
  /** By what: rows of the position track, or, as published and for comparison, the 6 × 6 system of each body in turn; default rows. */
  readonly pushOutBy: 'rows' | 'centralBody';
  /** 'published': the choices of [Shinar2008] wherever none of the four is given, for comparison; default 'exact': what was measured to be better. */
  readonly scheme: 'exact' | 'published';
  /** Contact: rows, or pairs in the order of a contact graph by impulses that never shrink, without or with shock propagation; default rows. */
  readonly contactBy: 'rows' | 'graph' | 'shock';
  /** Joints: rows of both tracks, or pre- and post-stabilisation as steps of their own; default rows. */
  readonly jointsBy: 'rows' | 'stabilisation';
  /** Flesh under constraints: rows, or a projection inside conjugate gradients with contact and friction afterwards; default rows. */
  readonly velocityBy: 'rows' | 'projection';
  /** Distance within which bodies touch: their velocities see each other [m]; default 1e-4. */
  readonly touching: number;
  /** Approach slower than this does not bounce [m/s]; default 0.2. */
  readonly bounceSpeed: number;
  /** Islands that stay where they are, slower than this on the whole for half a second, sleep [m/s]; default 0: nothing sleeps. */
  readonly sleepSpeed: number;
  /** Rate at which spins of bodies, rigid and soft, die away, as in air [1/s]; default 0: balls roll on, and rods between ball joints turn about themselves, for good. */
  readonly spinDamping: number;
  /** Rate at which flesh and sheets come to rest within themselves: their momenta stay [1/s]; default 0. */
  readonly damping: number;
  /** Whether soft bodies touch themselves; default false. */
  readonly selfContact: boolean;
  /** Whether edges of soft bodies touch edges, beside vertices and faces; default false. */
  readonly edges: boolean;
  /** Bodies of flesh, by name, that keep the volume around each of their vertices; true: all of them. Default false: none. */
  readonly incompressible: boolean | readonly string[];
}

export const COUPLED_DEFAULTS: CoupledOptions = {
  substeps: 2,
  gradientRows: 400,
  sweeps: [10, 6],
  pushOut: 0.3,
  pushOutSpeed: 2,
  pushOutBy: 'rows',
  scheme: 'exact',
  contactBy: 'rows',
  jointsBy: 'rows',
  velocityBy: 'rows',
  touching: 1e-4,
  bounceSpeed: 0.2,
  sleepSpeed: 0,
  spinDamping: 0,
  damping: 0,
  selfContact: false,
  edges: false,
  incompressible: false,
};

/** What is chosen with `scheme: 'published'`. */
const PUBLISHED = {
  pushOutBy: 'centralBody',
  contactBy: 'graph',
  jointsBy: 'stabilisation',
  velocityBy: 'projection',
} as const satisfies Partial<CoupledOptions>;

/** All options where these are given. */
export function completeOptions(given: Partial<CoupledOptions>): CoupledOptions {
  return { ...COUPLED_DEFAULTS, ...(given.scheme === 'published' ? PUBLISHED : {}), ...given };
}

/** Whether anything in the solves is as published. */
export function isPublished({ contactBy, jointsBy, velocityBy }: CoupledOptions): boolean {
  return contactBy !== 'rows' || jointsBy !== 'rows' || velocityBy !== 'rows';
}

/** Stages that reports time: solving, writing back, finding contacts. */
export const COUPLED_STAGES = ['solve', 'write', 'contact'];

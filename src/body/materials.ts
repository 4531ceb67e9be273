/** Materials: from what a user knows (pascals, Poisson ratio) to the two Lamé parameters, and some presets. */
import { MAX_POISSON_RATIO } from '../constants.js';
import { requireInRange, TendonError } from '../errors.js';
import type { MaterialDef } from './body-def.js';

/** The Lamé parameters of a material [Pa], and the weight that stands for it in the constant matrix. */
export interface Lame {
  /** Shear modulus mu. */
  readonly mu: number;
  /** First parameter lambda; 0 for arap, which has no term for it. */
  readonly lambda: number;
  /** Weight per volume of |F - R|²/2 in the constant matrix [Pa]. */
  readonly weight: number;
}

/**
 * Soft tissue presets. Orders of magnitude at small strain; published values scatter by a factor of ten.
 * fat: Comley and Fleck 2010 (about 1 kPa to 10 kPa); muscle: relaxed, across the fibre, Chen et al. 1996 and
 * Gennisson et al. 2010 (10 kPa to 60 kPa); skin: Hendriks et al. 2003 (about 50 kPa to 200 kPa); rubber: soft silicone.
 */
export const MATERIALS: Readonly<Record<'fat' | 'muscle' | 'skin' | 'rubber', MaterialDef>> = {
  fat: { model: 'corotated', youngModulus: 5e3, poissonRatio: 0.45, density: 920 },
  muscle: { model: 'corotated', youngModulus: 4e4, poissonRatio: 0.45, density: 1060 },
  skin: { model: 'corotated', youngModulus: 1e5, poissonRatio: 0.45, density: 1100 },
  rubber: { model: 'stableNeoHookean', youngModulus: 1e6, poissonRatio: 0.48, density: 1100 },
};

/** Checks a material and works out its Lamé parameters. */
export function lameOf(material: MaterialDef, place: string): Lame {
  requireInRange(material.youngModulus, 1e-3, 1e12, `${place}/youngModulus`);
  requireInRange(material.density, 1e-6, 1e6, `${place}/density`);
  const nu = requireInRange(material.poissonRatio, 0, MAX_POISSON_RATIO, `${place}/poissonRatio`);
  if (material.model === 'arap') {
    // |F - R|² resists stretch and shear alike and does not couple them: Young's modulus 2 mu, Poisson ratio 0.
    const mu = material.youngModulus / 2;
    return { mu, lambda: 0, weight: 2 * mu };
  }
  if (material.model !== 'corotated' && material.model !== 'stableNeoHookean') {
    throw new TendonError('E_UNKNOWN', `${place}/model`, material.model, 'use arap, corotated or stableNeoHookean');
  }
  const mu = material.youngModulus / (2 * (1 + nu));
  const lambda = (material.youngModulus * nu) / ((1 + nu) * (1 - 2 * nu));
  // The element Hessian at rest has eigenvalues 2 mu (shape) and 2 mu + 3 lambda (volume). A constant scalar weight
  // w converges for anything above half of the largest, fastest for the mean of the two. But a step starts from x + h v,
  // so a stiff volume mode goes from step to step by the roots of z² − 2c z + c, c = (1 − (2 mu + 3 lambda)/w)^iterations,
  // and grows where c < −1/3: with the mean, nu = 0.45 blew up with 1, 3 and 5 iterations, nu = 0.3 with 1. Three quarters
  // of the largest is the least w that no number of iterations can upset.
  return { mu, lambda, weight: Math.max(2 * mu + 1.5 * lambda, 0.75 * (2 * mu + 3 * lambda)) };
}

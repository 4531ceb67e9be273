/** Options of contact. */

/** How bodies keep out of obstacles, of each other and of themselves. */
export interface ContactOptions {
  /**
   * 'implicit': solved together with everything else, with Coulomb friction. 'penalty': explicit forces by consistent
   * penetration depth, as in [Li2019 §4], for comparison, and the default with `bones: 'published'`. 'none': everything passes through everything.
   */
  contact: 'implicit' | 'penalty' | 'none';
  /** Whether a body can touch itself; default true in scenes with obstacles or several bodies. */
  selfContact: boolean;
}

/** The smallest solver there can be: every vertex falls by itself. It shows that a world needs to know nothing of its solver. */
import { type BodyState, planState } from '../../../src/body/state.js';
import { ContactBuffer } from '../../../src/collision/contact-buffer.js';
import { TendonError } from '../../../src/errors.js';
import type { Solver, SolverKind } from '../../../src/solvers/solver.js';
import { createReport } from '../../../src/solvers/step-report.js';

export interface ToyOptions {
  /** Share of gravity that is felt. */
  gravityShare: number;
}

export const TOY: SolverKind<ToyOptions> = {
  name: 'toy',
  takes: ['flesh', 'rigid'],
  stages: ['fall', 'contact'],
  readOptions(given) {
    const { gravityShare = 1 } = given as Partial<ToyOptions>;
    if (!Number.isFinite(gravityShare)) {
      throw new TendonError('E_NOT_FINITE', 'options/gravityShare', gravityShare, 'a share is a number');
    }
    return { gravityShare };
  },
  create(site, plan, options): Solver {
    const planned = site.bodies.map(({ model }) => planState(plan, model));
    let states: readonly BodyState[] = [];
    return {
      contacts: new ContactBuffer(0, []),
      reports: site.bodies.map(() => createReport(TOY.stages)),
      jointMultipliers: site.bodies.map(({ model: { joints } }) => new Float64Array(joints.rowStart[joints.count])),
      warmStart: [],
      fault: undefined,
      start() {
        states = planned.map((make) => make());
        return states;
      },
      reset() {},
      hold() {},
      step(h) {
        for (const { positions, velocities, poses } of states) {
          for (let i = 0; i < positions.length; i++) {
            velocities[i] += h * site.gravity[i % 3] * options.gravityShare;
            positions[i] += h * velocities[i];
          }
          // bones fall with the vertices, which all fall alike
          for (let i = 0; i < (poses.count - 1) * 3; i++) poses.translations[i] += h * velocities[i % 3];
        }
        site.obstacles.commit();
        return 'done';
      },
    };
  },
};

/** What the coupled step says of itself: contacts, how deep anything is, joint gaps, momentum that nothing explains. */
import type { StepReport } from '../step-report.js';
import type { CoupledCore } from './coupled-core.js';
import type { BodyMap } from './world-bodies.js';

/** Follows the linear momentum of everything that can move through a step. */
export class Momentum {
  /** Momentum that neither gravity, forces nor obstacles explain [kg m/s]. */
  drift = 0;
  readonly #sum = new Float64Array(3);

  before(core: CoupledCore): void {
    this.#sum.fill(0);
    this.#add(core, -1);
    core.outerImpulse.fill(0);
    core.weight.fill(0);
  }

  after(core: CoupledCore): void {
    const sum = this.#sum;
    this.#add(core, 1);
    for (let k = 0; k < 3; k++) sum[k] -= core.outerImpulse[k] + core.weight[k];
    // what is pinned is held by a force that is not known
    const held = core.soft.pinned.includes(1);
    this.drift = held ? 0 : Math.sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]);
  }

  #add({ rigid, soft }: CoupledCore, sign: number): void {
    for (let k = 0; k < 3; k++) {
      for (let b = 0; b < rigid.count; b++) {
        if (rigid.inverseMass[b] > 0) this.#sum[k] += sign * rigid.mass[b] * rigid.v[b * 3 + k];
      }
      for (let i = 0; i < soft.vertexCount; i++) this.#sum[k] += sign * soft.mass[i] * soft.v[i * 3 + k];
    }
  }
}

/** Fills the certificate and the reports of the bodies. */
export function measureStep(
  core: CoupledCore,
  map: BodyMap,
  certificate: StepReport,
  reports: readonly StepReport[],
  momentum: Momentum,
): void {
  const { contacts, rigid } = core;
  let count = 0;
  for (let c = 0; c < contacts.count; c++) {
    if (contacts.isBinding(c)) continue;
    count++;
    const depth = Math.max(0, -contacts.gap[c]);
    certificate.penetration = Math.max(certificate.penetration, depth);
    for (let side = 0; side < 2; side++) {
      const body = side === 0 ? contacts.a[c] : contacts.b[c];
      const owner = map.owner[body];
      if (owner < 0) continue;
      reports[owner].contacts++;
      reports[owner].penetration = Math.max(reports[owner].penetration, depth);
    }
  }
  certificate.contacts = count;
  certificate.droppedContacts = contacts.missed;
  certificate.jointGap = core.joints.largestGap(rigid);
  certificate.momentumDrift = momentum.drift;
  if (core.sleeping.isOn) certificate.sleeping = core.sleeping.count;
  certificate.iterations = core.options.substeps;
}

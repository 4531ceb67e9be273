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

/** What bodies' reports say of contacts. Counted in arrays: to go to the reports of a thousand bodies contact by contact, and to clear all of them, took longer than to count. */
export class ContactReports {
  readonly #reports: readonly StepReport[];
  readonly #count: Int32Array;
  readonly #deepest: Float64Array;
  /** 1 for bodies whose reports tell of contacts. */
  readonly #told: Uint8Array;

  constructor(reports: readonly StepReport[]) {
    this.#reports = reports;
    this.#count = new Int32Array(reports.length);
    this.#deepest = new Float64Array(reports.length);
    this.#told = new Uint8Array(reports.length);
  }

  /** Counts the contacts of a step. */
  begin(): void {
    this.#count.fill(0);
    this.#deepest.fill(0);
  }

  /** A contact of a body, so deep [m]. */
  add(body: number, depth: number): void {
    this.#count[body]++;
    if (depth > this.#deepest[body]) this.#deepest[body] = depth;
  }

  /** Tells what was counted. */
  end(): void {
    for (let i = 0; i < this.#count.length; i++) {
      if (this.#count[i] === 0 && this.#told[i] === 0) continue;
      this.#told[i] = this.#count[i] > 0 ? 1 : 0;
      this.#reports[i].contacts = this.#count[i];
      this.#reports[i].penetration = this.#deepest[i];
    }
  }
}

/** Fills the certificate and the reports of the bodies. */
export function measureStep(
  core: CoupledCore,
  map: BodyMap,
  certificate: StepReport,
  reports: ContactReports,
  momentum: Momentum,
): void {
  const { contacts, rigid } = core;
  const { a, b, gap } = contacts;
  let count = 0;
  let deepest = 0;
  reports.begin();
  for (let c = 0; c < contacts.count; c++) {
    if (contacts.isBinding(c)) continue;
    count++;
    const depth = gap[c] < 0 ? -gap[c] : 0;
    if (depth > deepest) deepest = depth;
    if (map.owner[a[c]] >= 0) reports.add(map.owner[a[c]], depth);
    if (map.owner[b[c]] >= 0) reports.add(map.owner[b[c]], depth);
  }
  reports.end();
  certificate.penetration = Math.max(certificate.penetration, deepest);
  certificate.contacts = count;
  certificate.droppedContacts = contacts.missed;
  certificate.jointGap = core.joints.largestGap(rigid);
  certificate.momentumDrift = momentum.drift;
  if (core.sleeping.isOn) certificate.sleeping = core.sleeping.count;
  certificate.iterations = core.options.substeps;
}

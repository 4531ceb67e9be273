/** One world of the page's simulation: a hosted world that is timed and reported on. */
import { readContactForces } from '../../host/frames/read-forces.js';
import { HostedWorld } from '../../host/world/hosted-world.js';
import type { BoneMethod, Certificate, World } from '../../src/index.js';
import type { BuiltSource } from './load-source.js';
import { measureOcclusion } from './occlusion.js';
import type { BodyInfo, LaneReport } from './scene-info.js';
import { readSkinLook } from './skin-look.js';

/** In worlds of more bodies than this, rigid ones are drawn by their parts: all of a model at once, and nothing takes hold of them. */
const MANY = 100;

/** A world and where it is drawn. */
export class Lane extends HostedWorld {
  readonly bones: BoneMethod;
  readonly infos: readonly BodyInfo[];
  #spent = 0;
  #taken = 0;

  constructor(world: World, lane: number, { def, skins }: Pick<BuiltSource, 'def' | 'skins'>) {
    super(
      world,
      world.bodies.map((_, i) => ({ worn: skins[i], inside: true, parts: world.bodies.length > MANY })),
    );
    this.bones = world.options.bones;
    // bodies of one model see the same of the sky
    const skies = new Map<unknown, Float32Array>();
    this.infos = this.bodies.map(({ info }, i) => {
      const skin = skins[i]?.skin;
      const { model } = world.bodies[i];
      const known = skin ? undefined : skies.get(model);
      const sky = known ?? measureOcclusion(info.inside!.rest, info.triangles);
      if (!skin) skies.set(model, sky);
      const character = def.bodies[i].body.name;
      return { ...info, inside: info.inside!, lane, character, sky, look: skin && readSkinLook(skin) };
    });
  }

  /** One step; false where it failed. */
  override step(): boolean {
    const began = performance.now();
    const done = super.step();
    this.#spent += performance.now() - began;
    this.#taken++;
    return done;
  }

  /** How the steps since the last report went. */
  report(): LaneReport {
    const stepMs = this.#taken > 0 ? this.#spent / this.#taken : 0;
    this.#spent = this.#taken = 0;
    const { certificate, fault } = this.world;
    return { certificate: copy(certificate), kinetic: kineticEnergy(this.world), stepMs, fault: fault?.message };
  }

  /** Place and force of every contact that carries something, 6 numbers each, where the lane is drawn. */
  listContacts(): number[] {
    return readContactForces(this.world, this.offset);
  }
}

/** Sum of m v²/2 over all vertices [J]. */
export function kineticEnergy(world: World): number {
  let sum = 0;
  for (const { model, state } of world.bodies) {
    const v = state.velocities;
    for (let i = 0; i < model.vertexCount; i++) {
      const square = v[i * 3] * v[i * 3] + v[i * 3 + 1] * v[i * 3 + 1] + v[i * 3 + 2] * v[i * 3 + 2];
      sum += 0.5 * model.masses[i] * square;
    }
  }
  return sum;
}

function copy(certificate: Certificate): Certificate {
  return { ...certificate, ms: { ...certificate.ms } };
}

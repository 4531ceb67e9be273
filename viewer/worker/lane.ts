/** One world of the page's simulation: a hosted world that is timed and reported on. */
import { readContactForces } from '../../host/frames/read-forces.js';
import { StretchMeter } from '../../host/frames/stretch.js';
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
  /** By body; bodies of one model share one, and those without flesh have none. */
  readonly #meters: readonly (StretchMeter | undefined)[];
  #stretch = 1;
  #mostStretch = 1;

  constructor(world: World, lane: number, { def, skins }: Pick<BuiltSource, 'def' | 'skins'>) {
    super(
      world,
      world.bodies.map((_, i) => ({ worn: skins[i], inside: true, parts: world.bodies.length > MANY })),
    );
    this.bones = world.options.bones;
    const models = new Set(world.bodies.map(({ model }) => model).filter(({ kind }) => kind === 'flesh'));
    const meters = new Map([...models].map((model) => [model, new StretchMeter(model)]));
    this.#meters = world.bodies.map(({ model }) => meters.get(model));
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
    // after every step: what snaps back at once is seen too
    this.#measureStretch();
    return done;
  }

  override reset(): void {
    super.reset();
    this.#stretch = this.#mostStretch = 1;
  }

  /** How the steps since the last report went. */
  report(): LaneReport {
    const stepMs = this.#taken > 0 ? this.#spent / this.#taken : 0;
    this.#spent = this.#taken = 0;
    const { certificate, fault } = this.world;
    return {
      certificate: copy(certificate),
      kinetic: kineticEnergy(this.world),
      stretch: this.#stretch,
      mostStretch: this.#mostStretch,
      stepMs,
      fault: fault?.message,
    };
  }

  /** Place and force of every contact that carries something, 6 numbers each, where the lane is drawn. */
  listContacts(): number[] {
    return readContactForces(this.world, this.offset);
  }

  #measureStretch(): void {
    const { bodies } = this.world;
    this.#stretch = 1;
    for (let i = 0; i < bodies.length; i++) {
      this.#stretch = Math.max(this.#stretch, this.#meters[i]?.measure(bodies[i].state.positions) ?? 1);
    }
    this.#mostStretch = Math.max(this.#mostStretch, this.#stretch);
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

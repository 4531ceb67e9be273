/** One world of the simulation: steps it, times it, and draws it into frames. */
import { type BoneMethod, type Certificate, disposeWorld, resetWorld, stepWorld, type World } from '../src/index.js';
import { contactPoint } from '../src/world/contacts.js';
import { BodyFrames } from './body-frames.js';
import type { WornSkin } from './fine-skins.js';
import type { BodyLayout } from './frame-layout.js';
import type { LaneReport, Point } from './scene-info.js';

/** Numbers per obstacle in a frame: quaternion and position. */
const POSE = 7;

/** A world and where it is drawn. */
export class Lane {
  readonly world: World;
  readonly bones: BoneMethod;
  readonly bodies: readonly BodyFrames[];
  offset: Point = [0, 0, 0];
  readonly #obstaclesBefore: Float64Array;
  #spent = 0;
  #taken = 0;

  constructor(world: World, index: number, skins: readonly (WornSkin | undefined)[]) {
    this.world = world;
    this.bones = world.options.bones;
    this.bodies = world.bodies.map((body, i) => new BodyFrames(body, index, skins[i]));
    this.#obstaclesBefore = world.obstacles.poses.slice();
  }

  /** One step; false where it failed. */
  step(): boolean {
    this.remember();
    const began = performance.now();
    const done = stepWorld(this.world);
    this.#spent += performance.now() - began;
    this.#taken++;
    return done;
  }

  /** Keeps the state before a step, to draw what is between. */
  remember(): void {
    for (const body of this.bodies) body.remember();
    this.#obstaclesBefore.set(this.world.obstacles.poses);
  }

  reset(): void {
    resetWorld(this.world);
    this.remember();
  }

  /** Writes what a frame shows; `layouts` are those of this lane's bodies. */
  write(out: Float32Array, layouts: readonly BodyLayout[], obstacles: number, phase: number, strain: boolean): void {
    this.bodies.forEach((body, i) => {
      body.write(out, layouts[i], phase);
      if (strain) body.writeStrain(out, layouts[i]);
    });
    const { poses } = this.world.obstacles;
    this.#obstaclesBefore.forEach((from, i) => {
      out[obstacles + i] = from + phase * (poses[i] - from) + (i % POSE > 3 ? this.offset[(i % POSE) - 4] : 0);
    });
  }

  /** How the steps since the last report went. */
  report(): LaneReport {
    const stepMs = this.#taken > 0 ? this.#spent / this.#taken : 0;
    this.#spent = this.#taken = 0;
    const { certificate, fault } = this.world;
    return { certificate: copy(certificate), kinetic: kineticEnergy(this.world), stepMs, fault: fault?.message };
  }

  /** Appends place and force of every contact that carries something, 6 numbers each. */
  listContacts(out: number[]): void {
    const { contacts } = this.world;
    for (let c = 0; c < contacts.count; c++) {
      const [fx, fy, fz] = contacts.force.subarray(c * 3, c * 3 + 3);
      if (fx === 0 && fy === 0 && fz === 0) continue;
      const point = contactPoint(this.world, c);
      for (let k = 0; k < 3; k++) out.push(point[k] + this.offset[k]);
      out.push(fx, fy, fz);
    }
  }

  dispose(): void {
    disposeWorld(this.world);
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

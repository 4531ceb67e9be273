/**
 * Scenes with contact keep what is promised in every frame. Those of the paper run with coarser meshes here, which fall and touch
 * in the same way.
 */
import { describe, expect, it } from 'vitest';
import { buildAerialSilkScene } from '../../scenes/flesh/aerial-silk.js';
import { buildMermaidScene } from '../../scenes/flesh/mermaid.js';
import { buildSnailScene } from '../../scenes/flesh/snail.js';
import { SCENES } from '../../scenes/index.js';
import { centreOfMass } from '../../src/body/state.js';
import {
  contactForceOnBody,
  contactForceOnObstacle,
  createWorld,
  disposeWorld,
  resetWorld,
  type World,
} from '../../src/index.js';
import { depthInside } from '../support/checks/contact-measure.js';
import { measured } from '../support/checks/measure.js';
import { projectiveOf } from '../support/projective-inside.js';
import { type Runnable, runWorld } from './scene-run.js';

/** What else is asked of a scene while it runs: `watch` after each step, `judge` when it is over. */
interface Question {
  readonly asks: string;
  watch(world: World): void;
  judge(): void;
}

/** Steps until a scene has touched what it is about to touch. */
const RUNS: readonly {
  readonly name: string;
  readonly steps: number;
  readonly coarse?: Runnable;
  readonly question?: () => Question;
}[] = [
  { name: 'bar', steps: 40 },
  { name: 'snail', steps: 60, coarse: { build: () => buildSnailScene({ cell: 0.016 }) }, question: askSnail },
  { name: 'drum', steps: 120 },
  {
    name: 'aerial-silk',
    steps: 90,
    coarse: { build: () => buildAerialSilkScene({ cell: 0.06 }) },
    question: askAcrobat,
  },
  { name: 'aerial-silk-loose', steps: 45, coarse: { build: () => buildAerialSilkScene({ cell: 0.06, loose: true }) } },
  { name: 'mermaid', steps: 100, coarse: { build: () => buildMermaidScene({ cell: 0.07 }) } },
  { name: 'mermaid-rock', steps: 120 },
  { name: 'pile', steps: 48 },
  { name: 'fist', steps: 125 },
  { name: 'stairs', steps: 100 },
];

describe.each(RUNS)('$name', ({ name, steps, coarse, question }) => {
  const entry = coarse ?? (SCENES.get(name) as Runnable);
  const asked = question?.();

  it(`starts with nothing inside anything, touches, and keeps out of everything by less than 1 % of its size for ${steps} steps${asked ? `; ${asked.asks}` : ''}`, async () => {
    const world = await createWorld(entry.build());
    const instant = 1e-6;
    world.obstacles.predict(instant, instant);
    projectiveOf(world).findContacts(instant);
    expect(Math.min(0, ...world.contacts.gap.subarray(0, world.contacts.count))).toBe(0);
    resetWorld(world);

    let overlap = 0;
    const worst = runWorld(world, steps, () => {
      const isTime = world.stepCount % 6 === 0 && world.bodies.length > 1;
      // not by the contacts that were found, but by the tets that surface points are in
      if (isTime) overlap = Math.max(overlap, worstOverlap(world));
      asked?.watch(world);
    });
    disposeWorld(world);
    measured(`overlap in ${name}`, overlap);
    expect(overlap).toBeLessThan(0.01);
    expect(worst).toMatchObject({ finite: true, dropped: 0 });
    // two where flesh is flung into an obstacle within one step, as once on the stairs
    expect(worst.substeps).toBeLessThan(3);
    expect(worst.contacts).toBeGreaterThan(0);
    expect(worst.penetration).toBeLessThan(0.01);
    expect(worst.jointGap).toBeLessThan(1e-9);
    expect(worst.inverted).toBeLessThan(0.01);
    asked?.judge();
  });
});

/** Deepest any two bodies are inside each other, in sizes of the smaller one. */
function worstOverlap({ bodies }: World): number {
  const depths = bodies.flatMap((a) => {
    return bodies.map((b) => (a === b ? 0 : depthInside(a, b, 1) / Math.min(a.model.size, b.model.size)));
  });
  return Math.max(...depths);
}

/** Mass times acceleration of a body over the last step, less its weight: what the contacts must have given [N]. */
class ForceBalance {
  #momentum: Float64Array | undefined;

  /** Largest difference between the contact forces and what the motion asks for, relative to the weight. */
  error(world: World): number {
    const { model, state } = world.bodies[0];
    const momentum = centreOfMass(model, state.velocities).map((v) => v * model.totalMass);
    const before = this.#momentum;
    this.#momentum = momentum;
    // forces are those of the last part of a step that was taken in parts: they do not explain all of it
    if (!before || world.certificate.substeps > 1) return 0;
    const force = contactForceOnBody(world, 0);
    const weight = model.totalMass * 9.81;
    return Math.max(
      ...[0, 1, 2].map((k) => {
        const wanted = (momentum[k] - before[k]) / world.dt - model.totalMass * world.gravity[k];
        return Math.abs(force[k] - wanted) / weight;
      }),
    );
  }
}

/** The snail on the ball moves as the forces on its shell and its flesh say, in every step. */
function askSnail(): Question {
  const balance = new ForceBalance();
  let worst = 0;
  let shellForce = 0;
  return {
    asks: 'moves as the forces on its shell and its flesh say, in every step',
    watch(world) {
      worst = Math.max(worst, balance.error(world));
      shellForce = Math.max(shellForce, Math.hypot(...contactForceOnBody(world, 0, 0)));
      const whole = contactForceOnBody(world, 0);
      const [shell, flesh] = [contactForceOnBody(world, 0, 0), contactForceOnBody(world, 0, -1)];
      const [floor, ball] = [contactForceOnObstacle(world, 0), contactForceOnObstacle(world, 1)];
      for (let k = 0; k < 3; k++) {
        expect(shell[k] + flesh[k]).toBeCloseTo(whole[k], 9);
        expect(floor[k] + ball[k]).toBeCloseTo(-whole[k], 9);
      }
    },
    judge() {
      expect(worst).toBeLessThan(1e-6);
      // it falls on its shell, which is bone and carries it for a while
      expect(shellForce).toBeGreaterThan(5);
    },
  };
}

/** The acrobat hangs in the silks: they carry its weight and nothing else does. */
function askAcrobat(): Question {
  const balance = new ForceBalance();
  let worst = 0;
  let lift = 0;
  return {
    asks: 'hangs in the silks, which carry its weight and nothing else does',
    watch(world) {
      worst = Math.max(worst, balance.error(world));
      const weight = world.bodies[0].model.totalMass * 9.81;
      if (world.stepCount > 60) lift += contactForceOnBody(world, 0)[1] / weight / 30;
    },
    judge() {
      expect(worst).toBeLessThan(1e-6);
      // it still sways a little: the average over a second
      expect(lift).toBeGreaterThan(0.9);
      expect(lift).toBeLessThan(1.1);
    },
  };
}

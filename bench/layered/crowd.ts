/**
 * `tendon bench layered --crowd MODEL`: a hundred of a rigged model driven by its first clip, and fifty limp ones, on a floor, on one thread or more. A whole step
 * of the world is timed: clips, the copy to go back to, contact, certificate. Every run takes the same steps to the bit, so that the time of a step is
 * its least over the runs; what others did to the machine meanwhile is left out.
 */
import { readFileSync } from 'node:fs';
import type { LayerCharacter } from '../../src/character/build/kinds/layer-character.js';
import { ClipPlayer } from '../../src/character/clips/clip-player.js';
import { loadLayered } from '../../src/character/load-character.js';
import type { AnySceneDef } from '../../src/scene/scene-def.js';
import { createWorld, disposeWorld } from '../../src/world/create-world.js';
import { addDrive } from '../../src/world/drives.js';
import { stepWorld } from '../../src/world/step.js';
import type { World } from '../../src/world/world.js';
import { machine, spread } from '../stats.js';

/** Four seconds: limp ones have fallen down and come to rest by then. */
const STEPS = 240;
const RUNS = 4;
/** Steps of the mean that is the dearest stretch. */
const STRETCH = 30;
const ACROSS = 10;
/** Between neighbours, in sizes of the model: they do not reach each other. */
const APART = 1.5;
/** Two neighbours are so far apart in the clip [s]. */
const LATER = 0.037;
/** Limp ones fall from here [m]. */
const HEIGHT = 0.2;

/** What a crowd costs [ms a step]. */
export interface CrowdTimes {
  readonly crowd: 'driven' | 'limp';
  readonly count: number;
  readonly medianMs: number;
  /** Mean of the dearest half second. */
  readonly dearestMs: number;
  /** Mean over all steps of the time that the processors worked, least of the runs. */
  readonly processorMs: number;
  /** Of a character, most of any step. */
  readonly contacts: number;
}

/** Runs the command. */
export async function benchCrowd(file: string, json: boolean, threads = 1): Promise<void> {
  const character = await loadLayered(new Uint8Array(readFileSync(file)));
  if (!json) {
    console.log(machine());
    console.log('crowd  count  contacts each  median ms  dearest half second ms  processor ms');
  }
  for (const [crowd, count] of [['driven', 100] as const, ['limp', 50] as const]) {
    const times = await timeCrowd(character, crowd, count, threads);
    if (json) console.log(JSON.stringify(times));
    else {
      const { contacts, medianMs, dearestMs, processorMs } = times;
      const shown = [medianMs, dearestMs, processorMs].map((ms) => ms.toFixed(2));
      console.log([crowd, count, contacts, ...shown].join('  '));
    }
  }
}

/** Times all steps of a crowd. */
async function timeCrowd(
  character: LayerCharacter,
  crowd: CrowdTimes['crowd'],
  count: number,
  threads: number,
): Promise<CrowdTimes> {
  const least = new Array<number>(STEPS).fill(Number.POSITIVE_INFINITY);
  let [processorMs, contacts] = [Number.POSITIVE_INFINITY, 0];
  for (let run = 0; run < RUNS; run++) {
    const world = await makeCrowd(character, crowd === 'driven', count, threads);
    const before = process.cpuUsage();
    for (let step = 0; step < STEPS; step++) {
      const began = performance.now();
      if (!stepWorld(world)) throw world.fault;
      least[step] = Math.min(least[step], performance.now() - began);
      contacts = Math.max(contacts, world.certificate.contacts);
    }
    const { user, system } = process.cpuUsage(before);
    processorMs = Math.min(processorMs, (user + system) / 1000 / STEPS);
    disposeWorld(world);
  }
  return {
    crowd,
    count,
    medianMs: spread(least).median,
    dearestMs: dearestStretch(least),
    processorMs,
    contacts: Math.round(contacts / count),
  };
}

/** Largest mean over neighbouring steps. */
function dearestStretch(times: readonly number[]): number {
  let dearest = 0;
  for (let from = 0; from + STRETCH <= times.length; from++) {
    let sum = 0;
    for (let i = from; i < from + STRETCH; i++) sum += times[i];
    dearest = Math.max(dearest, sum / STRETCH);
  }
  return dearest;
}

/** Many of a character on a floor, in rows, driven by its first clip or limp above it. */
export async function makeCrowd(
  character: LayerCharacter,
  isDriven: boolean,
  count: number,
  threads = 1,
): Promise<World> {
  const { body, skeleton, clips, joints } = character;
  const box = boundsOf(body.positions);
  const lift = -box.low[1] + (isDriven ? 0 : HEIGHT);
  const bones = body.bones.map((bone) => ({ ...bone, kinematic: isDriven ? ('tracked' as const) : false }));
  const apart = APART * Math.max(...box.high.map((high, k) => high - box.low[k]));
  const shared = { ...body, bones };
  const places = Array.from(
    { length: count },
    (_, i) => [(i % ACROSS) * apart, lift, Math.floor(i / ACROSS) * apart] as const,
  );
  const scene: AnySceneDef = {
    name: 'rows',
    description: 'many on a floor',
    solver: { kind: 'layered', selfContact: false },
    bodies: places.map((position, i) => ({ body: shared, name: `${body.name} ${i}`, position })),
    obstacles: [{ name: 'floor', shape: { kind: 'plane' }, friction: 0.5 }],
  };
  const world = await createWorld(scene, { threads });
  if (!isDriven) return world;
  const player = new ClipPlayer({ skeleton, clips, joints }, world.bodies[0].model);
  addDrive(world, (_, time) => {
    world.bodies.forEach(({ state, model }, i) => {
      player.pose(clips[0], time + i * LATER, state.boneTargets);
      for (let bone = 0; bone < model.bones.count; bone++) {
        for (let k = 0; k < 3; k++) state.boneTargets[7 * bone + 4 + k] += places[i][k];
      }
    });
  });
  return world;
}

function boundsOf(positions: ArrayLike<number>): { readonly low: number[]; readonly high: number[] } {
  const low = [0, 1, 2].map((k) => positions[k]);
  const high = [...low];
  for (let i = 0; i < positions.length; i++) {
    low[i % 3] = Math.min(low[i % 3], positions[i]);
    high[i % 3] = Math.max(high[i % 3], positions[i]);
  }
  return { low, high };
}

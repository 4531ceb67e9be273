/** One step of a world: the ordered list of stages, no mathematics. */

import { fleshVolume } from '../body/flesh-volume.js';
import { MAX_DT } from '../constants.js';
import { requireInRange, TendonError } from '../errors.js';
import type { Outcome } from '../solvers/solver.js';
import { applyDrives } from './drives.js';
import { PartTargets } from './rescue/part-targets.js';
import { rescue } from './rescue/rescue.js';
import { insideOf, type World, type WorldInside } from './world.js';

/** Parts that are tried, one after the other: more where a whole step is not finite or drives bodies into each other. */
const SPLITS = [1, 2, 4, 8];
/** And where rigid bodies still pass through each other then: a thin one that is struck at its rim turns by a radian in an eighth of a step, and so does a paw about its hinge. */
const FINER = [16, 32];
const NOTHING: readonly string[] = [];

/**
 * Advances every body by `dt` [s]; 0 does nothing. Fills `world.certificate`. A step that is not finite, or drives bodies into
 * each other, is tried again as 2, 4 and 8 shorter ones, 16 and 32 where rigid bodies pass through each other or flesh is flung into itself (`certificate.substeps` says so), then without the grips on the bodies and with
 * weak motors (`certificate.slipped` names them). When that is not finite either nothing has moved, `world.fault` says which body and what to do,
 * and false is returned. The step after a fault that lasts, and one under bones that are led or turned by motors, is tried from rest (`certificate.stilled`).
 *
 * @example
 * if (!stepWorld(world, 1 / 60)) console.error(world.fault);
 * console.log(world.certificate.jointGap, world.bodies[0].state.positions);
 */
export function stepWorld(world: World, dt = world.dt): boolean {
  requireInRange(dt, 0, MAX_DT, 'dt');
  if (dt === 0) return true;
  const inside = insideOf(world);
  const hasFailed = world.fault !== undefined;
  world.certificate.slipped = NOTHING;
  world.certificate.stilled = false;
  world.fault = findUnreal(world);
  if (world.fault) return false;
  if (!takeStep(inside, dt) && !rescue(inside, hasFailed, dt, () => takeStep(inside, dt))) return false;
  world.fault = undefined;
  measureVolumes(world);
  world.time += dt;
  world.stepCount++;
  return true;
}

/** Takes a step whole or in parts; false, with everything as it was, where it fails at every length. */
function takeStep(world: WorldInside, dt: number): boolean {
  let outcome: Outcome = 'drivenIn';
  for (let i = 0; i < SPLITS.length || (i < SPLITS.length + FINER.length && outcome === 'passing'); i++) {
    save(world);
    outcome = takeDespiteThreads(world, dt, SPLITS[i] ?? FINER[i - SPLITS.length]);
    if (outcome === 'done') return true;
    restore(world);
    world.fault ??= world.solver.fault;
    // shorter steps do not help against a force that is no number
    if (!areForcesFinite(world)) return false;
  }
  return false;
}

/** Where a helper thread dies in the middle, all is put back and the same parts are taken again without it; whatever else ends a step leaves everything as it was. */
function takeDespiteThreads(world: WorldInside, dt: number, parts: number): Outcome {
  while (true) {
    try {
      return takeParts(world, dt, parts);
    } catch (error) {
      restore(world);
      world.solver.interrupted?.();
      if (!(error instanceof TendonError) || error.code !== 'E_THREAD') throw error;
    }
  }
}

/** Takes `parts` steps of dt/parts; says what became of the first that fails. */
function takeParts(world: WorldInside, dt: number, parts: number): Outcome {
  const { solver, certificate } = world;
  const isLastTry = parts >= SPLITS[SPLITS.length - 1];
  const isFinest = parts === FINER[FINER.length - 1];
  const targets = parts > 1 ? new PartTargets(world) : undefined;
  let unswept = 0;
  for (let index = 0; index < parts; index++) {
    targets?.restore();
    applyDrives(world, world.time + (dt * (index + 1)) / parts, dt / parts);
    targets?.lead((index + 1) / parts);
    world.obstacles.predict(dt / parts, (dt * (parts - index)) / parts);
    const outcome = solver.step(dt / parts, { index, isLastTry, isFinest });
    if (outcome !== 'done') return outcome;
    unswept += certificate.unswept;
  }
  certificate.substeps = parts;
  certificate.unswept = unswept;
  return 'done';
}

/** Says how much of its volume flesh has. */
function measureVolumes({ bodies, certificate }: World): void {
  certificate.volume = 1;
  for (let i = 0; i < bodies.length; i++) {
    const { model, state, report } = bodies[i];
    // positions of rigid bodies are worked out when they are asked for: in a pile that took a quarter of a frame
    if (report.cells) report.volume = report.cells.meanVolume;
    else report.volume = model.tetCount > 0 ? fleshVolume(model, state) : 1;
    certificate.volume = i === 0 ? report.volume : Math.min(certificate.volume, report.volume);
  }
}

function save({ backup, obstacles }: WorldInside): void {
  backup.save();
  obstacles.save();
}

function restore({ backup, obstacles }: WorldInside): void {
  backup.restore();
  obstacles.restore();
}

/** A position or velocity that somebody has set to what is no number: nothing that looks for neighbours would come to an end. */
function findUnreal({ bodies }: World): TendonError | undefined {
  for (const { name, state } of bodies) {
    const { sources } = state;
    let sum = 0;
    if (sources === undefined) sum = zeroTimes(state.positions) + zeroTimes(state.velocities);
    else for (let i = 0; i < sources.length; i++) sum += zeroTimes(sources[i]);
    if (sum === 0) continue;
    const advice = 'a position or velocity is not finite: restore a snapshot or reset the world';
    return new TendonError('E_NOT_FINITE', `bodies/${name}/state`, sum, advice);
  }
  return undefined;
}

/** Sum of all numbers times zero: zero times what is not finite is not zero. Three sums side by side: one alone would wait for itself. */
function zeroTimes(numbers: Float64Array): number {
  let x = 0;
  let y = 0;
  let z = 0;
  let i = 0;
  for (; i + 2 < numbers.length; i += 3) {
    x += 0 * numbers[i];
    y += 0 * numbers[i + 1];
    z += 0 * numbers[i + 2];
  }
  for (; i < numbers.length; i++) x += 0 * numbers[i];
  return x + y + z;
}

function areForcesFinite(world: World): boolean {
  return world.bodies.every(({ state }) => state.forces.every((force) => Number.isFinite(force)));
}

/**
 * `tendon bench layered --rigs MODEL...`: rigged models as layered characters with no options, limp on a floor and driven by their first
 * clip. What building them takes, how deep any node of theirs is ever in the floor, and what a step takes.
 */
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import type { LayerCharacter } from '../../src/character/build/kinds/layer-character.js';
import { ClipPlayer } from '../../src/character/clips/clip-player.js';
import { loadLayered } from '../../src/character/load-character.js';
import { buildLayeredModel } from '../../src/solvers/layered/layered-model.js';
import { createWorld } from '../../src/world/create-world.js';
import { addDrive } from '../../src/world/drives.js';
import { stepWorld } from '../../src/world/step.js';
import { spread } from '../stats.js';

const STEPS = 1000;
/** Positions are looked at every so many steps. */
const LOOK = 10;

/** What became of a model on a floor. */
export interface RigRun {
  /** Deepest any node was below the floor, in sizes of the character. */
  readonly deepest: number;
  /** Median of a step [ms]. */
  readonly stepMs: number;
  /** Largest angle by which a joint exceeded its limits [rad]. */
  readonly limitExcess: number;
}

/** Runs the command for models given by their files. */
export async function benchRigs(files: readonly string[], json: boolean): Promise<void> {
  if (!json) console.log('model  nodes  bones  build ms  limp: deepest %  step ms  driven: deepest %  step ms');
  for (const file of files) {
    const bytes = new Uint8Array(readFileSync(file));
    const began = performance.now();
    const character = await loadLayered(bytes);
    // worlds build the model from the body: part of what a file costs before its first step
    buildLayeredModel(character.body, 'body');
    const buildMs = performance.now() - began;
    const limp = await runRig(character, false, STEPS);
    const driven = character.clips.length > 0 ? await runRig(character, true, STEPS) : undefined;
    const [nodes, bones] = [character.body.positions.length / 3, character.body.bones.length];
    const model = basename(file, '.glb');
    if (json) console.log(JSON.stringify({ model, nodes, bones, buildMs, limp, driven }));
    else
      console.log(
        [model, nodes, bones, Math.round(buildMs), ...show(limp), ...(driven ? show(driven) : [])].join('  '),
      );
  }
}

function show({ deepest, stepMs }: RigRun): string[] {
  return [(100 * deepest).toFixed(2), stepMs.toFixed(3)];
}

/** Puts a character on a floor, limp from 0.2 m above it or driven by its first clip, and takes steps; throws where one fails. */
export async function runRig(character: LayerCharacter, driven: boolean, steps: number): Promise<RigRun> {
  const { body, skeleton, clips, joints } = character;
  let low = Number.POSITIVE_INFINITY;
  for (let i = 1; i < body.positions.length; i += 3) low = Math.min(low, body.positions[i]);
  const bones = body.bones.map((bone) => ({ ...bone, kinematic: driven ? ('tracked' as const) : false }));
  const lift = -low + (driven ? 0 : 0.2);
  const world = await createWorld({
    name: body.name,
    description: 'on a floor',
    solver: { kind: 'layered', selfContact: false },
    bodies: [{ body: { ...body, bones }, position: [0, lift, 0] }],
    obstacles: [{ name: 'floor', shape: { kind: 'plane' }, friction: 0.5 }],
  });
  const [{ state, model }] = world.bodies;
  if (driven) {
    const player = new ClipPlayer({ skeleton, clips, joints }, model);
    addDrive(world, (_, time) => {
      player.pose(clips[0], time, state.boneTargets);
      for (let bone = 0; bone < model.bones.count; bone++) state.boneTargets[7 * bone + 5] += lift;
    });
  }
  let [worst, limitExcess] = [0, 0];
  const times: number[] = [];
  for (let step = 0; step < steps; step++) {
    const began = performance.now();
    if (!stepWorld(world)) throw world.fault;
    times.push(performance.now() - began);
    limitExcess = Math.max(limitExcess, world.certificate.limitExcess);
    if (step % LOOK !== 0) continue;
    const { positions } = state;
    for (let i = 1; i < positions.length; i += 3) worst = Math.max(worst, -positions[i]);
  }
  return { deepest: worst / model.size, stepMs: spread(times).median, limitExcess };
}

/**
 * All scenes by name: the one list that the command line, the tests, the benchmarks and the viewer use.
 * @module tendon/scenes
 */

import { TendonError } from '../src/errors.js';
import type { AnySceneDef } from '../src/scene/scene-def.js';
import { buildFallingCatScene } from './active/falling-cat.js';
import { buildFlexingArmScene } from './active/flexing-arm.js';
import { buildRagdollScene } from './active/ragdoll.js';
import { buildReachingScene } from './active/reaching.js';
import { buildSwimmingFishScene } from './active/swimming-fish.js';
import { buildTrackedWalkScene } from './active/tracked-walk.js';
import { buildBarScene } from './bar.js';
import { buildChainScene } from './chain.js';
import {
  buildFloppingFishScene,
  buildMaggotPlateScene,
  buildMaggotsScene,
  buildSidewinderScene,
  buildTwistingBarScene,
} from './coupled/coupled-creatures.js';
import {
  buildBallRowScene,
  buildInclineScene,
  buildMixedStackScene,
  buildWindingChainScene,
} from './coupled/coupled-figures.js';
import { buildPile1600Scene } from './coupled/pile-1600.js';
import { buildTrampolineScene } from './coupled/trampoline.js';
import { buildAerialSilkScene } from './flesh/aerial-silk.js';
import { buildDrumScene } from './flesh/drum.js';
import { buildFishScene } from './flesh/fish.js';
import { buildFistScene } from './flesh/fist.js';
import { buildHandScene } from './flesh/hand.js';
import { buildJellyBarScene } from './flesh/jelly-bar.js';
import { buildJellyDropScene } from './flesh/jelly-drop.js';
import { buildMermaidScene } from './flesh/mermaid.js';
import { buildMermaidRockScene } from './flesh/mermaid-rock.js';
import { buildPileScene } from './flesh/pile.js';
import { buildQuadrupedScene } from './flesh/quadruped.js';
import { buildSnailScene } from './flesh/snail.js';
import { buildSnakeScene } from './flesh/snake.js';
import { buildStairsScene } from './flesh/stairs.js';
import { buildTubesScene } from './flesh/tubes.js';
import { buildWashingMachineScene } from './flesh/washing-machine.js';
import {
  buildArmShoulderScene,
  buildCubeScene,
  buildCurlingHandScene,
  buildFallingLimbScene,
  buildHourglassScene,
  buildStretchScene,
  buildTorsoScene,
} from './lattice.js';
import { buildCrowdScene } from './layered/crowd.js';
import { buildDeerScene, buildSnakeTouchedScene, buildTangledTubesScene } from './layered/layered.js';
import { buildPendulumScene } from './pendulum.js';

/** A scene that can be built. */
export interface SceneEntry {
  /** One line for people. */
  readonly description: string;
  readonly build: () => AnySceneDef;
}

/** Name -> scene, in the order they are listed to people: those of [Li2019, Table 1] first. */
export const SCENES: ReadonlyMap<string, SceneEntry> = new Map<string, SceneEntry>([
  ['bar', { description: 'soft bar with two rigid ends dropped on a floor', build: buildBarScene }],
  ['snail', { description: 'snail with a rigid shell falling on a ball', build: () => buildSnailScene() }],
  ['washing-machine', { description: 'human with nine bones in a turning drum', build: buildWashingMachineScene }],
  ['aerial-silk', { description: 'human on two silks', build: () => buildAerialSilkScene() }],
  ['mermaid', { description: 'mermaid with a soft tail in a cylindrical glass', build: () => buildMermaidScene() }],
  [
    'aerial-silk-loose',
    { description: 'human without joints on two silks', build: () => buildAerialSilkScene({ loose: true }) },
  ],
  ['pile', { description: 'twelve characters falling in a heap', build: buildPileScene }],
  ['fist', { description: 'hands closing on themselves and on a ball', build: buildFistScene }],
  ['stairs', { description: 'human tumbling down stairs', build: buildStairsScene }],
  ['jelly-bar', { description: 'soft bar held at one end', build: buildJellyBarScene }],
  ['jelly-drop', { description: 'jelly bars dropped on a floor', build: buildJellyDropScene }],
  ['falling-cat', { description: 'cat dropped on its back, landing on its feet', build: buildFallingCatScene }],
  [
    'ragdoll-limits',
    { description: 'two humans falling, one with joint limits', build: () => buildRagdollScene({ limits: true }) },
  ],
  ['flexing-arm', { description: 'arm lifting its forearm, with muscles', build: () => buildFlexingArmScene() }],
  ['reaching', { description: 'arm reaching for a ball, as it has learned', build: () => buildReachingScene() }],
  ['swimming-fish', { description: 'fish swimming by a wave along its spine', build: buildSwimmingFishScene }],
  ['tracked-walk', { description: 'human walking by its motors, pushed twice', build: () => buildTrackedWalkScene() }],
  ['ragdoll', { description: 'human falling over a ball', build: () => buildRagdollScene() }],
  ['drum', { description: 'human tumbling in a turning drum', build: buildDrumScene }],
  ['hand', { description: 'hand hanging from its forearm', build: buildHandScene }],
  ['snake', { description: 'snake falling over a low box', build: buildSnakeScene }],
  ['mermaid-rock', { description: 'mermaid sinking back over a rock', build: buildMermaidRockScene }],
  ['fish', { description: 'fish dropped on a floor, flapping', build: buildFishScene }],
  ['quadruped', { description: 'limp dog dropped on its feet', build: buildQuadrupedScene }],
  ['tubes', { description: 'hollow tube held at one end', build: buildTubesScene }],
  ['pendulum', { description: 'one rigid rod on a ball joint', build: buildPendulumScene }],
  ['chain', { description: 'eight rigid rods joined end to end', build: () => buildChainScene() }],
  ['maggots', { description: 'twenty maggots wriggling in a bowl', build: () => buildMaggotsScene() }],
  [
    'maggots-tori',
    { description: 'twenty maggots and twenty rings in a bowl', build: () => buildMaggotsScene({ tori: true }) },
  ],
  ['maggot-plate', { description: 'a maggot on the ground, three under a plate', build: buildMaggotPlateScene }],
  ['flopping-fish', { description: 'a fish flopping on the ground', build: buildFloppingFishScene }],
  ['sidewinder', { description: 'a snake winding over stairs', build: buildSidewinderScene }],
  ['twisting-bar', { description: 'a bar twisted by a bone at its end', build: buildTwistingBarScene }],
  ['trampoline', { description: 'balls and rings tossed and caught by a sheet', build: buildTrampolineScene }],
  ['incline', { description: 'rigid and soft boxes sliding down a slope', build: buildInclineScene }],
  ['mixed-stack', { description: 'rigid and soft boxes stacked, and struck by a ball', build: buildMixedStackScene }],
  ['ball-row', { description: 'a ball running into a row of rigid and soft ones', build: buildBallRowScene }],
  ['winding-chain', { description: 'chain of rigid and soft rings, wound and let go', build: buildWindingChainScene }],
  ['pile-1600', { description: '1,600 rigid and soft bodies falling on pegs', build: () => buildPile1600Scene() }],
]);

/** Scenes of the lattice solver, with up to 262,000 cells: found by name like the others, but not part of every test run. */
export const LATTICE_SCENES: ReadonlyMap<string, SceneEntry> = new Map<string, SceneEntry>([
  [
    'curling-hand',
    { description: 'hand curling its fingers, up to 118,000 cells', build: () => buildCurlingHandScene() },
  ],
  [
    'arm-shoulder',
    { description: 'arm and shoulder bending, up to 31,000 cells', build: () => buildArmShoulderScene() },
  ],
  ['torso', { description: 'human of 107,000 cells', build: () => buildTorsoScene() }],
  ['cube-32', { description: 'twisted cube of 32,768 cells', build: () => buildCubeScene(32) }],
  ['cube-64', { description: 'twisted cube of 262,144 cells', build: () => buildCubeScene(64) }],
  ['stretch', { description: 'cube stretched to 2.4 times its length', build: buildStretchScene }],
  ['hourglass', { description: 'the same without stabilisation', build: buildHourglassScene }],
  ['falling-limb', { description: 'limb of three bones falling over a rail', build: buildFallingLimbScene }],
]);

/** Scenes of the layered solver: found by name like the others, but not part of every test run. */
export const LAYERED_SCENES: ReadonlyMap<string, SceneEntry> = new Map<string, SceneEntry>([
  ['crowd', { description: 'fifty people walking through a door', build: () => buildCrowdScene() }],
  ['deer', { description: 'deer of 34 bones in three sizes hit by birds while they walk', build: buildDeerScene }],
  [
    'snake-touched',
    { description: 'snakes pushed by fish, with soft skin and without', build: buildSnakeTouchedScene },
  ],
  ['tangled-tubes', { description: 'soft tubes falling across each other', build: buildTangledTubesScene }],
]);

/** Names of all scenes, whichever solver they are for. */
export function sceneNames(): string[] {
  return [...SCENES.keys(), ...LATTICE_SCENES.keys(), ...LAYERED_SCENES.keys()];
}

/** The scene of that name; `E_UNKNOWN` lists the names there are. */
export function findScene(name: string): SceneEntry {
  const entry = SCENES.get(name) ?? LATTICE_SCENES.get(name) ?? LAYERED_SCENES.get(name);
  if (entry !== undefined) return entry;
  const advice = `no scene has this name; there are ${sceneNames().join(', ')}`;
  throw new TendonError('E_UNKNOWN', 'scene', name, advice);
}

/** Builds the scene of that name; `E_UNKNOWN` lists the names there are. */
export function buildScene(name: string): AnySceneDef {
  return findScene(name).build();
}

/** `tendon bench`: the tables and figures of docs/, measured on this machine. */
import type { Command } from 'commander';
import { benchContact } from '../../bench/contact/contact.js';
import { benchCoupled } from '../../bench/coupled.js';
import { benchDeform } from '../../bench/deform.js';
import { benchDepth } from '../../bench/depth/depth.js';
import { benchFigures } from '../../bench/figures/figures.js';
import { benchHands } from '../../bench/hands/hands.js';
import { benchLarge } from '../../bench/large.js';
import { benchLattice } from '../../bench/lattice.js';
import { benchLayered } from '../../bench/layered/layered.js';
import { benchMatrix } from '../../bench/matrix.js';
import { benchRigid } from '../../bench/rigid.js';
import { benchScenes } from '../../bench/scenes.js';
import { benchActiveCost } from '../../bench/skeleton/active-cost.js';
import { benchChain } from '../../bench/skeleton/chain.js';
import { benchGradient } from '../../bench/skeleton/gradient.js';
import { benchSkeletons } from '../../bench/skeleton/skeletons.js';
import { benchSoak } from '../../bench/soak.js';
import { benchTable1 } from '../../bench/table1.js';
import { benchTruth } from '../../bench/truth/truth.js';
import { benchRandomWorlds } from '../../bench/worlds/random-worlds.js';

/** How each part is called, in an example; those that need nothing are not listed. */
const EXAMPLES: Readonly<Record<string, string>> = {
  table1: '--scene bar --frames 60',
  figures: '--out figures',
  scenes: '--native ../native --scene human',
  contact: '--figure contact.svg',
  lattice: '--case cube-32 --frames 4',
  coupled: '--scene ball-row',
  large: '--thousands 100',
  rigid: '--count 75 --steps 60',
  truth: '--scene bar',
  soak: 'ragdoll bar --steps 2000',
  depth: 'ragdoll bar --steps 60',
  hands: 'human --acts 500 --seed 7',
  matrix: 'Fox.glb CesiumMan.glb --tets 3000',
  peers: '--figure peers.svg',
};

/** Adds the command and its parts. */
export function registerBench(program: Command): void {
  const bench = program.command('bench').description('measure speed and truth, one command for each question');
  registerProjective(bench);
  registerWorst(bench);
  registerLayered(bench);
  registerSolvers(bench);
  registerCharacters(bench);
  for (const command of bench.commands) {
    const words = EXAMPLES[command.name()];
    command.addHelpText(
      'after',
      `\nExample:\n  tendon bench ${command.name()}${words === undefined ? '' : ` ${words}`}`,
    );
  }
  bench.addHelpText('after', '\nExamples:\n  tendon bench table1\n  tendon bench truth --scene bar');
}

/** The projective solver: speed, truth and contact. */
function registerProjective(bench: Command): void {
  bench
    .command('table1')
    .description('the five bodies of [Li2019, Table 1], without contact')
    .option('--json', 'one JSON object per line')
    .option('--threads <n>', 'threads', '1')
    .option('--scene <name>', 'only this one')
    .option('--frames <n>', 'steps that are timed', '30')
    .option('--plain', 'iterations that are not accelerated')
    .action(benchTable1);
  bench
    .command('figures')
    .description('the plots of docs/figures.md, as SVG')
    .option('--out <folder>', 'where to write them', 'docs/figures')
    .action(benchFigures);
  bench
    .command('scenes')
    .description('scenes with bones against a native program without')
    .requiredOption('--native <folder>', 'holds the program: run MESH THREADS FRAMES')
    .option('--json', 'one JSON object per line')
    .option('--scene <name>', 'only this one')
    .action(benchScenes);
  bench
    .command('chain')
    .description('the bone step with jointed bones in a row, alone and inside flesh')
    .option('--json', 'one JSON object per line')
    .option('--bones <n>', 'how many', '100')
    .action(benchChain);
  bench
    .command('contact')
    .description('what finding and answering contacts costs')
    .option('--json', 'one JSON object per line')
    .option('--share', 'only its share in a scene full of contacts')
    .option('--steps <n>', 'steps of that scene that are timed', '120')
    .option('--figure <file>', 'also draw the cost by number of contacts, as SVG')
    .action(benchContact);
  bench
    .command('truth')
    .description('how far steps are from the converged ones, against the time they take')
    .option('--json', 'one JSON object per line')
    .option('--scene <name>', 'only this one')
    .option('--plain', 'iterations that are not accelerated')
    .option('--regions', 'regions of flesh turn as one: `turningRegions`')
    .option('--compare', 'also the error of plain iterations that take as long')
    .option('--figure <file>', 'also draw error against time, as SVG')
    .action(benchTruth);
  bench
    .command('large')
    .description('building solid cubes of up to a million tets, and one step of them')
    .option('--json', 'one JSON object per line')
    .option('--thousands <n>', 'only about this many thousand tets')
    .option('--threads <n>', 'threads', '1')
    .action(benchLarge);
}

/** Scenes for many steps: the worst of them. */
function registerWorst(bench: Command): void {
  bench
    .command('depth [scenes...]')
    .description('how deep bodies come in scenes that touch, by the certificate and by points in tets')
    .option('--json', 'one JSON object per line')
    .option('--steps <n>', 'steps of each scene', '300')
    .option('--every <n>', 'steps from one look at the flesh to the next', '1')
    .action(benchDepth);
  bench
    .command('soak [scenes...]')
    .description('scenes, or all of them, for thousands of steps: the worst of every frame')
    .option('--json', 'one JSON object per line')
    .option('--steps <n>', 'steps of each scene', '10000')
    .option('--threads <n>', 'threads', '1')
    .action(benchSoak);
}

/** The layered solver. */
function registerLayered(bench: Command): void {
  bench
    .command('layered')
    .description('the characters of [Galoppo2007, Table 1], and how the step grows')
    .option('--json', 'one JSON object per line')
    .option('--rigs <models...>', 'rigged models (.glb) instead: limp on a floor and driven by their first clip')
    .option(
      '--ready <models...>',
      'rigged models (.glb) instead: time from the bytes to a world, each in a new process',
    )
    .option(
      '--crowd <model>',
      'a rigged model (.glb) instead: a hundred driven by its first clip, and fifty limp, on a floor',
    )
    .option('--threads <n>', 'with --crowd: threads', '1')
    .action(benchLayered);
}

/** Worlds of the coupled solver. */
function registerCoupled(bench: Command): void {
  bench
    .command('coupled')
    .description('worlds of rigid and soft bodies of the coupled solver, per frame of 1/60 s')
    .option('--json', 'one JSON object per line')
    .option('--frames <n>', 'frames of each scene', '120')
    .option('--scene <name>', 'only this one')
    .option('--from <n>', 'frames before the first that counts; how a scene is then is kept for the next time', '0')
    .option('--threads <n>', 'threads', '1')
    .option('--peers', 'instead the rigid bodies of the pile side by side with Rapier and Jolt')
    .option('--each <n>', 'with --peers: balls, loops and rings of each', '160')
    .option('--soft', 'with --peers: with as many soft balls and rings; 20 of each end in minutes, 160 do not')
    .option('--into <folder>', 'with --peers: where the other engines are installed; default ~/.cache/tendon/peers')
    .option('--compare', 'instead the default beside the published choices, each by itself and all at once')
    .option('--way <name>', 'with --compare: only this one')
    .option('--substeps <n>', 'with --compare: in so many parts each')
    .action(benchCoupled);
}

/** The other solvers, and what joints that limit and drive cost. */
function registerSolvers(bench: Command): void {
  bench
    .command('rigid')
    .description('rigid bodies of one bone that fall into a heap: time of a step and depth')
    .option('--json', 'one JSON object per ten steps')
    .option('--count <n>', 'bodies', '200')
    .option('--steps <n>', 'steps', '150')
    .option('--threads <n>', 'threads', '1')
    .action(benchRigid);
  bench
    .command('lattice')
    .description('the lattice solver on the cases of [McAdams2011]: a cycle, an iteration, a frame')
    .option('--json', 'one JSON object per line')
    .option('--case <name>', 'only this one')
    .option('--threads <n>', 'threads; several, by commas, one after the other', '1')
    .option('--frames <n>', 'frames that are timed', '8')
    .option('--converged', 'the same frames without a limit on iterations, too')
    .action(benchLattice);
  bench
    .command('deform')
    .description('every clip of rigged models, their skin recomputed by the lattice, beside linear blending')
    .argument('<files...>', 'rigged models')
    .option('--json', 'one JSON object per line')
    .option('--clip <name>', 'only this one')
    .option('--cells <n>', 'cells of the lattice', '8000')
    .option('--frames <n>', 'first frames of a clip', '200')
    .option('--poisson <nu>', 'how well the flesh keeps its volume')
    .option(
      '--joints <bones>',
      'instead of clips: bend these bones, named by commas, to a right angle with their parents',
    )
    .action(benchDeform);
  registerCoupled(bench);
  bench
    .command('active [file]')
    .description('what limits and motors on every joint add to a step of the real-time human, or of a rigged model')
    .option('--steps <n>', 'steps that are timed', '200')
    .option('--tets <n>', 'of a rigged model', '3500')
    .option('--json', 'one JSON object per line')
    .action(benchActiveCost);
  bench
    .command('gradient')
    .description('gradient of a rollout of the real-time human by its motors: time, and against central differences')
    .option('--steps <number>', 'steps of the rollout', '60')
    .option('--rounds <number>', 'times it is measured', '5')
    .option('--no-differences', 'only the time')
    .action(benchGradient);
  bench
    .command('skeletons')
    .description('random skeletons with limits and motors of any gains, half of them in flesh')
    .option('--count <n>', 'skeletons', '1000')
    .option('--steps <n>', 'steps each', '300')
    .option('--first <seed>', 'first seed', '1')
    .option('--json', 'one JSON object per skeleton')
    .action(benchSkeletons);
}

/** Models from files, hands that pull them, and the same worlds in other engines. */
function registerCharacters(bench: Command): void {
  bench
    .command('matrix')
    .description('models from files: each hangs, falls, is pulled by a hand that jumps, and plays its first clip')
    .argument('<files...>', '.glb, .gltf')
    .option('--tets <n>', 'tetrahedra to aim for (default: 6000)')
    .option('--json', 'one JSON object per line')
    .action(benchMatrix);
  bench
    .command('hands [characters...]')
    .description('random hands that grab, jump, pin, push and let go: what bodies bear, and whether they come back')
    .option('--json', 'one JSON object per line')
    .option('--acts <n>', 'acts on each character', '2000')
    .option('--seed <n>', 'of the random numbers', '1')
    .action(benchHands);
  bench
    .command('worlds')
    .description('random worlds of all materials and bones of any number of vertices: energy, joints, failed steps')
    .option('--count <n>', 'worlds', '550')
    .option('--steps <n>', 'steps each', '200')
    .option('--first <seed>', 'first seed', '1')
    .option('--json', 'one JSON object per world')
    .action(benchRandomWorlds);
  bench
    .command('peers')
    .description('the same arm and the same pile in Rapier, Jolt and MuJoCo: time and error')
    .option('--json', 'one JSON object per line')
    .option('--figure <file>', 'also draw error against time, as SVG')
    .option('--into <folder>', 'where the other engines are installed (default: a cache in the home folder)')
    .option('--no-install', 'use what is there already')
    .action(async (options) => {
      const { benchPeers } = await import('../../bench/peers/peers.js');
      await benchPeers(options);
    });
}

/**
 * `tendon bench deform FILE …`: every clip of rigged models, their skin recomputed by the lattice with no options, beside linear blending. What is
 * asked of it: no cell inside out at the end of a frame, and no vertex that jerks more than three times as hard as by linear blending.
 */
import { basename } from 'node:path';
import { DeformCheck } from '../cli/deform-check.js';
import { readInput } from '../cli/files/read-input.js';
import type { Character, CharacterClip } from '../src/character/character.js';
import { ClipPoses } from '../src/character/deform/clip-poses.js';
import { type DeformOptions, type DeformReport, SkinDeformer } from '../src/character/deform/skin-deformer.js';
import { loadCharacter } from '../src/character/load-character.js';
import { type BentJoint, bendJoint } from './skeleton/bent-joint.js';
import { machine } from './stats.js';

/** Most that a vertex may jerk, relative to linear blending. */
export const MOST_JERK = 3;
/** Frames per second that clips are taken at. */
const RATE = 30;

/** One clip of one model. */
export interface DeformLine {
  readonly model: string;
  readonly clip: string;
  readonly cells: number;
  readonly frames: number;
  /** Iterations of a frame's last pose: mean and most; times L-BFGS stalled. */
  readonly iterations: number;
  readonly mostIterations: number;
  readonly stalls: number;
  /** Frames that ended with a cell inside out. */
  readonly invertedFrames: number;
  /** Least volume of the skin relative to rest, by the lattice and by linear blending. */
  readonly volume: number;
  readonly linearVolume: number;
  /** Largest acceleration of a vertex relative to linear blending. */
  readonly jerk: number;
  /** Deepest that skin is behind skin, in cells. */
  readonly depth: number;
  /** Median time of a frame [ms]. */
  readonly ms: number;
  readonly passes: boolean;
}

interface DeformBench {
  readonly json?: boolean;
  readonly cells: string;
  readonly frames: string;
  readonly clip?: string;
  readonly poisson?: string;
  readonly joints?: string;
}

/** Measures and prints. */
export async function benchDeform(files: readonly string[], options: DeformBench): Promise<void> {
  if (!options.json) console.log(`${machine()}\n`);
  for (const file of files) {
    const { bytes, resources } = readInput(file);
    const character = await loadCharacter(bytes, { resources });
    const settings = {
      cells: Number(options.cells),
      ...(options.poisson && { poissonRatio: Number(options.poisson) }),
    };
    if (options.joints !== undefined) {
      for (const joint of options.joints.split(',')) {
        const line = { model: basename(file), ...(await bendJoint(character, joint, settings)) };
        console.log(options.json ? JSON.stringify(line) : describeJoint(line));
      }
      continue;
    }
    for (const clip of character.clips) {
      if (options.clip !== undefined && options.clip !== clip.name) continue;
      const line = await deformClip(basename(file), character, clip, settings, Number(options.frames));
      console.log(options.json ? JSON.stringify(line) : describe(line));
    }
  }
}

/** Deforms the first frames of a clip. */
export async function deformClip(
  model: string,
  character: Character,
  clip: CharacterClip,
  options: DeformOptions,
  most: number,
): Promise<DeformLine> {
  const deformer = await SkinDeformer.create(character, options);
  const poses = new ClipPoses(character);
  const check = new DeformCheck(character);
  const frames = Math.min(most, Math.max(1, Math.round(clip.duration * RATE)) + 1);
  const [ms, iterations]: number[][] = [[], []];
  let [invertedFrames, depth, stalls] = [0, 0, 0];
  poses.leadIn(clip, 0, () => deformer.pose(poses.transforms));
  for (let frame = 0; frame < frames; frame++) {
    const began = performance.now();
    let report: DeformReport | undefined;
    poses.advance(clip, Math.max(0, frame - 1) / RATE, frame / RATE, () => {
      report = deformer.pose(poses.transforms);
      stalls += report.stalls;
    });
    ms.push(performance.now() - began);
    iterations.push(report!.iterations);
    if (report!.inverted > 0 || !report!.finite) invertedFrames++;
    depth = Math.max(depth, report!.depth);
    check.add(deformer.positions, poses);
  }
  const { cellCount } = deformer;
  deformer.dispose();
  return {
    model,
    clip: clip.name,
    cells: cellCount,
    frames,
    iterations: iterations.reduce((sum, n) => sum + n, 0) / frames,
    mostIterations: Math.max(...iterations),
    stalls,
    invertedFrames,
    volume: check.volume,
    linearVolume: check.linearVolume,
    jerk: check.jerk,
    depth,
    ms: ms.sort((a, b) => a - b)[ms.length >> 1],
    passes: invertedFrames === 0 && check.jerk <= MOST_JERK,
  };
}

function describe(line: DeformLine): string {
  return (
    `| ${line.model.replace(/\.glb$/, '')}, ${line.clip} | ${line.frames} | ${line.iterations.toFixed(1)} / ${line.mostIterations} | ${line.invertedFrames} | ` +
    `${line.volume.toFixed(3)} | ${line.linearVolume.toFixed(3)} | ${line.jerk.toFixed(2)} | ${line.depth.toFixed(2)} | ${line.ms.toFixed(0)} |` +
    `${line.stalls > 0 ? ` ${line.stalls} stalls` : ''}${line.passes ? '' : ' FAILS'}`
  );
}

function describeJoint(line: BentJoint & { readonly model: string }): string {
  return (
    `| ${line.model.replace(/\.glb$/, '')}, ${line.joint} | ${((180 / Math.PI) * line.turn).toFixed(0)} | ${line.kept.toFixed(3)} | ` +
    `${line.linearKept.toFixed(3)} | ${line.inverted} |`
  );
}

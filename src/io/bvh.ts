/**
 * BVH motion capture: a skeleton (`HIERARCHY`) and the values of its channels in every frame (`MOTION`). Offsets are in
 * the units of whoever made the file, mostly centimetres or inches; rotations in degrees, in the order of the channels.
 */
import type { IoLimits } from './text/io-limits.js';
import { formatNumber } from './text/number-text.js';
import { TextScanner } from './text/text-scanner.js';
import { TextWriter } from './text/text-writer.js';

/** What a channel sets. */
export type BvhChannel = 'Xposition' | 'Yposition' | 'Zposition' | 'Xrotation' | 'Yrotation' | 'Zrotation';

/** A joint of the skeleton. */
export interface BvhJoint {
  readonly name: string;
  /** Index of the joint it hangs on, which is smaller than its own; -1 for a root. */
  readonly parent: number;
  /** From the parent, in the units of the file. */
  readonly offset: readonly [number, number, number];
  readonly channels: readonly BvhChannel[];
  /** End of the bone, from this joint, where the file has an `End Site` for it. */
  readonly end?: readonly [number, number, number];
}

/** Contents of a BVH file. */
export interface BvhData {
  /** Parents before their children. */
  readonly joints: readonly BvhJoint[];
  /** Time between frames [s]. */
  readonly frameTime: number;
  /** Values of all channels in the order of the joints, frame after frame: positions in the file's units, degrees. */
  readonly frames: Float64Array;
}

const CHANNELS: readonly string[] = ['Xposition', 'Yposition', 'Zposition', 'Xrotation', 'Yrotation', 'Zrotation'];
/** Most joints of a skeleton. */
const MAX_JOINTS = 65536;

/** Number of values in each frame. */
export function bvhChannelCount(joints: readonly BvhJoint[]): number {
  return joints.reduce((sum, joint) => sum + joint.channels.length, 0);
}

/** Reads a BVH file. Throws `TendonError` with the line where it cannot. */
export function readBvh(contents: Uint8Array | string, limits: IoLimits = {}): BvhData {
  const scanner = new TextScanner(contents, { ...limits, file: '.bvh' });
  want(scanner, 'HIERARCHY');
  const joints: BvhJoint[] = [];
  for (;;) {
    const word = scanner.wantText('"ROOT" or "MOTION"').toUpperCase();
    if (word === 'MOTION') break;
    if (word !== 'ROOT') scanner.fail(word, '"ROOT" or "MOTION" was expected');
    readTree(scanner, joints);
  }
  if (joints.length === 0) scanner.fail('MOTION', 'the skeleton has no joints', 'E_EMPTY');
  want(scanner, 'FRAMES:');
  const frameCount = scanner.wantInteger('the number of frames', 0, scanner.limits.maxElements);
  want(scanner, 'FRAME');
  want(scanner, 'TIME:');
  const frameTime = scanner.wantNumber('the time between frames');
  if (!(frameTime > 0)) scanner.fail(frameTime, 'the time between frames must be positive', 'E_RANGE');
  const channelCount = bvhChannelCount(joints);
  if (frameCount * channelCount > scanner.limits.maxElements) scanner.fail(frameCount, 'too many frames', 'E_RANGE');
  const frames: number[] = [];
  for (let i = 0; i < frameCount * channelCount; i++) frames.push(scanner.wantNumber('the value of a channel'));
  if (scanner.nextWord()) scanner.fail(scanner.text(0), `only ${frameCount} frames were announced`);
  return { joints, frameTime, frames: Float64Array.from(frames) };
}

/** Writes a BVH file with every digit. Joints must come after their parents, each branch in one piece. */
export function writeBvh({ joints, frameTime, frames }: BvhData): Uint8Array {
  const writer = new TextWriter();
  writer.line('HIERARCHY');
  const open: number[] = [];
  const close = (): void => {
    const { end } = joints[open.pop()!];
    const indent = '  '.repeat(open.length);
    if (end) writer.line(`${indent}  End Site {\n${indent}    OFFSET ${end.map(formatNumber).join(' ')}\n${indent}  }`);
    writer.line(`${indent}}`);
  };
  for (const [i, joint] of joints.entries()) {
    while (open.length > 0 && open.at(-1) !== joint.parent) close();
    const indent = '  '.repeat(open.length);
    writer.line(`${indent}${joint.parent < 0 ? 'ROOT' : 'JOINT'} ${joint.name.replace(/\s+/g, '_')}`);
    writer.line(`${indent}{`);
    writer.line(`${indent}  OFFSET ${joint.offset.map(formatNumber).join(' ')}`);
    writer.line(`${indent}  CHANNELS ${[joint.channels.length, ...joint.channels].join(' ')}`);
    open.push(i);
  }
  while (open.length > 0) close();
  const channelCount = bvhChannelCount(joints);
  writer.line('MOTION');
  writer.line(`Frames: ${channelCount === 0 ? 0 : frames.length / channelCount}`);
  writer.line(`Frame Time: ${formatNumber(frameTime)}`);
  for (let i = 0; i < frames.length; i += channelCount) writer.numbers(frames, i, channelCount);
  return writer.finish();
}

/** A root and everything that hangs on it. The word ROOT has been read. */
function readTree(scanner: TextScanner, joints: BvhJoint[]): void {
  const open = [openJoint(scanner, joints, -1)];
  while (open.length > 0) {
    const joint = open[open.length - 1];
    const word = scanner.wantText('"JOINT" or "}"').toUpperCase();
    if (word === '}') open.pop();
    else if (word === 'JOINT') {
      if (open.length >= scanner.limits.maxDepth) scanner.fail(open.length, 'joints are nested too deep', 'E_RANGE');
      open.push(openJoint(scanner, joints, joint));
    } else if (word === 'CHANNELS') {
      const channels = readChannels(scanner);
      if (joints[joint].channels.length > 0) scanner.fail(word, 'a joint has its channels twice');
      joints[joint] = { ...joints[joint], channels };
    } else if (word === 'END') {
      scanner.restOfLine();
      if (joints[joint].end) scanner.fail(word, 'a joint has two ends');
      joints[joint] = { ...joints[joint], end: readBlockOffset(scanner) };
    } else scanner.fail(word, '"CHANNELS", "JOINT", "End Site" or "}" was expected');
  }
}

/** Name, brace and offset of a joint; its index. */
function openJoint(scanner: TextScanner, joints: BvhJoint[], parent: number): number {
  if (!scanner.nextWord()) scanner.failEnd('the name of a joint');
  // Names may hold spaces; a brace may stand in the same line.
  let name = `${scanner.text(0)} ${scanner.restOfLine()}`.trim();
  if (name.endsWith('{')) name = name.slice(0, -1).trim();
  else want(scanner, '{');
  if (name === '') scanner.fail(name, 'a joint needs a name');
  want(scanner, 'OFFSET');
  joints.push({ name, parent, offset: readOffset(scanner), channels: [] });
  if (joints.length > MAX_JOINTS) scanner.fail(joints.length, `at most ${MAX_JOINTS} joints are allowed`, 'E_RANGE');
  return joints.length - 1;
}

/** `{ OFFSET x y z }`, where the brace may already have been read with the line before. */
function readBlockOffset(scanner: TextScanner): [number, number, number] {
  let word = scanner.wantText('"OFFSET"').toUpperCase();
  if (word === '{') word = scanner.wantText('"OFFSET"').toUpperCase();
  if (word !== 'OFFSET') scanner.fail(word, '"OFFSET" was expected');
  const offset = readOffset(scanner);
  want(scanner, '}');
  return offset;
}

function readOffset(scanner: TextScanner): [number, number, number] {
  const coordinate = (): number => scanner.wantNumber('a coordinate');
  return [coordinate(), coordinate(), coordinate()];
}

function readChannels(scanner: TextScanner): BvhChannel[] {
  const count = scanner.wantInteger('the number of channels', 0, 6);
  const channels: BvhChannel[] = [];
  for (let i = 0; i < count; i++) {
    const word = scanner.wantText('a channel');
    const channel = CHANNELS.find((known) => known.toLowerCase() === word.toLowerCase()) as BvhChannel | undefined;
    if (channel === undefined) scanner.fail(word, `one of ${CHANNELS.join(', ')} was expected`);
    if (channels.includes(channel)) scanner.fail(word, 'a joint has this channel twice');
    channels.push(channel);
  }
  return channels;
}

function want(scanner: TextScanner, word: string): void {
  const found = scanner.wantText(`"${word}"`);
  if (found.toUpperCase() !== word) scanner.fail(found, `"${word}" was expected`);
}

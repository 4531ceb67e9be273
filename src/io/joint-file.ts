/**
 * Our `.joint` format: which regions of a mesh are bones, and how the bones are joined. Text, one statement per line,
 * versioned first line, `#` comments; described in docs/formats.md. Lengths as in the mesh it belongs to [m], angles in
 * radians unless the file says `angles degrees`.
 */
import type { JointDef, JointType, Vec3 } from '../body/body-def.js';
import { type JointWords, openJointWords } from './joint-words.js';
import type { IoLimits } from './text/io-limits.js';
import { formatNumber } from './text/number-text.js';
import { TextWriter } from './text/text-writer.js';

/** A name for a region of the mesh. */
export interface RegionName {
  readonly region: number;
  readonly name: string;
}

/** A bone and what of the mesh belongs to it. */
export interface BoneEntry {
  readonly name: string;
  /** Regions of the tetrahedra that are this bone. */
  readonly regions: readonly number[];
  /** Object or group of the skeleton's OBJ file that is this bone's surface; absent where it is not said. */
  readonly group?: string;
  /** True: its pose is set from outside. */
  readonly kinematic?: boolean;
}

/** A joint with its limits; absent limits leave the motion free. */
export interface JointEntry extends JointDef {
  /** Hinge, and first axis of a universal joint: smallest and largest angle [rad]. */
  readonly limit?: readonly [number, number];
  /** Second axis of a universal joint: smallest and largest angle [rad]. */
  readonly secondLimit?: readonly [number, number];
  /** Ball: largest angle of the second bone's swing away from rest [rad]. */
  readonly cone?: number;
  /** Ball: smallest and largest angle around the axis [rad]. */
  readonly twist?: readonly [number, number];
}

/** Contents of a `.joint` file. */
export interface JointFile {
  readonly regions: readonly RegionName[];
  readonly bones: readonly BoneEntry[];
  readonly joints: readonly JointEntry[];
}

const FIRST_LINE = 'tendon-joints 1';
const TYPES: readonly string[] = ['ball', 'hinge', 'universal', 'fixed'];
/** Which words a joint of each type may have besides its anchor. */
const ALLOWED = new Map([
  ['ball', ['axis', 'cone', 'twist']],
  ['hinge', ['axis', 'limit']],
  ['universal', ['axis', 'second-axis', 'limit', 'second-limit']],
  ['fixed', []],
]);
const KEYWORDS = ['anchor', 'axis', 'second-axis', 'limit', 'second-limit', 'cone', 'twist'];

/** Reads a `.joint` file. Throws `TendonError` with the line where it cannot. */
export function readJointFile(contents: Uint8Array | string, limits: IoLimits = {}): JointFile {
  const words = openJointWords(contents, FIRST_LINE, limits);
  const file = { regions: [] as RegionName[], bones: [] as BoneEntry[], joints: [] as JointEntry[] };
  const boneNames = new Set<string>();
  const jointNames = new Set<string>();
  const regionNumbers = new Set<number>();
  while (words.nextLine()) {
    const statement = words.text('a statement');
    if (statement === 'angles') words.setAngles(words.text('"radians" or "degrees"'));
    else if (statement === 'region') {
      const region = words.region();
      words.unique(regionNumbers, region);
      file.regions.push({ region, name: words.text('a name') });
    } else if (statement === 'bone') file.bones.push(readBone(words, boneNames));
    else if (statement === 'joint') file.joints.push(readJoint(words, jointNames, boneNames));
    else words.fail(statement, '"angles", "region", "bone" or "joint" was expected');
    words.end();
  }
  return file;
}

/** Writes a `.joint` file: angles in radians, every digit kept. */
export function writeJointFile(file: JointFile): Uint8Array {
  const writer = new TextWriter();
  writer.line(FIRST_LINE);
  for (const { region, name } of file.regions) writer.line(`region ${region} ${quote(name)}`);
  for (const { name, regions, group, kinematic } of file.bones) {
    const words = [`bone ${quote(name)}`];
    if (regions.length > 0) words.push(`region ${regions.join(' ')}`);
    if (group !== undefined) words.push(`group ${quote(group)}`);
    if (kinematic) words.push('kinematic');
    writer.line(words.join(' '));
  }
  for (const joint of file.joints) {
    const words = [`joint ${quote(joint.name)} ${joint.type} ${joint.bones.map(quote).join(' ')}`];
    const add = (keyword: string, numbers: readonly number[] | undefined): void => {
      if (numbers) words.push(`${keyword} ${numbers.map(formatNumber).join(' ')}`);
    };
    add('anchor', joint.anchor);
    add('axis', joint.axis);
    add('second-axis', joint.secondAxis);
    add('limit', joint.limit);
    add('second-limit', joint.secondLimit);
    add('cone', joint.cone === undefined ? undefined : [joint.cone]);
    add('twist', joint.twist);
    writer.line(words.join(' '));
  }
  return writer.finish();
}

/** `bone NAME [region N...] [group NAME] [kinematic]` */
function readBone(words: JointWords, boneNames: Set<string>): BoneEntry {
  const name = words.text('the name of a bone');
  words.unique(boneNames, name);
  const regions: number[] = [];
  let group: string | undefined;
  let kinematic = false;
  while (words.hasMore()) {
    const keyword = words.text('a word');
    if (keyword === 'region') {
      do regions.push(words.region());
      while (words.isNumberNext());
    } else if (keyword === 'group') group = words.text('the name of a group');
    else if (keyword === 'kinematic') kinematic = true;
    else words.fail(keyword, '"region", "group" or "kinematic" was expected');
  }
  return { name, regions, ...(group !== undefined && { group }), ...(kinematic && { kinematic }) };
}

/** `joint NAME TYPE BONE... anchor x y z [axis x y z] [second-axis x y z] [limit a b] ...` */
function readJoint(words: JointWords, jointNames: Set<string>, boneNames: ReadonlySet<string>): JointEntry {
  const name = words.text('the name of a joint');
  words.unique(jointNames, name);
  const type = words.text('the type of a joint');
  if (!TYPES.includes(type)) words.fail(type, `one of ${TYPES.join(', ')} was expected`);
  const bones: string[] = [];
  while (words.hasMore() && !words.isNext(KEYWORDS)) {
    const bone = words.text('a bone');
    if (!boneNames.has(bone)) words.fail(bone, 'no bone above has this name', 'E_UNKNOWN');
    if (bones.includes(bone)) words.fail(bone, 'a bone is named twice', 'E_JOINT');
    bones.push(bone);
  }
  if (bones.length === 0) words.fail(name, 'a joint needs a bone', 'E_JOINT');
  const found = new Map<string, readonly number[]>();
  while (words.hasMore()) {
    const keyword = words.text('a word');
    if (keyword !== 'anchor' && !ALLOWED.get(type)!.includes(keyword)) {
      words.fail(keyword, `a ${type} joint has no such word`);
    }
    if (found.has(keyword)) words.fail(keyword, 'this is said twice', 'E_DUPLICATE');
    found.set(keyword, readValues(words, keyword));
  }
  const anchor = found.get('anchor');
  if (anchor === undefined) words.fail(name, 'a joint needs an anchor', 'E_JOINT');
  return {
    name,
    type: type as JointType,
    bones,
    anchor: anchor as unknown as Vec3,
    ...(found.has('axis') && { axis: found.get('axis') as unknown as Vec3 }),
    ...(found.has('second-axis') && { secondAxis: found.get('second-axis') as unknown as Vec3 }),
    ...(found.has('limit') && { limit: found.get('limit') as unknown as [number, number] }),
    ...(found.has('second-limit') && { secondLimit: found.get('second-limit') as unknown as [number, number] }),
    ...(found.has('cone') && { cone: found.get('cone')![0] }),
    ...(found.has('twist') && { twist: found.get('twist') as unknown as [number, number] }),
  };
}

function readValues(words: JointWords, keyword: string): readonly number[] {
  if (keyword === 'anchor') return words.vector();
  if (keyword === 'axis' || keyword === 'second-axis') return words.axis();
  if (keyword === 'cone') return [words.angle(0, Math.PI)];
  return words.angleRange();
}

/** Always in quotes: a name may look like a keyword. */
function quote(name: string): string {
  const plain = name.replace(/[\r\n]+/g, ' ');
  return `"${plain.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

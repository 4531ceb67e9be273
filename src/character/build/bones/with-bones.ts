/** Puts bones and the joints of a `.joint` file into a character that has none. Called by the ways in without a rig. */

import type { BodyDef, JointDef, Vec3 } from '../../../body/body-def.js';
import type { JointEntry } from '../../../io/joint-file.js';
import type { BoneInfo, Character, JointLimit } from '../../character.js';
import { enforceLimits } from '../../enforce-limits.js';

/** The character with these bones, ordered from the first one outward along the joints. */
export function withBones(character: Character, body: BodyDef, entries: readonly JointEntry[]): Character {
  const bones = body.bones ?? [];
  const indexOf = new Map(bones.map(({ name }, i) => [name, i]));
  const order: number[] = [];
  const parentOf = new Map<number, { parent: number; anchor: Vec3 }>();
  for (let start = 0; start < bones.length; start++) {
    if (order.includes(start)) continue;
    const head = order.length;
    order.push(start);
    for (let n = head; n < order.length; n++) {
      for (const entry of entries) {
        if (!entry.bones.includes(bones[order[n]].name)) continue;
        for (const name of entry.bones) {
          const other = indexOf.get(name);
          if (other === undefined || order.includes(other)) continue;
          parentOf.set(other, { parent: order[n], anchor: entry.anchor });
          order.push(other);
        }
      }
    }
  }
  const skeleton = order.map((bone, i): BoneInfo => {
    const middle = middleOf(body.positions, bones[bone].vertices);
    const link = parentOf.get(bone);
    const place = link?.anchor ?? middle;
    const tip = [0, 1, 2].map((k) => 2 * middle[k] - place[k]) as unknown as Vec3;
    const parent = link === undefined ? (i === 0 ? -1 : 0) : order.indexOf(link.parent);
    return { name: bones[bone].name, parent, place, tip, sources: [bones[bone].name] };
  });
  const joints = entries.map(({ limit: _a, secondLimit: _b, cone: _c, twist: _d, ...joint }): JointDef => joint);
  const limits = entries.flatMap((entry) => limitOf(entry));
  const joined = { ...body, bones: order.map((bone) => bones[bone]), joints };
  return { ...character, body: enforceLimits(joined, limits), skeleton, limits };
}

function limitOf({ name, limit, secondLimit, cone, twist }: JointEntry): JointLimit[] {
  if (limit === undefined && secondLimit === undefined && cone === undefined && twist === undefined) return [];
  return [
    {
      joint: name,
      ...(limit !== undefined && { min: limit[0], max: limit[1] }),
      ...(secondLimit !== undefined && { secondRange: secondLimit }),
      ...(cone !== undefined && { swing: cone }),
      ...(twist !== undefined && { twistRange: twist }),
      from: 'file',
    },
  ];
}

function middleOf(positions: Float64Array, vertices: ArrayLike<number>): Vec3 {
  const sum = [0, 0, 0];
  for (let i = 0; i < vertices.length; i++) {
    for (let k = 0; k < 3; k++) sum[k] += positions[3 * vertices[i] + k] / vertices.length;
  }
  return [sum[0], sum[1], sum[2]];
}

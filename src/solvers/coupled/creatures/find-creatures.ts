/** Finds creatures among soft bodies and bindings: flesh whose bones belong to it alone and are joined to nothing else that moves. */
import type { CoreScene } from '../core-scene.js';
import type { JointBlocks } from '../rigid/joint-blocks.js';
import type { SoftModel } from '../soft/soft-model.js';
import { Creature } from './creature.js';
import { type Carried, FollowModel } from './follow-model.js';

/** Most bones that are solved at once: their matrix has the square of six times as many numbers. */
const MOST_BONES = 40;

/** All creatures of a scene. */
export function findCreatures(scene: CoreScene, joints: JointBlocks): Creature[] {
  const { rigid = [], soft = [], bindings = [] } = scene;
  const models: FollowModel[] = [];
  const owners = rigid.map(() => -1);
  for (const { soft: s, rigid: b } of bindings) owners[b] = owners[b] < 0 || owners[b] === s ? s : rigid.length + s;
  return soft.flatMap(({ model }, s) => {
    const numbers = [...bindings.keys()].filter((n) => bindings[n].soft === s);
    const bones = [...new Set(numbers.map((n) => bindings[n].rigid))];
    if (bones.length === 0 || bones.length > MOST_BONES) return [];
    if (bones.some((b) => owners[b] !== s || rigid[b].shape !== 'none')) return [];
    const blocks = Array.from({ length: joints.count }, (_, block) => {
      return { block, p: bones.indexOf(joints.a[block]), q: bones.indexOf(joints.b[block]) };
    }).filter(({ p, q }) => p >= 0 || q >= 0);
    const isFree = (b: number, bone: number) => bone >= 0 || !(rigid[b].mass > 0);
    if (!blocks.every(({ block, p, q }) => isFree(joints.a[block], p) && isFree(joints.b[block], q))) return [];
    const carried = {
      vertex: Int32Array.from(numbers, (n) => bindings[n].vertex),
      bone: Int32Array.from(numbers, (n) => bones.indexOf(bindings[n].rigid)),
      place: Float64Array.from(numbers.flatMap((n) => Array.from({ length: 3 }, (_, k) => bindings[n].anchor[k]))),
      boneCount: bones.length,
    };
    if (new Set(carried.vertex).size < numbers.length) return [];
    const known = models.find((other) => isSame(other, model, carried));
    const follow = known ?? new FollowModel(model, carried);
    if (!known) models.push(follow);
    return [new Creature(follow, s, Int32Array.from(bones), Int32Array.from(numbers), blocks)];
  });
}

function isSame(other: FollowModel, model: SoftModel, { vertex, bone, place }: Carried): boolean {
  const { carried } = other;
  return (
    other.model === model &&
    areEqual(carried.vertex, vertex) &&
    areEqual(carried.bone, bone) &&
    areEqual(carried.place, place)
  );
}

function areEqual(a: Float64Array | Int32Array, b: Float64Array | Int32Array): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

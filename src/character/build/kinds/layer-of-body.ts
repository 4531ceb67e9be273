/**
 * The layered body of one that was made of tets, the procedural characters among them: its boundary becomes the skin, its bones
 * a tree, and each node follows the bones nearest to it.
 */
import type { BodyDef, JointDef } from '../../../body/body-def.js';
import type { LayerBoneDef, LayerDef } from '../../../body/kinds/layer-def.js';
import { TendonError } from '../../../errors.js';
import { extractSurface } from '../../../mesh/surface/surface.js';
import { turnJoint } from './turned-joint.js';

/** Bones per node. */
const OWNERS = 4;

/** Makes a layered body of a body of flesh with bones. */
export function layerOfBody(body: BodyDef): LayerDef {
  const { positions, tets, materials, name } = body;
  const surface = extractSurface({ positions, tets });
  const skin = new Float64Array(3 * surface.vertices.length);
  surface.vertices.forEach((vertex, node) => {
    skin.set(positions.subarray(3 * vertex, 3 * vertex + 3), 3 * node);
  });
  const { bones, order } = treeOf(body);
  const { owners, weights } = weighNodes(body, bones, order, skin);
  return {
    kind: 'layer',
    name,
    positions: skin,
    triangles: surface.triangles,
    bones,
    owners,
    weights,
    material: materials[0],
  };
}

/** Bones from the first outwards along joints of two bones, parents first; `order`: their numbers in the body. */
function treeOf({ bones: given = [], joints = [], name }: BodyDef): { bones: LayerBoneDef[]; order: number[] } {
  if (given.length === 0) throw new TendonError('E_EMPTY', `bodies/${name}/bones`, 0, 'a layered body needs a bone');
  const order = [0];
  const bones: LayerBoneDef[] = [{ name: given[0].name, parent: -1, place: [0, 0, 0], kinematic: given[0].kinematic }];
  for (let at = 0; at < order.length; at++) {
    for (const joint of joints) {
      const next = partner(joint, given[order[at]].name);
      const number = given.findIndex((bone) => bone.name === next);
      if (number < 0 || order.includes(number)) continue;
      order.push(number);
      // bones of a layer tell how they turn against their parent
      const isForward = joint.bones[1] === given[number].name;
      const { type, anchor, axis, secondAxis, limits, motor } = isForward ? joint : turnJoint(joint);
      const { name: own, kinematic } = given[number];
      bones.push({ name: own, parent: at, place: anchor, joint: type, axis, secondAxis, kinematic, limits, motor });
    }
  }
  if (order.length !== given.length) {
    const advice = 'the bones must hang together by joints of two bones each';
    throw new TendonError('E_JOINT', `bodies/${name}/joints`, order.length, advice);
  }
  return { bones, order };
}

function partner({ bones }: JointDef, name: string): string | undefined {
  if (bones.length !== 2 || !bones.includes(name)) return undefined;
  return bones[0] === name ? bones[1] : bones[0];
}

/** Weights by nearness: the nearest bone, and those it is joined to by the fourth power of how much farther they are. */
function weighNodes(
  { positions, bones: given = [] }: BodyDef,
  bones: readonly LayerBoneDef[],
  order: readonly number[],
  skin: Float64Array,
) {
  const count = skin.length / 3;
  const owners = new Int32Array(OWNERS * count);
  const weights = new Float64Array(OWNERS * count);
  const squares = new Float64Array(bones.length);
  for (let node = 0; node < count; node++) {
    order.forEach((number, bone) => {
      squares[bone] = nearestSq(positions, given[number].vertices, skin, node);
    });
    const main = squares.indexOf(squares.reduce((a, b) => Math.min(a, b)));
    const near = bones
      .map((_, bone) => bone)
      .filter((bone) => bone === main || bones[bone].parent === main || bones[main].parent === bone)
      .map((bone) => {
        const ratio = squares[bone] > 0 ? squares[main] / squares[bone] : 1;
        return { bone, weight: ratio * ratio };
      })
      .sort((a, b) => b.weight - a.weight || a.bone - b.bone)
      .slice(0, OWNERS);
    const total = near.reduce((sum, { weight }) => sum + weight, 0);
    near.forEach(({ bone, weight }, k) => {
      owners[OWNERS * node + k] = bone;
      weights[OWNERS * node + k] = weight / total;
    });
  }
  return { owners, weights };
}

function nearestSq(positions: Float64Array, vertices: ArrayLike<number>, skin: Float64Array, node: number): number {
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < vertices.length; i++) {
    let square = 0;
    for (let k = 0; k < 3; k++) {
      const away = positions[3 * vertices[i] + k] - skin[3 * node + k];
      square += away * away;
    }
    if (square < least) least = square;
  }
  return least;
}

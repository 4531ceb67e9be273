/** What joints and contacts bore in the last step, as plain numbers for tables and pictures. Used by pages and bakes. */
import { contactPoint, readJointForce, type World } from '../../src/index.js';

/** Names of all joints of a world, in the order of their forces. */
export function namesOfJoints({ bodies }: World): { readonly body: string; readonly joint: string }[] {
  return bodies.flatMap(({ name, model }) => model.joints.names.map((joint) => ({ body: name, joint })));
}

/** Force of every joint on its first bone, 3 numbers each [N]. */
export function readJointForces({ bodies }: World): number[] {
  return bodies.flatMap((body) => body.model.joints.names.flatMap((joint) => [...readJointForce(body, joint)]));
}

/** Place [m] and force [N] of every contact that pushes, 6 numbers each; places are shifted by `offset`. */
export function readContactForces(world: World, offset: ArrayLike<number> = [0, 0, 0]): number[] {
  const { contacts } = world;
  const out: number[] = [];
  for (let c = 0; c < contacts.count; c++) {
    const [fx, fy, fz] = contacts.force.subarray(c * 3, c * 3 + 3);
    if (contacts.isKept[c] === 1 || (fx === 0 && fy === 0 && fz === 0)) continue;
    const point = contactPoint(world, c);
    for (let k = 0; k < 3; k++) out.push(point[k] + offset[k]);
    out.push(fx, fy, fz);
  }
  return out;
}

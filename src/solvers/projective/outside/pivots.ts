/**
 * Where bones that hang on the world by their joints turn about. A force on such a bone is answered where it is pinned, so the arm that counts is the one from there:
 * it is kept as inertia gave it, while the pin itself turns along with the bone. With the whole arm kept, the two moments of a force and of its answer were those
 * of different poses: of a box that lay flush on the floor the near corners, whose normal forces the pin answers alone, seemed 37 % nearer to it than they were, and forces of 1e6 N turned it by 60 degrees.
 */
import type { Model } from '../../../body/model.js';

/** From the middle of each bone to the joint that leads to the world, at rest, 3 per bone [m]; zeros for bones that no joint holds. */
export function findPivots({ bones, joints }: Model): Float64Array {
  const pivots = new Float64Array(bones.count * 3);
  const isHeld = new Uint8Array(bones.count + 1);
  isHeld[bones.count] = 1;
  for (let grew = true; grew; ) {
    grew = false;
    for (let pair = 0; pair < joints.count; pair++) {
      const a = joints.boneA[pair];
      const b = joints.boneB[pair];
      if (isHeld[a] === isHeld[b]) continue;
      const bone = isHeld[a] === 1 ? b : a;
      const anchors = isHeld[a] === 1 ? joints.anchorB : joints.anchorA;
      for (let k = 0; k < 3; k++) pivots[bone * 3 + k] = anchors[pair * 3 + k];
      isHeld[bone] = 1;
      grew = true;
    }
  }
  return pivots;
}

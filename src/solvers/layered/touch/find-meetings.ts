/**
 * Where characters touch each other and themselves: bodies by boxes, bones by spheres, small groups of nodes by the other's rest
 * shape, then nodes (`meeting-test.ts`). Called after the obstacles.
 *
 * Of two bones that touch, nodes of the one with the thinner layer, whose nodes are denser, are tested against the skin of the
 * other: both ways would be twice the work and twice the contacts for the same place.
 */
import type { LayerBody } from '../layer-body.js';
import { SKIN_MATRIX } from '../skin/skinning.js';
import { FAR_OUTSIDE } from './lookup/skin-lookup.js';
import { MeetingBody } from './meeting-body.js';
import { MeetingTest } from './meeting-test.js';
import type { TouchList } from './touch-list.js';

/** Finds contacts between characters; owns its scratch. */
export class MeetingFinder {
  #bodies: MeetingBody[] = [];
  readonly #test = new MeetingTest();
  readonly #rest = new Float64Array(3);

  /** Adds the contacts of all bodies with each other and, where `self`, with themselves. `kept`, `friction`: one per body. */
  find(
    bodies: readonly LayerBody[],
    kept: Float64Array,
    friction: Float64Array,
    h: number,
    coreShare: number,
    self: boolean,
    out: TouchList,
  ): void {
    if (this.#bodies.length !== bodies.length) this.#bodies = bodies.map((body) => new MeetingBody(body));
    this.#test.begin(bodies, kept, h, coreShare, out);
    for (let b = 0; b < bodies.length; b++) this.#bodies[b].begin(kept[b]);
    for (let a = 0; a < bodies.length; a++) {
      for (let b = self ? a : a + 1; b < bodies.length; b++) {
        if (a !== b && !overlap(this.#bodies[a].box, this.#bodies[b].box)) continue;
        this.#test.friction = Math.sqrt(friction[a] * friction[b]);
        if (a === b) this.#meetItself(a);
        else this.#meet(a, b);
      }
    }
  }

  /** Bones of one body against those of another. */
  #meet(a: number, b: number): void {
    const { bones: spheresA, body: A } = this.#bodies[a];
    const { bones: spheresB, body: B } = this.#bodies[b];
    const depthA = A.model.boneDepth;
    const depthB = B.model.boneDepth;
    for (let boneB = 0; boneB < depthB.length; boneB++) {
      if (spheresB[4 * boneB + 3] < 0) continue;
      for (let boneA = 0; boneA < depthA.length; boneA++) {
        if (spheresA[4 * boneA + 3] < 0 || !touch(spheresA, 4 * boneA, spheresB, 4 * boneB)) continue;
        if (depthA[boneA] <= depthB[boneB]) this.#testBone(a, boneA, b, boneB);
        else this.#testBone(b, boneB, a, boneA);
      }
    }
  }

  /** Bones of a body against each other. */
  #meetItself(a: number): void {
    const { bones, body } = this.#bodies[a];
    const depth = body.model.boneDepth;
    for (let first = 0; first < depth.length; first++) {
      if (bones[4 * first + 3] < 0) continue;
      for (let second = first + 1; second < depth.length; second++) {
        if (bones[4 * second + 3] < 0 || !touch(bones, 4 * first, bones, 4 * second)) continue;
        if (depth[first] <= depth[second]) this.#testBone(a, first, a, second);
        else this.#testBone(a, second, a, first);
      }
    }
  }

  /** Groups of nodes of a bone of body a against the skin of a bone of body b. */
  #testBone(a: number, boneA: number, b: number, boneB: number): void {
    const A = this.#bodies[a];
    const B = this.#bodies[b];
    const { meetings } = A.body.model;
    const { groups } = A;
    A.placeGroups();
    for (let g = meetings.ofBone[boneA]; g < meetings.ofBone[boneA + 1]; g++) {
      if (!touch(groups, 4 * g, B.bones, 4 * boneB) || !this.#isNear(groups, 4 * g, B.body, boneB)) continue;
      if (a === b && !this.#isApart(A, g, boneB)) continue;
      A.placeNodes(g);
      for (let n = meetings.start[g]; n < meetings.start[g + 1]; n++) {
        this.#test.test(a, meetings.nodes[n], A.ends, 3 * n, b, boneB);
      }
    }
  }

  /** Whether anything in a sphere may be in the skin of a body, seen by the frame of one of its bones. */
  #isNear(spheres: Float64Array, o: number, { model, freeMatrices: f }: LayerBody, bone: number): boolean {
    const m = SKIN_MATRIX * bone;
    const x = spheres[o] - f[m + 3];
    const y = spheres[o + 1] - f[m + 7];
    const z = spheres[o + 2] - f[m + 11];
    const rest = this.#rest;
    rest[0] = f[m] * x + f[m + 4] * y + f[m + 8] * z;
    rest[1] = f[m + 1] * x + f[m + 5] * y + f[m + 9] * z;
    rest[2] = f[m + 2] * x + f[m + 6] * y + f[m + 10] * z;
    const { lookup } = model;
    return !lookup.isFarOutside(lookup.boxOf(rest), rest, spheres[o + 3] + FAR_OUTSIDE * model.size);
  }

  /** Whether a group of nodes is near one of another bone of the same body that is not its neighbour on the skin. */
  #isApart({ body, groups }: MeetingBody, g: number, bone: number): boolean {
    const { meetings, apart } = body.model;
    for (let other = meetings.ofBone[bone]; other < meetings.ofBone[bone + 1]; other++) {
      if (apart[g * meetings.count + other] === 1 && touch(groups, 4 * g, groups, 4 * other)) return true;
    }
    return false;
  }
}

function touch(a: Float64Array, i: number, b: Float64Array, j: number): boolean {
  const x = a[i] - b[j];
  const y = a[i + 1] - b[j + 1];
  const z = a[i + 2] - b[j + 2];
  const reach = a[i + 3] + b[j + 3];
  return x * x + y * y + z * z <= reach * reach;
}

function overlap(a: Float64Array, b: Float64Array): boolean {
  return a[0] <= b[3] && b[0] <= a[3] && a[1] <= b[4] && b[1] <= a[4] && a[2] <= b[5] && b[2] <= a[5];
}

import { describe, expect, it } from 'vitest';
import { shapeDistance } from '../../../src/collision/shapes/shape.js';
import { ballBody, depthFinder, handMoved, latticeBody, mergeBodies, shift } from '../../support/checks/penetration.js';

const BLOCK = { cells: [12, 8, 12], cellSize: 0.1, origin: [-0.6, -0.8, -0.6] } as const;
const POST = { cells: [3, 10, 3], cellSize: 0.1, origin: [-0.163, 0, -0.141] } as const;

/** Depth and direction of every vertex that has one. */
type Depths = Map<number, { depth: number; out: readonly number[] }>;

function read({ depth }: ReturnType<ReturnType<typeof depthFinder>>): Depths {
  const found: Depths = new Map();
  for (let n = 0; n < depth.count; n++) {
    const v = depth.vertices[n];
    found.set(v, { depth: depth.depths[v], out: [...depth.directions.subarray(v * 3, v * 3 + 3)] });
  }
  return found;
}

/** Largest change of depth and of direction between two moments, of vertices that are inside in both. */
function changes(before: Depths, now: Depths): { depth: number; turn: number } {
  const most = { depth: 0, turn: 0 };
  for (const [v, { depth, out }] of now) {
    const old = before.get(v);
    if (!old) continue;
    most.depth = Math.max(most.depth, Math.abs(depth - old.depth));
    most.turn = Math.max(most.turn, Math.hypot(...out.map((x, k) => x - old.out[k])));
  }
  return most;
}

describe('a post in a block', () => {
  const block = handMoved(latticeBody(BLOCK));
  const post = handMoved(latticeBody(POST));
  const find = depthFinder(post, block);
  const naive = new Float64Array(3);

  it.each([0.013, 0.1234, 0.3456, 0.4321, 0.71])('has the depth below the face it came through, %f m deep', (deep) => {
    shift(post, [0, -deep, 0]);
    const { inside, depth } = find();
    const layers = Math.floor(deep / 0.1) + 1;
    expect(inside.count).toBe(16 * layers);
    expect(depth.count).toBe(inside.count);
    for (let n = 0; n < depth.count; n++) {
      const v = depth.vertices[n];
      expect(Math.abs(depth.depths[v] + post.positions[v * 3 + 1])).toBeLessThan(1e-14);
      expect(Math.abs(depth.directions[v * 3 + 1] - 1)).toBeLessThan(1e-14);
    }
  });

  it('is sent back all the way, where the nearest wall changes half way', () => {
    const turns: number[] = [];
    let before: Depths = new Map();
    for (let deep = 0.105; deep < 0.79; deep += 0.01) {
      shift(post, [0, -deep, 0]);
      const now = read(find());
      const { depth, turn } = changes(before, now);
      expect(depth).toBeLessThan(0.01 + 1e-14);
      expect(turn).toBeLessThan(1e-14);
      before = now;
      const tip = Float64Array.of(0, 0.4 - deep, 0);
      shapeDistance({ kind: 'box', halfExtents: [0.6, 0.4, 0.6] }, tip, 0, naive, 0);
      turns.push(naive[1]);
    }
    // the way to the nearest wall flips
    expect(turns[0]).toBe(1);
    expect(turns.at(-1)).toBe(-1);
  });

  it('of the same body is found like one of another', () => {
    const one = handMoved(mergeBodies(latticeBody(BLOCK), latticeBody({ ...POST, origin: [-0.163, 3, -0.141] })));
    const findInSelf = depthFinder(one, one);
    const first = block.model.vertexCount;
    for (let v = first; v < one.model.vertexCount; v++) one.positions[v * 3 + 1] -= 3 + 0.3456;
    const { depth } = findInSelf();
    // vertices of the block in the post come on top: none lies inside it here but those its layers pass
    const inBlock = depth.vertices.subarray(0, depth.count).filter((v) => v >= first);
    expect(inBlock.length).toBe(64);
    for (const v of inBlock) expect(Math.abs(depth.depths[v] + one.positions[v * 3 + 1])).toBeLessThan(1e-14);
  });
});

describe('a ball in a ball', () => {
  it('gets deeper without leaps, and is turned gently', () => {
    const big = handMoved(ballBody(1, 8));
    const small = handMoved(ballBody(0.5, 4));
    const find = depthFinder(small, big);
    const push = 0.005;
    const edge = 0.5 / 4;
    let before: Depths = new Map();
    for (let deep = 0; deep < 0.5; deep += push) {
      shift(small, [0.011, 1.5 - deep, 0.017]);
      const now = read(find());
      const { depth, turn } = changes(before, now);
      // each ring inward extrapolates along a straight normal: on a surface of radius 1 that errs by ℓ²/2 per edge of length ℓ
      const rings = Math.ceil(deep / edge);
      expect(depth).toBeLessThan(push + (rings * edge * edge) / 2);
      expect(turn).toBeLessThan(push + rings * edge);
      // what has just come in is hardly in
      for (const [v, { depth }] of now) if (!before.has(v)) expect(depth).toBeLessThan(push);
      before = now;
    }
    expect(before.size).toBe(50);
  });

  it('that is wholly inside has no way to come back by, and none is made up', () => {
    const small = handMoved(ballBody(0.3, 4));
    const { inside, depth } = depthFinder(small, handMoved(ballBody(1, 8)))();
    expect(inside.count).toBe(small.model.vertexCount);
    expect(depth.count).toBe(0);
  });
});

describe('an edge that enters', () => {
  it('crosses where it meets the face', () => {
    const block = handMoved(latticeBody(BLOCK));
    const post = handMoved(latticeBody(POST));
    shift(post, [0, -0.02, 0]);
    const { crossings } = depthFinder(post, block)();
    expect(crossings.count).toBeGreaterThan(0);
    for (let e = 0; e < crossings.count; e++) {
      const [from, to] = [crossings.outer[e], crossings.inner[e]].map((v) => post.positions[v * 3 + 1]);
      expect(Math.abs(from + crossings.along[e] * (to - from))).toBeLessThan(1e-15);
    }
  });
});

/** Bone fronts against the dense saddle system with rows for joints, and the walk through the tree against that system too. */
import { describe, expect, it } from 'vitest';
import { BoneFronts } from '../../../src/linalg/bone-fronts.js';
import { BoneMobility } from '../../../src/linalg/bone-mobility.js';
import { addRigidPacked6, PACKED6 } from '../../../src/linalg/packed6.js';
import { type Dense, randomNumbers } from './reference.js';

const PARENTS = [-1, 0, 1, 0, 3, 3, 2, 6];

/** A random tree with joints of every kind: masses, inertias, centres, joint places, free axes. */
function randomTree(seed: number, held = false) {
  const random = randomNumbers(seed);
  const r = () => 2 * random() - 1;
  const count = PARENTS.length;
  const fronts = new BoneFronts(PARENTS);
  const centres = Array.from({ length: count }, () => [r(), r(), r()]);
  const masses = Array.from({ length: count }, () => 0.5 + random());
  const inertias = Array.from({ length: count }, () => {
    const b = Array.from({ length: 9 }, r);
    const m = new Float64Array(9);
    for (let i = 0; i < 3; i++)
      for (let j = 0; j < 3; j++) {
        for (let k = 0; k < 3; k++) m[3 * i + j] += 0.1 * b[3 * i + k] * b[3 * j + k];
        if (i === j) m[3 * i + j] += 0.05;
      }
    return m;
  });
  for (let bone = 0; bone < count; bone++) {
    const place = PARENTS[bone] < 0 ? centres[bone] : [r(), r(), r()];
    fronts.reference.set(place, 3 * bone);
    fronts.axisCount[bone] = bone % 4;
    if (bone % 4 === 3) fronts.axes.set([1, 0, 0, 0, 1, 0, 0, 0, 1], 9 * bone);
    else {
      // two unit axes at a right angle
      const a = [r(), r(), r()];
      const length = Math.hypot(...a);
      const [x, y, z] = a.map((v) => v / length);
      const side = Math.hypot(y, x);
      fronts.axes.set([x, y, z, y / side, -x / side, 0, 0, 0, 0], 9 * bone);
    }
    for (let j = 0; j < 3; j++) fronts.damping[3 * bone + j] = 0.3 * random();
    const arm = centres[bone].map((v, k) => v - place[k]);
    addRigidPacked6(fronts.inertia, PACKED6 * bone, masses[bone], arm[0], arm[1], arm[2], inertias[bone], 0);
  }
  if (held) fronts.held[0] = 1;
  return { fronts, centres, masses, inertias, random };
}

/** Gaussian elimination with pivoting. */
function solveDense(a: Dense, b: number[]): number[] {
  const n = b.length;
  for (let c = 0; c < n; c++) {
    let best = c;
    for (let i = c; i < n; i++) if (Math.abs(a[i][c]) > Math.abs(a[best][c])) best = i;
    [a[c], a[best]] = [a[best], a[c]];
    [b[c], b[best]] = [b[best], b[c]];
    for (let i = c + 1; i < n; i++) {
      const factor = a[i][c] / a[c][c];
      if (factor === 0) continue;
      for (let k = c; k < n; k++) a[i][k] -= factor * a[c][k];
      b[i] -= factor * b[c];
    }
  }
  for (let i = n - 1; i >= 0; i--) {
    for (let k = i + 1; k < n; k++) b[i] -= a[i][k] * b[k];
    b[i] /= a[i][i];
  }
  return b;
}

/**
 * The independent answer: all bones with velocities (ω, v of the centre), rows that close joints with multipliers, dampings as
 * springs between neighbours. `pushes`: momentum of each bone about its centre; `turns`: right-hand sides of the turnings.
 */
function solveSaddle(tree: ReturnType<typeof randomTree>, pushes: number[][], turns: Float64Array): number[] {
  const { fronts, centres, masses, inertias } = tree;
  const size = 6 * PARENTS.length;
  const rows: { row: number[] }[] = [];
  const a: Dense = Array.from({ length: size }, () => new Array(size).fill(0));
  const b = pushes.flat();
  PARENTS.forEach((parent, bone) => {
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < 3; j++) a[6 * bone + i][6 * bone + j] += inertias[bone][3 * i + j];
      a[6 * bone + 3 + i][6 * bone + 3 + i] += masses[bone];
    }
    if (parent < 0) return;
    const place = [...fronts.reference.subarray(3 * bone, 3 * bone + 3)];
    for (let k = 0; k < 3; k++) {
      const row = new Array(size).fill(0);
      for (const [who, sign] of [
        [bone, 1],
        [parent, -1],
      ]) {
        const arm = place.map((v, i) => v - centres[who][i]);
        row[6 * who + 3 + k] += sign;
        // (ω × arm)_k
        row[6 * who + ((k + 1) % 3)] += sign * arm[(k + 2) % 3];
        row[6 * who + ((k + 2) % 3)] -= sign * arm[(k + 1) % 3];
      }
      rows.push({ row });
    }
    const free = fronts.axisCount[bone];
    const axes = [0, 1, 2].map((j) => [...fronts.axes.subarray(9 * bone + 3 * j, 9 * bone + 3 * j + 3)]);
    // directions at a right angle to the free axes, by Gram-Schmidt
    const basis = axes.slice(0, free);
    for (const e of [
      [1, 0, 0],
      [0, 1, 0],
      [0, 0, 1],
    ]) {
      const d = e.slice();
      for (const v of basis) {
        const along = d[0] * v[0] + d[1] * v[1] + d[2] * v[2];
        for (let k = 0; k < 3; k++) d[k] -= along * v[k];
      }
      const length = Math.hypot(...d);
      if (length < 0.3 || basis.length === 3) continue;
      const unit = d.map((v) => v / length);
      basis.push(unit);
      const row = new Array(size).fill(0);
      for (let k = 0; k < 3; k++) [row[6 * bone + k], row[6 * parent + k]] = [unit[k], -unit[k]];
      rows.push({ row });
    }
    for (let j = 0; j < free; j++) {
      for (let i = 0; i < 3; i++) {
        for (let k = 0; k < 3; k++) {
          const d = fronts.damping[3 * bone + j] * axes[j][i] * axes[j][k];
          a[6 * bone + i][6 * bone + k] += d;
          a[6 * parent + i][6 * parent + k] += d;
          a[6 * bone + i][6 * parent + k] -= d;
          a[6 * parent + i][6 * bone + k] -= d;
        }
        b[6 * bone + i] += turns[3 * bone + j] * axes[j][i];
        b[6 * parent + i] -= turns[3 * bone + j] * axes[j][i];
      }
    }
  });
  if (fronts.held[0] === 1) {
    for (let k = 0; k < 6; k++) {
      const row = new Array(size).fill(0);
      row[k] = 1;
      rows.push({ row });
    }
  }
  const n = size + rows.length;
  const full: Dense = Array.from({ length: n }, (_, i) =>
    i < size
      ? [...a[i], ...rows.map(({ row }) => -row[i])]
      : [...rows[i - size].row.map((v) => -v), ...rows.map(() => 0)],
  );
  return solveDense(full, [...b, ...rows.map(() => 0)]).slice(0, size);
}

/** Momentum about the centre moved to the reference point. */
function toReference(tree: ReturnType<typeof randomTree>, bone: number, push: number[]): number[] {
  const arm = tree.centres[bone].map((v, k) => v - tree.fronts.reference[3 * bone + k]);
  const f = push.slice(3);
  return [
    push[0] + arm[1] * f[2] - arm[2] * f[1],
    push[1] + arm[2] * f[0] - arm[0] * f[2],
    push[2] + arm[0] * f[1] - arm[1] * f[0],
    ...f,
  ];
}

/** Largest difference between velocities at reference points and the saddle system's at centres. */
function difference(tree: ReturnType<typeof randomTree>, velocity: Float64Array, expected: number[]): number {
  let worst = 0;
  PARENTS.forEach((_, bone) => {
    const arm = tree.centres[bone].map((v, k) => v - tree.fronts.reference[3 * bone + k]);
    const w = velocity.subarray(6 * bone, 6 * bone + 6);
    const at = [
      w[0],
      w[1],
      w[2],
      w[3] + w[1] * arm[2] - w[2] * arm[1],
      w[4] + w[2] * arm[0] - w[0] * arm[2],
      w[5] + w[0] * arm[1] - w[1] * arm[0],
    ];
    at.forEach((v, k) => {
      worst = Math.max(worst, Math.abs(v - expected[6 * bone + k]));
    });
  });
  return worst;
}

describe('bone fronts', () => {
  it.each([1, 2, 3, 4, 5])('agree with the saddle system of joint rows, tree %i', (seed) => {
    const tree = randomTree(seed);
    const { fronts, random } = tree;
    const pushes = PARENTS.map(() => Array.from({ length: 6 }, () => 2 * random() - 1));
    const turns = Float64Array.from({ length: 3 * PARENTS.length }, () => 2 * random() - 1);
    pushes.forEach((push, bone) => {
      fronts.momentum.set(toReference(tree, bone, push), 6 * bone);
    });
    fronts.push.set(turns);
    expect(fronts.factor()).toBe(true);
    fronts.solve();
    expect(difference(tree, fronts.velocity, solveSaddle(tree, pushes, turns))).toBeLessThan(1e-11);
  });

  it('say so when a bone has no inertia', () => {
    const { fronts } = randomTree(1);
    fronts.inertia.fill(0);
    fronts.damping.fill(0);
    expect(fronts.factor()).toBe(false);
  });
});

describe('a walk through the bones', () => {
  it.each([
    [1, false],
    [2, false],
    [3, true],
  ])('spreads impulses exactly, tree %i, root held %s', (seed, held) => {
    const tree = randomTree(seed, held);
    const { fronts, random } = tree;
    expect(fronts.factor()).toBe(true);
    const mobility = new BoneMobility(fronts);
    PARENTS.forEach((_, bone) => {
      mobility.updateCompliance(bone);
    });
    const pushes = PARENTS.map(() => new Array(6).fill(0));
    // pushes in a scattered order: on bones the walk is at, has left, and has not come to
    for (const bone of [2, 7, 0, 4, 2, 5, 1]) {
      const push = Array.from({ length: 6 }, () => 2 * random() - 1);
      push.forEach((v, k) => {
        pushes[bone][k] += v;
      });
      const [tx, ty, tz, fx, fy, fz] = toReference(tree, bone, push);
      mobility.push(bone, tx, ty, tz, fx, fy, fz);
      if (bone === 4) for (const n of [7, 6, 2]) mobility.leave(n);
    }
    for (let bone = PARENTS.length - 1; bone >= 0; bone--) mobility.leave(bone);
    for (let bone = 0; bone < PARENTS.length; bone++) mobility.enter(bone);
    const expected = solveSaddle(tree, pushes, new Float64Array(3 * PARENTS.length));
    expect(difference(tree, mobility.change, expected)).toBeLessThan(1e-11);
  });

  it('gives a bone its own velocity at once', () => {
    const tree = randomTree(4);
    expect(tree.fronts.factor()).toBe(true);
    const mobility = new BoneMobility(tree.fronts);
    PARENTS.forEach((_, bone) => {
      mobility.updateCompliance(bone);
    });
    const push = [0.3, -0.2, 0.7, 1, -2, 0.5];
    const [tx, ty, tz, fx, fy, fz] = toReference(tree, 6, push);
    mobility.push(6, tx, ty, tz, fx, fy, fz);
    const pushes = PARENTS.map((_, bone) => (bone === 6 ? push : new Array(6).fill(0)));
    const expected = solveSaddle(tree, pushes, new Float64Array(3 * PARENTS.length));
    const own = new Float64Array(6 * PARENTS.length);
    own.set(mobility.change.subarray(36, 42), 36);
    const only = expected.map((v, i) => (i >= 36 && i < 42 ? v : 0));
    expect(difference(tree, own, only)).toBeLessThan(1e-11);
  });
});

/**
 * Soft bodies that touch themselves, and edges that touch edges: a folded sheet lies on itself at its thickness and the floor carries it (weight), a fold that closes in the
 * air keeps its momentum (conservation), a ridge of flesh stops on another one that it crosses (where it started).
 */
import { describe, expect, it } from 'vitest';
import { buildClothModel } from '../../../src/body/kinds/cloth-model.js';
import { buildModel } from '../../../src/body/model.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import { CoupledCore } from '../../../src/solvers/coupled/coupled-core.js';
import { SoftModel } from '../../../src/solvers/coupled/soft/soft-model.js';
import { sheetDef } from '../../support/models/cloth.js';
import { box, ground } from '../../support/models/coupled.js';
import { placeSoft, RUBBER } from '../../support/models/coupled-soft.js';

const THICK = 0.01;
const CELLS = 24;
const ACROSS = 4;

/** A strip in the shape of a U on its side: two layers `apart` from each other, the lower at height y. */
function foldedStrip(apart: number, y: number) {
  const model = new SoftModel(
    buildClothModel(
      sheetDef([CELLS, ACROSS], [1.2, 0.2], THICK, { youngModulus: 2e5, poissonRatio: 0.3, density: 300 }),
    ),
  );
  const half = 0.5 * apart;
  const bend = Math.PI * half;
  const straight = 0.5 * (1.2 - bend);
  const positions = Float64Array.from(model.elements.positions);
  for (let i = 0; i < positions.length; i += 3) {
    const along = positions[i];
    const turn = Math.min(Math.PI, Math.max(0, (along - straight) / half));
    const past = Math.max(0, along - straight - bend);
    positions[i] = Math.min(along, straight) + half * Math.sin(turn) - past;
    positions[i + 1] = y + half * (1 - Math.cos(turn));
  }
  return { model, positions };
}

/** Lowest distance between the straight parts of the two layers, vertex over vertex [m]. */
function layersApart({ soft }: CoupledCore): number {
  const y = (i: number, j: number) => soft.x[(i * (ACROSS + 1) + j) * 3 + 1];
  let least = Number.POSITIVE_INFINITY;
  for (let i = 0; i < 8; i++) {
    for (let j = 0; j <= ACROSS; j++) least = Math.min(least, y(CELLS - i, j) - y(i, j));
  }
  return least;
}

describe('a folded sheet', () => {
  const drop = (selfContact: boolean) => {
    const core = new CoupledCore(
      { rigid: [ground()], soft: [foldedStrip(0.12, 0.5 * THICK + 1e-4)] },
      { substeps: 4, selfContact },
    );
    let least = Number.POSITIVE_INFINITY;
    for (let n = 0; n < 80; n++) {
      core.step(1 / 60);
      least = Math.min(least, layersApart(core));
    }
    return { core, least };
  };

  it('lies on itself at its thickness, and the floor carries all of it', () => {
    const { core, least } = drop(true);
    expect(core.isFinite()).toBe(true);
    // never deeper than a fifth of the thickness; at rest within a twentieth
    expect(least).toBeGreaterThan(0.8 * THICK);
    expect(layersApart(core)).toBeGreaterThan(0.95 * THICK);
    let force = 0;
    const { a, b, push, count } = core.contacts;
    for (let c = 0; c < count; c++) if (a[c] !== b[c]) force += Math.abs(push[1][c * 3 + 1]) * 240;
    const weight = 9.81 * core.soft.mass.reduce((sum, m) => sum + m, 0);
    expect(Math.abs(force / weight - 1)).toBeLessThan(0.05);
  });

  it('goes through itself where it is not asked to touch itself', () => {
    const { least } = drop(false);
    expect(least).toBeLessThan(0.5 * THICK);
  });

  it('that closes in the air keeps its momentum', () => {
    const start = foldedStrip(0.06, 0);
    const velocities = Float64Array.from(start.positions, (_, i) =>
      i % 3 === 1 ? (start.positions[i] > 0.03 ? -1 : 1) : 0.3,
    );
    const core = new CoupledCore(
      { soft: [{ ...start, velocities }], gravity: [0, 0, 0] },
      { selfContact: true, substeps: 4 },
    );
    const momentum = () =>
      [0, 1, 2].map((k) => core.soft.mass.reduce((sum, m, i) => sum + m * core.soft.v[i * 3 + k], 0));
    const before = momentum();
    let touched = 0;
    for (let n = 0; n < 30; n++) {
      core.step(1 / 60);
      for (let c = 0; c < core.contacts.count; c++) if (core.contacts.push[1][c * 3 + 1] !== 0) touched++;
    }
    expect(touched).toBeGreaterThan(0);
    momentum().forEach((value, k) => {
      expect(Math.abs(value - before[k])).toBeLessThan(1e-12);
    });
  });
});

describe('ridges across each other', () => {
  // prisms on their edges, one along x, one along z: no vertex comes near a face before the edges are deep in each other
  const SIDE = 0.1;
  const LENGTH = 0.6;
  const prism = (pinned: boolean) => {
    const mesh = buildLattice({ cells: [6, 1, 1], cellSize: SIDE, origin: [-0.5 * LENGTH, -0.5 * SIDE, -0.5 * SIDE] });
    const pins = pinned ? Array.from({ length: mesh.positions.length / 3 }, (_, v) => v) : [];
    return new SoftModel(buildModel({ name: 'prism', ...mesh, materials: [{ ...RUBBER, youngModulus: 5e6 }], pins }));
  };
  const s = Math.SQRT1_2;
  const reach = s * SIDE;
  const drop = (edges: boolean) => {
    const lower = placeSoft(prism(true), [0.05, 0, 0], { rotation: [1, 0, 0, 0, s, -s, 0, s, s] });
    // the same, turned about the vertical by a quarter
    const upper = placeSoft(prism(false), [0, 2 * reach + 0.005, 0.05], { rotation: [0, -s, s, 0, s, s, -1, 0, 0] });
    const core = new CoupledCore({ soft: [lower, upper] }, { substeps: 4, edges });
    const ridge = ridgeOf(core);
    let deepest = 0;
    for (let n = 0; n < 20; n++) {
      core.step(1 / 60);
      deepest = Math.max(deepest, reach - heightAt(core, ridge));
    }
    return deepest;
  };
  /** Vertices of the upper prism's lowest edge. */
  const ridgeOf = ({ soft }: CoupledCore) => {
    const own = Array.from({ length: soft.firstVertex[2] - soft.firstVertex[1] }, (_, i) => soft.firstVertex[1] + i);
    const lowest = Math.min(...own.map((i) => soft.x[i * 3 + 1]));
    return own.filter((i) => soft.x[i * 3 + 1] < lowest + 1e-9).sort((i, j) => soft.x[i * 3 + 2] - soft.x[j * 3 + 2]);
  };
  /** Height of that edge where it crosses the other one, which is held at `reach` over z = 0. */
  const heightAt = ({ soft: { x } }: CoupledCore, ridge: readonly number[]) => {
    const n = ridge.findIndex((i) => x[i * 3 + 2] > 0);
    const [i, j] = [ridge[n - 1] * 3, ridge[n] * 3];
    const share = -x[i + 2] / (x[j + 2] - x[i + 2]);
    return x[i + 1] + share * (x[j + 1] - x[i + 1]);
  };

  it('stop where they meet', () => {
    const [kept, lost] = [drop(true), drop(false)];
    expect(kept).toBeLessThan(0.01 * SIDE);
    expect(lost).toBeGreaterThan(0.1 * SIDE);
  });
});

describe('edges of rigid boxes', () => {
  it('stop on each other where they cross, also between the samples along them', () => {
    const half = Math.sin(Math.PI / 8);
    const whole = Math.cos(Math.PI / 8);
    // both stand on an edge, one along x, one along z; the upper comes down 0.19 m from the middle of the lower one's edge, and crosses at 0.11 m of its own
    const lower = box([0.5, 0.1, 0.1], 0, { position: [0, 0, 0], rotation: [half, 0, 0, whole] });
    const reach = Math.SQRT2 * 0.1;
    const upper = box([0.1, 0.1, 0.5], 10, {
      position: [0.19, 2 * reach + 0.002, 0.11],
      rotation: [0, 0, half, whole],
    });
    const core = new CoupledCore({ rigid: [lower, upper] }, { substeps: 4 });
    let deepest = 0;
    for (let n = 0; n < 20; n++) {
      core.step(1 / 60);
      // height of the upper box's lowest edge at z = 0, where it crosses the other, which is at `reach`
      const { x, rotation: r } = core.rigid;
      const corner = [-1, 1].map((end) =>
        [0, 1, 2].map((k) => x[3 + k] - 0.1 * (r[9 + k * 3] + r[9 + k * 3 + 1]) + end * 0.5 * r[9 + k * 3 + 2]),
      );
      const share = -corner[0][2] / (corner[1][2] - corner[0][2]);
      deepest = Math.max(deepest, reach - corner[0][1] - share * (corner[1][1] - corner[0][1]));
    }
    expect(deepest).toBeLessThan(1e-3);
  });
});

/**
 * A lattice that touches itself: the gradient of the contact energy by differences (V20), and an arm folded by 2.2 rad, whose halves
 * mirror each other in the plane through the joint that neither may cross.
 */
import { describe, expect, it } from 'vitest';
import { latticeOfLayer } from '../../../src/character/build/kinds/lattice-of.js';
import { buildLayered } from '../../../src/character/build/kinds/layer-character.js';
import { latticeScene } from '../../../src/character/load-character.js';
import {
  createWorld,
  disposeWorld,
  hashWorld,
  restoreSnapshot,
  setBoneTarget,
  stepWorld,
  takeSnapshot,
} from '../../../src/index.js';
import { createRandom } from '../../../src/math/random.js';
import { boxLattice } from '../../../src/mesh/hexes/hex-lattice.js';
import { boxSurface } from '../../../src/mesh/surface/solid-surfaces.js';
import { buildLatticeBody } from '../../../src/solvers/lattice/lattice-body.js';
import { DoubleArithmetic } from '../../../src/solvers/lattice/numbers/double-arithmetic.js';
import { SkinContacts } from '../../../src/solvers/lattice/skin/skin-contacts.js';
import { findProxies } from '../../../src/solvers/lattice/skin/skin-proxies.js';
import { placeNodes } from '../../support/models/lattice-cube.js';
import { armModel } from '../../support/models/rigged-model.js';

describe('a lattice that touches itself', () => {
  it('has a gradient that is the derivative of its energy, without net force', () => {
    const lattice = boxLattice(16, 3, 3, 0.1);
    const cells = lattice.cells.length / 3;
    const body = buildLatticeBody(lattice, {
      mu: new Float64Array(cells).fill(100),
      lambda: new Float64Array(cells).fill(100),
      held: new Uint8Array(lattice.nodes.length / 3),
    });
    const box = boxSurface([0.8, 0.15, 0.15]);
    const positions = box.positions.map((value, i) => value + [0.8, 0.15, 0.15][i % 3]);
    const corners = Int32Array.from({ length: positions.length / 3 }, () => 0);
    const contacts = new SkinContacts(
      body,
      findProxies(lattice, { positions, triangles: box.triangles, cells: corners }),
    );
    const room = new DoubleArithmetic(body);
    const [x, gradient, other] = [room.vector(), room.vector(), room.vector()];
    // one half laid back over the other, a little into it, and shaken
    const random = createRandom(5);
    const shake = () => random.range(-0.01, 0.01);
    placeNodes(body, x, (X, Y, Z) => (X <= 0.8 ? [X, Y, Z] : [1.6 - X, 0.53 - Y, Z]).map((value) => value + shake()));
    expect(contacts.refresh(x)).toBe(true);
    expect(contacts.count).toBeGreaterThan(10);
    contacts.add(x, gradient);
    let worst = 0;
    const total = [0, 0, 0];
    for (let i = 0; i < x.length; i++) total[Math.floor(i / 4) % 3] += gradient.view[i];
    for (let i = 0; i < x.length; i += 7) {
      const at = x.view[i];
      x.view[i] = at + 1e-6;
      const high = contacts.add(x, other);
      x.view[i] = at - 1e-6;
      const low = contacts.add(x, other);
      x.view[i] = at;
      worst = Math.max(worst, Math.abs((high - low) / 2e-6 - gradient.view[i]));
    }
    const largest = Math.max(...Array.from(gradient.view, Math.abs));
    expect(worst).toBeLessThan(1e-5 * largest);
    // both sides of a pair are pushed alike: what pushes them apart moves nothing as a whole
    for (const sum of total) expect(Math.abs(sum)).toBeLessThan(1e-9 * largest);
  });

  it('lets go of what slid off the skin it came in by, and of what bones alone carry', () => {
    const lattice = boxLattice(16, 3, 3, 0.1);
    const cells = lattice.cells.length / 3;
    const filling = { mu: new Float64Array(cells).fill(100), lambda: new Float64Array(cells).fill(100) };
    const body = buildLatticeBody(lattice, { ...filling, held: new Uint8Array(lattice.nodes.length / 3) });
    const box = boxSurface([0.8, 0.15, 0.15]);
    const positions = box.positions.map((value, i) => value + [0.8, 0.15, 0.15][i % 3]);
    const skin = { positions, triangles: box.triangles, cells: new Int32Array(positions.length / 3) };
    const proxies = findProxies(lattice, skin);
    const contacts = new SkinContacts(body, proxies);
    const room = new DoubleArithmetic(body);
    const [x, gradient] = [room.vector(), room.vector()];
    // one half laid back over the other, a little into it; then beside it, as low as before
    const lay = (aside: number): void =>
      placeNodes(body, x, (X, Y, Z) => (X <= 0.8 ? [X, Y, Z] : [1.6 - X, 0.53 - Y, Z + aside]));
    lay(0);
    expect(contacts.refresh(x)).toBe(true);
    expect(contacts.count).toBeGreaterThan(10);
    lay(0.5);
    contacts.refresh(x);
    expect(contacts.add(x, gradient)).toBe(0);
    expect(contacts.count).toBe(0);
    // all of it held: nothing could part the two
    const held = new Uint8Array(lattice.nodes.length / 3).fill(1);
    const driven = new SkinContacts(body, proxies, held);
    lay(0);
    expect(driven.refresh(x)).toBe(false);
    expect(driven.count).toBe(0);
  });

  it('folds without going through itself, where it would otherwise', async () => {
    const arm = latticeOfLayer(buildLayered(armModel()), { cells: 900 });
    const depths: number[] = [];
    for (const selfContact of [false, true]) {
      const solver = { kind: 'lattice', mode: 'quasistatic', weight: false, iterations: 30, selfContact } as const;
      const world = await createWorld({ ...latticeScene(arm), solver });
      const [body] = world.bodies;
      const { centre } = body.model.bones;
      const bend = (angle: number): void => {
        const [c, s] = [Math.cos(angle), Math.sin(angle)];
        const [x, y] = [centre[3] - 0.5, centre[4]];
        const position = [0.5 + c * x - s * y, s * x + c * y, centre[5]] as const;
        setBoneTarget(body, 1, { position, rotation: [0, 0, Math.sin(angle / 2), Math.cos(angle / 2)] });
      };
      for (let n = 1; n <= 22; n++) {
        bend(0.1 * n);
        expect(stepWorld(world)).toBe(true);
      }
      // the mirror: through the joint, halfway between the two halves; the first one is below
      const [nx, ny] = [Math.cos(1.1), Math.sin(1.1)];
      let depth = 0;
      for (let v = 0; v < body.model.vertexCount; v++) {
        if (body.model.positions[3 * v] > 0.35) continue;
        const [x, y] = [body.state.positions[3 * v] - 0.5, body.state.positions[3 * v + 1]];
        depth = Math.max(depth, nx * x + ny * y);
      }
      depths.push(depth / arm.body.cellSize);
      expect(world.certificate.inverted).toBe(0);
      expect(world.certificate.contacts > 0).toBe(selfContact);
      expect(world.certificate.penetration / arm.body.cellSize).toBeLessThan(0.2);
      const snapshot = takeSnapshot(world);
      stepWorld(world);
      const hash = hashWorld(world);
      restoreSnapshot(world, snapshot);
      stepWorld(world);
      expect(hashWorld(world)).toBe(hash);
      disposeWorld(world);
    }
    expect(depths[0]).toBeGreaterThan(0.5);
    expect(depths[1]).toBeLessThan(0.2);
  });
});

/**
 * Soft bones: a bar on springs stretches as two springs in series do, in closed form; a bone that flesh slides on pulls along its normal by the
 * whole tie and across it by a fiftieth; and a body whose soft bones all move alike moves with them.
 */
import { describe, expect, it } from 'vitest';
import { createWorld, disposeWorld, setBoneTarget, stepWorld } from '../../../src/index.js';
import { boxLattice, nodePositions } from '../../../src/mesh/hexes/hex-lattice.js';
import { type BoneHold, BoneTies } from '../../../src/solvers/lattice/bones/bone-ties.js';
import { restTransforms } from '../../../src/solvers/lattice/bones/bone-transforms.js';
import { buildLatticeBody } from '../../../src/solvers/lattice/lattice-body.js';
import { DoubleArithmetic } from '../../../src/solvers/lattice/numbers/double-arithmetic.js';
import { floatOfPlace } from '../../../src/solvers/lattice/numbers/quad-layout.js';
import { PosedLattice } from '../../../src/solvers/lattice/posed-lattice.js';
import { buildFleshBar } from '../../support/models/bodies.js';

const [LONG, MU, TIE] = [6, 1, 0.3];

/** A bar of one by one by six cells without a Poisson ratio: held at one end, tied to a soft bone at the other. */
function tiedBar(hold: BoneHold) {
  const lattice = boxLattice(LONG, 1, 1, 1);
  const at = (node: number): number => lattice.nodes[3 * node];
  const count = lattice.nodes.length / 3;
  const body = buildLatticeBody(lattice, {
    mu: new Float64Array(LONG).fill(MU),
    lambda: new Float64Array(LONG),
    held: Uint8Array.from({ length: count }, (_, node) => (at(node) === 0 ? 1 : 0)),
    ties: Float64Array.from({ length: count }, (_, node) => (at(node) === LONG ? TIE : 0)),
  });
  const ofNode = Int32Array.from({ length: count }, (_, node) => (at(node) === 0 ? 1 : at(node) === LONG ? 0 : -1));
  return { body, bones: { count: 2, ofNode, hold } };
}

describe('soft bones', () => {
  it('stretch a bar as springs in series do: N k u / (N k + E A / L)', () => {
    const { body, bones } = tiedBar('soft');
    const posed = new PosedLattice(new DoubleArithmetic(body), body, bones);
    posed.start();
    const transforms = restTransforms(2);
    transforms[9] = 0.6;
    posed.step(transforms, { iterations: 100, tolerance: 1e-10 });
    // four nodes, a section of one, and a modulus of 2 mu
    const expected = (4 * TIE * 0.6) / (4 * TIE + (2 * MU) / LONG);
    bones.ofNode.forEach((bone, node) => {
      const moved = posed.x.view[floatOfPlace(body.layout.placeOfNode[node], 0)] - LONG;
      if (bone === 0) expect(Math.abs(moved - expected)).toBeLessThan(1e-7);
    });
  });

  it('let flesh slide across their normal: k/2 (n·d)² and a fiftieth of it along', () => {
    const { body, bones } = tiedBar('sliding');
    const arithmetic = new DoubleArithmetic(body);
    const [x, gradient] = [arithmetic.vector(), arithmetic.vector()];
    const rest = nodePositions(body.lattice);
    const transforms = restTransforms(2);
    // the bone is turned by a quarter about z: its normal, which was x, is y
    transforms.set([0, -1, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0], 0);
    const ties = new BoneTies(body, bones, rest, transforms);
    const shifted = (dx: number, dy: number, dz: number): number => {
      body.layout.placeOfNode.forEach((place, node) => {
        const [X, Y, Z] = rest.subarray(3 * node, 3 * node + 3);
        [-Y + dx, X + dy, Z + dz].forEach((value, k) => {
          x.view[floatOfPlace(place, k)] = value;
        });
      });
      gradient.view.fill(0);
      return ties.add(x, gradient);
    };
    expect(shifted(0, 0.1, 0)).toBeCloseTo((4 * TIE * 0.01) / 2, 12);
    expect(shifted(0.1, 0, 0)).toBeCloseTo((0.02 * 4 * TIE * 0.01) / 2, 12);
    expect(shifted(0, 0, 0.1)).toBeCloseTo((0.02 * 4 * TIE * 0.01) / 2, 12);
  });

  it.each(['soft', 'sliding'] as const)('carry a body along that all of its %s bones move', async (bones) => {
    const material = { model: 'corotated', youngModulus: 2e4, poissonRatio: 0.3, density: 1000 } as const;
    const bar = buildFleshBar({ cells: [8, 2, 2], cell: 0.05, layers: 2, material, joint: 'none' });
    const body = { ...bar, bones: bar.bones!.map((bone) => ({ ...bone, kinematic: true })) };
    const solver = { kind: 'lattice', cells: 300, mode: 'quasistatic', weight: false, bones };
    const world = await createWorld({ name: 'bar', description: '', bodies: [{ body }], solver } as never);
    const { model, state } = world.bodies[0];
    // a quarter turn about y in ten steps
    for (let n = 1; n <= 10; n++) {
      const [half, angle] = [(n * Math.PI) / 40, (n * Math.PI) / 20];
      for (let bone = 0; bone < 2; bone++) {
        const [x, y, z] = model.bones.centre.subarray(3 * bone, 3 * bone + 3);
        const position = [Math.cos(angle) * x + Math.sin(angle) * z, y, Math.cos(angle) * z - Math.sin(angle) * x];
        setBoneTarget(world.bodies[0], bone, { position, rotation: [0, Math.sin(half), 0, Math.cos(half)] } as never);
      }
      expect(stepWorld(world)).toBe(true);
    }
    for (let v = 0; v < model.vertexCount; v++) {
      const [x, y, z] = model.positions.subarray(3 * v, 3 * v + 3);
      [z, y, -x].forEach((value, k) => {
        expect(Math.abs(state.positions[3 * v + k] - value)).toBeLessThan(2e-4 * model.size);
      });
    }
    disposeWorld(world);
  });
});

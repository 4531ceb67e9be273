/**
 * The human of [Li2019, Fig. 11] on two silks: broad soft bands hung up by both ends, one under the back and one under the
 * thighs. Nothing but contact and friction holds the acrobat. With its joints, or with bones that the flesh alone holds together.
 */
import type { BodyDef } from '../../src/body/body-def.js';
import type { SceneDef } from '../../src/scene/scene-def.js';
import { buildBar } from '../cast/bar.js';
import { buildHuman } from '../cast/human.js';

/** How to build the scene. */
export interface AerialSilkOptions {
  /** Side of the human's lattice cubes [m]; default that of the paper's counts. */
  readonly cell?: number;
  /** Without the human's eight joints; default with them. */
  readonly loose?: boolean;
}

/** Cells of a silk along x, y and z, and their side [m]: 1.8 m long, 0.12 m broad. */
const SILK_CELLS = [45, 1, 3] as const;
const SILK_CELL = 0.04;
/** Height of the silks' ends [m]. */
const SILK_HEIGHT = 1.6;
/** The silks are this far above the soles, in the rest shape of the human: below the shoulder blades and above the knees [m]. */
const SILK_PLACES = [1.2, 0.62];

/** Builds the scene. */
export function buildAerialSilkScene({ cell, loose = false }: AerialSilkOptions = {}): SceneDef {
  const human = buildHuman({ cell });
  const body: BodyDef = { ...human, name: 'acrobat', joints: loose ? [] : human.joints };
  const silk = buildSilk();
  const length = SILK_CELLS[0] * SILK_CELL;
  return {
    name: loose ? 'aerial-silk-loose' : 'aerial-silk',
    description: loose
      ? 'A human without joints on two silks: only the flesh keeps the bones together.'
      : 'A human falls into two silks and sways in them.',
    bodies: [
      // lying on the back, the head towards -z
      { body, position: [0, SILK_HEIGHT + 0.15, 0.9], rotation: [-Math.SQRT1_2, 0, 0, Math.SQRT1_2] },
      ...SILK_PLACES.map((place, i) => ({
        body: silk,
        name: ['backSilk', 'legSilk'][i],
        position: [-length / 2, SILK_HEIGHT, 0.9 - place] as const,
        friction: 0.8,
      })),
    ],
    dt: 0.033,
    iterations: 20,
  };
}

/** A straight band held at both ends. */
function buildSilk(): BodyDef {
  const material = { model: 'corotated', youngModulus: 1e6, poissonRatio: 0.3, density: 1000 } as const;
  const band = buildBar({ cells: SILK_CELLS, cell: SILK_CELL, boneLayers: 0, material });
  const last = SILK_CELLS[0] * SILK_CELL - SILK_CELL / 2;
  const pins: number[] = [];
  for (let i = 0; i < band.positions.length; i += 3) {
    if (band.positions[i] < SILK_CELL / 2 || band.positions[i] > last) pins.push(i / 3);
  }
  return { ...band, name: 'silk', pins };
}

/**
 * Smooth skins for the bodies of scenes that run in real time: the same character meshed finely, carried by the few
 * tetrahedra that are simulated. Bodies that are fine themselves, and those that are no character, are drawn as they are.
 */

import type { WornSkin } from '../../host/frames/skin-surface.js';
import { buildCat } from '../../scenes/cast/creatures/cat.js';
import { buildFish } from '../../scenes/cast/creatures/fish.js';
import { buildMermaid } from '../../scenes/cast/creatures/mermaid.js';
import { buildQuadruped } from '../../scenes/cast/creatures/quadruped.js';
import { buildSnail } from '../../scenes/cast/creatures/snail.js';
import { buildSnake } from '../../scenes/cast/creatures/snake.js';
import { buildTubes } from '../../scenes/cast/creatures/tubes.js';
import { buildHand } from '../../scenes/cast/hand.js';
import { buildHuman } from '../../scenes/cast/human.js';
import type { BodyDef } from '../../src/body/body-def.js';
import { embedFineSkin } from '../../src/character/fine-skin.js';

/** The characters in their fine versions, by the name their bodies have. */
const FINE: Readonly<Record<string, () => BodyDef>> = {
  cat: buildCat,
  fish: buildFish,
  hand: buildHand,
  human: buildHuman,
  mermaid: buildMermaid,
  quadruped: buildQuadruped,
  snail: buildSnail,
  snake: buildSnake,
  tubes: buildTubes,
};
/** Bodies with more tetrahedra than this show their own surface. */
const COARSE = 12_000;

/** The last one made: a scene whose settings change keeps it. */
let last: { readonly positions: Float64Array; readonly worn: WornSkin } | undefined;

/** The skin of a coarse character; undefined for other bodies. */
export function fineSkin(body: BodyDef): WornSkin | undefined {
  if (body.tets.length > 4 * COARSE || !Object.hasOwn(FINE, body.name)) return undefined;
  if (last && sameNumbers(last.positions, body.positions)) return last.worn;
  const { positions, triangles, embedding } = embedFineSkin(body, FINE[body.name]());
  const skin = {
    positions: Float32Array.from(positions),
    normals: new Float32Array(positions.length),
    triangles: Uint32Array.from(triangles),
    bones: new Uint16Array(0),
    boneWeights: new Float32Array(0),
    surfaces: [],
    look: { materials: [], textures: [], samplers: [], images: [] },
  };
  last = { positions: Float64Array.from(body.positions), worn: { skin, embedding } };
  return last.worn;
}

function sameNumbers(a: Float64Array, b: ArrayLike<number>): boolean {
  return a.length === b.length && a.every((value, i) => value === b[i]);
}

/** Soft bodies for tests of tendon/three in Node, disposed of after each test. */
import { Vector3 } from 'three';
import { afterEach } from 'vitest';
import type { BodyDef } from '../../../src/body/body-def.js';
import { writeGltf } from '../../../src/io/gltf/gltf-write.js';
import { buildLattice } from '../../../src/mesh/tets/tet-lattice.js';
import { SoftBody, SoftCharacter, type SoftCharacterOptions } from '../../../three/index.js';
import { armModel } from './rigged-model.js';

export const DT = 1 / 60;
/** 3 kg of jelly, 30 cm x 10 cm x 10 cm about the origin. */
export const BLOCK: BodyDef = {
  name: 'block',
  ...buildLattice({ cells: [6, 2, 2], cellSize: [0.05, 0.05, 0.05], origin: [-0.15, -0.05, -0.05] }),
  materials: [{ model: 'arap', youngModulus: 2e4, poissonRatio: 0, density: 1000 }],
};
/** Bodies to be disposed of. */
export const opened: SoftBody[] = [];
/** A skinned arm with a clip, as a file. */
export const arm = await writeGltf(armModel({ swing: 0.8 }));

afterEach(() => {
  for (const body of opened.splice(0)) body.dispose();
});

export async function loadArm(options: SoftCharacterOptions = {}): Promise<SoftCharacter> {
  const character = await SoftCharacter.load(arm, { worker: false, build: { tets: 800 }, ...options });
  opened.push(character);
  return character;
}

export async function block(options = {}): Promise<SoftBody> {
  const body = await SoftBody.fromDef(BLOCK, { worker: false, ...options });
  opened.push(body);
  return body;
}

export function positionsOf(body: SoftBody): Float32Array {
  return Float32Array.from(body.skins[0].geometry.getAttribute('position').array);
}

/** Middle of the skin's vertices near a point at the start. */
export function middleNear(start: Float32Array, now: Float32Array, point: Vector3, radius: number): Vector3 {
  const sum = new Vector3();
  let count = 0;
  for (let i = 0; i < start.length; i += 3) {
    if (new Vector3().fromArray(start, i).distanceTo(point) > radius) continue;
    sum.add(new Vector3().fromArray(now, i));
    count++;
  }
  return sum.divideScalar(count);
}

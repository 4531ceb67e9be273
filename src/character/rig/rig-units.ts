/** In which units and which way up a model was made. glTF says metres and y up; files in the wild differ. */
import { largestExtent } from '../../mesh/tets/tet-mesh.js';
import { identityMat4, type Mat4, multiplyMat4, transformPoint } from './mat4.js';
import type { Rig } from './rig.js';

/** Largest size that is taken as metres, and as centimetres: beyond, millimetres [file units]. */
const LARGEST_METRES = 20;
const LARGEST_CENTIMETRES = 800;
/** Sizes that are kept as metres but worth a note [m]. */
const USUAL = [0.05, 4];

/** A transform to metres and y up, what it multiplies lengths by, and notes about anything unusual. */
export function findUnits(rig: Rig, notes: string[]): { transform: Mat4; scale: number } {
  const size = largestExtent(rig.positions);
  let scale = 1;
  if (size > LARGEST_METRES) {
    scale = size > LARGEST_CENTIMETRES ? 0.001 : 0.01;
    const unit = scale === 0.01 ? 'centimetres' : 'millimetres';
    notes.push(
      `the model is ${size.toPrecision(3)} units long: taken as ${unit}, so ${(size * scale).toPrecision(3)} m`,
    );
  } else if (size < USUAL[0] || size > USUAL[1]) {
    notes.push(`the model is ${size.toPrecision(3)} m long, which is unusual; kept as metres`);
  }
  const transform = identityMat4();
  for (let k = 0; k < 3; k++) transform[5 * k] = scale;
  if (!isZUp(rig)) return { transform, scale };
  notes.push('the head is above the feet along z: turned from z up to y up');
  const turn = Float64Array.of(1, 0, 0, 0, 0, 0, -1, 0, 0, 1, 0, 0, 0, 0, 0, 1);
  return { transform: multiplyMat4(transform, turn), scale };
}

/** True where joints named as heads are far above those named as feet along z, and not along y. */
function isZUp(rig: Rig): boolean {
  const mean = (pattern: RegExp): number[] | undefined => {
    const found = rig.joints.filter(({ name }) => pattern.test(name));
    if (found.length === 0) return undefined;
    const places = found.map(({ node }) => transformPoint(rig.globals[node], [0, 0, 0], 0));
    return [0, 1, 2].map((k) => places.reduce((sum, place) => sum + place[k], 0) / places.length);
  };
  const head = mean(/head/i) ?? mean(/neck/i);
  const feet = mean(/foot|feet|toe|ankle/i) ?? mean(/shin|calf|knee|lower_?leg/i);
  if (head === undefined || feet === undefined) return false;
  const up = [0, 1, 2].map((k) => head[k] - feet[k]);
  return up[2] > 3 * Math.abs(up[1]) && up[2] > 3 * Math.abs(up[0]);
}

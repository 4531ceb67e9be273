/** The shell of a snail: a tube coiled to a logarithmic spiral. */
import type { Vec3 } from '../../../src/body/body-def.js';
import type { Shape } from '../../../src/character/shapes/sdf.js';
import { chain, smoothUnion } from '../../../src/character/shapes/sdf-combine.js';

/** A coiled shell around an axis along z. */
export interface SpiralShellOptions {
  readonly center: Vec3;
  /** From the axis to the middle of the tube, where it opens [m]. */
  readonly radius: number;
  /** Radius of the tube where it opens [m]. */
  readonly tube: number;
  /** Number of turns. */
  readonly turns: number;
  /** How much smaller it is one turn further in. */
  readonly ratio: number;
  /** How far the tip stands out along +z [m]. */
  readonly rise: number;
  /** Radius to which the seam between turns is filled [m]. */
  readonly seam: number;
  /** Taken off the radius of the tube everywhere, for the hollow of a shell with walls of this thickness [m]. */
  readonly inset?: number;
  /** Steps of a sixteenth turn left out at the opening. */
  readonly skip?: number;
}

/** A tube coiled to a logarithmic spiral that opens downward (-y) and winds up and back (towards -x) from there. */
export function spiralShell(options: SpiralShellOptions): Shape {
  const { center, radius, tube, turns, ratio, rise, seam, inset = 0, skip = 0 } = options;
  // Steps of 22.5 degrees, by repeated rotation; cos and sin of it are roots, the same on every machine.
  const steps = Math.round(16 * turns);
  const cosine = Math.sqrt(2 + Math.sqrt(2)) / 2;
  const sine = Math.sqrt(2 - Math.sqrt(2)) / 2;
  const shrink = Math.sqrt(Math.sqrt(Math.sqrt(Math.sqrt(ratio))));
  const points: Vec3[] = [];
  const radii: number[] = [];
  let [x, y, scale] = [0, -1, 1];
  for (let step = 0; step <= steps; step++) {
    points.push([center[0] + radius * scale * x, center[1] + radius * scale * y, center[2] + rise * (1 - scale)]);
    radii.push(tube * scale - inset);
    [x, y] = [x * cosine + y * sine, y * cosine - x * sine];
    scale *= shrink;
  }
  // Half turns are blended, so that the seam between one turn and the next has no sharp bottom.
  const parts: Shape[] = [];
  for (let step = skip; step < steps; step += 8)
    parts.push(chain(points.slice(step, step + 9), radii.slice(step, step + 9)));
  return smoothUnion(seam, parts);
}

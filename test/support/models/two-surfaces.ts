/** The surfaces of two bodies as detection sees them, put and moved by hand. */
import type { Vec3 } from '../../../src/body/body-def.js';
import { buildCollisionSurface } from '../../../src/collision/surface/collision-surface.js';
import { SurfaceMotion } from '../../../src/collision/surface/surface-motion.js';
import { createWorld, type WorldBody } from '../../../src/index.js';
import { standingBox } from './contact-shapes.js';

/** A surface, and how to put and move its body as a whole. */
export interface PlacedSurface {
  readonly motion: SurfaceMotion;
  /** Surface vertex nearest to a point of the box at rest. */
  near(x: number, y: number, z: number): number;
  /** Shifts the body [m] and gives all of it one velocity [m/s]. */
  put(shift: Vec3, velocity: Vec3): void;
}

/** Two soft boxes, 1 m wide, that stand on y = 0 until they are put elsewhere. */
export async function twoBoxes(): Promise<[PlacedSurface, PlacedSurface]> {
  const bodies = [0, 1].map((n) => ({ name: `box-${n}`, body: standingBox('soft', { sides: [1, 1, 1] }) }));
  const world = await createWorld({ name: 'two', description: '', dt: 0.01, bodies });
  return [placed(world.bodies[0]), placed(world.bodies[1])];
}

function placed({ model, state }: WorldBody): PlacedSurface {
  const surface = buildCollisionSurface(model);
  const motion = new SurfaceMotion(model, surface, state, 0.5);
  const rest = Float64Array.from(state.positions);
  return {
    motion,
    near(x, y, z) {
      const far = (i: number): number => {
        const v = surface.vertices[i] * 3;
        return Math.abs(rest[v] - x) + Math.abs(rest[v + 1] - y) + Math.abs(rest[v + 2] - z);
      };
      return Array.from(surface.vertices.keys()).reduce((best, i) => (far(i) < far(best) ? i : best), 0);
    },
    put(shift, velocity) {
      for (let i = 0; i < rest.length; i++) {
        state.positions[i] = rest[i] + shift[i % 3];
        state.velocities[i] = velocity[i % 3];
      }
      motion.update();
      motion.sort();
    },
  };
}

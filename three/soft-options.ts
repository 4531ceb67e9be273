/** What can be said when a soft body is made, and how that becomes a simulation. */
import type { Material, Mesh } from 'three';
import { ObstacleMesh } from './obstacle-from-mesh.js';
import type { SimulationOptions } from './open-link.js';
import type { ObstacleDef, SimulationSource, SimulationSpec, Vec3, WorldSettings } from './protocol.js';

/** How a soft body is simulated and shown. Everything has a default. */
export interface SoftBodyOptions extends SimulationOptions, WorldSettings {
  /**
   * What it cannot enter: meshes of boxes, balls, cylinders, capsules and planes, which may move later, or descriptions in
   * the body's own space. Fixed from then on.
   */
  readonly obstacles?: readonly (Mesh | ObstacleDef)[];
  /** Gravitational acceleration in the body's own space [m/s^2]; default [0, -9.81, 0], or the scene's. */
  readonly gravity?: Vec3;
  /** Shown instead of the file's materials, or of plain flesh. Not freed by `dispose`. */
  readonly material?: Material;
  /** Draw the bones through the skin; default false. */
  readonly showBones?: boolean;
}

/** The simulation that was asked for, and its obstacles by their numbers in it. */
export interface Prepared {
  readonly spec: SimulationSpec;
  /** Undefined for obstacles that no mesh shows. In the order of `spec.obstacles`. */
  readonly meshes: readonly (ObstacleMesh | undefined)[];
}

/** Sorts options into what is posted to the simulation and what stays here. */
export function prepareSimulation(source: SimulationSource, options: SoftBodyOptions): Prepared {
  const { dt, iterations, bones, integrator, damping, threads, memoryLimit, gravity } = options;
  const world = { dt, iterations, bones, integrator, damping, threads, memoryLimit };
  const meshes: (ObstacleMesh | undefined)[] = [];
  const obstacles = (options.obstacles ?? []).map((obstacle) => {
    const mesh = 'isMesh' in obstacle ? new ObstacleMesh(obstacle) : undefined;
    meshes.push(mesh);
    return mesh?.def ?? (obstacle as ObstacleDef);
  });
  const spec: SimulationSpec = {
    source,
    obstacles,
    world: Object.fromEntries(Object.entries(world).filter(([, value]) => value !== undefined)),
    ...(gravity && { gravity }),
  };
  return { spec, meshes };
}

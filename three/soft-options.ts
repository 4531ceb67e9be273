/** What can be said when a soft body is made, and how that becomes a simulation. */
import type { Material } from 'three';
import type { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import type { GltfDecoders } from '../src/io/gltf/gltf-unpack.js';
import { ObstacleMesh } from './obstacles/obstacle-from-mesh.js';
import type { ObstacleSource } from './obstacles/soft-obstacles.js';
import type { SimulationOptions } from './open-link.js';
import type {
  CharacterSolver,
  ObstacleDef,
  SimulationSource,
  SimulationSpec,
  Vec3,
  WorldSettings,
} from './protocol.js';

/** How a soft body is simulated and shown. Everything has a default. */
export interface SoftBodyOptions extends SimulationOptions, WorldSettings {
  /**
   * What it cannot enter: meshes, which may move later, or descriptions in the body's own space. `addObstacle` and
   * `removeObstacle` change which there are.
   */
  readonly obstacles?: readonly ObstacleSource[];
  /** Gravitational acceleration in the body's own space [m/s^2]; default [0, -9.81, 0], or the scene's. */
  readonly gravity?: Vec3;
  /** Shown instead of the file's materials, or of plain flesh. Not freed by `dispose`. */
  readonly material?: Material;
  /** Reads the materials instead of a plain GLTFLoader: one that was told of a KTX2Loader. */
  readonly loader?: GLTFLoader;
  /** Unpacks models, in the page: `{ draco }`, the module that Draco's own script gives. Models packed by meshopt need none. */
  readonly decoders?: GltfDecoders;
  /** What moves characters; default 'projective'. A 'lattice' follows its bones exactly, all of which clips then drive. */
  readonly solver?: CharacterSolver;
  /** Draw the bones through the skin; default false. */
  readonly showBones?: boolean;
}

/** The simulation that was asked for, and its obstacles by their numbers in it. */
export interface Prepared {
  readonly spec: SimulationSpec;
  /** In the order of `spec.obstacles`. */
  readonly given: readonly (ObstacleMesh | ObstacleDef)[];
}

/** Sorts options into what is posted to the simulation and what stays here. */
export function prepareSimulation(source: SimulationSource, options: SoftBodyOptions): Prepared {
  const { dt, iterations, bones, integrator, damping, selfContact, threads, memoryLimit, gravity } = options;
  const world = { dt, iterations, bones, integrator, damping, selfContact, threads, memoryLimit };
  const given = (options.obstacles ?? []).map((obstacle) =>
    'isMesh' in obstacle ? new ObstacleMesh(obstacle) : obstacle,
  );
  const spec: SimulationSpec = {
    source,
    obstacles: given.map((obstacle) => (obstacle instanceof ObstacleMesh ? obstacle.def : obstacle)),
    world: Object.fromEntries(Object.entries(world).filter(([, value]) => value !== undefined)),
    ...(gravity && { gravity }),
  };
  return { spec, given };
}

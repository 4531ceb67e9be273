/** Crowds for a three.js scene: many soft characters of one or several rigged models, in one simulation, drawn as plain skinned meshes. */
import { BufferAttribute, BufferGeometry, Group, type Material, MeshStandardMaterial } from 'three';
import type { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js';
import { TendonError } from '../../src/errors.js';
import type { ModelSource } from '../characters.js';
import { fetchModel } from '../fetch-model.js';
import { disposeMaterial, loadLook } from '../load-look.js';
import type { SimulationOptions } from '../open-link.js';
import type { ObstacleDef, Quat, Vec3 } from '../protocol.js';
import { CrowdMember, type CrowdModel } from './crowd-member.js';
import { CROWD_POSE, type CrowdModelInfo, type CrowdNews } from './crowd-protocol.js';
import { CrowdSimulation } from './crowd-simulation.js';

/** What has no material in its file. */
const PLAIN = new MeshStandardMaterial({ color: '#d8917a', roughness: 0.6 });

/** One of a crowd: its model, and where it is put. */
export interface CrowdEntry {
  readonly source: ModelSource;
  /** Where the rest shape is put in the crowd's space [m], and how it is turned, quaternion x,y,z,w. */
  readonly position?: Vec3;
  readonly rotation?: Quat;
}

/** How a crowd is simulated and shown. Everything has a default. */
export interface SoftCrowdOptions extends SimulationOptions {
  /** What it cannot enter, in the crowd's own space. */
  readonly obstacles?: readonly ObstacleDef[];
  /** Gravitational acceleration [m/s^2]; default [0, -9.81, 0]. */
  readonly gravity?: Vec3;
  /** Time step [s]; default 1/60. */
  readonly dt?: number;
  /** Options of the layered solver, by their names. */
  readonly solver?: Readonly<Record<string, number | boolean>>;
  /** Shown instead of the files' materials. Not freed by `dispose`. */
  readonly material?: Material;
  /** Reads the materials instead of a plain GLTFLoader. */
  readonly loader?: GLTFLoader;
}

/** A crowd. Members of one model share all of it but their state. */
export class SoftCrowd extends Group {
  readonly simulation: CrowdSimulation;
  /** In the order they were given. */
  readonly members: readonly CrowdMember[];
  readonly #models: readonly CrowdModel[];
  /** Materials of the files, freed with the crowd. */
  readonly #materials: readonly Material[];

  /** Loads characters, each from a model of its own or from one they share, into one simulation. */
  static async load(entries: readonly CrowdEntry[], options: SoftCrowdOptions = {}): Promise<SoftCrowd> {
    if (entries.length === 0) throw new TendonError('E_EMPTY', 'crowd', 0, 'at least one character is needed');
    const sources = [...new Set(entries.map(({ source }) => source))];
    const models = await Promise.all(sources.map((source) => fetchModel(source, options)));
    const { material, loader, gravity, dt, obstacles = [], solver = {} } = options;
    const looks = await Promise.all(
      models.map(({ bytes, path }) => (material ? { materials: [] } : loadLook(bytes, path, loader))),
    );
    const members = entries.map(({ source, position = [0, 0, 0], rotation = [0, 0, 0, 1] }) => {
      return { model: sources.indexOf(source), position, rotation } as const;
    });
    const spec = { models: models.map(({ bytes, resources }) => ({ bytes, resources })), members, obstacles, solver };
    const simulation = await CrowdSimulation.start(
      { ...spec, ...(gravity && { gravity }), ...(dt !== undefined && { dt }) },
      options,
    ).catch((error: unknown) => {
      for (const { materials } of looks) materials.forEach(disposeMaterial);
      throw error;
    });
    const crowd = new SoftCrowd(
      simulation,
      looks.map(({ materials }) => materials),
      material,
    );
    await simulation.advance(0);
    return crowd;
  }

  private constructor(
    simulation: CrowdSimulation,
    looks: readonly (readonly Material[])[],
    material: Material | undefined,
  ) {
    super();
    this.simulation = simulation;
    this.#materials = looks.flat();
    this.#models = simulation.info.models.map((info, i) => buildModel(info, looks[i], material));
    this.members = simulation.info.members.map(({ model }, i) => {
      return new CrowdMember(this.#models[model], simulation, i);
    });
    this.add(...this.members);
    simulation.onPicture((numbers, news) => this.#update(numbers, news));
  }

  /** Lets `delta` seconds pass: call it once per picture with the time since the last one. */
  step(delta: number): void {
    this.simulation.step(delta);
  }

  /** Ends the simulation and frees what was made for it. */
  override dispose(): void {
    this.simulation.dispose();
    for (const member of this.members) {
      member.geometry.dispose();
      member.skeleton.dispose();
    }
    for (const { geometry } of this.#models) geometry.dispose();
    this.#materials.forEach(disposeMaterial);
    this.removeFromParent();
  }

  #update(numbers: Float32Array, news: CrowdNews): void {
    let at = 0;
    for (const member of this.members) {
      member.update(numbers, at, news);
      at += CROWD_POSE * member.skeleton.bones.length;
    }
  }
}

function buildModel(info: CrowdModelInfo, look: readonly Material[], given: Material | undefined): CrowdModel {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new BufferAttribute(info.positions, 3));
  geometry.setAttribute('normal', new BufferAttribute(info.normals, 3));
  if (info.uvs) geometry.setAttribute('uv', new BufferAttribute(info.uvs, 2));
  geometry.setAttribute('skinIndex', new BufferAttribute(info.bones, 4));
  geometry.setAttribute('skinWeight', new BufferAttribute(info.weights, 4));
  geometry.setIndex(new BufferAttribute(info.triangles, 1));
  info.groups.forEach(({ start, count }, i) => {
    geometry.addGroup(start, count, i);
  });
  if (info.normals.every((value) => value === 0)) geometry.computeVertexNormals();
  const materials = info.groups.map(({ material }) => given ?? look[material ?? -1] ?? PLAIN);
  return { info, geometry, materials, ...verticesByNode(info.nodeOfVertex) };
}

/** Vertices at each node of the solver. */
function verticesByNode(nodeOfVertex: Int32Array): { vertexStart: Int32Array; vertices: Int32Array } {
  const count = nodeOfVertex.reduce((most, node) => Math.max(most, node + 1), 0);
  const vertexStart = new Int32Array(count + 1);
  for (const node of nodeOfVertex) vertexStart[node + 1]++;
  for (let i = 0; i < count; i++) vertexStart[i + 1] += vertexStart[i];
  const next = vertexStart.slice();
  const vertices = new Int32Array(nodeOfVertex.length);
  nodeOfVertex.forEach((node, v) => {
    vertices[next[node]++] = v;
  });
  return { vertexStart, vertices };
}

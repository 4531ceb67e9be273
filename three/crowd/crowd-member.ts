/** One of a crowd as a plain skinned mesh: bones by their matrices, dents by moving the few vertices they touch. */
import {
  Bone,
  BufferAttribute,
  BufferGeometry,
  DynamicDrawUsage,
  type Material,
  Matrix4,
  Skeleton,
  SkinnedMesh,
} from 'three';
import { requireInRange, TendonError } from '../../src/errors.js';
import { CROWD_POSE, type CrowdModelInfo, type CrowdNews } from './crowd-protocol.js';
import type { CrowdSimulation } from './crowd-simulation.js';

/** What all members of one model share. */
export interface CrowdModel {
  readonly info: CrowdModelInfo;
  readonly geometry: BufferGeometry;
  readonly materials: Material[];
  /** Vertices at each node: nodeCount+1 offsets. */
  readonly vertexStart: Int32Array;
  readonly vertices: Int32Array;
}

/** How a clip is played by one of a crowd. */
export interface CrowdPlayOptions {
  /** 1 is as fast as it was made. */
  readonly speed?: number;
  /** Time into the clip to begin at [s]; default 0. */
  readonly at?: number;
}

/** Draws one of a crowd. */
export class CrowdMember extends SkinnedMesh<BufferGeometry, Material[]> {
  /** Its number in the crowd. */
  readonly index: number;
  readonly #model: CrowdModel;
  readonly #simulation: CrowdSimulation;
  /** Its own positions, while it is dented. */
  #own: BufferAttribute | undefined;
  /** Nodes whose vertices are moved in its own positions. */
  #moved: Int32Array = new Int32Array(0);

  constructor(model: CrowdModel, simulation: CrowdSimulation, index: number) {
    const geometry = new BufferGeometry();
    for (const { start, count, materialIndex } of model.geometry.groups) geometry.addGroup(start, count, materialIndex);
    for (const [name, attribute] of Object.entries(model.geometry.attributes)) geometry.setAttribute(name, attribute);
    geometry.setIndex(model.geometry.index);
    super(geometry, model.materials);
    this.#model = model;
    this.#simulation = simulation;
    this.index = index;
    const bones = model.info.boneNames.map((name) => {
      const bone = new Bone();
      bone.name = name;
      return bone;
    });
    this.add(...bones);
    // bones are where their motion from the rest shape takes them, so that there is nothing to invert
    this.bind(
      new Skeleton(
        bones,
        bones.map(() => new Matrix4()),
      ),
      new Matrix4(),
    );
    this.castShadow = this.receiveShadow = true;
    // the spheres three knows are those of the rest shape
    this.frustumCulled = false;
  }

  /** Motions that came with its model. */
  get clips(): CrowdModelInfo['clips'] {
    return this.#model.info.clips;
  }

  /** Plays a motion, over and over: bones are turned to it by their joints, and give way to what they touch. */
  playClip(name: string, { speed = 1, at = 0 }: CrowdPlayOptions = {}): void {
    requireInRange(speed, 0, 100, 'speed');
    requireInRange(at, 0, 1e6, 'at');
    if (!this.clips.some((clip) => clip.name === name)) {
      const known = this.clips.map((clip) => clip.name).join(', ') || 'none';
      throw new TendonError('E_UNKNOWN', 'clip', name, `the clips are: ${known}`);
    }
    this.#simulation.act({ kind: 'play', member: this.index, clip: name, speed, at });
  }

  /** Ends the motion: it holds the pose it had last. */
  stopClip(): void {
    this.#simulation.act({ kind: 'stop', member: this.index, limp: false });
  }

  /** Ends the motion: it falls down. */
  goLimp(): void {
    this.#simulation.act({ kind: 'stop', member: this.index, limp: true });
  }

  /** Shows a picture; its bones begin at numbers[at]. */
  update(numbers: Float32Array, at: number, { dentStart, dentNodes, dentOffsets }: CrowdNews): void {
    this.skeleton.bones.forEach((bone, i) => {
      bone.quaternion.fromArray(numbers, at + CROWD_POSE * i);
      bone.position.fromArray(numbers, at + CROWD_POSE * i + 4);
    });
    const [from, to] = [dentStart[this.index], dentStart[this.index + 1]];
    this.#dent(dentNodes.subarray(from, to), dentOffsets.subarray(3 * from, 3 * to));
  }

  /** Moves the vertices that are dented, and back those that are no longer. */
  #dent(nodes: Int32Array, offsets: Float32Array): void {
    const rest = this.#model.geometry.getAttribute('position') as BufferAttribute;
    if (nodes.length === 0) {
      if (this.#moved.length > 0) this.geometry.setAttribute('position', rest);
      this.#restore(rest);
      return;
    }
    this.#own ??= new BufferAttribute((rest.array as Float32Array).slice(), 3).setUsage(DynamicDrawUsage);
    if (this.geometry.getAttribute('position') !== this.#own) this.geometry.setAttribute('position', this.#own);
    this.#own.clearUpdateRanges();
    this.#restore(rest);
    nodes.forEach((node, i) => {
      this.#move(node, rest, offsets, 3 * i);
    });
    this.#moved = nodes.slice();
    this.#own.needsUpdate = true;
  }

  #restore(rest: BufferAttribute): void {
    for (const node of this.#moved) this.#move(node, rest, NOWHERE, 0);
    this.#moved = new Int32Array(0);
  }

  #move(node: number, rest: BufferAttribute, offsets: Float32Array, o: number): void {
    const { vertexStart, vertices } = this.#model;
    const own = this.#own!;
    for (let i = vertexStart[node]; i < vertexStart[node + 1]; i++) {
      const v = vertices[i];
      own.setXYZ(v, rest.getX(v) + offsets[o], rest.getY(v) + offsets[o + 1], rest.getZ(v) + offsets[o + 2]);
      own.addUpdateRange(3 * v, 3);
    }
  }
}

const NOWHERE = new Float32Array(3);

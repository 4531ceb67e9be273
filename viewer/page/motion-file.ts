/**
 * Writes a recording as an animated `.glb` that Blender and any glTF viewer plays. Flesh is a mesh with one morph target per
 * state, switched from one to the next; bones and obstacles are rigid, so they are nodes that move.
 */
import {
  type Accessor,
  type Animation,
  Document,
  Logger,
  type Material,
  type Mesh,
  type Node,
  type Scene,
  WebIO,
} from '@gltf-transform/core';
import { layOutFrame } from '../../host/frames/frame-layout.js';
import type { BodyInfo, Recording, SceneInfo } from '../worker/scene-info.js';
import { addLook } from './motion-look.js';

/** The shape of an obstacle that is drawn. */
export interface DrawnObstacle {
  /** Its number in the scene. */
  readonly index: number;
  readonly positions: Float32Array;
  /** Three vertices per triangle; undefined where they come one after the other. */
  readonly triangles: Uint32Array | undefined;
}

/** Numbers per pose: quaternion and place. */
const POSE = 7;

/** The bytes of the file. */
export async function writeMotion(
  info: SceneInfo,
  recording: Recording,
  obstacles: readonly DrawnObstacle[],
): Promise<Uint8Array<ArrayBuffer>> {
  const file = new MotionFile(info, recording);
  for (const [i, body] of info.bodies.entries()) file.addBody(body, i);
  for (const obstacle of obstacles) file.addObstacle(obstacle);
  return file.write();
}

class MotionFile {
  readonly #document = new Document().setLogger(new Logger(Logger.Verbosity.SILENT));
  readonly #buffer = this.#document.createBuffer();
  readonly #info: SceneInfo;
  readonly #states: readonly Float32Array[];
  readonly #layout: ReturnType<typeof layOutFrame>;
  readonly #times: Accessor;
  readonly #scene: Scene;
  readonly #animation: Animation;

  constructor(info: SceneInfo, { times, states }: Recording) {
    this.#info = info;
    this.#states = states;
    this.#layout = layOutFrame(info.bodies, info.obstacles.length);
    this.#times = this.#numbers('SCALAR', Float32Array.from(times));
    this.#scene = this.#document.createScene(info.name);
    this.#animation = this.#document.createAnimation('simulation');
    this.#document.getRoot().setDefaultScene(this.#scene);
    this.#document.getRoot().getAsset().generator = 'Tendon';
  }

  async write(): Promise<Uint8Array<ArrayBuffer>> {
    return (await new WebIO().writeBinary(this.#document)) as Uint8Array<ArrayBuffer>;
  }

  /** The surface of a body, and a node for each of its bones. */
  addBody(body: BodyInfo, index: number): void {
    const layout = this.#layout.bodies[index];
    const group = this.#document.createNode(body.name).setTranslation([...this.#info.lanes[body.lane].offset]);
    const mesh = this.#addSurface(index, layout.positions, layout.normals);
    const skin = this.#document.createNode(`${body.name} skin`).setMesh(mesh);
    group.addChild(skin);
    this.#scene.addChild(group);
    this.#switchTargets(skin, mesh);
    for (const [bone, { name }] of body.bones.entries()) {
      const node = this.#document.createNode(name);
      group.addChild(node);
      this.#move(node, layout.poses + bone * POSE);
    }
  }

  addObstacle({ index, positions, triangles }: DrawnObstacle): void {
    const primitive = this.#document.createPrimitive().setAttribute('POSITION', this.#numbers('VEC3', positions));
    if (triangles) primitive.setIndices(this.#numbers('SCALAR', triangles));
    const material = this.#document.createMaterial('obstacle').setBaseColorFactor([0.4, 0.45, 0.5, 1]);
    primitive.setMaterial(material.setRoughnessFactor(0.75).setMetallicFactor(0));
    const node = this.#document.createNode('obstacle').setMesh(this.#document.createMesh().addPrimitive(primitive));
    this.#scene.addChild(node);
    this.#move(node, this.#layout.obstacles + index * POSE);
  }

  /** The first state, and how every later one differs from it. Pieces with looks of their own share all of that. */
  #addSurface(index: number, positionsAt: number, normalsAt: number): Mesh {
    const body = this.#info.bodies[index];
    const count = body.vertexCount * 3;
    const first = this.#states[0];
    const take = (at: number) => this.#numbers('VEC3', first.slice(at, at + count));
    const differ = (state: Float32Array, at: number) => {
      const away = state.slice(at, at + count);
      for (let i = 0; i < count; i++) away[i] -= first[at + i];
      return this.#numbers('VEC3', away);
    };
    const [positions, normals] = [take(positionsAt), take(normalsAt)];
    const targets = this.#states.slice(1).map((state) => {
      return { POSITION: differ(state, positionsAt), NORMAL: differ(state, normalsAt) };
    });
    const mesh = this.#document.createMesh(body.name);
    const add = (triangles: Uint32Array, material: Material, extra: Readonly<Record<string, Accessor>>) => {
      const primitive = this.#document.createPrimitive().setIndices(this.#numbers('SCALAR', triangles));
      primitive.setAttribute('POSITION', positions).setAttribute('NORMAL', normals).setMaterial(material);
      for (const [name, accessor] of Object.entries(extra)) primitive.setAttribute(name, accessor);
      for (const { POSITION, NORMAL } of targets) {
        const target = this.#document.createPrimitiveTarget();
        primitive.addTarget(target.setAttribute('POSITION', POSITION).setAttribute('NORMAL', NORMAL));
      }
      mesh.addPrimitive(primitive);
    };
    addLook(this.#document, this.#info.bodies, index, (type, array) => this.#numbers(type, array), add);
    return mesh;
  }

  /** At each time one target is on and the others are off. */
  #switchTargets(node: Node, mesh: Mesh): void {
    const count = this.#states.length - 1;
    if (count === 0) return;
    mesh.setWeights(new Array(count).fill(0));
    const weights = new Float32Array((count + 1) * count);
    for (let state = 1; state <= count; state++) weights[state * count + state - 1] = 1;
    this.#animate(node, 'weights', this.#numbers('SCALAR', weights));
  }

  /** Sends a node along the poses at that place of every state. */
  #move(node: Node, at: number): void {
    const gather = (start: number, count: number) => {
      return Float32Array.from(this.#states.flatMap((state) => Array.from(state.subarray(start, start + count))));
    };
    this.#animate(node, 'rotation', this.#numbers('VEC4', gather(at, 4)));
    this.#animate(node, 'translation', this.#numbers('VEC3', gather(at + 4, 3)));
  }

  #animate(node: Node, path: 'weights' | 'rotation' | 'translation', values: Accessor): void {
    const sampler = this.#document.createAnimationSampler().setInput(this.#times).setOutput(values);
    const channel = this.#document.createAnimationChannel().setTargetNode(node).setTargetPath(path);
    this.#animation.addSampler(sampler.setInterpolation('LINEAR')).addChannel(channel.setSampler(sampler));
  }

  #numbers(type: 'SCALAR' | 'VEC2' | 'VEC3' | 'VEC4', array: Float32Array | Uint32Array): Accessor {
    const accessor = this.#document.createAccessor().setBuffer(this.#buffer).setType(type);
    return accessor.setArray(array as Float32Array<ArrayBuffer>);
  }
}

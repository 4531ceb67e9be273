/**
 * Soft bodies for a three.js scene: an object that holds the skin and the bones and moves them as the simulation says.
 * The simulation takes place in the object's own space: moving the object moves all of it, gravity included.
 */
import { Group, type Material, type Mesh, type Object3D, type Quaternion, type Vector3 } from 'three';
import { type FrameLayout, layOutFrame } from '../host/frames/frame-layout.js';
import type { AnyBodyDef } from '../src/body/kinds/any-body-def.js';
import { TendonError } from '../src/errors.js';
import type { AnySceneDef } from '../src/scene/scene-def.js';
import { assembleSoftBody, type SoftParts } from './assemble.js';
import { BodyView } from './body-view.js';
import { disposeMaterial } from './load-look.js';
import { SceneObstacles } from './obstacles/scene-obstacles.js';
import { type ObstacleSource, SoftObstacles } from './obstacles/soft-obstacles.js';
import type { FrameNews, Quat } from './protocol.js';
import { SoftGrip } from './soft-grip.js';
import type { SoftBodyOptions } from './soft-options.js';
import type { SoftSimulation } from './soft-simulation.js';

/** Where and how much of a body an action concerns. */
export interface TouchOptions {
  /** Number of the body, where a scene has several; default 0. */
  readonly body?: number;
  /** Everything within this distance of the point takes part [m]; default 6 % of the body's size. */
  readonly radius?: number;
}

/** One or more soft bodies. Made by `fromDef` and `fromScene`; characters by `SoftCharacter.load`. */
export class SoftBody extends Group {
  /** Time, events, and whatever is not about the picture. */
  readonly simulation: SoftSimulation;
  /** One for each body of the scene. */
  readonly bodies: readonly BodyView[];
  /** What the scene came with; undefined for characters, whose obstacles are meshes of yours. */
  readonly sceneObstacles: SceneObstacles | undefined;
  readonly #layout: FrameLayout;
  readonly #materials: readonly Material[];
  readonly #obstacles: SoftObstacles;
  readonly #grips = new Map<number, SoftGrip>();
  #lastGrip = 0;

  /** Makes one body soft. */
  static async fromDef(body: AnyBodyDef, options: SoftBodyOptions = {}): Promise<SoftBody> {
    return SoftBody.fromScene({ name: body.name, description: body.name, bodies: [{ body }] }, options);
  }

  /**
   * Makes a whole scene, or one of `tendon/scenes` by its name. Its obstacles are drawn as `sceneObstacles`.
   */
  static async fromScene(scene: AnySceneDef | string, options: SoftBodyOptions = {}): Promise<SoftBody> {
    const def = typeof scene === 'string' ? (await import('../scenes/index.js')).buildScene(scene) : scene;
    const source = { kind: 'scene', scene: def } as const;
    const body = new SoftBody(await assembleSoftBody(source, options));
    await body.simulation.advance(0);
    return body;
  }

  constructor({ simulation, prepared, materials, options, screen }: SoftParts) {
    super();
    const { info } = simulation;
    this.simulation = simulation;
    this.name = info.name;
    this.#layout = layOutFrame(info.bodies, info.obstacles.length);
    this.#materials = materials.flat();
    this.bodies = info.bodies.map((body, i) => {
      return new BodyView(body, (index) => options.material ?? materials[i]?.[index ?? -1]);
    });
    const { source } = prepared.spec;
    this.sceneObstacles = source.kind === 'scene' ? new SceneObstacles(source.scene) : undefined;
    this.add(...this.bodies);
    if (this.sceneObstacles) this.add(this.sceneObstacles);
    const drawn = this.sceneObstacles?.meshes ?? [];
    this.#obstacles = new SoftObstacles(info.obstacles, prepared.given, drawn, (action) => simulation.act(action));
    this.showBones = options.showBones ?? false;
    screen.show = (numbers, news) => this.#show(numbers, news);
  }

  /** The meshes people see, one for each body: what a raycaster is to look at. */
  get skins(): Mesh[] {
    return this.bodies.map(({ skin }) => skin);
  }

  /** Whether bones are drawn through the skin. */
  get showBones(): boolean {
    return this.bodies.some(({ showBones }) => showBones);
  }

  set showBones(show: boolean) {
    for (const body of this.bodies) body.showBones = show;
  }

  /** Lets `delta` seconds pass and notices where obstacles went: call it once per picture. */
  step(delta: number): void {
    this.#placeObstacles(false);
    this.simulation.step(delta);
  }

  /** Takes hold of flesh and bones around a point in the scene [m]; `moveTo` of the result drags them. */
  grab(point: Vector3, { body = 0, radius }: TouchOptions = {}): SoftGrip {
    const local = this.#toLocal(point);
    const id = ++this.#lastGrip;
    this.simulation.act({ kind: 'grab', id, body, point: local.toArray(), ...(radius !== undefined && { radius }) });
    const grip = new SoftGrip(id, this, this.simulation, local);
    this.#grips.set(id, grip);
    return grip;
  }

  /** Holds what is around a point in the scene [m] where it is, until the result is released. */
  pin(point: Vector3, options: TouchOptions = {}): SoftGrip {
    return this.grab(point, options);
  }

  /** Gives an impulse [N s] to what is around a point in the scene [m]. */
  push(point: Vector3, impulse: Vector3, { body = 0, radius }: TouchOptions = {}): void {
    const from = this.#toLocal(point);
    const along = this.#toLocal(point.clone().add(impulse)).sub(from);
    const where = { point: from.toArray(), impulse: along.toArray(), ...(radius !== undefined && { radius }) };
    this.simulation.act({ kind: 'push', body, ...where });
  }

  /** The object that moves with a bone, at its centre of mass: hang things on it. */
  bone(name: string, body = 0): Object3D {
    return this.bodies[body].bones[this.#boneIndex(name, body)];
  }

  /** Makes a bone kinematic (it goes where it is sent) or dynamic (it follows from the physics). */
  setKinematic(name: string, kinematic: boolean, body = 0): void {
    this.simulation.act({ kind: 'kinematic', body, bone: this.#boneIndex(name, body), kinematic });
  }

  /** Sends a kinematic bone: place of its centre of mass in the object's space [m], and the turn of its rest shape. */
  setBoneTarget(name: string, position: Vector3, rotation: Quaternion, body = 0): void {
    const bone = this.#boneIndex(name, body);
    const turn = rotation.toArray() as unknown as Quat;
    this.simulation.act({ kind: 'target', body, bone, position: position.toArray(), rotation: turn });
  }

  /**
   * Makes a mesh, wherever it is now, or a description in the object's own space, an obstacle before the next step. Returns its
   * number, which `contact` tells. A mesh that moves later pushes. What is inside it is pushed out.
   */
  addObstacle(obstacle: ObstacleSource): number {
    this.updateWorldMatrix(true, false);
    return this.#obstacles.add(obstacle, this.matrixWorld);
  }

  /** Removes an obstacle, given as it was added (one of the scene by its mesh) or by its number: what rested on it falls. */
  removeObstacle(obstacle: ObstacleSource | number): void {
    const removed = this.#obstacles.remove(obstacle);
    const drawn = this.sceneObstacles?.meshes.find((mesh) => mesh === removed);
    if (drawn) drawn.visible = false;
  }

  /** Name of the obstacle of a `contact`; undefined for one that was removed. */
  obstacleName(number: number): string | undefined {
    return this.#obstacles.nameOf(number);
  }

  /** Back to the start, with nothing held. Obstacles stay. */
  reset(): void {
    this.#forgetGrips();
    this.simulation.reset();
    this.#placeObstacles(true);
  }

  /** Starts the simulation anew after its worker was lost: from the first positions, with nothing held. */
  async restart(): Promise<void> {
    this.#forgetGrips();
    await this.simulation.restart();
    this.#obstacles.replay();
    this.#placeObstacles(true);
    await this.simulation.advance(0);
  }

  /** Ends the worker, frees geometries, materials and textures, and takes the object out of its scene. */
  override dispose(): void {
    this.#forgetGrips();
    this.simulation.dispose();
    for (const body of this.bodies) body.dispose();
    this.sceneObstacles?.dispose();
    for (const material of this.#materials) disposeMaterial(material);
    this.removeFromParent();
    this.dispatchEvent({ type: 'dispose' });
  }

  #show(numbers: Float32Array, { grips }: FrameNews): void {
    this.bodies.forEach((body, i) => {
      body.update(numbers, this.#layout.bodies[i]);
    });
    this.sceneObstacles?.update(numbers, this.#layout.obstacles);
    for (let i = 0; i < grips.length; i += 4) this.#grips.get(grips[i])?.localPoint.fromArray(grips, i + 1);
    for (const [id, { held }] of this.#grips) if (!held) this.#grips.delete(id);
  }

  /** Sends obstacles to where their meshes are; `anew`: all that are not where they were when they came. */
  #placeObstacles(anew: boolean): void {
    this.updateWorldMatrix(true, false);
    // before the first step there is nothing they could push on their way
    this.#obstacles.place(this.matrixWorld, anew, anew || this.simulation.stepCount === 0);
  }

  #forgetGrips(): void {
    for (const grip of this.#grips.values()) grip.forget();
    this.#grips.clear();
  }

  #boneIndex(name: string, body: number): number {
    const bones = this.simulation.info.bodies[body]?.bones ?? [];
    const index = bones.findIndex((bone) => bone.name === name);
    if (index >= 0) return index;
    throw new TendonError('E_UNKNOWN', 'bone', name, `the bones are: ${bones.map((b) => b.name).join(', ') || 'none'}`);
  }

  #toLocal(point: Vector3): Vector3 {
    if (![point.x, point.y, point.z].every(Number.isFinite)) {
      throw new TendonError('E_NOT_FINITE', 'point', point.toArray(), 'every number must be finite');
    }
    this.updateWorldMatrix(true, false);
    return this.worldToLocal(point.clone());
  }
}

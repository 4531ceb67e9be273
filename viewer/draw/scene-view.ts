/** A scene as three.js objects: the bodies of all its lanes, obstacles, contacts. */
import { BufferAttribute, BufferGeometry, Group, LineBasicMaterial, Mesh, MeshStandardMaterial, Vector3 } from 'three';
import { type FrameLayout, layOutFrame } from '../../host/frames/frame-layout.js';
import type { Frame, Point, SceneInfo } from '../worker/scene-info.js';
import { BodyView, type Materials } from './body-view.js';
import { ContactView } from './contact-view.js';
import { CutView } from './cut-view.js';
import { ObstacleView } from './obstacle-view.js';
import type { Overlays } from './overlays.js';
import { groupByParts, PartsView } from './parts-view.js';
import { BONE } from './skin-material.js';

/** What a pointer finds of bodies that cannot be taken hold of. */
const NOTHING = new Mesh(new BufferGeometry().setAttribute('position', new BufferAttribute(new Float32Array(0), 3)));

/** Draws the bodies; `update` is called with every frame. */
export class SceneView extends Group {
  readonly contacts: ContactView;
  readonly #cut = new CutView();
  readonly #offsets: readonly Point[];
  readonly #layout: FrameLayout;
  readonly #obstacles: ObstacleView;
  readonly #drawnObstacles: readonly number[];
  /** Bodies that are drawn one by one; undefined for those drawn by their parts. */
  readonly #bodies: readonly (BodyView | undefined)[];
  readonly #parts: readonly PartsView[];
  readonly #materials: Materials;
  readonly #offset = new Vector3();

  /** `changed` is called when something looks different without a new frame. */
  constructor(info: SceneInfo, changed: () => void) {
    super();
    this.#layout = layOutFrame(info.bodies, info.obstacles.length);
    const size = Math.max(...info.stage.high.map((value, k) => value - info.stage.low[k]));
    this.#materials = {
      strain: new MeshStandardMaterial({ vertexColors: true, roughness: 0.8 }),
      bone: new MeshStandardMaterial({ color: BONE, roughness: 0.5 }),
      joint: new MeshStandardMaterial({ color: '#e0452f', roughness: 0.4, depthTest: false }),
      edge: new LineBasicMaterial({ color: '#3a2a24', transparent: true, opacity: 0.5 }),
    };
    this.#bodies = info.bodies.map((body, i) => {
      if (body.isInParts) return undefined;
      const view = new BodyView(info.bodies, i, size, this.#materials, changed);
      view.position.set(...info.lanes[body.lane].offset);
      return view;
    });
    this.#parts = groupByParts(info.bodies).map((indices) => {
      const view = new PartsView(info.bodies, indices);
      view.position.set(...info.lanes[info.bodies[indices[0]].lane].offset);
      return view;
    });
    this.#obstacles = new ObstacleView(info.obstacles, size);
    // Level planes are the stage's floor.
    this.#drawnObstacles = info.obstacles.flatMap(({ level }, i) => (level ? [] : [i]));
    this.contacts = new ContactView(size);
    this.#offsets = info.bodies.map(({ lane }) => info.lanes[lane].offset);
    this.add(...this.#views, ...this.#parts, this.#obstacles, this.contacts, this.#cut);
  }

  /** Meshes a pointer can hit; `userData.body` is the body's number. */
  get surfaces(): Mesh[] {
    return this.#bodies.map((body) => body?.surface ?? NOTHING);
  }

  get #views(): BodyView[] {
    return this.#bodies.filter((body) => body !== undefined);
  }

  /** Where the bones of a body are: quaternion and place, 7 numbers each. */
  poses(body: number): number[] {
    return this.#bodies[body]?.poses ?? [];
  }

  ghosts(body: number): number {
    return this.#bodies[body]?.ghosts ?? 0;
  }

  /** Obstacles that are drawn, by their number in the scene. */
  get drawnObstacles(): { readonly index: number; readonly geometry: BufferGeometry }[] {
    return this.#obstacles.children.map((mesh, i) => {
      return { index: this.#drawnObstacles[i], geometry: (mesh as Mesh).geometry };
    });
  }

  /** Shows a frame. */
  update({ buffer, contacts, cuts }: Frame): void {
    this.#bodies.forEach((body, i) => {
      body?.update(buffer, this.#layout.bodies[i]);
    });
    for (const parts of this.#parts) parts.update(buffer, this.#layout.bodies);
    this.#obstacles.update(buffer, this.#layout.obstacles);
    this.contacts.update(this.contacts.visible ? contacts : undefined);
    this.#cut.update(cuts, this.#offsets);
  }

  /** Shows what is asked for; bones and joints are seen through the flesh. */
  show(overlays: Overlays): void {
    for (const body of this.#views) body.show(overlays);
    this.contacts.visible = overlays.contacts;
    this.#cut.visible = overlays.cut;
  }

  /** Writes the middle of all vertices. */
  measure(middle: Vector3): void {
    let count = 0;
    middle.set(0, 0, 0);
    for (const { surface, position } of this.#views) {
      const { array } = surface.geometry.getAttribute('position');
      for (let i = 0; i < array.length; i += 3) {
        middle.x += array[i];
        middle.y += array[i + 1];
        middle.z += array[i + 2];
      }
      middle.addScaledVector(this.#offset.copy(position), array.length / 3);
      count += array.length / 3;
    }
    middle.divideScalar(Math.max(1, count));
  }

  override dispose(): void {
    for (const body of [...this.#views, ...this.#parts]) body.dispose();
    this.#obstacles.dispose();
    this.contacts.dispose();
    this.#cut.dispose();
    for (const material of Object.values(this.#materials)) material.dispose();
  }
}

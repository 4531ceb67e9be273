/** The picture: stage, camera and the scene on it, drawn when something has changed. */
import { Vector3 } from 'three';
import type { CameraPlace } from '../page/address.js';
import { coveredEdges } from '../panel/free-area.js';
import { element } from '../panel/transport.js';
import type { Frame, Point, SceneInfo } from '../worker/scene-info.js';
import { Camera } from './camera.js';
import { LaneLabels } from './lane-labels.js';
import type { Overlays } from './overlays.js';
import { PinView } from './pin-view.js';
import { SceneView } from './scene-view.js';
import { Stage } from './stage.js';

/** Everything that is drawn on the canvas, and the labels over it. */
export class Picture {
  readonly camera: Camera;
  /** Middle of all bodies [m]. */
  readonly middle = new Vector3();
  readonly #canvas: HTMLCanvasElement;
  readonly #stage: Stage;
  readonly #labels = new LaneLabels(element('lanes'));
  readonly #pins = new PinView();
  #info: SceneInfo | undefined;
  #view: SceneView | undefined;
  /** The camera goes where the bodies start. */
  #jump = false;
  /** Something changed since it was drawn. */
  #stale = true;
  #before = performance.now();
  #still = false;

  constructor(canvas: HTMLCanvasElement) {
    this.#canvas = canvas;
    this.#stage = new Stage(canvas);
    this.camera = new Camera(canvas);
    this.#stage.scene.add(this.#pins);
    const redraw = () => this.redraw();
    canvas.addEventListener('webglcontextrestored', redraw);
    const observer = new ResizeObserver(() => {
      this.camera.resize(this.#stage.resize(), coveredEdges());
      redraw();
    });
    observer.observe(canvas);
    // its height changes with the lines of the description
    observer.observe(element('side'));
    this.camera.controls.addEventListener('change', redraw);
    this.#stage.onThemeChange = redraw;
  }

  get surfaces(): SceneView['surfaces'] {
    return this.#view?.surfaces ?? [];
  }

  /** Where the bones of a body are drawn: quaternion and place, 7 numbers each. */
  poses(body: number): number[] {
    return this.#view?.poses(body) ?? [];
  }

  ghosts(body: number): number {
    return this.#view?.ghosts(body) ?? 0;
  }

  get drawnObstacles(): SceneView['drawnObstacles'] {
    return this.#view?.drawnObstacles ?? [];
  }

  /** What is known has been drawn. */
  get drawn(): boolean {
    return !this.#stale;
  }

  /** The camera neither follows a body nor turns on by itself. */
  get still(): boolean {
    return this.#still;
  }

  /** Something to draw besides the scene. */
  add(...objects: Parameters<Stage['scene']['add']>): void {
    this.#stage.scene.add(...objects);
  }

  redraw(): void {
    this.#stale = true;
  }

  /** The bodies are about to go back to their start. */
  jump(): void {
    this.#jump = true;
  }

  /** Gets ready for a scene; `again`: the one from before, built anew; `place`: where to look from. */
  prepare(info: SceneInfo, overlays: Overlays, again: boolean, place?: CameraPlace): void {
    if (this.#view) {
      this.#stage.scene.remove(this.#view);
      this.#view.dispose();
    }
    this.#info = info;
    this.#view = new SceneView(info, () => this.redraw());
    this.#view.show(overlays);
    this.#view.visible = false;
    this.#stage.scene.add(this.#view);
    this.#stage.prepare(info.stage);
    this.#labels.prepare(info);
    this.#jump = true;
    if (again) return;
    this.camera.frame(info.stage);
    if (!place) return;
    this.camera.place = place;
    this.#jump = false;
  }

  overlay(overlays: Overlays): void {
    this.#view?.show(overlays);
    this.redraw();
  }

  /** Takes over a frame; drawn with the next tick. */
  show(frame: Frame): void {
    if (!this.#view || !this.#info) return;
    this.redraw();
    this.#view.update(frame);
    this.#view.visible = true;
    this.#view.measure(this.middle);
    if (this.#jump && frame.stepCount <= 4) {
      this.camera.jumpTo(this.middle);
      this.#jump = false;
    }
    if (this.#info.stage.free) this.#stage.follow(this.middle);
    this.#pins.update(frame.pins, this.camera.camera);
    this.#labels.write(frame, this.#info);
  }

  /** Once per animation frame; `follow`: the camera may go along with bodies. */
  tick(now: number, follow: boolean): void {
    const seconds = Math.min(0.1, Math.max(0, now - this.#before) / 1000);
    this.#before = now;
    if (this.#view && follow) this.camera.follow(this.middle, seconds);
    this.#still = !this.camera.controls.update();
    if (!this.#stale) return;
    this.#stale = false;
    this.#stage.renderer.render(this.#stage.scene, this.camera.camera);
    this.#labels.place(this.camera.camera, this.#canvas.clientWidth, this.#canvas.clientHeight);
  }

  /** Where a point is on the screen [pixels]. */
  toScreen(point: Point): [number, number] {
    const { x, y } = new Vector3(...point).project(this.camera.camera);
    return [((x + 1) / 2) * this.#canvas.clientWidth, ((1 - y) / 2) * this.#canvas.clientHeight];
  }
}

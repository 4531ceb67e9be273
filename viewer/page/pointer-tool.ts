/** Bodies under the pointer: pulls, pushes and pins them, and draws the pull as a line. */
import { type Camera, type Mesh, Plane, Raycaster, Vector2, Vector3 } from 'three';
import { PullLine } from '../draw/pull-line.js';
import type { Push } from '../worker/protocol.js';
import type { Point } from '../worker/scene-info.js';

/** What a press on a body does. The right button pushes whatever is chosen. */
export type Tool = 'pull' | 'push' | 'pin';

/** What the tool needs from the rest of the page. */
export interface PointerHost {
  readonly canvas: HTMLCanvasElement;
  readonly camera: Camera;
  /** Meshes that can be grabbed, `userData.body` set. */
  surfaces(): Mesh[];
  /** Size of a body [m]. */
  size(): number;
  grab(body: number, point: Point): void;
  move(target: Point): void;
  release(): void;
  pin(): void;
  push(push: Push | undefined): void;
}

/** Push of a press that is not moved, and what moving by a body's size adds [m/s²]. */
const PRESS = 15;
const DRAG = 150;
const MOST = 120;

/** Turns pointer events into grabs and pushes. One pointer acts at a time; the others go to the camera. */
export class PointerTool {
  tool: Tool = 'pull';
  /** Add it to the scene. */
  readonly line = new PullLine();
  readonly #host: PointerHost;
  readonly #ray = new Raycaster();
  readonly #plane = new Plane();
  readonly #start = new Vector3();
  readonly #target = new Vector3();
  readonly #view = new Vector3();
  #pointer: number | undefined;
  /** The body that is pushed; undefined while pulling. */
  #pushed: number | undefined;

  constructor(host: PointerHost) {
    this.#host = host;
    const { canvas } = host;
    // Before the camera's controls, which must not see a pointer that acts.
    canvas.addEventListener('pointerdown', (event) => this.#down(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.#move(event), { capture: true });
    canvas.addEventListener('contextmenu', (event) => event.preventDefault());
    for (const end of ['pointerup', 'pointercancel', 'lostpointercapture'] as const) {
      canvas.addEventListener(end, (event) => this.#up(event), { capture: true });
    }
  }

  get active(): boolean {
    return this.#pointer !== undefined;
  }

  /** Lets go. */
  cancel(): void {
    if (this.#pointer === undefined) return;
    if (this.#pushed === undefined) this.#host.release();
    else this.#host.push(undefined);
    this.#end();
  }

  /** Leaves what is grabbed pinned where it is. */
  pin(): void {
    if (this.#pointer === undefined || this.#pushed !== undefined) return;
    this.#host.pin();
    this.#end();
  }

  /** Draws the pull or push from the grabbed point to the pointer. */
  show(grabbed: Point | undefined): void {
    if (this.#pushed !== undefined) this.line.show(this.#start, this.#target, this.#host.camera);
    else if (this.active && grabbed) this.line.show(new Vector3(...grabbed), this.#target, this.#host.camera);
    else this.line.visible = false;
  }

  #end(): void {
    this.#pointer = this.#pushed = undefined;
    this.line.visible = false;
    this.#host.canvas.dataset.cursor = '';
  }

  #down(event: PointerEvent): void {
    if (this.active) {
      // A second finger while one holds a body would turn the view under it.
      event.stopImmediatePropagation();
      return;
    }
    const pushes = event.button === 2 || (event.button === 0 && this.tool === 'push');
    if ((event.button !== 0 && event.button !== 2) || !event.isPrimary) return;
    const hit = this.#hit(event);
    if (!hit) return;
    event.stopImmediatePropagation();
    const { canvas, camera } = this.#host;
    this.#pointer = event.pointerId;
    canvas.setPointerCapture(event.pointerId);
    canvas.dataset.cursor = 'grabbing';
    this.#start.copy(hit.point);
    this.#target.copy(hit.point);
    this.#plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(this.#view), hit.point);
    if (pushes) {
      this.#pushed = hit.body;
      this.#push();
      return;
    }
    this.#host.grab(hit.body, hit.point.toArray());
    this.#host.move(hit.point.toArray());
    if (this.tool === 'pin') this.pin();
  }

  #move(event: PointerEvent): void {
    if (event.pointerId !== this.#pointer) {
      // Looking for a hand's place is only worth it where there is a cursor to show.
      if (!this.active && event.pointerType === 'mouse' && event.buttons === 0) {
        this.#host.canvas.dataset.cursor = this.#hit(event) ? 'grab' : '';
      }
      return;
    }
    event.stopImmediatePropagation();
    this.#aim(event);
    if (!this.#ray.ray.intersectPlane(this.#plane, this.#target)) return;
    if (this.#pushed === undefined) this.#host.move(this.#target.toArray());
    else this.#push();
  }

  #up(event: PointerEvent): void {
    if (event.pointerId !== this.#pointer) return;
    event.stopImmediatePropagation();
    this.cancel();
  }

  /** Away from the eye, and the way the pointer went. */
  #push(): void {
    const drag = this.#target.clone().sub(this.#start).divideScalar(this.#host.size());
    const force = drag.multiplyScalar(DRAG).addScaledVector(this.#view, PRESS).clampLength(0, MOST);
    this.#host.push({ body: this.#pushed!, point: this.#start.toArray(), force: force.toArray() });
  }

  /** The nearest point of a body under the pointer. */
  #hit(event: PointerEvent): { body: number; point: Vector3 } | undefined {
    this.#aim(event);
    const surfaces = this.#host.surfaces();
    // Bounds belong to the positions they were computed from; bodies move.
    for (const { geometry } of surfaces) geometry.computeBoundingSphere();
    const [nearest] = this.#ray.intersectObjects(surfaces, false);
    return nearest && { body: nearest.object.userData.body as number, point: nearest.point };
  }

  #aim(event: PointerEvent): void {
    const { left, top, width, height } = this.#host.canvas.getBoundingClientRect();
    const x = ((event.clientX - left) / width) * 2 - 1;
    const y = 1 - ((event.clientY - top) / height) * 2;
    this.#ray.setFromCamera(new Vector2(x, y), this.#host.camera);
  }
}

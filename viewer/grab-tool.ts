/** Pulling bodies with the pointer: finds what lies under it, tells the simulation, and draws the pull as a line. */
import {
  type Camera,
  CylinderGeometry,
  Group,
  Mesh,
  MeshBasicMaterial,
  Plane,
  Raycaster,
  SphereGeometry,
  Vector2,
  Vector3,
} from 'three';
import type { Point } from './protocol.js';

/** What the tool needs from the rest of the page. */
export interface GrabHost {
  readonly canvas: HTMLCanvasElement;
  readonly camera: Camera;
  /** Meshes that can be grabbed, `userData.body` set. */
  surfaces(): Mesh[];
  grab(body: number, point: Point): void;
  move(target: Point): void;
  release(): void;
}

/** Turns pointer events into grabs. One pointer grabs at a time; the others go to the camera. */
export class GrabTool {
  /** The line and its two ends; add it to the scene. */
  readonly marker = new Group();
  readonly #host: GrabHost;
  readonly #ray = new Raycaster();
  readonly #plane = new Plane();
  readonly #target = new Vector3();
  readonly #held = new Vector3();
  readonly #ends: readonly [Mesh, Mesh];
  readonly #line: Mesh;
  #pointer: number | undefined;

  constructor(host: GrabHost) {
    this.#host = host;
    const material = new MeshBasicMaterial({ color: '#ffd23f', depthTest: false, transparent: true, opacity: 0.95 });
    const ball = new SphereGeometry(1, 20, 14);
    this.#ends = [new Mesh(ball, material), new Mesh(ball, material)];
    this.#line = new Mesh(new CylinderGeometry(0.35, 0.35, 1, 10), material);
    for (const part of [...this.#ends, this.#line]) part.renderOrder = 10;
    this.marker.add(...this.#ends, this.#line);
    this.marker.visible = false;
    const { canvas } = host;
    // Before the camera's controls, which must not see a pointer that grabs.
    canvas.addEventListener('pointerdown', (event) => this.#down(event), { capture: true });
    canvas.addEventListener('pointermove', (event) => this.#move(event), { capture: true });
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
    this.#pointer = undefined;
    this.marker.visible = false;
    this.#host.canvas.dataset.cursor = '';
    this.#host.release();
  }

  /** Draws the pull from the grabbed point to the pointer. */
  show(grabbed: Point | undefined): void {
    this.marker.visible = this.active && grabbed !== undefined;
    if (!grabbed || !this.marker.visible) return;
    this.#held.set(...grabbed);
    const size = 0.006 * this.#host.camera.position.distanceTo(this.#held);
    const ends = [this.#held, this.#target];
    this.#ends.forEach((ball, i) => {
      ball.position.copy(ends[i]);
      ball.scale.setScalar(i === 0 ? size : 0.7 * size);
    });
    const along = this.#target.clone().sub(this.#held);
    this.#line.position.copy(this.#held).addScaledVector(along, 0.5);
    this.#line.scale.set(size, Math.max(1e-6, along.length()), size);
    this.#line.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), along.normalize());
  }

  #down(event: PointerEvent): void {
    if (this.active) {
      // A second finger while one holds a body would turn the view under it.
      event.stopImmediatePropagation();
      return;
    }
    if (event.button !== 0 || !event.isPrimary) return;
    const hit = this.#hit(event);
    if (!hit) return;
    event.stopImmediatePropagation();
    this.#pointer = event.pointerId;
    this.#host.canvas.setPointerCapture(event.pointerId);
    this.#host.canvas.dataset.cursor = 'grabbing';
    this.#target.copy(hit.point);
    this.#plane.setFromNormalAndCoplanarPoint(this.#host.camera.getWorldDirection(new Vector3()), hit.point);
    this.#host.grab(hit.body, hit.point.toArray());
    this.#host.move(hit.point.toArray());
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
    this.#host.move(this.#target.toArray());
  }

  #up(event: PointerEvent): void {
    if (event.pointerId !== this.#pointer) return;
    event.stopImmediatePropagation();
    this.cancel();
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

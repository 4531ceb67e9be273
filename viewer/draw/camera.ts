/** The camera: shows all of a scene at the start, turns around it with the pointer, follows bodies that float or fall. */
import { PerspectiveCamera, Vector3 } from 'three';
import { OrbitControls } from 'three/addons/controls/OrbitControls.js';
import type { CameraPlace } from '../page/address.js';
import type { CoveredEdges } from '../panel/free-area.js';
import type { StageInfo } from '../worker/scene-info.js';

/** From where a scene is first seen. */
const VIEW = new Vector3(0.42, 0.3, 1).normalize();
/** From where worlds beside each other are seen: each from nearly the same side. */
const FRONT = new Vector3(0.08, 0.24, 1).normalize();
/** Share of the way to the body that the camera makes up in each second of following. */
const FOLLOW_RATE = 6;
/** How far bodies go from where they start before the camera goes along, in sizes of the frame. */
const ROOM = 0.3;
/** How far a falling body gets ahead of the camera at most, in sizes of the frame. */
const LAG = 0.12;
/** Before anybody has told what covers the picture. */
const NOTHING_COVERED: CoveredEdges = { top: 0, bottom: 0, left: 0, right: 0 };
/** Share of the free part of the picture that bodies fill. */
const FILLED = 0.94;
/** What is as deep as it is wide comes this much nearer in front where it is a box; a ball ends at its outline. */
const BALL_DEPTH = 0.1;
/** Closer than this share of the scene's size the camera is there, so that it comes to rest. */
const THERE = 1e-4;

/** The camera and its controls. */
export class Camera {
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 100);
  readonly controls: OrbitControls;
  readonly #middle = new Vector3();
  readonly #before = new Vector3();
  /** Where the bodies' middle was at the start, and how far the camera has followed it. */
  readonly #start = new Vector3();
  readonly #shift = new Vector3();
  readonly #goal = new Vector3();
  #begun = false;
  #size = 1;
  #free = false;
  #several = false;
  /** True once the visitor has chosen where to look from. */
  #moved = false;
  #extent = new Vector3(1, 1, 1);
  #covered = NOTHING_COVERED;

  constructor(element: HTMLElement) {
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.maxPolarAngle = 0.53 * Math.PI;
    this.controls.addEventListener('start', () => {
      this.#moved = true;
    });
  }

  /** Fits the view to a scene. */
  frame(info: StageInfo): void {
    const low = new Vector3(...info.low);
    const high = new Vector3(...info.high);
    this.#middle.copy(low).add(high).multiplyScalar(0.5);
    this.#extent.copy(high).sub(low);
    this.#free = info.free;
    // What turns in the air needs its longest side in every direction.
    if (info.free) this.#extent.setScalar(0.8 * Math.max(...this.#extent.toArray()));
    this.#extent.x += info.spread;
    this.#several = info.spread > 0;
    this.#size = this.#several ? 0 : this.#extent.length();
    if (info.round) this.#extent.z *= BALL_DEPTH;
    this.#moved = false;
    this.#place();
  }

  /** True once the visitor has chosen where to look from. */
  get moved(): boolean {
    return this.#moved;
  }

  /** The direction one looks in from above [rad]: only the visitor turns it, following a body does not. */
  get heading(): number {
    return this.controls.getAzimuthalAngle();
  }

  /** Place of the camera and of what it looks at, x,y,z each [m]. */
  get place(): CameraPlace {
    const { position } = this.camera;
    const { target } = this.controls;
    return [position.x, position.y, position.z, target.x, target.y, target.z];
  }

  set place([x, y, z, tx, ty, tz]: CameraPlace) {
    this.controls.target.set(tx, ty, tz);
    this.camera.position.set(x, y, z);
    this.controls.update();
    this.camera.updateMatrixWorld();
    this.#moved = true;
  }

  /** Call when the window changes shape, or what covers it. */
  resize(aspect: number, covered: CoveredEdges): void {
    const known = this.#covered;
    const edges = ['top', 'bottom', 'left', 'right'] as const;
    if (aspect === this.camera.aspect && edges.every((edge) => covered[edge] === known[edge])) return;
    this.#covered = covered;
    this.camera.aspect = aspect;
    this.camera.updateProjectionMatrix();
    const { place } = this;
    this.#place();
    if (this.#moved) this.place = place;
  }

  /** Moves along with the bodies' middle; `seconds` since the last call. */
  follow(middle: Vector3, seconds: number): void {
    const goal = this.#free ? this.#goal.copy(middle).sub(this.controls.target) : this.#excess(middle).sub(this.#shift);
    const [away, size] = [goal.length(), this.#extent.length()];
    const share = away < THERE * size ? 1 : Math.min(1, FOLLOW_RATE * seconds);
    goal.multiplyScalar(this.#free ? Math.max(share, 1 - (LAG * size) / away) : share);
    this.#shift.add(goal);
    this.controls.target.add(goal);
    this.camera.position.add(goal);
  }

  /** How far what was framed has rolled or crawled out of the middle of its frame. */
  #excess(middle: Vector3): Vector3 {
    if (!this.#begun) return this.#goal.copy(this.#shift);
    const away = this.#goal.copy(middle).sub(this.#start);
    return away.setLength(Math.max(0, away.length() - ROOM * this.#extent.length()));
  }

  /** Jumps along with the bodies, for a scene that starts again. */
  jumpTo(middle: Vector3): void {
    this.#start.copy(middle);
    this.#begun = true;
    if (this.#moved && !this.#free) {
      this.controls.target.sub(this.#shift);
      this.camera.position.sub(this.#shift);
    }
    this.#shift.set(0, 0, 0);
    if (this.#moved && !this.#free) return;
    this.#before.copy(this.controls.target);
    this.controls.target.copy(this.#free ? middle : this.#middle);
    this.camera.position.add(this.controls.target).sub(this.#before);
  }

  #place(): void {
    const { camera, controls } = this;
    const { top, bottom, left, right } = this.#covered;
    const room = { width: FILLED * (1 - left - right), height: FILLED * (1 - top - bottom) };
    const halfHeight = Math.tan((camera.fov * Math.PI) / 360);
    const width = (this.#extent.x * 0.5 + this.#extent.z * 0.25) / (halfHeight * camera.aspect * room.width);
    const height = (this.#extent.y * 0.5 + this.#extent.z * 0.15) / (halfHeight * room.height);
    const distance = Math.max(width, height, 0.8 * this.#size) + this.#extent.z * 0.3;
    // the middle of what is free
    camera.setViewOffset(camera.aspect, 1, ((right - left) / 2) * camera.aspect, (bottom - top) / 2, camera.aspect, 1);
    controls.target.copy(this.#middle);
    camera.position
      .copy(this.#several ? FRONT : VIEW)
      .multiplyScalar(distance)
      .add(this.#middle);
    camera.near = distance / 100;
    camera.far = distance * 20;
    controls.minDistance = 0.06 * distance;
    controls.maxDistance = 4 * distance;
    camera.updateProjectionMatrix();
    controls.update();
  }
}

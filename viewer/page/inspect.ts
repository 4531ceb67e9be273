/** What tests, and people at the browser's console, can ask of the page: `tendonViewer`. */

import type { Frame, Point, SceneInfo } from '../worker/scene-info.js';
import type { CameraPlace } from './address.js';

/** The page's state as plain numbers. */
export interface Inspection {
  /** The scene that is on; undefined while it is built. */
  readonly scene: string | undefined;
  /** Pictures drawn of this scene. */
  readonly frames: number;
  readonly stepCount: number;
  readonly time: number;
  readonly dropped: number;
  /** Paused, and everything that was asked for is on the screen. */
  readonly settled: boolean;
  /** The camera is at rest. */
  readonly still: boolean;
  /** The direction the camera looks in, seen from above [rad]. */
  readonly heading: number;
  readonly grabbed: Point | undefined;
  /** Pinned points, over all lanes. */
  readonly pins: readonly Point[];
  /** Contacts that carry something, while they are shown. */
  readonly contacts: number;
  readonly threads: number;
  readonly lanes: Frame['lanes'];
  /** How far the lesson of the scene is, while something is learned. */
  readonly learning: Frame['learning'];
  /** Times the worker was lost and another one started. */
  readonly restarts: number;
  /** Milliseconds from the page's start to the first picture. */
  readonly readyMs: number | undefined;
  /** Pauses and takes steps, as the key for one step does. */
  take(steps: number): void;
  /** Surface positions of a body, x,y,z per drawn vertex. */
  positions(body?: number): number[];
  /** Quaternion and place of each bone of a body, 7 numbers each. */
  bones(body?: number): number[];
  /** Pale bones that show where the motors of a body lead, while joints are shown. */
  ghosts(body?: number): number;
  /** Where a point in space is on the screen [pixels]. */
  toScreen(point: Point): [number, number];
  /** Place of the camera and of what it looks at; moves it where one is given. */
  camera(place?: CameraPlace): CameraPlace;
}

/** What the page answers itself. */
export type PageAnswers = Pick<
  Inspection,
  'settled' | 'still' | 'heading' | 'take' | 'bones' | 'ghosts' | 'toScreen' | 'camera'
> & {
  positions(body: number): ArrayLike<number>;
};

/** Collects what `tendonViewer` answers. */
export class Inspector {
  info: SceneInfo | undefined;
  frame: Frame | undefined;
  frames = 0;
  readyMs: number | undefined;
  restarts = 0;

  /** Makes the answers available as `tendonViewer`. */
  publish(page: PageAnswers): void {
    const inspect = (): Inspection => ({
      ...page,
      scene: this.info?.name,
      frames: this.frames,
      stepCount: this.frame?.stepCount ?? 0,
      time: this.frame?.time ?? 0,
      dropped: this.frame?.dropped ?? 0,
      grabbed: this.frame?.grabbed,
      pins: pointsOf(this.frame?.pins ?? new Float32Array(0)),
      contacts: (this.frame?.contacts?.length ?? 0) / 6,
      threads: this.info?.threads ?? 0,
      lanes: this.frame?.lanes ?? [],
      learning: this.frame?.learning,
      restarts: this.restarts,
      readyMs: this.readyMs,
      positions: (body = 0) => Array.from(page.positions(body)),
    });
    Object.defineProperty(globalThis, 'tendonViewer', { get: inspect });
  }
}

function pointsOf(numbers: Float32Array): Point[] {
  return Array.from({ length: numbers.length / 3 }, (_, i) => {
    const [x, y, z] = numbers.subarray(i * 3, i * 3 + 3);
    return [x, y, z];
  });
}

/** What tests, and people at the browser's console, can ask of the page: `tendonViewer`. */
import type { Frame, Point, SceneInfo } from './protocol.js';

/** The page's state as plain numbers. */
export interface Inspection {
  /** The scene that is on; undefined while it is built. */
  readonly scene: string | undefined;
  /** Pictures drawn of this scene. */
  readonly frames: number;
  readonly stepCount: number;
  readonly time: number;
  readonly dropped: number;
  readonly grabbed: Point | undefined;
  /** Milliseconds from the page's start to the first picture. */
  readonly readyMs: number | undefined;
  /** Surface positions of a body, x,y,z per drawn vertex. */
  positions(body?: number): number[];
  /** Where a point in space is on the screen [pixels]. */
  toScreen(point: Point): [number, number];
}

/** Collects what `tendonViewer` answers. */
export class Inspector {
  info: SceneInfo | undefined;
  frame: Frame | undefined;
  frames = 0;
  readyMs: number | undefined;

  /** Makes the answers available as `tendonViewer`. */
  publish(positions: (body: number) => ArrayLike<number>, toScreen: (point: Point) => [number, number]): void {
    const inspect = (): Inspection => ({
      scene: this.info?.name,
      frames: this.frames,
      stepCount: this.frame?.stepCount ?? 0,
      time: this.frame?.time ?? 0,
      dropped: this.frame?.dropped ?? 0,
      grabbed: this.frame?.grabbed,
      readyMs: this.readyMs,
      positions: (body = 0) => Array.from(positions(body)),
      toScreen,
    });
    Object.defineProperty(globalThis, 'tendonViewer', { get: inspect });
  }
}

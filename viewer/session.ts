/** The page's end of the simulation: one worker, one question for a frame at a time, two buffers that go back and forth. */
import type { Answer, Command, Frame, Point, SceneInfo, SceneTitle, Settings } from './protocol.js';

/** Longest time between two frames that is simulated; a page that was hidden does not catch up [s]. */
const LONGEST_FRAME = 0.25;

/** What the page wants to hear. */
export interface SessionListener {
  scenes(scenes: readonly SceneTitle[]): void;
  loading(scene: string): void;
  loaded(info: SceneInfo): void;
  frame(frame: Frame): void;
  failed(message: string): void;
}

/** Talks to the worker. */
export class Session {
  /** 1 is real time. */
  speed = 1;
  readonly #listener: SessionListener;
  #worker: Worker;
  #load = 0;
  #state: 'idle' | 'loading' | 'waiting' | 'ready' = 'idle';
  #askedAt = 0;
  /** Frames since the scene was loaded. */
  #frames = 0;
  #steps = 0;
  #playing = true;
  /** Something happened that a paused page has not shown yet. */
  #stale = true;
  #buffer = new Float32Array(0);

  constructor(listener: SessionListener) {
    this.#listener = listener;
    this.#worker = this.#start();
  }

  get playing(): boolean {
    return this.#playing;
  }

  set playing(playing: boolean) {
    this.#playing = playing;
    this.#stale = true;
  }

  /** Loads a scene; what is under way is given up. */
  load(scene: string, settings: Partial<Settings> = {}): void {
    if (this.#state === 'loading') {
      // Building cannot be interrupted, so the worker that is at it goes.
      this.#worker.terminate();
      this.#worker = this.#start();
    }
    this.#state = 'loading';
    this.#load++;
    this.#steps = 0;
    this.#listener.loading(scene);
    this.#send({ kind: 'load', scene, load: this.#load, settings });
  }

  /** Asks for the next frame unless one is under way; call on every animation frame with its time [ms]. */
  tick(now: number): void {
    if (this.#state !== 'ready' || !(this.playing || this.#stale)) return;
    this.#stale = false;
    const seconds = Math.min(LONGEST_FRAME, Math.max(0, now - this.#askedAt) / 1000);
    this.#askedAt = now;
    this.#state = 'waiting';
    // It goes to the worker for good: the frame it comes back with may be one of a scene already left.
    const buffer = this.#buffer;
    this.#buffer = new Float32Array(0);
    const exact = !this.playing;
    // The first picture takes long (shaders are compiled); time starts once it is there.
    const elapsed = this.playing && this.#frames > 1 ? seconds * this.speed : 0;
    this.#send({ kind: 'advance', elapsed, steps: this.#steps, exact, buffer }, [buffer.buffer]);
    this.#steps = 0;
  }

  /** Pauses and takes one step. */
  stepOnce(): void {
    this.playing = false;
    this.#steps++;
  }

  reset(): void {
    this.#send({ kind: 'reset' });
  }

  set(settings: Settings): void {
    this.#send({ kind: 'set', settings });
  }

  grab(body: number, point: Point): void {
    this.#send({ kind: 'grab', body, point });
  }

  moveGrab(target: Point): void {
    this.#send({ kind: 'move', target });
  }

  release(): void {
    this.#send({ kind: 'release' });
  }

  #start(): Worker {
    const worker = new Worker(new URL('./simulation-worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#hear(data);
    worker.onerror = (event) => this.#listener.failed(event.message || 'the simulation could not be started');
    return worker;
  }

  #send(command: Command, transfer: Transferable[] = []): void {
    if (command.kind !== 'advance') this.#stale = true;
    this.#worker.postMessage(command, transfer);
  }

  #hear(answer: Answer): void {
    if (answer.kind !== 'scenes' && answer.load !== this.#load) return;
    switch (answer.kind) {
      case 'scenes':
        this.#listener.scenes(answer.scenes);
        break;
      case 'loaded':
        this.#state = 'ready';
        this.#frames = 0;
        this.#listener.loaded(answer.info);
        break;
      case 'frame':
        this.#state = 'ready';
        this.#frames++;
        this.#listener.frame(answer.frame);
        // Shown frames have been copied to the graphics card: the numbers can be overwritten.
        this.#buffer = answer.frame.buffer;
        break;
      case 'failed':
        this.#state = this.#state === 'loading' ? 'idle' : 'ready';
        this.playing = false;
        this.#listener.failed(answer.message);
        break;
    }
  }
}

/** The page's end of the simulation: one worker, one question for a frame at a time, one buffer that goes back and forth. */
import { Watchdog } from '../three/watchdog.js';
import {
  type Act,
  type Answer,
  type Command,
  NOTHING_WANTED,
  type Settings,
  type Source,
  type Wanted,
} from './protocol.js';
import type { Frame, Recording, SceneInfo, SceneTitle } from './scene-info.js';

/** Longest time between two frames that is simulated; a page that was hidden does not catch up [s]. */
const LONGEST_FRAME = 0.25;

/** Most single steps asked for at once: an answer must not be long in coming. */
const MOST_STEPS = 8;

/** A frame is overdue after this long, and building after that long without a word [ms]. */
const PATIENCE = { waiting: 5000, loading: 60_000 };

/** Restarts after which it gives up. */
const MOST_RESTARTS = 3;

/** What the page wants to hear. */
export interface SessionListener {
  scenes(scenes: readonly SceneTitle[]): void;
  loading(source: Source): void;
  progress(stage: string, share: number): void;
  loaded(info: SceneInfo, source: Source): void;
  frame(frame: Frame): void;
  /** What was recorded, once it has been ended. */
  recorded(recording: Recording): void;
  failed(message: string): void;
  /** The worker stopped answering and another one builds the scene again. */
  restarted(message: string): void;
}

/** Something that was asked for. */
interface Loaded {
  readonly source: Source;
  readonly settings: Partial<Settings>;
}

/** Talks to the worker. */
export class Session {
  /** 1 is real time. */
  speed = 1;
  readonly #listener: SessionListener;
  readonly #watchdog = new Watchdog(() => this.#restart());
  #restarts = 0;
  #worker: Worker;
  #load = 0;
  #state: 'idle' | 'loading' | 'waiting' | 'ready' = 'idle';
  #asked: Loaded | undefined;
  /** What runs: what a failed load leaves behind. */
  #shown: Loaded | undefined;
  #wanted: Wanted = NOTHING_WANTED;
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

  /** Single steps were asked for that have not been sent yet. */
  get behind(): boolean {
    return this.#steps > 0;
  }

  /** Paused, and everything that was asked for has been answered. */
  get settled(): boolean {
    return this.#state === 'ready' && !this.#playing && !this.#stale;
  }

  /** Loads a scene or files; what is under way is given up. */
  load(source: Source, settings: Partial<Settings> = {}): void {
    // Building cannot be interrupted, so the worker that is at it goes.
    if (this.#state === 'loading') this.#replaceWorker();
    this.#asked = { source, settings };
    this.#state = 'loading';
    this.#load++;
    this.#steps = 0;
    this.#listener.loading(source);
    this.#send({ kind: 'load', source, load: this.#load, settings });
    this.#watch();
  }

  /** Asks for the next frame unless one is under way; call on every animation frame with its time [ms]. */
  tick(now: number): void {
    if (this.#state !== 'ready' || !(this.playing || this.#stale)) return;
    const seconds = Math.min(LONGEST_FRAME, Math.max(0, now - this.#askedAt) / 1000);
    this.#askedAt = now;
    this.#state = 'waiting';
    // It goes to the worker for good: the frame it comes back with may be one of a scene already left.
    const buffer = this.#buffer;
    this.#buffer = new Float32Array(0);
    const exact = !this.playing;
    // The first picture takes long (shaders are compiled); time starts once it is there.
    const elapsed = this.playing && this.#frames > 1 ? seconds * this.speed : 0;
    const steps = Math.min(this.#steps, MOST_STEPS);
    this.#send({ kind: 'advance', elapsed, steps, exact, buffer }, [buffer.buffer]);
    this.#steps -= steps;
    this.#stale = this.#steps > 0;
    this.#watch();
  }

  /** Pauses and takes single steps. */
  take(steps: number): void {
    this.playing = false;
    this.#steps += steps;
  }

  set(settings: Settings): void {
    if (this.#asked) this.#asked = { ...this.#asked, settings };
    this.#send({ kind: 'set', settings });
  }

  want(wanted: Wanted): void {
    this.#wanted = wanted;
    this.#send({ kind: 'want', wanted });
  }

  /** Begins to record states, or ends it. */
  record(on: boolean): void {
    this.#send({ kind: 'record', on });
  }

  /** Does something to the bodies. */
  act(act: Act): void {
    this.#send(act);
  }

  #start(): Worker {
    const worker = new Worker(new URL('./simulation-worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Answer>) => this.#hear(data);
    worker.onerror = (event) => {
      this.#state = 'idle';
      this.#watch();
      this.#listener.failed(event.message || 'The simulation could not be started.');
    };
    return worker;
  }

  #replaceWorker(): void {
    this.#worker.terminate();
    this.#worker = this.#start();
    this.#buffer = new Float32Array(0);
    this.#send({ kind: 'want', wanted: this.#wanted });
  }

  /** Another worker builds what the lost one had; files that it was lost over are not tried again. */
  #restart(): void {
    const files = this.#state === 'loading' && this.#asked?.source.kind === 'files' ? this.#asked.source : undefined;
    if (files) this.#asked = this.#shown;
    this.#replaceWorker();
    this.#state = 'idle';
    if (++this.#restarts > MOST_RESTARTS) {
      this.#listener.failed('The simulation stopped answering again and again. Reload the page to try once more.');
      return;
    }
    if (this.#asked) this.load(this.#asked.source, this.#asked.settings);
    const reason = 'The simulation stopped answering and was started again.';
    this.#listener.restarted(files ? `${files.name} cannot be used: it took too long to build.` : reason);
  }

  /** A machine that is only slow gets more time after each restart. */
  #watch(): void {
    const patience = this.#state === 'loading' ? PATIENCE.loading : this.#state === 'waiting' ? PATIENCE.waiting : 0;
    if (patience > 0) this.#watchdog.watch(patience * 2 ** this.#restarts);
    else this.#watchdog.rest();
  }

  #send(command: Command, transfer: Transferable[] = []): void {
    if (command.kind !== 'advance') this.#stale = true;
    this.#worker.postMessage(command, transfer);
  }

  /** A scene that was on before a failed load still runs; one whose step failed is stopped. */
  #fail({ message, running }: { readonly message: string; readonly running: boolean }): void {
    const asked = this.#state === 'loading' ? this.#asked : undefined;
    this.#state = running ? 'ready' : 'idle';
    if (running) this.#asked = this.#shown;
    if (!asked || !running) this.playing = false;
    this.#stale = true;
    this.#listener.failed(
      asked?.source.kind === 'files' ? `${asked.source.name} cannot be used.\n${message}` : message,
    );
  }

  #hear(answer: Answer): void {
    if (answer.kind !== 'scenes' && answer.load !== this.#load) return;
    switch (answer.kind) {
      case 'scenes':
        this.#listener.scenes(answer.scenes);
        return;
      case 'progress':
        this.#listener.progress(answer.stage, answer.share);
        break;
      case 'loaded':
        this.#state = 'ready';
        this.#frames = 0;
        this.#shown = this.#asked;
        if (this.#asked) this.#listener.loaded(answer.info, this.#asked.source);
        break;
      case 'frame':
        this.#state = 'ready';
        this.#frames++;
        this.#listener.frame(answer.frame);
        // Shown frames have been copied to the graphics card: the numbers can be overwritten.
        this.#buffer = answer.frame.buffer;
        break;
      case 'recording':
        this.#listener.recorded(answer.recording);
        return;
      case 'failed':
        this.#fail(answer);
        break;
    }
    this.#watch();
  }
}

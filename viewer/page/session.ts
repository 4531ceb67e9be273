/** The page's end of the simulation: one line to one worker, one question for a frame at a time, and another worker when it is lost. */
import { FixedClock } from '../../host/line/fixed-clock.js';
import { WorkerLink } from '../../host/line/worker-link.js';
import { type Action, NOTHING_WANTED, type Settings, type Source, type Spec, type Wanted } from '../worker/protocol.js';
import type { Frame, FrameNews, Recording, SceneInfo, SceneTitle } from '../worker/scene-info.js';

/** Longest time between two frames that is simulated; a page that was hidden does not catch up [s]. */
const LONGEST_FRAME = 0.25;

/** Most single steps asked for at once: an answer must not be long in coming. */
const MOST_STEPS = 8;
/** Work for one picture where steps are slow [ms]: a worker that is busy for seconds would be taken for dead. */
const LONGEST_WORK = 500;

/** A frame is overdue after this long, and building after that long without a word [ms]. */
const PATIENCE = { answering: 5000, building: 60_000 };

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

type PageLink = WorkerLink<Spec, SceneInfo, Action, FrameNews>;

/** Talks to the worker. */
export class Session {
  /** 1 is real time. */
  speed = 1;
  readonly #listener: SessionListener;
  #restarts = 0;
  #link: PageLink;
  #state: 'idle' | 'loading' | 'waiting' | 'ready' = 'idle';
  #asked: Spec | undefined;
  /** What runs: what a failed load leaves behind. */
  #shown: Spec | undefined;
  #wanted: Wanted = NOTHING_WANTED;
  #clock = new FixedClock(1 / 60);
  #stepMs = 0;
  #askedAt = 0;
  /** Frames since the scene was loaded. */
  #frames = 0;
  #steps = 0;
  #playing = true;
  /** Something happened that a paused page has not shown yet. */
  #stale = true;

  constructor(listener: SessionListener) {
    this.#listener = listener;
    this.#link = this.#open();
    this.#link.ask('scenes').then(
      (scenes) => listener.scenes(scenes as SceneTitle[]),
      () => {},
    );
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
    if (this.#state === 'loading') this.#replaceLink();
    const spec = { source, settings };
    this.#asked = spec;
    this.#state = 'loading';
    this.#steps = 0;
    this.#listener.loading(source);
    const link = this.#link;
    link
      .load(spec, (stage, share) => this.#asked === spec && this.#listener.progress(stage, share))
      .then(
        (info) => this.#asked === spec && this.#start(info, spec),
        (error: Error) => this.#asked === spec && this.#failLoad(link, spec, error),
      );
  }

  /** Asks for the next frame unless one is under way; call on every animation frame with its time [ms]. */
  tick(now: number): void {
    if (this.#state !== 'ready' || !(this.playing || this.#stale)) return;
    const seconds = Math.min(LONGEST_FRAME, Math.max(0, now - this.#askedAt) / 1000);
    this.#askedAt = now;
    this.#state = 'waiting';
    // The first picture takes long (shaders are compiled); time starts once it is there.
    if (this.playing && this.#frames > 1) this.#clock.add(seconds * this.speed);
    const due = this.playing ? this.#clock.take(this.#stepMs) : 0;
    const single = Math.min(this.#steps, MOST_STEPS, this.#stepMs > 0 ? Math.ceil(LONGEST_WORK / this.#stepMs) : 1);
    this.#link.advance(due + single, this.playing ? this.#clock.phase : 1);
    this.#steps -= single;
    this.#stale = this.#steps > 0;
  }

  /** Pauses and takes single steps. */
  take(steps: number): void {
    this.playing = false;
    this.#steps += steps;
  }

  set(settings: Settings): void {
    if (this.#asked) this.#asked = { ...this.#asked, settings };
    if (this.#shown) this.#shown = this.#asked;
    this.act({ kind: 'set', settings });
  }

  want(wanted: Wanted): void {
    this.#wanted = wanted;
    this.act({ kind: 'want', wanted });
  }

  /** Begins to record states, or ends it. */
  record(on: boolean): void {
    if (on) {
      this.act({ kind: 'record' });
      return;
    }
    this.#link.ask('recording').then(
      (recording) => recording && this.#listener.recorded(recording as Recording),
      () => {},
    );
  }

  /** Does something to the bodies. */
  act(action: Action): void {
    if (action.kind === 'reset' || action.kind === 'play') this.#clock.reset();
    this.#stale = true;
    this.#link.act(action);
  }

  #open(): PageLink {
    // A machine that is only slow gets more time after each restart.
    const more = 2 ** this.#restarts;
    const patience = { answering: PATIENCE.answering * more, building: PATIENCE.building * more };
    const start = () => new Worker(new URL('../worker/simulation-worker.ts', import.meta.url), { type: 'module' });
    const link: PageLink = new WorkerLink(
      {
        frame: (news, buffer) => this.#hear(news, buffer),
        failed: ({ message }) => this.#listener.failed(message),
        lost: () => link === this.#link && this.#restart(),
      },
      start,
      patience,
    );
    return link;
  }

  #replaceLink(): void {
    const lost = this.#link;
    this.#link = this.#open();
    lost.close();
  }

  /** Another worker builds what the lost one had. */
  #restart(why = 'The simulation stopped answering and was started again.'): void {
    this.#state = 'idle';
    if (++this.#restarts > MOST_RESTARTS) {
      this.#listener.failed('The simulation stopped answering again and again. Reload the page to try once more.');
      return;
    }
    this.#replaceLink();
    if (this.#asked) this.load(this.#asked.source, this.#asked.settings);
    this.#listener.restarted(why);
  }

  #start(info: SceneInfo, spec: Spec): void {
    this.#state = 'ready';
    this.#frames = 0;
    this.#stepMs = 0;
    this.#shown = spec;
    this.#clock = new FixedClock(info.dt);
    this.act({ kind: 'want', wanted: this.#wanted });
    this.#listener.loaded(info, spec.source);
  }

  /** A scene that was on before still runs; files that a worker was lost over are not tried again. */
  #failLoad(link: PageLink, { source }: Spec, error: Error): void {
    const name = source.kind === 'files' ? source.name : undefined;
    if ('code' in error && error.code === 'E_THREAD') {
      if (name !== undefined) this.#asked = this.#shown;
      this.#restart(name && `${name} cannot be used: it took too long to build.`);
      return;
    }
    if (link !== this.#link) return;
    this.#state = this.#shown ? 'ready' : 'idle';
    this.#asked = this.#shown;
    if (!this.#shown) this.playing = false;
    this.#stale = true;
    this.#listener.failed(name === undefined ? error.message : `${name} cannot be used.\n${error.message}`);
  }

  #hear(news: FrameNews, buffer: Float32Array): void {
    // The last frame of a scene that was left.
    if (this.#state !== 'waiting') return;
    this.#state = 'ready';
    this.#frames++;
    this.#stepMs = news.stepMs;
    this.#listener.frame({ ...news, buffer, dropped: this.#clock.dropped });
  }
}

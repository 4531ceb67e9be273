/** Records the picture as a video file. Nothing leaves the page but the file that is saved. */
import { saveFile } from './save-file.js';

/** What is tried, best first. */
const FORMATS: readonly (readonly [type: string, ending: string])[] = [
  ['video/webm;codecs=vp9', 'webm'],
  ['video/webm;codecs=vp8', 'webm'],
  ['video/mp4', 'mp4'],
  ['video/webm', 'webm'],
];
const FRAMES_PER_SECOND = 60;
const BITS_PER_SECOND = 12_000_000;

/** What the recorder reports. */
export interface RecorderActions {
  changed(recording: boolean): void;
  saved(name: string): void;
  failed(message: string): void;
}

/** Why this browser cannot record; undefined where it can. */
export function whyNotRecord(): string | undefined {
  if (typeof HTMLCanvasElement.prototype.captureStream !== 'function') {
    return 'This browser cannot record: it has no captureStream.';
  }
  if (typeof MediaRecorder !== 'function') return 'This browser cannot record: it has no MediaRecorder.';
  return findFormat() ? undefined : 'This browser cannot record: it knows no video format we do.';
}

function findFormat(): readonly [string, string] | undefined {
  return FORMATS.find(([type]) => MediaRecorder.isTypeSupported(type));
}

/** One recording at a time. */
export class Recorder {
  readonly #canvas: HTMLCanvasElement;
  readonly #actions: RecorderActions;
  #recorder: MediaRecorder | undefined;

  constructor(canvas: HTMLCanvasElement, actions: RecorderActions) {
    this.#canvas = canvas;
    this.#actions = actions;
  }

  get recording(): boolean {
    return this.#recorder !== undefined;
  }

  /** Starts, or stops and saves as `name` with the ending of its format. */
  toggle(name: string): void {
    if (this.#recorder) {
      this.#recorder.stop();
      return;
    }
    const reason = whyNotRecord();
    if (reason !== undefined) {
      this.#actions.failed(reason);
      return;
    }
    const [type, ending] = findFormat()!;
    const stream = this.#canvas.captureStream(FRAMES_PER_SECOND);
    const recorder = new MediaRecorder(stream, { mimeType: type, videoBitsPerSecond: BITS_PER_SECOND });
    const parts: Blob[] = [];
    recorder.ondataavailable = ({ data }) => parts.push(data);
    recorder.onerror = () => this.#end(stream, 'The recording failed.');
    recorder.onstop = () => {
      this.#end(stream);
      const file = `${name}.${ending}`;
      saveFile(new Blob(parts, { type }), file);
      this.#actions.saved(file);
    };
    recorder.start(1000);
    this.#recorder = recorder;
    this.#actions.changed(true);
  }

  #end(stream: MediaStream, message?: string): void {
    for (const track of stream.getTracks()) track.stop();
    this.#recorder = undefined;
    this.#actions.changed(false);
    if (message !== undefined) this.#actions.failed(message);
  }
}

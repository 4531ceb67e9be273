/**
 * What a page and a simulation in a worker say to each other, whatever is simulated and however it is looked at. Commands are
 * obeyed, and answered, in the order they are given. All of it is plain data that can be posted.
 */
import type { TendonErrorCode } from '../../src/errors.js';

/** Called with what is being done and how much of it is done, 0 to 1. */
export type Progress = (stage: string, share: number) => void;

/** A simulation as the line knows it: acted on, advanced, asked. */
export interface Hosted<Info, Action, News> {
  /** What does not change while it runs. */
  readonly info: Info;
  /** Numbers in a picture. */
  readonly length: number;
  /** Does something before the next step. */
  act(action: Action): void;
  /** Takes steps and writes the picture `phase` of the way between the last two states; calls `alive` between steps. */
  advance(steps: number, phase: number, out: Float32Array, alive?: () => void): News;
  /** Answers a question about the state after all that was asked for. */
  answer(question: string): unknown;
  dispose(): void;
}

/** What comes with the numbers of every picture. */
export interface AnyNews {
  readonly stepCount: number;
  /** Simulated time [s]. */
  readonly time: number;
  /** Steps taken for this picture, and milliseconds for each of them; 0 without any. */
  readonly steps: number;
  readonly stepMs: number;
}

/** An error that can be posted. */
export interface ErrorData {
  readonly message: string;
  /** Undefined where it was no TendonError. */
  readonly code?: TendonErrorCode;
  readonly place?: string;
  readonly value?: string;
}

/** From the page to the worker. */
export type Command<Spec, Action> =
  | { readonly kind: 'load'; readonly spec: Spec }
  /** Where pictures are written from now on. */
  | { readonly kind: 'share'; readonly numbers: Float32Array }
  | { readonly kind: 'act'; readonly action: Action }
  /** `numbers` comes back with the answer, where none is shared. */
  | { readonly kind: 'advance'; readonly steps: number; readonly phase: number; readonly numbers?: Float32Array }
  | { readonly kind: 'ask'; readonly question: string };

/** From the worker to the page. */
export type Answer<Info, News> =
  | { readonly kind: 'progress'; readonly stage: string; readonly share: number }
  /** Busy with steps that take long. */
  | { readonly kind: 'alive' }
  | { readonly kind: 'loaded'; readonly info: Info; readonly length: number }
  | { readonly kind: 'frame'; readonly news: News; readonly numbers?: Float32Array }
  | { readonly kind: 'answer'; readonly answer: unknown }
  | { readonly kind: 'failed'; readonly during: Command<unknown, unknown>['kind']; readonly error: ErrorData };

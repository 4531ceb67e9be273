/** Where a simulation runs and what it tells: the choice between a worker and the page's own thread. */
import { DirectLink, type Link, type LinkListener } from '../host/line/link.js';
import { PATIENCE, WorkerLink } from '../host/line/worker-link.js';
import type { Action, ContactNews, FrameNews, SimulationInfo, SimulationSpec } from './protocol.js';

/** Where a simulation runs. */
export interface SimulationOptions {
  /** False: on the page's own thread. A function starts the worker itself, for bundlers that need it. Default true. */
  readonly worker?: boolean | (() => Worker);
  /** A worker that does not answer for this long is given up [s]; default 10. */
  readonly workerTimeout?: number;
  /** Called while a file is fetched and a character is built, with what is being done and how much of it is done, 0 to 1. */
  readonly onProgress?: (stage: string, share: number) => void;
  /** Gives up a start that is under way: it then rejects with the signal's reason, and nothing of it is left. */
  readonly signal?: AbortSignal;
}

/** What a simulation tells. */
export interface SimulationEvents {
  /** A picture has arrived. */
  frame: { readonly news: FrameNews };
  /** A body touches an obstacle or a body, goes on touching it, or lets go. */
  contact: ContactNews;
  /** Something went wrong. `lost`: the worker is gone, and `restart` starts another one. */
  error: { readonly error: Error; readonly lost: boolean };
}

/** The line to a soft body's simulation. */
export type SoftLink = Link<SimulationSpec, SimulationInfo, Action>;

/** Opens the line to a simulation; where there are no workers it runs on the caller's thread. */
export function openLink(
  { worker = true, workerTimeout }: SimulationOptions,
  listener: LinkListener<FrameNews>,
): SoftLink {
  const possible = typeof worker === 'function' || typeof Worker === 'function';
  if (worker === false || !possible) {
    return new DirectLink(listener, async (spec: SimulationSpec, progress) => {
      // pages that use a worker need none of it
      const { SimulationCore } = await import('./simulation-core.js');
      return SimulationCore.create(spec, progress);
    });
  }
  const patience = workerTimeout === undefined ? PATIENCE : { answering: workerTimeout * 1000 };
  return new WorkerLink(listener, typeof worker === 'function' ? worker : startWorker, patience);
}

/** Starts the worker next to this file; bundlers know this form. */
function startWorker(): Worker {
  return new Worker(new URL('./simulation-worker.js', import.meta.url), { type: 'module' });
}

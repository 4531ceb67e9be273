/**
 * The connections of the viewer's server: no more than so many, the oldest idle one making room for a new one, and one answer at a time on each.
 * Whoever holds connections without asking locks nobody out, and a thousand requests sent at once cost no more memory than one.
 */
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { finished } from 'node:stream/promises';

/** Requests that may wait on one connection; browsers send one at a time. */
const MOST_WAITING = 16;

interface Turn {
  /** Requests that are answered or wait. */
  waiting: number;
  /** Ends with the last of them. */
  last: Promise<void>;
}

/** All connections, oldest first. */
export class Connections {
  readonly #most: number;
  readonly #turns = new Map<Socket, Turn>();

  constructor(most: number) {
    this.#most = most;
  }

  add(socket: Socket): void {
    if (this.#turns.size >= this.#most) this.#makeRoom();
    this.#turns.set(socket, { waiting: 0, last: Promise.resolve() });
    socket.once('close', () => this.#turns.delete(socket));
  }

  /** Answers a request once those before it on the same connection are answered and sent. */
  inTurn(socket: Socket, response: ServerResponse, answer: () => Promise<void>): void {
    const turn = this.#turns.get(socket);
    if (!turn || ++turn.waiting > MOST_WAITING) {
      socket.destroy();
      return;
    }
    turn.last = turn.last
      .then(answer)
      .then(() => finished(response))
      .catch(() => void socket.destroy())
      .finally(() => turn.waiting--);
  }

  close(): void {
    for (const socket of this.#turns.keys()) socket.destroy();
  }

  /** Ends the oldest connection that is not being answered, or, where all are, the oldest. */
  #makeRoom(): void {
    let chosen: Socket | undefined;
    for (const [socket, { waiting }] of this.#turns) {
      chosen ??= socket;
      if (waiting > 0) continue;
      chosen = socket;
      break;
    }
    if (!chosen) return;
    this.#turns.delete(chosen);
    chosen.destroy();
  }
}

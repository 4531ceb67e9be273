/** Keeps angular momentum through a substep, whatever the two tracks cost of it: of pairs of rigid bodies, of groups that nothing else touches, of flesh that touches something. */
import type { ContactList } from './contacts/contact-list.js';
import { FreeGroups } from './rigid/free-groups.js';
import type { Islands } from './rows/islands.js';
import { giveBackCouples } from './rows/pair-couples.js';
import type { RowSystem } from './rows/row-system.js';
import { FleshTurns } from './soft/flesh-turns.js';

/** What gives angular momentum back, each at its time. */
export class SpinKeeper {
  readonly #rows: RowSystem;
  readonly #free: FreeGroups;
  readonly #flesh: FleshTurns;

  /** `gradientRows`: largest island, in contacts, whose flesh is turned. */
  constructor(rows: RowSystem, bodyCount: number, gradientRows: number) {
    this.#rows = rows;
    this.#free = new FreeGroups(rows.rigid, rows.soft.bodies, rows.joints);
    this.#flesh = new FleshTurns(rows, this.#free.moments, bodyCount, gradientRows);
  }

  /** A substep begins, with these contacts. */
  begin(islands: Islands, contacts: ContactList, movable: Uint8Array): void {
    this.#free.begin(islands, contacts, movable);
    this.#flesh.begin();
  }

  /** Bodies have gone on for h [s]. */
  moved(movable: Uint8Array, h: number): void {
    this.#flesh.notePositions(movable, h);
    giveBackCouples(this.#rows, movable, h);
  }

  /** Velocities have been solved and taken over, with these contacts. */
  end(islands: Islands, contacts: ContactList, movable: Uint8Array, gravity: Float64Array, h: number): void {
    this.#free.end(islands, contacts, movable);
    this.#flesh.end(islands, this.#free.isFree, gravity, h);
  }
}

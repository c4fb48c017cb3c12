/**
 * One person's match as their client got it: every message with its arrival, and every command that
 * their hands gave. A replay feeds both to another client, which then plays the same match, so
 * clients are compared without chance.
 */
import type { DragonCommand } from "../../../../shared/games/dragons/declaration.ts";
import type { CommandSource } from "../../../../client/session/session.ts";
import type { Clock } from "../../../../shared/netcode/link.ts";
import type { Tick } from "../../../../shared/netcode/game.ts";
import type { CommandArrival } from "../queues/oracle.ts";

export interface Arrival {
  /** ms on the client's clock. */
  readonly atMs: number;
  readonly message: Uint8Array;
}

/** @typeParam Command of the game that they play */
export class PersonRecording<Command = DragonCommand> {
  readonly ordered: boolean;
  readonly #clock: Clock;
  readonly joinedMs: number;
  /** In order of arrival. */
  readonly arrivals: Arrival[] = [];
  readonly commands = new Map<Tick, Command>();
  /**
   * How their commands arrived at the server, in order of `dueMs`. `playPeople` sets this at the
   * end.
   */
  commandArrivals: readonly CommandArrival[] = [];

  /** Starts when the person joins. @param clock the client's */
  constructor({ ordered, clock }: { ordered: boolean; clock: Clock }) {
    this.ordered = ordered;
    this.#clock = clock;
    this.joinedMs = clock.now();
  }

  /** The options for `Lab.join` that record. */
  record(controls: CommandSource<Command>): {
    readonly commandSource: CommandSource<Command>;
    readonly onArrival: (message: Uint8Array) => void;
  } {
    return {
      commandSource: {
        next: (tick, acknowledged) => {
          const command = controls.next(tick, acknowledged);
          this.commands.set(tick, command);
          return command;
        },
      },
      onArrival: (message) =>
        this.arrivals.push({ atMs: this.#clock.now(), message: message.slice() }),
    };
  }
}

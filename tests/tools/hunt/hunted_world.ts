/** What players, strangers and faults see of a hunted world. */
import type { SeatId, Simulation, Tick } from "../../../shared/netcode/game.ts";
import type { ResumeToken } from "../../../shared/netcode/wire/messages.ts";
import type { Connection, ConnectionOptions, ConnectionWorld } from "./clients/connection.ts";
import type { DeathPlan, HuntedLogs } from "./hunted_logs.ts";
import type { HuntedAdmission, OnAnswer } from "./hunted_admission.ts";
import type { HuntedGame, PlayerSetup } from "./schedule.ts";
import type { Witness } from "./witness.ts";

/** A ticket that admits nobody. */
export interface WorthlessTicket {
  readonly ticket: string;
  /** The words with which a server may refuse it. */
  readonly words: readonly string[];
}

/** A player who wants to play all the time. */
export interface HuntedResident<Command, Sim extends Simulation<Command>> {
  readonly connection: Connection<Command, Sim> | undefined;
  /** Tokens that it had before, newest last. */
  readonly oldTokens: readonly ResumeToken[];
  /** Leaves for good; another player comes after a while. */
  leave(awayMs: number): void;
  /** Ends its program without a word. @param awayMs until it runs again, and shows its token */
  crash(awayMs: number): void;
  /** Joins again while the older connection is still open. */
  takeOver(): void;
  /** Cuts its connection, and lets the next one carry nothing for `ms`. */
  hangNext(ms: number): void;
  /** Asks for a ticket with its seat's token. */
  askForTicket(onAnswer: OnAnswer): void;
  /**
   * Ends its program without a word, and comes back with a ticket that admits nobody.
   * @param awayMs as for `crash`
   */
  comeBackWith(ticket: WorthlessTicket, awayMs: number): void;
}

/** A stranger without a session, which may send any commands. */
export interface HuntedStranger {
  mayHaveGiven(seat: SeatId): boolean;
}

export interface HuntedWorld<Command, Sim extends Simulation<Command>>
  extends ConnectionWorld<Command, Sim> {
  readonly game: HuntedGame;
  /** The hunted room's code. */
  readonly room: string;
  readonly logs: HuntedLogs<Command>;
  readonly admission: HuntedAdmission;
  readonly residents: readonly HuntedResident<Command, Sim>[];
  readonly strangers: HuntedStranger[];
  /** Whether there is a server. */
  readonly isUp: boolean;
  /** Since when there is a server, or when there will be one, ms on the lab's clock. */
  readonly upAtMs: number;
  /** The match's newest tick; 0 before its first. */
  readonly tick: Tick;
  /** The match's log. */
  readonly witness: Witness<Command> | undefined;
  /** Lets a client join. */
  connect(options: Omit<ConnectionOptions, "room"> & { room?: string }): Connection<Command, Sim>;
  /** Keeps checking a connection that no player uses any more. */
  watch(connection: Connection<Command, Sim>): void;
  later(ms: number, act: () => void): void;
  /** Kills the server now, or at a planned point. @param options.downMs until another one runs */
  killServer(options: { plan?: DeathPlan; downMs: number }): void;
  /** Changes a bit in the newest record while no server runs. @param draw which bit */
  changeNewestRecord(draw: number): void;
  /**
   * Hears what a client gets, so that it can be compared with what happens; undefined for a client
   * that cannot be heard.
   */
  newListener(line: PlayerSetup): ((message: Uint8Array) => void) | undefined;
}

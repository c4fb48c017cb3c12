/** The world of a hunt, as its players, its strangers and its faults see it. */
import type { SeatId, Simulation, Tick } from "../../../shared/netcode/game.ts";
import type { ResumeToken } from "../../../shared/netcode/wire/messages.ts";
import type { Connection, ConnectionOptions, ConnectionWorld } from "./clients/connection.ts";
import type { DeathPlan, HuntedLogs } from "./hunted_logs.ts";
import type { HuntedAdmission, OnAnswer } from "./hunted_admission.ts";
import type { HuntedGame, PlayerSetup } from "./schedule.ts";
import type { Witness } from "./witness.ts";

/** A ticket that lets nobody in. */
export interface WorthlessTicket {
  readonly ticket: string;
  /** The words with which a server may refuse it. */
  readonly words: readonly string[];
}

/** A player who wants to play all the time. */
export interface HuntedResident<Command, Sim extends Simulation<Command>> {
  readonly connection: Connection<Command, Sim> | undefined;
  /** Tokens that were its own before, the newest last. */
  readonly oldTokens: readonly ResumeToken[];
  /** Leaves for good; somebody else comes after a while. */
  leave(awayMs: number): void;
  /** Its program ends without a word. @param awayMs until it runs again, and shows its token */
  crash(awayMs: number): void;
  /** Joins again while the older connection is still there. */
  takeOver(): void;
  /** Its line is cut, and the next one carries nothing for `ms`. */
  hangNext(ms: number): void;
  /** Asks for a ticket with the token of its seat. */
  askForTicket(onAnswer: OnAnswer): void;
  /**
   * Its program ends without a word, and comes back with a ticket that lets nobody in.
   * @param awayMs as for `crash`
   */
  comeBackWith(ticket: WorthlessTicket, awayMs: number): void;
}

/** A stranger without a session, whose commands may be any. */
export interface HuntedStranger {
  mayHaveGiven(seat: SeatId): boolean;
}

export interface HuntedWorld<Command, Sim extends Simulation<Command>>
  extends ConnectionWorld<Command, Sim> {
  readonly game: HuntedGame;
  /** The code of the hunted room. */
  readonly room: string;
  readonly logs: HuntedLogs<Command>;
  readonly admission: HuntedAdmission;
  readonly residents: readonly HuntedResident<Command, Sim>[];
  readonly strangers: HuntedStranger[];
  /** Whether there is a server. */
  readonly isUp: boolean;
  /** Since when there is a server, or from when there will be, ms on the lab's clock. */
  readonly upAtMs: number;
  /** The newest tick of the match; 0 before it. */
  readonly tick: Tick;
  /** The log of the match. */
  readonly witness: Witness<Command> | undefined;
  /** Lets a client join. */
  connect(options: Omit<ConnectionOptions, "room"> & { room?: string }): Connection<Command, Sim>;
  /** A connection that is nobody's any more still is checked. */
  watch(connection: Connection<Command, Sim>): void;
  later(ms: number, act: () => void): void;
  /** The server dies now, or at a planned point. @param options.downMs until another one runs */
  killServer(options: { plan?: DeathPlan; downMs: number }): void;
  /** A bit of the newest record changes while no server runs. @param draw which one */
  changeNewestRecord(draw: number): void;
  /**
   * Hears what a client gets, so that it can be compared with what happens; undefined for one that
   * cannot be heard.
   */
  newListener(line: PlayerSetup): ((message: Uint8Array) => void) | undefined;
}

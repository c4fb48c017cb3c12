/** The options of a match, and a client's request to join it. */
import type { LogState } from "../../shared/netcode/match_log/records.ts";
import type { HeldBack } from "./limit_watch.ts";
import type { MatchRecorder } from "./match_recorder.ts";
import type { MatchReferee } from "./order/match_referee.ts";
import type { Difference } from "./order/ordering.ts";
import type { RoundOver } from "./round_watch.ts";
import type { HashToken } from "./seats/player.ts";
import type { ClientObserver } from "./clients/client_list.ts";
import type { Peer } from "./clients/peer.ts";
import type { NpcRandom, Tick } from "../../shared/netcode/game.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import type { Hello, ResumeToken } from "../../shared/netcode/wire/messages.ts";
import type { NameForms } from "./seats/player_names.ts";
import type { ContractFault } from "../../shared/netcode/twin_check.ts";
import type { Deflate } from "../../shared/netcode/wire/packed_snapshot.ts";

/** Where a match stood when its log was written. */
export type MatchState<Command> = Omit<LogState<Command>, "type" | "hash">;

export interface MatchOptions<Command> {
  /** NPC seats at the start, 0 … 16. */
  readonly npcs: number;
  /** Unsigned, 32 bits. */
  readonly seed: number;
  /** The random numbers that NPCs draw; by default derived from the seed, as in tests. */
  readonly npcRandom?: NpcRandom;
  /** The room's options (`GameOptions.choices`); by default each has its first value. */
  readonly choices?: readonly number[];
  /**
   * With "state" every client that supports the body stream uses it, and all others get the full
   * state each tick.
   */
  readonly stream: "commands" | "state";
  readonly clock: Clock;
  /** Due time of the tick before the match's first, ms on the clock; by default now. */
  readonly dueMs?: number;
  /** @returns a new token each time, one that cannot be guessed */
  readonly newToken: () => ResumeToken;
  /** Makes the forms of names: two players in one match cannot share a form. */
  readonly nameForms: NameForms;
  /** Hashes tokens; without it tokens are kept as they are, as in tests. */
  readonly hashToken?: HashToken | undefined;
  /** Writes the match's log; without it the match ends with its process. */
  readonly recorder?: MatchRecorder<Command> | undefined;
  /** Called with each finished round, once its tick is in the log. */
  readonly onRoundOver?: ((round: RoundOver) => void) | undefined;
  /** The state in a log from which the match goes on; without it the match begins. */
  readonly from?: MatchState<Command> | undefined;
  /** What players read who are back in their seats of such a state; by default about the server. */
  readonly restoredText?: string;
  /**
   * Whether NPCs keep the seats of players who do not return; by default such a seat becomes free
   * after at most 30 s.
   */
  readonly keepsSeats?: boolean;
  /**
   * How long a player may go without a command that differs from the previous one, s, before losing
   * the seat. Before that an NPC takes over. By default players may stand still for ever.
   */
  readonly idleSeconds?: number;
  /** Whether players may tune the game's constants: only in development. */
  readonly isTunable?: boolean;
  /** Hears of each client that comes and goes. */
  readonly observer?: ClientObserver | undefined;
  /** Compresses states; without it they are sent uncompressed. */
  readonly deflate?: Deflate | undefined;
  /**
   * Replays the match at another time. If it is given, the match only orders commands and simulates
   * nothing (DESIGN 22).
   */
  readonly referee?: MatchReferee<Command> | undefined;
  /** Called with each client that contradicts the referee. */
  readonly onDifference?: ((difference: Difference<Command>) => void) | undefined;
  /** Called when a match that only ordered commands begins to simulate. */
  readonly onSimulated?: ((tick: Tick) => void) | undefined;
  /** Called when a limit of the game holds something back, once for each kind. */
  readonly onHeldBack?: ((heldBack: HeldBack) => void) | undefined;
  /**
   * Called with each fault that a twin finds. If it is given, the match is watched, and a tick
   * takes about four times as long.
   */
  readonly onFault?: ((fault: ContractFault) => void) | undefined;
}

/** A client's request to join. */
export interface JoinRequest {
  /** Printable; empty for a player who lets the server choose. */
  readonly name: string;
  /** Whether the client only watches, and requests no seat. */
  readonly spectate: boolean;
  /** How the client uses the body stream; by default not at all. */
  readonly bodyStreamMode?: Hello["bodyStreamMode"];
  /** The token for the seat that the player had. An unknown token is ignored. */
  readonly resume: ResumeToken | undefined;
  /** Who is at the other end of the link; by default a peer on this machine. */
  readonly peer?: Peer;
}

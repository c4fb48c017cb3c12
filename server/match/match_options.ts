/** The options of a match, and a client's request to join it. */
import type { LogState } from "../../shared/netcode/match_log/records.ts";
import type { HeldBack } from "./limit_watch.ts";
import type { MatchRecorder } from "./match_recorder.ts";
import type { RoundOver } from "./round_watch.ts";
import type { HashToken } from "./seats/player.ts";
import type { ClientObserver } from "./clients/client_list.ts";
import type { Peer } from "./clients/peer.ts";
import type { NpcRandom } from "../../shared/netcode/game.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import type { Hello, ResumeToken } from "../../shared/netcode/wire/messages.ts";
import type { NameForms } from "./seats/player_names.ts";
import type { ContractFault } from "../../shared/netcode/twin_check.ts";
import type { Deflate } from "../../shared/netcode/wire/packed_snapshot.ts";

/** Where a match stood. */
export type MatchState<Command> = Omit<LogState<Command>, "type" | "hash">;

export interface MatchOptions<Command> {
  /** NPC seats at the start, 0 … 16. */
  readonly npcs: number;
  /** Unsigned, 32 bits. */
  readonly seed: number;
  /** What NPCs draw from; by default it comes from the seed, as in tests. */
  readonly npcRandom?: NpcRandom;
  /** The room's options (`GameOptions.choices`); without any, each has its first value. */
  readonly choices?: readonly number[];
  /**
   * With "state" every client that supports the body stream is on it. All others get the full state
   * each tick.
   */
  readonly stream: "commands" | "state";
  readonly clock: Clock;
  /** Due time of the tick before the match's first, ms on the clock; by default now. */
  readonly dueMs?: number;
  /** @returns a new token each time, which cannot be guessed */
  readonly newToken: () => ResumeToken;
  /** Two players with names that share a form are not in one match. */
  readonly nameForms: NameForms;
  /** Hashes tokens; without it a match in a test keeps them as they are. */
  readonly hashToken?: HashToken | undefined;
  /** Writes the match's log; without it the match ends with its process. */
  readonly recorder?: MatchRecorder<Command> | undefined;
  /** Called with each round that has ended, when its tick is in the log. */
  readonly onRoundOver?: ((round: RoundOver) => void) | undefined;
  /** The state of a log from which the match goes on; without it the match begins. */
  readonly from?: MatchState<Command> | undefined;
  /**
   * Whether NPCs keep the seats of players who do not return; by default a seat is free after at
   * most 30 s.
   */
  readonly keepsSeats?: boolean;
  /**
   * After so long without a command that differs from the one before, s, a player loses the seat,
   * and an NPC plays before that; by default players may stand still for ever.
   */
  readonly idleSeconds?: number;
  /** Hears of each client that comes and goes. */
  readonly observer?: ClientObserver | undefined;
  /** Compresses states; without it they are sent uncompressed. */
  readonly deflate?: Deflate | undefined;
  /** Called when a limit of the game holds something back, once for each kind. */
  readonly onHeldBack?: ((heldBack: HeldBack) => void) | undefined;
  /**
   * Called with each fault that a twin finds. With it the match is watched: a tick then takes about
   * four times as long.
   */
  readonly onFault?: ((fault: ContractFault) => void) | undefined;
}

/** A client's request to join. */
export interface JoinRequest {
  /** Printable; empty for a player who leaves the choice to the server. */
  readonly name: string;
  /** Whether the client requests no seat. */
  readonly spectate: boolean;
  /** How the client uses the body stream; by default not at all. */
  readonly bodyStreamMode?: Hello["bodyStreamMode"];
  /** The token of the seat that the player had. An unknown token counts as none. */
  readonly resume: ResumeToken | undefined;
  /** Who is at the other end of the link; by default a peer on this machine. */
  readonly peer?: Peer;
}

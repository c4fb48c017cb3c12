/** What a match is made with, and how somebody comes in. */
import type { Clock } from "../../shared/netcode/link.ts";
import type { Hello, ResumeToken } from "../../shared/netcode/wire/messages.ts";
import type { Deflate } from "./broadcast/tick_broadcaster.ts";

export interface MatchOptions {
  /** NPC seats from the start, 0 … 16. */
  readonly npcs: number;
  /** Unsigned, 32 bits. */
  readonly seed: number;
  /** "state" puts everyone on the state stream who is able to; others get the whole state each tick. */
  readonly stream: "commands" | "state";
  readonly clock: Clock;
  /** When the tick before its first is due, or was, ms on the clock; now, where it is not given. */
  readonly dueMs?: number;
  /** A new one each time, not to be guessed. */
  readonly newToken: () => ResumeToken;
  /** How states are made shorter; without it they travel as they are. */
  readonly deflate?: Deflate | undefined;
}

/** How somebody comes in. */
export interface JoinRequest {
  readonly name: string;
  /** Wants no seat, only to see. */
  readonly spectate: boolean;
  /** Of the state stream; not able where not given. */
  readonly bodyStreamMode?: Hello["bodyStreamMode"];
  /** The token of a seat that was his; a wrong one counts as none. */
  readonly resume: ResumeToken | undefined;
}

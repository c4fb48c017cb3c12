/**
 * What the nodes know of matches that hung. A node that was stopped by a match says so when it is
 * back. So does a node if its trial of a match took too long. The next node that takes the match
 * counts it. Each node keeps this only in memory, because the match's own record has the failures
 * of trials.
 */
import * as z from "zod";
import { type Attempts, failedAgain, type MatchFault, NO_ATTEMPTS } from "../match_log/attempts.ts";
import type { LostMatch } from "../match_log/resume_matches.ts";
import { GAME_ID, messageFrom, NODE_NAME, ROOM_NAME } from "../messages/message_parts.ts";

/** Matches that are remembered; of more the oldest are forgotten. */
const MATCHES_MAX = 1_000;
/** Failures of one match that are remembered. Two set it aside. */
const FAILURES_MAX = 8;

const MATCH_ID = z.string().min(1).max(64);

const MESSAGE = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("failed"), node: NODE_NAME, id: MATCH_ID, tick: z.int().min(0) }),
  z.object({
    kind: z.literal("set aside"),
    node: NODE_NAME,
    id: MATCH_ID,
    gameId: GAME_ID,
    room: ROOM_NAME,
  }),
]);

type Message = z.output<typeof MESSAGE>;

export interface KnownFaultsOptions {
  readonly node: string;
  readonly channel: { publish(subject: string, text: string): void };
  /** Another node has set a match aside. */
  readonly onSetAside: (match: LostMatch) => void;
}

/** The subject of these messages. @param node its name, or `*` for all nodes */
export function faultSubject(node: string): string {
  return `fault.${node}`;
}

export class KnownFaults {
  readonly #options: KnownFaultsOptions;
  /** By the name of the match's log: the ticks at which it hung, in the order of the messages. */
  readonly #ticks = new Map<string, number[]>();

  constructor(options: KnownFaultsOptions) {
    this.#options = options;
  }

  /** This node was stopped by a match, or its trial of one took too long. */
  failed({ matchId: id, tick }: Pick<MatchFault, "matchId" | "tick">): void {
    this.#note(id, tick);
    this.#publish({ kind: "failed", node: this.#options.node, id, tick });
  }

  /** This node has set a match aside. */
  setAside({ id, gameId, room }: LostMatch): void {
    this.#ticks.delete(id);
    this.#publish({ kind: "set aside", node: this.#options.node, id, gameId, room });
  }

  /** Takes a message of another node. */
  hear(bytes: Uint8Array): void {
    const message = messageFrom(MESSAGE, bytes);
    if (message === undefined || message.node === this.#options.node) return;
    if (message.kind === "failed") return this.#note(message.id, message.tick);
    this.#ticks.delete(message.id);
    this.#options.onSetAside(message);
  }

  /** The failures of a match, as far as this node has heard. @param tickHz of its game */
  failuresOf(id: string, tickHz: number): number {
    const ticks = this.#ticks.get(id) ?? [];
    const count = (attempts: Attempts, tick: number) => failedAgain(attempts, { tick, tickHz });
    return ticks.toSorted((a, b) => a - b).reduce(count, NO_ATTEMPTS).failures;
  }

  #note(id: string, tick: number): void {
    const ticks = [...this.#ticks.get(id) ?? [], tick].slice(-FAILURES_MAX);
    // The newest stand last.
    this.#ticks.delete(id);
    this.#ticks.set(id, ticks);
    const [oldest] = this.#ticks.keys();
    if (this.#ticks.size > MATCHES_MAX) this.#ticks.delete(oldest!);
  }

  #publish(message: Message): void {
    this.#options.channel.publish(faultSubject(message.node), JSON.stringify(message));
  }
}

/**
 * What the nodes know about matches that hung. When a match stopped a node, the node says so once
 * it is back; a node also says so when its trial of a match took too long. The next node that takes
 * the match counts these failures. Each node keeps them only in memory, because the match's own
 * record holds the failures of trials.
 */
import * as z from "zod";
import { type Attempts, failedAgain, NO_ATTEMPTS } from "../match_log/attempts.ts";
import type { Fault } from "../supervision/faults.ts";
import type { LostMatch } from "../rooms/resume_matches.ts";
import { GAME_ID, messageFrom, NODE_NAME, ROOM_NAME } from "../messages/message_parts.ts";

/** How many matches are remembered. Beyond that the oldest are forgotten. */
const MATCHES_MAX = 1_000;
/** How many failures of one match are remembered. Two set it aside. */
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
  readonly bus: { publish(subject: string, text: string): void };
  /** Called when another node has set a match aside. */
  readonly onSetAside: (match: LostMatch) => void;
}

/** The subject of these messages. @param node the sender's name, or `*` for all nodes */
export function faultSubject(node: string): string {
  return `fault.${node}`;
}

export class KnownFaults {
  readonly #options: KnownFaultsOptions;
  /**
   * The ticks at which a match hung, by its log's name, in the order in which the messages came.
   */
  readonly #ticks = new Map<string, number[]>();

  constructor(options: KnownFaultsOptions) {
    this.#options = options;
  }

  /**
   * Notes and tells the others that a match stopped this node, or that its trial took too long
   * here.
   */
  failed({ matchId: id, tick }: Pick<Fault, "matchId" | "tick">): void {
    this.#note(id, tick);
    this.#publish({ kind: "failed", node: this.#options.node, id, tick });
  }

  /** Notes a failure that this node's gateway has told the others. */
  note({ matchId: id, tick }: Pick<Fault, "matchId" | "tick">): void {
    this.#note(id, tick);
  }

  /** Tells the others that this node has set a match aside. */
  setAside({ id, gameId, room }: LostMatch): void {
    this.#ticks.delete(id);
    this.#publish({ kind: "set aside", node: this.#options.node, id, gameId, room });
  }

  /** Takes another node's message. */
  hear(bytes: Uint8Array): void {
    const message = messageFrom(MESSAGE, bytes);
    if (message === undefined || message.node === this.#options.node) return;
    if (message.kind === "failed") return this.#note(message.id, message.tick);
    this.#ticks.delete(message.id);
    this.#options.onSetAside(message);
  }

  /**
   * Counts a match's failures that this node has heard of.
   * @param tickHz its game's ticks per second
   */
  failuresOf(id: string, tickHz: number): number {
    const ticks = this.#ticks.get(id) ?? [];
    const count = (attempts: Attempts, tick: number) => failedAgain(attempts, { tick, tickHz });
    return ticks.toSorted((a, b) => a - b).reduce(count, NO_ATTEMPTS).failures;
  }

  #note(id: string, tick: number): void {
    const ticks = [...this.#ticks.get(id) ?? [], tick].slice(-FAILURES_MAX);
    // Moves the match to the end of the map's order, which runs from oldest to newest.
    this.#ticks.delete(id);
    this.#ticks.set(id, ticks);
    const [oldest] = this.#ticks.keys();
    if (this.#ticks.size > MATCHES_MAX) this.#ticks.delete(oldest!);
  }

  #publish(message: Message): void {
    this.#options.bus.publish(faultSubject(message.node), JSON.stringify(message));
  }
}

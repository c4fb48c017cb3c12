/**
 * Finds the node that has a room in the log that all machines share: the match's newest record
 * names it. If the owner has missed a heartbeat, it may be gone: then the client waits for its next
 * heartbeat, or for another owner.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import { CloseCode } from "../../shared/netcode/wire/messages.ts";
import { GOING_AWAY, StopReason } from "../../shared/netcode/wire/stop_reasons.ts";
import type { HelloRefusal } from "../capacity/capacity_check.ts";
import type { EntryRequest } from "../capacity/request_fault.ts";
import { type LastOutcome, type RecordStore, subjectOf } from "../match_log/nats/record_store.ts";
import { SILENCE_MS } from "../bus/missed_heartbeats.ts";
import type { FoundRoom, Home } from "./home.ts";
import { MISSED_MS, type Nodes } from "./nodes.ts";

/**
 * How long a client waits while a match is being taken over, ms: long enough for the node to count
 * as gone and for all of its matches to be taken.
 */
const UNTIL_TAKEN_MS = 4_000;
/** How often the newest record of an awaited room is read, ms. */
const LOOK_EVERY_MS = 20;
/** How many clients may wait. Further ones come again by themselves. */
const WAITING_MAX = 1_024;

const BUSY: HelloRefusal = {
  code: CloseCode.busy,
  reason: "this match is on its way to another machine; try again in 10 s",
};
/** The client asks again sooner than it would at a full server. */
export const ELSEWHERE: HelloRefusal = { code: GOING_AWAY, reason: StopReason.moved };

export interface LogOwnersOptions {
  readonly store: Pick<RecordStore, "lastOnce">;
  readonly nodes: Pick<Nodes, "get" | "silentMs" | "rankedFor">;
  readonly clock: Clock;
  readonly wait: (ms: number) => Promise<void>;
}

export class LogOwners {
  readonly #options: LogOwnersOptions;
  /**
   * By subject: the next read of a room's newest record, which all clients that await the room
   * share.
   */
  readonly #looks = new Map<string, Promise<LastOutcome>>();
  #waiting = 0;

  constructor(options: LogOwnersOptions) {
    this.#options = options;
  }

  /** @returns the match's owner, or a node of this machine if the match has no owner */
  async find(
    request: EntryRequest,
    home: Pick<Home, "self" | "isStopping" | "nodeWith" | "nodeFor">,
  ): Promise<FoundRoom | HelloRefusal> {
    const { nodes, store, clock } = this.#options;
    const { gameId, room } = request;
    const subject = subjectOf(gameId, room);
    const endMs = clock.now() + UNTIL_TAKEN_MS;
    if (this.#waiting >= WAITING_MAX) return BUSY;

    this.#waiting++;
    try {
      let look = () => store.lastOnce(subject);
      do {
        // A node here runs the match, or may begin it
        const here = home.nodeWith(gameId, room);
        if (here !== undefined && !home.isStopping) return { node: here };
        const last = await look();
        const owner = ownerOf(last, { nodes, self: home.self });
        if (owner === "nobody" && home.isStopping) {
          return { node: nodes.rankedFor(subject)[0]?.node };
        }
        if (owner === "nobody") {
          const node = await home.nodeFor(request);
          return typeof node === "string" ? { node, last } : node;
        }

        // Another node runs it, if that node lives and has the match already. A node that takes a
        // match over has soon read and replayed it, and then writes its first record.
        const isTaken = typeof last === "object" && last.message.kind === "take";
        if (owner !== undefined && !isTaken && this.#isThere(owner, home)) return { node: owner };
        look = () => this.#nextLook(subject);
      } while (clock.now() < endMs);

      return ELSEWHERE;
    } finally {
      this.#waiting--;
    }
  }

  /**
   * Whether a node can be asked for its match now. A node that is stopping hands its matches over in
   * a moment, and this process itself has just said that it lets nobody in.
   */
  #isThere(owner: string, { self }: Pick<Home, "self">): boolean {
    const { nodes } = this.#options;
    return owner !== self && nodes.silentMs(owner) < MISSED_MS &&
      nodes.get(owner)?.leaves === false;
  }

  /**
   * Reads a room's newest record after a pause. All clients that await the room share one read, so
   * the servers are asked once, however many players the match had.
   */
  #nextLook(subject: string): Promise<LastOutcome> {
    let look = this.#looks.get(subject);
    if (look === undefined) {
      const { store, wait } = this.#options;
      look = wait(LOOK_EVERY_MS)
        .then(() => store.lastOnce(subject))
        .finally(() => this.#looks.delete(subject));
      this.#looks.set(subject, look);
    }
    return look;
  }
}

/**
 * @param options.self this process's name, if it runs matches
 * @returns the node that runs a match; "nobody" if no node does; undefined if that is unknown at
 * the moment
 */
export function ownerOf(
  last: LastOutcome,
  { nodes, self }: { nodes: Pick<Nodes, "silentMs">; self: string | undefined },
): string | undefined {
  if (last === "none") return "nobody";
  if (typeof last === "string") return undefined;
  const { kind, node, begin, stateAt } = last.message;
  if (kind === "end") return "nobody";

  // The claim of a node that is gone, or this node's own claim from before its room was free again.
  const isEmpty = begin === undefined && stateAt === 0;
  return isEmpty && (node === self || nodes.silentMs(node) >= SILENCE_MS) ? "nobody" : node;
}

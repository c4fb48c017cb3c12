/**
 * Leads a client of any node to its match. A match's newest record names its owner, so no separate
 * list of owners can be wrong. If the owner has missed a heartbeat, it may be gone: then the client
 * waits for its next heartbeat, or for another owner.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import { CloseCode } from "../../shared/netcode/wire/messages.ts";
import { GOING_AWAY, StopReason } from "../../shared/netcode/wire/stop_reasons.ts";
import type { HelloRefusal } from "../capacity/capacity_check.ts";
import { type LastOutcome, type RecordStore, subjectOf } from "../match_log/nats/record_store.ts";
import type { EntryRequest, Rooms } from "../rooms.ts";
import { ServerSecret } from "../server_secret.ts";
import type { Entrance, NewPeer, Placement } from "../tickets/admission.ts";
import { NODE_CLOCKS_MS_MAX } from "../messages/message_proof.ts";
import { Tickets } from "../tickets/tickets.ts";
import type { ClusterLogs } from "./cluster_logs.ts";
import { MISSED_MS, type NodeHeartbeat, type Nodes } from "./nodes.ts";
import { SILENCE_MS } from "./missed_heartbeats.ts";
import type { TakeOvers } from "./take_overs.ts";

/**
 * How long a client waits while a match is being taken over, ms: long enough for the node to count
 * as gone and for all of its matches to be taken.
 */
const UNTIL_TAKEN_MS = 4_000;
/** How often the newest record of an awaited room is read, ms. */
const LOOK_EVERY_MS = 20;
/** How many clients may wait. Further ones come again by themselves. */
const WAITING_MAX = 1_024;
/** How many nodes' ticket keys this node remembers. */
const TICKETS_MAX = 128;
/** How many other nodes' addresses an answer names: enough that one of them lives. */
const OTHERS_MAX = 4;

const BUSY: HelloRefusal = {
  code: CloseCode.busy,
  reason: "this match is on its way to another machine; try again in 10 s",
};
const IN_DOUBT: HelloRefusal = {
  code: CloseCode.busy,
  reason: "this machine cannot prove itself to the others; try again in 10 s",
};
const ELSEWHERE: HelloRefusal = { code: GOING_AWAY, reason: StopReason.moved };

export interface ClusterEntranceOptions {
  readonly node: string;
  readonly rooms: Pick<Rooms<unknown>, "faultOf" | "refusalOf" | "byGame" | "isStopping">;
  readonly store: RecordStore;
  readonly nodes: Nodes;
  readonly logs: ClusterLogs;
  readonly takeOvers: TakeOvers;
  /** The secret that all nodes share. */
  readonly secret: ServerSecret;
  /** This node's heartbeat. */
  readonly self: () => NodeHeartbeat;
  /** This node's tickets. */
  readonly tickets: Tickets;
  /** Milliseconds since 1970 by the machine's clock. */
  readonly wallClock: Clock;
  readonly clock: Clock;
  readonly wait: (ms: number) => Promise<void>;
}

interface NodePlacement extends Placement {
  readonly isOwn: boolean;
  /** The newest record of a room that nobody owns yet. */
  readonly last?: LastOutcome | undefined;
}

/**
 * The tickets of one process, which no other process accepts. Because other nodes issue them, their
 * time is the machine's clock: a process that began before that clock was set would count
 * differently.
 * @param node the name among the nodes that the process has drawn
 */
export function ticketsOf(
  node: string,
  secret: ServerSecret,
  { clock, wallClock }: Pick<ClusterEntranceOptions, "clock" | "wallClock">,
): Tickets {
  const key = new ServerSecret(secret.bytesFor("node", node));
  return new Tickets(key, wallClock, { apartMsMax: NODE_CLOCKS_MS_MAX, steadyClock: clock });
}

export class ClusterEntrance implements Entrance {
  readonly #options: ClusterEntranceOptions;
  readonly #ticketsByNode = new Map<string, Tickets>();
  /**
   * By subject: the next read of a room's newest record, which all clients that await the room
   * share.
   */
  readonly #looks = new Map<string, Promise<LastOutcome>>();
  #waiting = 0;

  constructor(options: ClusterEntranceOptions) {
    this.#options = options;
  }

  /** The tickets that this node accepts. */
  get tickets(): Tickets {
    return this.#options.tickets;
  }

  faultOf(request: EntryRequest): HelloRefusal | undefined {
    return this.#options.rooms.faultOf(request);
  }

  /** @returns the placement of the match's owner, or of this node if the match has no owner */
  async placementOf({ gameId, room }: EntryRequest): Promise<NodePlacement | HelloRefusal> {
    const { logs, node, nodes, rooms, store, clock } = this.#options;
    const subject = subjectOf(gameId, room);
    const endMs = clock.now() + UNTIL_TAKEN_MS;
    if (this.#waiting >= WAITING_MAX) return BUSY;

    // Others would soon take the room over, because they do not hear this node either.
    if (nodes.isInDoubt) return IN_DOUBT;

    this.#waiting++;
    try {
      let look = () => store.lastOnce(subject);
      do {
        // This node runs the match, or may begin it
        if (logs.mayEnter(gameId, room) && !rooms.isStopping) return this.#ownPlacement(undefined);
        const last = await look();
        const owner = this.#ownerOf(last);
        if (owner === "nobody" && rooms.isStopping) {
          return this.#otherPlacement(nodes.rankedFor(subject)[0]);
        }
        if (owner === "nobody") return this.#ownPlacement(last);

        // Another node runs it, if that node lives and has the match already. A node that takes a
        // match over has soon read and replayed it, and then writes its first record.
        const isTaken = typeof last === "object" && last.message.kind === "take";
        if (
          owner !== undefined && owner !== node && !isTaken && nodes.silentMs(owner) < MISSED_MS
        ) {
          const heartbeat = nodes.get(owner);
          // A node that is stopping hands its matches over in a moment.
          if (heartbeat !== undefined && !heartbeat.leaves) return this.#otherPlacement(heartbeat);
        }

        look = () => this.#nextLook(subject);
      } while (clock.now() < endMs);

      // The client asks again sooner than it would at a full server.
      return ELSEWHERE;
    } finally {
      this.#waiting--;
    }
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

  /**
   * @returns the node that runs a match; "nobody" if no node does; undefined if that is unknown at
   * the moment
   */
  #ownerOf(last: LastOutcome): string | "nobody" | undefined {
    if (last === "none") return "nobody";
    if (typeof last === "string") return undefined;
    const { kind, node, begin, stateAt } = last.message;
    if (kind === "end") return "nobody";

    // The claim of a node that is gone, or this node's own claim from before its room was free
    // again.
    const isEmpty = begin === undefined && stateAt === 0;
    const { nodes, node: own } = this.#options;
    if (isEmpty && (node === own || nodes.silentMs(node) >= SILENCE_MS)) return "nobody";
    return node;
  }

  /**
   * Asks this node's rooms, and claims a room without an owner. If the placement is another node,
   * that node asks its own rooms.
   */
  async refusalOf(request: EntryRequest, peer: NewPeer): Promise<HelloRefusal | undefined> {
    const { rooms, logs } = this.#options;
    const placement = peer.placement as NodePlacement | undefined;
    if (placement === undefined || !placement.isOwn) return undefined;
    const refusal = rooms.refusalOf(request, peer);
    if (refusal !== undefined || placement.last === undefined) return refusal;
    return await logs.enter(request.gameId, request.room, placement.last) ? undefined : ELSEWHERE;
  }

  /** @param last the room's newest record, if the room must be claimed */
  #ownPlacement(last: LastOutcome | undefined): NodePlacement {
    const { tickets, self } = this.#options;
    const { url, datagrams } = self();
    return { server: url, others: this.#othersThan(url), datagrams, tickets, isOwn: true, last };
  }

  #otherPlacement(heartbeat: NodeHeartbeat | undefined): NodePlacement | HelloRefusal {
    if (heartbeat === undefined) return BUSY;
    const { url, node, datagrams } = heartbeat;
    const { secret } = this.#options;
    let tickets = this.#ticketsByNode.get(node);
    if (tickets === undefined) {
      if (this.#ticketsByNode.size >= TICKETS_MAX) this.#ticketsByNode.clear();
      this.#ticketsByNode.set(node, tickets = ticketsOf(node, secret, this.#options));
    }
    return { server: url, others: this.#othersThan(url), datagrams, tickets, isOwn: false };
  }

  #othersThan(url: string): string[] {
    const others = this.#options.nodes.living.filter((each) => !each.leaves && each.url !== url);
    return others.slice(0, OTHERS_MAX).map((each) => each.url);
  }
}

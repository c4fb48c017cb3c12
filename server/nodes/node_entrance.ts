/**
 * Leads a client to the node that has its match:
 *
 *     who has the room? → nobody: a node of this machine → may the client come in? → a ticket for that node
 *
 * Where machines share the matches, the log says who has a room (`LogOwners`), so no separate list
 * can be wrong. A machine by itself knows it from its own processes.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import { CloseCode } from "../../shared/netcode/wire/messages.ts";
import type { HelloRefusal } from "../capacity/capacity_check.ts";
import type { EntryRequest } from "../capacity/request_fault.ts";
import { ServerSecret } from "../ground/server_secret.ts";
import type { Entrance, NewPeer, Placement } from "../tickets/admission.ts";
import { NODE_CLOCKS_MS_MAX } from "../messages/message_proof.ts";
import { Tickets } from "../tickets/tickets.ts";
import type { FoundRoom, Home, NodeAddress } from "./home.ts";
import type { LogOwners } from "./log_owners.ts";
import { type NodeHeartbeat, type Nodes, ticketsAt } from "./nodes.ts";

/** How many nodes' ticket keys are remembered. */
const TICKETS_MAX = 128;
/** How many other addresses an answer names: enough that one of them lives. */
const OTHERS_MAX = 4;

const BUSY: HelloRefusal = {
  code: CloseCode.busy,
  reason: "this match is on its way to another machine; try again in 10 s",
};
const IN_DOUBT: HelloRefusal = {
  code: CloseCode.busy,
  reason: "this machine cannot prove itself to the others; try again in 10 s",
};

export interface NodeEntranceOptions {
  readonly home: Home;
  /** The secret behind all tickets, which all nodes share. */
  readonly secret: ServerSecret;
  /** Undefined for a machine by itself. */
  readonly others: {
    readonly owners: LogOwners;
    readonly nodes: Pick<Nodes, "living" | "get" | "isInDoubt">;
    /** Where tickets are given here. */
    readonly url: string;
  } | undefined;
  /** Milliseconds since 1970 by the machine's clock. */
  readonly wallClock: Clock;
  readonly clock: Clock;
}

interface NodePlacement extends Placement {
  /** The room's node here; undefined for a node of another machine, which asks its own rooms. */
  readonly found: FoundRoom & { readonly node: string } | undefined;
}

/** The key behind the tickets of one node, which no other node accepts. */
export function ticketKeyOf(node: string, secret: ServerSecret): Uint8Array {
  return secret.bytesFor("node", node);
}

/**
 * The tickets of one node. Because other processes issue them, their time is the machine's clock: a
 * process that began before that clock was set would count differently.
 * @param key as `ticketKeyOf` returns it
 */
export function ticketsWith(
  key: Uint8Array,
  { clock, wallClock }: Pick<NodeEntranceOptions, "clock" | "wallClock">,
): Tickets {
  return new Tickets(new ServerSecret(key), wallClock, {
    apartMsMax: NODE_CLOCKS_MS_MAX,
    steadyClock: clock,
  });
}

export class NodeEntrance implements Entrance {
  readonly #options: NodeEntranceOptions;
  readonly #ticketsByNode = new Map<string, Tickets>();

  constructor(options: NodeEntranceOptions) {
    this.#options = options;
  }

  faultOf(request: EntryRequest): HelloRefusal | undefined {
    return this.#options.home.faultOf(request);
  }

  /** @returns the placement at the node that has the room, or gets it */
  async placementOf(
    request: EntryRequest,
    host: string,
  ): Promise<NodePlacement | HelloRefusal> {
    const { home, others } = this.#options;

    // Others would soon take the room over, because they do not hear this node either.
    if (others?.nodes.isInDoubt) return IN_DOUBT;

    let found: FoundRoom | HelloRefusal;
    if (others === undefined) {
      const node = await home.nodeFor(request);
      found = typeof node === "string" ? { node } : node;
    } else found = await others.owners.find(request, home);
    if ("code" in found) return found;

    const { node, last } = found;
    if (node === undefined) return BUSY;
    const own = home.addressOf(node, host);
    if (own !== undefined) return this.#placementAt({ node, last }, own);
    const heartbeat = others?.nodes.get(node);
    return heartbeat === undefined ? BUSY : this.#placementElsewhere(heartbeat);
  }

  /** If the placement is another machine's node, that node asks its own rooms. */
  refusalOf(
    request: EntryRequest,
    peer: NewPeer,
  ): Promise<HelloRefusal | undefined> | HelloRefusal | undefined {
    const { found } = peer.placement as NodePlacement;
    return found && this.#options.home.refusalOf(request, { ...peer, room: found });
  }

  /** Makes tickets that a node accepts. */
  ticketsOf(node: string): Tickets {
    let tickets = this.#ticketsByNode.get(node);
    if (tickets === undefined) {
      if (this.#ticketsByNode.size >= TICKETS_MAX) this.#ticketsByNode.clear();
      tickets = ticketsWith(ticketKeyOf(node, this.#options.secret), this.#options);
      this.#ticketsByNode.set(node, tickets);
    }
    return tickets;
  }

  #placementAt(
    found: FoundRoom & { readonly node: string },
    { server, datagrams }: NodeAddress,
  ): NodePlacement {
    const { others } = this.#options;
    return {
      server,
      datagrams,
      tickets: this.ticketsOf(found.node),
      found,
      ...others && { others: this.#othersThan(others.url) },
    };
  }

  #placementElsewhere(heartbeat: NodeHeartbeat): NodePlacement {
    const { url: server, node, datagrams } = heartbeat;
    return {
      server,
      others: this.#othersThan(ticketsAt(heartbeat)),
      datagrams,
      tickets: this.ticketsOf(node),
      found: undefined,
    };
  }

  /** Where else tickets are given. */
  #othersThan(url: string): string[] {
    const living = this.#options.others?.nodes.living ?? [];
    const origins = new Set(living.filter(({ leaves }) => !leaves).map(ticketsAt));
    origins.delete(url);
    return [...origins].slice(0, OTHERS_MAX);
  }
}

/** The rooms of this process as a home of players: it decides by itself whom it lets in. */
import type { DatagramOffer } from "../../shared/netcode/link.ts";
import type { HelloRefusal } from "../capacity/capacity_check.ts";
import type { EntryRequest } from "../capacity/request_fault.ts";
import { type LastOutcome, type RecordStore, subjectOf } from "../match_log/nats/record_store.ts";
import type { Rooms } from "../rooms/rooms.ts";
import type { NewPeer } from "../tickets/admission.ts";
import type { ClusterLogs } from "./cluster_logs.ts";
import { ELSEWHERE, ownerOf } from "./log_owners.ts";
import type { FoundRoom, Home, NodeAddress } from "./home.ts";
import type { Nodes } from "./nodes.ts";

export interface OwnRoomsOptions {
  readonly node: string;
  readonly rooms: Pick<Rooms<unknown>, "faultOf" | "refusalOf" | "isStopping">;
  readonly logs: Pick<ClusterLogs, "plays" | "enter">;
  readonly store: Pick<RecordStore, "lastOnce">;
  readonly nodes: Pick<Nodes, "silentMs">;
  /** Where players reach this process. */
  readonly url: string;
  readonly datagrams: () => DatagramOffer | undefined;
}

export class OwnRooms implements Home {
  readonly #options: OwnRoomsOptions;

  constructor(options: OwnRoomsOptions) {
    this.#options = options;
  }

  get self(): string {
    return this.#options.node;
  }

  get isStopping(): boolean {
    return this.#options.rooms.isStopping;
  }

  faultOf(request: EntryRequest): HelloRefusal | undefined {
    return this.#options.rooms.faultOf(request);
  }

  nodeWith(gameId: string, room: string): string | undefined {
    const { logs, node } = this.#options;
    return logs.plays(gameId, room) ? node : undefined;
  }

  nodeFor(): Promise<string> {
    return Promise.resolve(this.#options.node);
  }

  addressOf(node: string): NodeAddress | undefined {
    const { node: own, url, datagrams } = this.#options;
    return node === own ? { server: url, datagrams: datagrams() } : undefined;
  }

  async refusalOf(
    request: EntryRequest,
    { room: { last }, ...peer }: NewPeer & { readonly room: FoundRoom },
  ): Promise<HelloRefusal | undefined> {
    return this.#options.rooms.refusalOf(request, peer) ?? await this.#claim(request, last);
  }

  /**
   * Decides about a client that another process of this machine leads here, which has not read the
   * room's records.
   */
  async enter(request: EntryRequest, peer: NewPeer): Promise<HelloRefusal | undefined> {
    const { rooms, logs, store, nodes, node } = this.#options;
    const { gameId, room } = request;
    const refusal = rooms.faultOf(request) ?? rooms.refusalOf(request, peer);
    if (refusal !== undefined || logs.plays(gameId, room)) return refusal;

    const last = await store.lastOnce(subjectOf(gameId, room));
    const owner = ownerOf(last, { nodes, self: node });
    return owner === "nobody" ? await this.#claim(request, last) : ELSEWHERE;
  }

  /** Makes a room this node's. @param last its newest record; undefined if it is already */
  async #claim(
    { gameId, room }: EntryRequest,
    last: LastOutcome | undefined,
  ): Promise<HelloRefusal | undefined> {
    if (last === undefined) return undefined;
    return await this.#options.logs.enter(gameId, room, last) ? undefined : ELSEWHERE;
  }
}

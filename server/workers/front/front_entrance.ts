/**
 * Finds the match process for a room on behalf of the front process, and asks it whether it takes a
 * client. An address's places are counted over all processes, including its unused tickets.
 */
import type { Game } from "../../../shared/netcode/game.ts";
import { CloseCode } from "../../../shared/netcode/wire/messages.ts";
import {
  type HelloRefusal,
  NO_PLACES,
  noRoom,
  type Places,
  sumOfPlaces,
} from "../../capacity/capacity_check.ts";
import { requestFaultOf } from "../../capacity/request_fault.ts";
import type { EntryRequest } from "../../rooms.ts";
import type { Entrance, NewPeer, Placement } from "../../tickets/admission.ts";
import { GOING_AWAY, STOPPING, StopReason } from "../../../shared/netcode/wire/stop_reasons.ts";
import type { Tickets } from "../../tickets/tickets.ts";
import type { OpenTickets } from "./open_tickets.ts";
import type { RoomDirectory } from "./room_directory.ts";
import type { WorkerAddresses } from "./worker_addresses.ts";
import type { WorkerProcess } from "./worker_process.ts";

/**
 * How long a client waits for a process that is being restarted, ms: half a second, or more with
 * many matches.
 */
const UNTIL_UP_MS = 5_000;
/** How many clients may wait for a process. Further ones come again by themselves. */
const WAITING_MAX = 1_024;

const BUSY: HelloRefusal = {
  code: CloseCode.busy,
  reason: "the machine is busy; try again in 10 s",
};

/** A placement at a match process. */
interface WorkerPlacement extends Placement {
  /** The process's number, from 1. */
  readonly worker: number;
}

export interface FrontEntranceOptions {
  readonly workers: readonly WorkerProcess[];
  /** Each process's tickets, at its number less one. */
  readonly tickets: readonly Tickets[];
  readonly directory: RoomDirectory;
  readonly addresses: WorkerAddresses;
  readonly openTickets: OpenTickets;
  /** The hosted games, by name. */
  readonly games: Readonly<Record<string, Game<unknown>>>;
  readonly isStopping: () => boolean;
  /** Whether matches outlive their process. */
  readonly hasLogs: boolean;
}

export class FrontEntrance implements Entrance {
  readonly #options: FrontEntranceOptions;
  readonly #nameById: ReadonlyMap<string, string>;
  #waiting = 0;

  constructor(options: FrontEntranceOptions) {
    this.#options = options;
    this.#nameById = new Map(Object.entries(options.games).map(([name, { id }]) => [id, name]));
  }

  faultOf(request: EntryRequest): HelloRefusal | undefined {
    return requestFaultOf(request, [...this.#nameById.keys()]);
  }

  /** @returns the placement at the process that has the room, or gets it */
  async placementOf(
    { gameId, room, spectate, resume }: EntryRequest,
    host: string,
  ): Promise<WorkerPlacement | HelloRefusal> {
    const { directory, workers, tickets, addresses } = this.#options;

    // Only a player's request assigns a room to a process.
    const game = this.#nameById.get(gameId)!;
    if (spectate && directory.find(game, room) === undefined) return noRoom(room);
    const number = directory.assign(game, room);
    if (number === undefined) return BUSY;

    const worker = workers[number - 1]!;
    if (worker.state !== "up" && !await this.#untilUp(worker)) {
      return this.#options.isStopping() ? this.#stopOf({ resume }) : BUSY;
    }

    return {
      server: addresses.addressOf(number, host),
      datagrams: worker.report?.datagrams,
      worker: number,
      tickets: tickets[number - 1]!,
    };
  }

  /**
   * Refuses a client because its process is stopping. A player with a seat comes again as after a
   * lost connection, because the next process may be there soon.
   */
  #stopOf({ resume }: Pick<EntryRequest, "resume">): HelloRefusal {
    if (resume === undefined) return { code: CloseCode.busy, reason: STOPPING };
    return { code: GOING_AWAY, reason: this.#options.hasLogs ? StopReason.kept : StopReason.over };
  }

  async #untilUp(worker: WorkerProcess): Promise<boolean> {
    if (this.#waiting >= WAITING_MAX || this.#options.isStopping()) return false;
    this.#waiting++;
    const isUp = await worker.untilUp(UNTIL_UP_MS);
    this.#waiting--;
    return isUp;
  }

  /**
   * Takes a place for the ticket before asking, so that two requests at once do not both find the
   * last place.
   */
  async refusalOf(
    request: EntryRequest,
    { addressBlock, ticket, placement }: NewPeer,
  ): Promise<HelloRefusal | undefined> {
    const { openTickets, workers } = this.#options;
    const worker = workers[(placement as WorkerPlacement).worker - 1]!;

    // The address's places, and one more
    const own = openTickets.placesOf(addressBlock);
    const opened = openTickets.add(addressBlock, { isPlayer: !request.spectate });
    const elsewhere = sumOfPlaces([own, ...await this.#elsewhere(worker, addressBlock)]);

    // What the room's process answers
    const entry = { request: plainRequest(request), addressBlock, ticket: ticket!, elsewhere };
    const refusal = await worker.ask({ what: "refusal", entry });
    if (refusal === null) return undefined;
    opened.remove();
    // A process that has ended meanwhile does not answer.
    const hasEnded = refusal === undefined && worker.state !== "up";
    return hasEnded || refusal?.reason === STOPPING ? this.#stopOf(request) : refusal ?? BUSY;
  }

  /** An address's places in all processes but one. */
  #elsewhere(worker: WorkerProcess, addressBlock: string): Promise<Places[]> {
    const others = this.#options.workers.filter((each) => each !== worker);
    return Promise.all(
      others.map(async (each) => await each.ask({ what: "places", addressBlock }) ?? NO_PLACES),
    );
  }
}

/** Drops further fields, because a request may also be a hello, which has more. */
function plainRequest({ protocolVersion, gameId, room, spectate, resume }: EntryRequest) {
  return { protocolVersion, gameId, room, spectate, ...resume !== undefined && { resume } };
}

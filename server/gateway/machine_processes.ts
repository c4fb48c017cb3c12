/**
 * The match processes of a gateway's machine as the home of players: each decides whom it lets in,
 * and an address's places are counted over all of them, with its unused tickets.
 */
import type { Game } from "../../shared/netcode/game.ts";
import { CloseCode } from "../../shared/netcode/wire/messages.ts";
import { GOING_AWAY, STOPPING, StopReason } from "../../shared/netcode/wire/stop_reasons.ts";
import {
  type HelloRefusal,
  NO_PLACES,
  noRoom,
  type Places,
  sumOfPlaces,
} from "../capacity/capacity_check.ts";
import { type EntryRequest, requestFaultOf } from "../capacity/request_fault.ts";
import type { FoundRoom, Home, NodeAddress } from "../nodes/home.ts";
import type { NewPeer } from "../tickets/admission.ts";
import type { MatchProcess } from "./match_process.ts";
import type { OpenTickets } from "./open_tickets.ts";
import type { ProcessAddresses } from "./process_addresses.ts";
import type { RoomDirectory } from "./room_directory.ts";

/**
 * How long a client waits for a process that is being restarted, ms: half a second, or more with
 * many matches.
 */
const UNTIL_UP_MS = 5_000;
/** How many clients may wait for a process. Further ones come again by themselves. */
const WAITING_MAX = 1_024;
/**
 * A room whose match has just ended lets nobody in until its end is acknowledged, which takes some
 * ms: how long a client waits for that, and how often its process is asked, ms.
 */
const UNTIL_FREE_MS = 1_000;
const AGAIN_MS = 50;

const BUSY: HelloRefusal = {
  code: CloseCode.busy,
  reason: "the machine is busy; try again in 10 s",
};

export interface MachineProcessesOptions {
  readonly processes: readonly MatchProcess[];
  readonly directory: RoomDirectory;
  readonly addresses: ProcessAddresses;
  readonly openTickets: OpenTickets;
  /** The hosted games, by name. */
  readonly games: Readonly<Record<string, Game<unknown>>>;
  readonly isStopping: () => boolean;
  /** Whether matches outlive their process. */
  readonly hasLogs: boolean;
  /** Whether other machines share the matches, so that a room may exist that is not here. */
  readonly isShared: boolean;
  readonly wait: (ms: number) => Promise<void>;
}

export class MachineProcesses implements Home {
  /** A gateway runs no match. */
  readonly self = undefined;
  readonly #options: MachineProcessesOptions;
  readonly #nameById: ReadonlyMap<string, string>;
  #waiting = 0;

  constructor(options: MachineProcessesOptions) {
    this.#options = options;
    this.#nameById = new Map(Object.entries(options.games).map(([name, { id }]) => [id, name]));
  }

  get isStopping(): boolean {
    // Without other machines the process of the room says why it takes nobody.
    return this.#options.isShared && this.#options.isStopping();
  }

  faultOf(request: EntryRequest): HelloRefusal | undefined {
    return requestFaultOf(request, [...this.#nameById.keys()]);
  }

  /** The gateway knows no room without asking. */
  nodeWith(): undefined {
    return undefined;
  }

  /** @returns the process that has the room, or gets it; only a player's request assigns a room */
  async nodeFor(
    { gameId, room, spectate, resume }: EntryRequest,
  ): Promise<string | HelloRefusal> {
    const { directory, processes } = this.#options;
    const game = this.#nameById.get(gameId)!;
    if (spectate && directory.find(game, room) === undefined) return noRoom(room);
    const number = directory.assign(game, room);
    if (number === undefined) return BUSY;

    const process = processes[number - 1]!;
    if (process.state !== "up" && !await this.#untilUp(process)) {
      return this.#options.isStopping() ? this.#stopOf({ resume }) : BUSY;
    }
    return process.node;
  }

  addressOf(node: string, host: string): NodeAddress | undefined {
    const process = this.#processOf(node);
    return process && {
      server: this.#options.addresses.addressOf(process.number, host),
      datagrams: process.report?.datagrams,
    };
  }

  /**
   * Takes a place for the ticket before asking, so that two requests at once do not both find the
   * last place.
   */
  async refusalOf(
    request: EntryRequest,
    { addressBlock, ticket, room }: NewPeer & { readonly room: FoundRoom & { node: string } },
  ): Promise<HelloRefusal | undefined> {
    const { openTickets } = this.#options;
    const process = this.#processOf(room.node);
    if (process === undefined) return this.#stopOf(request);

    // The address's places, and one more
    const own = openTickets.placesOf(addressBlock);
    const opened = openTickets.add(addressBlock, { isPlayer: !request.spectate });
    const elsewhere = sumOfPlaces([own, ...await this.#elsewhere(process, addressBlock)]);

    // What the room's process answers
    const entry = { request: plainRequest(request), addressBlock, ticket: ticket!, elsewhere };
    let refusal = await process.askEnter(entry);
    for (let waited = 0; refusal?.reason === StopReason.moved && waited < UNTIL_FREE_MS;) {
      await this.#options.wait(AGAIN_MS);
      waited += AGAIN_MS;
      refusal = await process.askEnter(entry);
    }
    if (refusal === null) return undefined;

    opened.remove();
    // A process that has ended meanwhile does not answer.
    const hasEnded = refusal === undefined && process.state !== "up";
    return hasEnded || refusal?.reason === STOPPING ? this.#stopOf(request) : refusal ?? BUSY;
  }

  #processOf(node: string): MatchProcess | undefined {
    return this.#options.processes.find((each) => each.node === node);
  }

  /**
   * Refuses a client because its process is stopping. A player with a seat comes again as after a
   * lost connection, because the next process may be there soon.
   */
  #stopOf({ resume }: Pick<EntryRequest, "resume">): HelloRefusal {
    if (resume === undefined) return { code: CloseCode.busy, reason: STOPPING };
    return { code: GOING_AWAY, reason: this.#options.hasLogs ? StopReason.kept : StopReason.over };
  }

  async #untilUp(process: MatchProcess): Promise<boolean> {
    if (this.#waiting >= WAITING_MAX || this.#options.isStopping()) return false;
    this.#waiting++;
    const isUp = await process.untilUp(UNTIL_UP_MS);
    this.#waiting--;
    return isUp;
  }

  /** An address's places in all processes but one. */
  #elsewhere(process: MatchProcess, addressBlock: string): Promise<Places[]> {
    const others = this.#options.processes.filter((each) => each !== process);
    return Promise.all(others.map(async (each) => await each.askPlaces(addressBlock) ?? NO_PLACES));
  }
}

/** Drops further fields, because a request may also be a hello, which has more. */
function plainRequest({ protocolVersion, gameId, room, spectate, resume }: EntryRequest) {
  return { protocolVersion, gameId, room, spectate, ...resume !== undefined && { resume } };
}

/**
 * Decides from the HTTP request alone whether a socket is admitted, before the WebSocket handshake. The checks in
 * order: rate of the address, path, name of the server, origin, bans, number of all sockets, sockets of the address. The
 * ticket is checked after these, because it is used then. Each successful `acquire` is paired with one `release`.
 */
import { type Clock, SOCKET_PATH } from "../../shared/netcode/link.ts";
import { clock } from "../ticker.ts";
import type { Limits } from "../settings/limits.ts";
import { AddressBuckets } from "./address_buckets.ts";
import type { SiteRules } from "./site_rules.ts";

/** The parts of an upgrade request that decide on its admission. */
export interface UpgradeRequest {
  /** Path of the request, without its query. */
  readonly path: string;
  readonly origin: string | undefined;
  readonly host: string | undefined;
  /** The customer behind the client's address. */
  readonly addressBlock: string;
}

/** Causes of refusals, as the metrics and the log name them. */
export const REFUSAL_CAUSES = [
  "starting",
  "path",
  "host",
  "origin",
  "banned",
  "rate",
  "requests",
  "house_full",
  "address_full",
  "ticket",
] as const;
export type RefusalCause = typeof REFUSAL_CAUSES[number];

/** A refusal as an HTTP answer. */
export interface Refusal {
  readonly status: 403 | 404 | 421 | 429 | 503;
  readonly cause: RefusalCause;
  readonly reason: string;
  /** When the client may come again, s; by default the answer does not say. */
  readonly retryAfterSeconds?: number;
}

/** The limits of admission. */
export type AdmissionLimits = Pick<Limits, "sockets" | "socketsPerAddress" | "upgradesPerAddress">;

export class AdmissionControl {
  readonly #limits: AdmissionLimits;
  readonly #site: SiteRules;
  readonly #upgrades: AddressBuckets;
  readonly #openSocketsByBlock = new Map<string, number>();
  #openSockets = 0;
  readonly #isBanned: (addressBlock: string) => boolean;

  constructor(
    limits: AdmissionLimits,
    { site, clock: admissionClock = clock, isBanned = () => false }: {
      site: SiteRules;
      clock?: Clock;
      /** @returns whether an operator has banned the address */
      isBanned?: ((addressBlock: string) => boolean) | undefined;
    },
  ) {
    this.#limits = limits;
    this.#site = site;
    this.#isBanned = isBanned;
    this.#upgrades = new AddressBuckets(limits.upgradesPerAddress, admissionClock);
  }

  /** Sockets acquired and not released. */
  get openSockets(): number {
    return this.#openSockets;
  }

  /** Addresses whose new sockets are counted at the moment. */
  get trackedAddresses(): number {
    return this.#upgrades.trackedAddresses;
  }

  /** Admits one socket and counts it until `release`. @returns the refusal, or undefined if the socket is admitted */
  acquire(request: UpgradeRequest): Refusal | undefined {
    const { addressBlock } = request;
    if (!this.#upgrades.take(addressBlock)) {
      return { status: 429, cause: "rate", reason: "too many new connections from your address; wait a few seconds" };
    }
    if (request.path !== SOCKET_PATH) {
      return { status: 404, cause: "path", reason: `no socket here; it is at ${SOCKET_PATH}` };
    }
    if (!this.#site.allowsHost(request.host)) {
      return { status: 421, cause: "host", reason: "this server has another name" };
    }
    if (!this.#site.allowsOrigin(request)) {
      return { status: 403, cause: "origin", reason: "a page of another site may not play here" };
    }
    if (this.#isBanned(addressBlock)) {
      return { status: 403, cause: "banned", reason: "an operator has banned your address for a while" };
    }
    if (this.#openSockets >= this.#limits.sockets) {
      return { status: 503, cause: "house_full", reason: "the server is full" };
    }
    const blockSockets = this.#openSocketsByBlock.get(addressBlock) ?? 0;
    if (blockSockets >= this.#limits.socketsPerAddress) {
      return { status: 503, cause: "address_full", reason: "too many connections from your address" };
    }
    this.#openSocketsByBlock.set(addressBlock, blockSockets + 1);
    this.#openSockets++;
    return undefined;
  }

  /**
   * Gives a socket's place back.
   * @param addressBlock that of the `acquire`
   * @throws RangeError if no socket of the address is open
   */
  release(addressBlock: string): void {
    const blockSockets = this.#openSocketsByBlock.get(addressBlock);
    if (blockSockets === undefined) throw new RangeError(`no socket of ${addressBlock} is open`);
    if (blockSockets === 1) this.#openSocketsByBlock.delete(addressBlock);
    else this.#openSocketsByBlock.set(addressBlock, blockSockets - 1);
    this.#openSockets--;
  }
}

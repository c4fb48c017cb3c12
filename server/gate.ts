/**
 * Who may come in, decided from the request alone, before a byte of WebSocket is spoken: the right path, a page of our own (or no
 * page at all: bots send no Origin), and room for one more. Each `enter` that let somebody in is paired with one `leave`.
 */

/** The one place where a socket is spoken. */
export const SOCKET_PATH = "/socket";

/**
 * Sockets in all. A core runs some 80 full matches of 16 players, 1,280 sockets; beyond that everyone would lose ticks, so it is kinder
 * to refuse.
 */
export const SOCKETS_MAX = 2_000;

/** Sockets of one address: a lecture hall behind one router, or a load test on this machine; not one stranger's script. */
export const SOCKETS_PER_ADDRESS_MAX = 256;

/** What the gate looks at. */
export interface Knock {
  /** Path of the request, without its query. */
  readonly path: string;
  readonly origin: string | undefined;
  readonly host: string | undefined;
  /** IP address of the peer. */
  readonly address: string;
}

/** Why not, as an HTTP answer. */
export interface Refusal {
  readonly status: 403 | 404 | 503;
  readonly reason: string;
}

export interface GateOptions {
  readonly socketsMax?: number;
  readonly socketsPerAddressMax?: number;
}

export class Gate {
  readonly #socketsMax: number;
  readonly #perAddressMax: number;
  readonly #insideByAddress = new Map<string, number>();
  #inside = 0;

  constructor(options: GateOptions = {}) {
    this.#socketsMax = options.socketsMax ?? SOCKETS_MAX;
    this.#perAddressMax = options.socketsPerAddressMax ?? SOCKETS_PER_ADDRESS_MAX;
  }

  /** Sockets that are in. */
  get inside(): number {
    return this.#inside;
  }

  /** Lets one in and counts it, until `leave`. @returns why not; undefined where it is in */
  enter(knock: Knock): Refusal | undefined {
    if (knock.path !== SOCKET_PATH) return { status: 404, reason: `no socket here; it is at ${SOCKET_PATH}` };
    if (!isOurOwn(knock)) return { status: 403, reason: "a page of another site may not play here" };
    if (this.#inside >= this.#socketsMax) return { status: 503, reason: "the server is full" };
    const neighbours = this.#insideByAddress.get(knock.address) ?? 0;
    if (neighbours >= this.#perAddressMax) return { status: 503, reason: "too many connections from your address" };
    this.#insideByAddress.set(knock.address, neighbours + 1);
    this.#inside++;
    return undefined;
  }

  /** Gives the place back. @param address as in the `enter` that it belongs to */
  leave(address: string): void {
    const neighbours = this.#insideByAddress.get(address);
    if (neighbours === undefined) throw new RangeError(`nobody of ${address} is in`);
    if (neighbours === 1) this.#insideByAddress.delete(address);
    else this.#insideByAddress.set(address, neighbours - 1);
    this.#inside--;
  }
}

/** A browser always says which page asks; what says nothing is no browser and cannot carry a visitor's rights. */
function isOurOwn({ origin, host }: Knock): boolean {
  if (origin === undefined) return true;
  return URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

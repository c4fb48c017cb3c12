/**
 * A TCP proxy between a client and the server that a test can cut, stall or slow down. A cut breaks
 * open connections and refuses new ones until `mend`. A stall keeps connections open but delivers
 * nothing until `unstall`. With a network model, each direction of each connection delays its bytes
 * as a reliable link of that network does.
 */
import { type Channel, openNetwork } from "../../shared/netcode/simulated_network/network_model.ts";
import { type Line, LOOPBACK, type RelayPlace } from "./relay/line.ts";

/** Reads under way in one direction: minutes of play. With more, the proxy reads no further. */
const IN_FLIGHT_MAX = 4096;
const READ_BYTES_MAX = 65_536;

/** The network between the two ends. */
export interface ProxyNetwork extends Line {
  /**
   * Called for each connection.
   * @returns a function for the server's bytes, called when they leave the proxy
   */
  readonly watch?: () => (bytes: Uint8Array) => void;
}

export class Proxy implements AsyncDisposable {
  #target: number;
  readonly #network: ProxyNetwork | undefined;
  readonly #hostname: string;
  #connections = 0;
  readonly #pairs = new Set<Deno.TcpConn>();
  readonly port: number;
  #listener: Deno.TcpListener | undefined;
  #accepting: Promise<void>;
  #flowing = Promise.withResolvers<void>();

  /**
   * @param target the server's port on this machine
   * @param network undefined for no delay
   * @param place its own address; by default any free port of 127.0.0.1
   */
  constructor(
    target: number,
    network?: ProxyNetwork,
    { hostname = LOOPBACK, port = 0 }: Partial<RelayPlace> = {},
  ) {
    this.#target = target;
    this.#network = network;
    this.#hostname = hostname;
    this.#flowing.resolve();
    this.#listener = Deno.listen({ hostname, port });
    this.port = this.#listener.addr.port;
    this.#accepting = this.#accept(this.#listener);
  }

  /** Breaks every connection and refuses new ones. */
  async cut(): Promise<void> {
    this.#listener?.close();
    this.#listener = undefined;
    for (const end of this.#pairs) close(end);
    this.#pairs.clear();
    await this.#accepting;
  }

  mend(): void {
    this.#listener = Deno.listen({ hostname: this.#hostname, port: this.port });
    this.#accepting = this.#accept(this.#listener);
  }

  /** From now on new connections lead to another port of this machine. */
  retarget(target: number): void {
    this.#target = target;
  }

  stall(): void {
    this.#flowing = Promise.withResolvers();
  }

  unstall(): void {
    this.#flowing.resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.unstall();
    await this.cut();
  }

  async #accept(listener: Deno.TcpListener): Promise<void> {
    try {
      for await (const near of listener) await this.#connect(near);
    } catch {
      // It was cut.
    }
  }

  async #connect(near: Deno.TcpConn): Promise<void> {
    const far = await Deno.connect({ hostname: LOOPBACK, port: this.#target }).catch(() =>
      undefined
    );
    // The server does not listen, for now.
    if (far === undefined) return close(near);
    for (const end of [near, far]) {
      // Otherwise a small message waits until the one before it is acknowledged.
      end.setNoDelay();
      this.#pairs.add(end);
    }
    const [up, down] = arrivalsOf(this.#network, this.#connections++);
    const whenFlowing = () => this.#flowing.promise;
    const onPassed = this.#network?.watch?.();
    void Promise.all([
      forward(near, far, { arrivalMs: up, whenFlowing }),
      forward(far, near, { arrivalMs: down, whenFlowing, onPassed }),
    ]).then(() => [near, far].forEach(close));
  }
}

/** @returns the moment, in ms of `performance.now`, at which bytes arrive that are sent now */
type Arrival = () => number;

/**
 * Both directions of a new connection: to the server, and from it.
 * @param index of the connection, from 0
 */
function arrivalsOf(network: ProxyNetwork | undefined, index: number): readonly [Arrival, Arrival] {
  if (network === undefined) return [() => 0, () => 0];
  const { up, down } = openNetwork(network.model, network.seed + index);
  const beganMs = performance.now();
  const arrivalOf = (channel: Channel) => () => beganMs + channel.send(performance.now() - beganMs);
  return [arrivalOf(up.reliable), arrivalOf(down.reliable)];
}

/**
 * Passes bytes on, in order, each when it arrives. The end of the connection travels behind the
 * last of them. A reset counts as an end, and an end that is gone receives nothing more.
 * @param options.onPassed called with the bytes when they are passed on
 */
async function forward(
  from: Deno.TcpConn,
  to: Deno.TcpConn,
  { arrivalMs, whenFlowing, onPassed }: {
    arrivalMs: Arrival;
    whenFlowing: () => Promise<void>;
    onPassed?: ((bytes: Uint8Array) => void) | undefined;
  },
): Promise<void> {
  let inFlight = 0;
  let delivered = Promise.resolve();
  const deliver = async (atMs: number, action: () => Promise<void>) => {
    await untilMs(atMs);
    await whenFlowing();
    await action().catch(() => {});
  };

  for (let bytes = await read(from); bytes !== undefined; bytes = await read(from)) {
    const arrived = bytes;
    const atMs = arrivalMs();
    inFlight++;
    const pass = () => {
      onPassed?.(arrived);
      return writeAll(to, arrived);
    };
    delivered = delivered.then(() => deliver(atMs, pass)).finally(() => inFlight--);
    if (inFlight > IN_FLIGHT_MAX) await delivered;
  }

  const endMs = arrivalMs();
  await delivered;
  await deliver(endMs, () => to.closeWrite());
}

/** @returns undefined at the end of the connection, also if that is a reset or a cut */
async function read(from: Deno.TcpConn): Promise<Uint8Array | undefined> {
  const bytes = new Uint8Array(READ_BYTES_MAX);
  const count = await from.read(bytes).catch(() => null);
  return count === null ? undefined : bytes.slice(0, count);
}

async function writeAll(to: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;) done += await to.write(bytes.subarray(done));
}

async function untilMs(atMs: number): Promise<void> {
  for (let waitMs = atMs - performance.now(); waitMs > 0; waitMs = atMs - performance.now()) {
    await new Promise((resolve) => setTimeout(resolve, Math.ceil(waitMs)));
  }
}

function close(end: Deno.TcpConn): void {
  try {
    end.close();
  } catch {
    // It is already closed.
  }
}

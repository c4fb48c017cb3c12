/**
 * A TCP proxy between a client and the server that a test can cut, stall or slow down. A cut breaks open connections
 * and refuses new ones until `mend`. A stall keeps connections open but delivers nothing until `unstall`. With a network
 * model, each direction of each connection delays its bytes as a reliable link of that network does.
 */
import {
  type Channel,
  Conditions,
  type NetworkModel,
  ReliableChannel,
} from "../../shared/netcode/simulated_network/network_model.ts";
import { Random } from "../../shared/random.ts";

/** Reads under way in one direction: minutes of play. With more, the proxy reads no further. */
const IN_FLIGHT_MAX = 4096;
const READ_BYTES_MAX = 65_536;

/** The network between the two ends. The seed draws its jitter. */
export interface ProxyNetwork {
  readonly model: NetworkModel;
  readonly seed: number;
  /** Called for each connection. @returns what is called with the server's bytes, when they leave the proxy */
  readonly watch?: () => (bytes: Uint8Array) => void;
}

export class Proxy implements AsyncDisposable {
  readonly #target: number;
  readonly #network: ProxyNetwork | undefined;
  readonly #pairs = new Set<Deno.TcpConn>();
  readonly port: number;
  #listener: Deno.TcpListener | undefined;
  #accepting: Promise<void>;
  #flowing = Promise.withResolvers<void>();

  /** @param target the server's port on this machine @param network undefined for no delay */
  constructor(target: number, network?: ProxyNetwork) {
    this.#target = target;
    this.#network = network;
    this.#flowing.resolve();
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
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
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: this.port });
    this.#accepting = this.#accept(this.#listener);
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
    const far = await Deno.connect({ hostname: "127.0.0.1", port: this.#target }).catch(() => undefined);
    // The server does not listen, for now.
    if (far === undefined) return close(near);
    for (const end of [near, far]) {
      // Otherwise a small message waits until the one before it is acknowledged.
      end.setNoDelay();
      this.#pairs.add(end);
    }
    const [up, down] = arrivalsOf(this.#network);
    const whenFlowing = () => this.#flowing.promise, onPassed = this.#network?.watch?.();
    void Promise.all([
      forward(near, far, { arrivalMs: up, whenFlowing }),
      forward(far, near, { arrivalMs: down, whenFlowing, onPassed }),
    ]).then(() => [near, far].forEach(close));
  }
}

/** @returns the moment, in ms of `performance.now`, at which bytes arrive that are sent now */
type Arrival = () => number;

/** Both directions of a new connection: to the server, and from it. */
function arrivalsOf(network: ProxyNetwork | undefined): readonly [Arrival, Arrival] {
  if (network === undefined) return [() => 0, () => 0];
  const { model, seed } = network, random = new Random(seed), beganMs = performance.now();
  const conditions = new Conditions(model, new Random(random.bits()));
  const arrivalOf = (channel: Channel) => () => beganMs + channel.send(performance.now() - beganMs);
  return [
    arrivalOf(new ReliableChannel({ model, random, conditions, isUp: true })),
    arrivalOf(new ReliableChannel({ model, random, conditions, isUp: false })),
  ];
}

/**
 * Passes bytes on, in order, each when it arrives. The end of the connection travels behind the last of them. A reset
 * counts as an end, and an end that is gone receives nothing more.
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
  let inFlight = 0, delivered = Promise.resolve();
  const deliver = async (atMs: number, action: () => Promise<void>) => {
    await untilMs(atMs);
    await whenFlowing();
    await action().catch(() => {});
  };
  for (let bytes = await read(from); bytes !== undefined; bytes = await read(from)) {
    const arrived = bytes, atMs = arrivalMs();
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

/**
 * A gate of UDP in front of a server: clients reach it at 127.0.0.1, the server has the same port
 * at another address of this machine. A dark gate lets nothing pass in either direction, as a
 * firewall does.
 */
import { createSocket, type Socket } from "node:dgram";

/** The address at which the server behind a gate listens: `--datagrams-host`. */
export const BEHIND_GATE = "127.0.0.5";
const IN_FRONT = "127.0.0.1";

export class UdpGate implements AsyncDisposable {
  readonly #front = createSocket("udp4");
  /** A socket for each client, by its port. The server has a connection with each. */
  readonly #byPort = new Map<number, Socket>();
  readonly #port: number;
  isDark = false;

  /** @param port of the server */
  constructor(port: number) {
    this.#port = port;
    this.#front.on("message", (packet, { port: from }) => this.#passUp(packet, from));
  }

  /** Opens the gate. */
  async open(): Promise<this> {
    await new Promise<void>((resolve) => this.#front.bind(this.#port, IN_FRONT, resolve));
    return this;
  }

  #passUp(packet: Uint8Array, from: number): void {
    const back = this.#byPort.get(from) ?? createSocket("udp4");
    if (!this.#byPort.has(from)) {
      this.#byPort.set(from, back);
      back.on(
        "message",
        (answer) => this.isDark ? undefined : this.#front.send(answer, from, IN_FRONT),
      );
    }
    if (!this.isDark) back.send(packet, this.#port, BEHIND_GATE);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const sockets = [this.#front, ...this.#byPort.values()];
    await Promise.all(
      sockets.map((socket) => new Promise<void>((resolve) => socket.close(() => resolve()))),
    );
  }
}

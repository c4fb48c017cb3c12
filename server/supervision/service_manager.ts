/**
 * Tells systemd that the service is ready, alive or stopping (sd_notify(3)). With `WatchdogSec` in
 * its unit, systemd restarts a service that stays silent for that long. Without a service manager
 * this does nothing.
 *
 * The supervisor or the gateway sends these messages, because it watches the servers, and
 * systemd watches it.
 */
import { type Log, messageOf } from "../ground/log.ts";

/**
 * What systemd sets for a service. Deno lets a process read these variables if its unit allows it
 * (docs/deploy/wyvern.service).
 */
const SOCKET_VARIABLE = "NOTIFY_SOCKET";
const WATCHDOG_VARIABLE = "WATCHDOG_USEC";
const FOLDER_VARIABLE = "RUNTIME_DIRECTORY";
/** How many reports fit into the time that systemd waits: sd_watchdog_enabled(3) recommends two. */
const LIVES_PER_WATCHDOG = 2;

/**
 * What is needed of Deno's datagrams. They are unstable, so Deno's types leave them out
 * (`--unstable-net`).
 */
interface DatagramSocket {
  send(bytes: Uint8Array, to: UnixAddress): Promise<number>;
  close(): void;
}

interface UnixAddress {
  readonly transport: "unixpacket";
  readonly path: string;
}

type ListenDatagram = (address: UnixAddress) => DatagramSocket;

export class ServiceManager {
  readonly #log: Log;
  #socket: DatagramSocket | undefined;
  #address: UnixAddress | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;

  /** Connects to the service manager, if there is one. */
  constructor(log: Log) {
    this.#log = log;
    const path = variable(SOCKET_VARIABLE);
    const folder = variable(FOLDER_VARIABLE);
    if (path === undefined || folder === undefined) return;

    try {
      const { listenDatagram } = Deno as unknown as { listenDatagram: ListenDatagram };
      this.#socket = listenDatagram({
        transport: "unixpacket",
        path: `${folder}/notify-${Deno.pid}`,
      });
      this.#address = { transport: "unixpacket", path };
    } catch (error) {
      log("service_manager_failed", { error: messageOf(error) });
    }
  }

  /**
   * Reports that the service takes players. From now on it also reports that it is alive, even
   * while its server is being restarted.
   */
  ready(): void {
    this.#send("READY=1");
    const watchdogMs = Number(variable(WATCHDOG_VARIABLE) ?? 0) / 1000;
    if (this.#socket === undefined || !(watchdogMs > 0) || this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#send("WATCHDOG=1"), watchdogMs / LIVES_PER_WATCHDOG);
  }

  /** Reports that the service received a signal to stop. */
  stopping(): void {
    this.#send("STOPPING=1");
  }

  /** Stops sending. */
  close(): void {
    clearInterval(this.#timer);
    this.#socket?.close();
    this.#socket = undefined;
  }

  #send(state: string): void {
    this.#socket?.send(new TextEncoder().encode(state), this.#address!).catch((error) => {
      this.#log("service_manager_failed", { error: messageOf(error) });
    });
  }
}

/** Reads an environment variable if this process may; otherwise undefined. */
function variable(name: string): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "env", variable: name });
  return state === "granted" ? Deno.env.get(name) : undefined;
}

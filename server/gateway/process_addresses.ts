/**
 * The addresses at which players reach the match processes, either an origin or a path below the
 * page's own origin:
 *
 *     without --worker-url      the name of the page, with port P + n
 *     /match/*                  a path, behind one port of a proxy
 *     https://m*.example.org    a name for each process
 */
import { workerUrlOf } from "../settings/workers.ts";

export interface ProcessAddressOptions {
  /** The setting `--worker-url`; undefined for ports beside the page's own. */
  readonly pattern: string | undefined;
  /** Each process's port, in order. */
  readonly ports: readonly number[];
  readonly isTls: boolean;
}

export class ProcessAddresses {
  readonly #options: ProcessAddressOptions;

  constructor(options: ProcessAddressOptions) {
    this.#options = options;
  }

  /**
   * A process's address: an origin, or a path.
   * @param worker its number
   * @param host the client's `Host` header; the client finds the process under the same name
   */
  addressOf(worker: number, host: string): string {
    const { pattern, ports, isTls } = this.#options;
    if (pattern !== undefined) return workerUrlOf(pattern, worker);
    return `${isTls ? "https" : "http"}://${hostNameOf(host)}:${ports[worker - 1]}`;
  }

  /**
   * The policy sources that let a page open sockets and datagram sessions to each process, and to
   * nothing else. A path needs no source for sockets, and a proxy does not forward UDP.
   * @param host as for `addressOf`
   * @param options.udpPorts each process's, at its number less one; undefined for one without
   * datagrams
   */
  connectSources(
    host: string,
    { udpPorts = [] }: { udpPorts?: readonly (number | undefined)[] } = {},
  ): readonly string[] {
    const { pattern, ports } = this.#options;
    const page = `https://${hostNameOf(host)}`;
    const origins = ports.map((_, i) => new URL(this.addressOf(i + 1, host), page));
    return [
      ...pattern?.startsWith("/") ? [] : origins.map(({ origin }) => origin.replace("http", "ws")),
      ...udpPorts.flatMap((port, i) =>
        port === undefined ? [] : `https://${origins[i]!.hostname}:${port}`
      ),
    ];
  }
}

/** The name without the port, in lower case. */
function hostNameOf(host: string): string {
  return new URL(`http://${host}`).hostname;
}

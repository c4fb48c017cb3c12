/** A server's ports: P for the page, and P + 1 … P + N for its match processes. */
import { UsageError } from "../../shared/flags.ts";
import { isUdpPortFree } from "../datagrams/quic.ts";

/** How often a row of free ports is searched for. */
const ATTEMPTS_MAX = 50;
const PORT_MAX = 65_535;

export interface ServerPorts {
  readonly page: number;
  /** The match processes' ports, in order. */
  readonly workers: readonly number[];
}

/**
 * Chooses a server's ports.
 * @param options.port the page's; 0 for any free port that has free ones behind it
 * @param options.udpHost where the match processes use UDP on the same ports; undefined if they do
 * not
 * @throws UsageError if there are no ports behind it, or no free ones
 */
export function portsFor(
  { host, port, workers, udpHost }: {
    host: string;
    port: number;
    workers: number;
    udpHost: string | undefined;
  },
): ServerPorts {
  if (port + workers > PORT_MAX) {
    throw new UsageError(`--port ${port} leaves no ports for ${workers} match processes behind it`);
  }
  if (port !== 0) return portsFrom(port, workers);

  // Any free port, if those behind it are free too
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const page = freePort(host, 0);
    if (page === undefined || page + workers > PORT_MAX) continue;

    const ports = portsFrom(page, workers);
    const isFree = (each: number) =>
      freePort(host, each) !== undefined && (udpHost === undefined || isUdpPortFree(udpHost, each));
    if (ports.workers.every(isFree)) return ports;
  }

  throw new UsageError(`--port 0 finds no ${workers + 1} free ports in a row on ${host}`);
}

function portsFrom(page: number, workers: number): ServerPorts {
  return { page, workers: Array.from({ length: workers }, (_, i) => page + 1 + i) };
}

/** @returns the port if it is free; for 0 any free one */
function freePort(hostname: string, port: number): number | undefined {
  try {
    using listener = Deno.listen({ hostname, port });
    return (listener.addr as Deno.NetAddr).port;
  } catch (error) {
    if (error instanceof Deno.errors.AddrInUse) return undefined;
    throw new UsageError(`--host ${hostname} cannot be listened on: ${(error as Error).message}`);
  }
}

/** The UDP port in this process, with an echo in place of the matches. */
import type { OwnCertificate } from "../../../server/datagrams/certificate.ts";
import {
  DatagramEndpoint,
  type DatagramEndpointOptions,
} from "../../../server/datagrams/datagram_endpoint.ts";
import { Links } from "../../../server/links/links.ts";
import { logTo } from "../../../server/ground/log.ts";
import { DEFAULT_LIMITS, type Limits } from "../../../server/settings/limits.ts";
import type { DatagramAddress } from "../../../client/net/datagram_address.ts";
import { type Link, SOCKET_PATH } from "../../../shared/netcode/link.ts";

export interface DatagramServer extends AsyncDisposable {
  readonly endpoint: DatagramEndpoint;
  /** The address at which a client finds it. */
  readonly address: DatagramAddress;
  readonly links: Links;
  /** Every line of the log. */
  readonly lines: string[];
  /** Ends of links, as "closed 4000 server". */
  readonly ends: string[];
  /** Requests that were admitted and whose links have not ended. */
  readonly admitted: number;
  /** The paths and origins of the requests. */
  readonly requests: { readonly path: string; readonly origin: string | undefined }[];
  /** Resolves when a link has ended that nobody has waited for. */
  nextEnd(): Promise<string>;
}

export interface DatagramServerOptions {
  /** Replaces the echo, which answers by the channel of the message. */
  readonly onLink?: (link: Link) => void;
  /** Refuses requests with this status. */
  readonly refusal?: () => number | undefined;
  readonly limits?: Partial<Limits>;
  readonly scheduler?: DatagramEndpointOptions["scheduler"];
  /** A certificate in place of the server's own. */
  readonly certificate?: OwnCertificate;
}

/** Opens the port on this machine. */
export async function openDatagramServer(
  { onLink = echoBoth, refusal = () => undefined, limits = {}, scheduler, certificate }:
    DatagramServerOptions = {},
): Promise<DatagramServer> {
  const lines: string[] = [];
  const ends: string[] = [];
  const requests: DatagramServer["requests"] = [];
  const log = logTo((line) => lines.push(line));
  let admitted = 0;
  let taken = 0;
  let wake = () => {};
  const links = new Links({
    ...DEFAULT_LIMITS,
    ...limits,
    log,
    admit: onLink,
    onClosed(code, { by }) {
      ends.push(`closed ${code} ${by}`);
      wake();
    },
  });
  const endpoint = await DatagramEndpoint.open({
    host: "127.0.0.1",
    port: 0,
    links,
    log,
    ...(scheduler && { scheduler }),
    tls: certificate,
    admit({ path, origin }, address) {
      requests.push({ path, origin });
      const status = refusal();
      if (status !== undefined) return { status };
      admitted++;
      return { client: { address, addressBlock: address }, release: () => void admitted-- };
    },
  });
  return {
    endpoint,
    links,
    lines,
    ends,
    requests,
    get address() {
      const { port, certificateHash } = endpoint.offer;
      return {
        url: `https://127.0.0.1:${port}${SOCKET_PATH}?ticket=abc`,
        certificateHash: certificate?.hash ?? Uint8Array.fromHex(certificateHash!),
      };
    },
    get admitted() {
      return admitted;
    },
    async nextEnd() {
      while (ends.length === taken) await new Promise<void>((resolve) => wake = resolve);
      return ends[taken++]!;
    },
    async [Symbol.asyncDispose]() {
      await links.close(1001, "the end of the test");
      await endpoint.close();
    },
  };
}

function echoBoth(link: Link): void {
  link.onMessage((message, reliably) => reliably ? link.sendReliably(message) : link.send(message));
}

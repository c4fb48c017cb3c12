/** The HTTP server in this process, with an echo in place of the matches. */
import { ProxyTrust } from "../../server/addresses/client_address.ts";
import { SiteRules } from "../../server/http/site_rules.ts";
import { type HttpAnswers, HttpServer, type HttpServerOptions } from "../../server/http/server.ts";
import { DEFAULT_LIMITS, type Limits } from "../../server/settings/limits.ts";
import { type Log, logTo } from "../../server/ground/log.ts";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { loadStaticFiles } from "../../server/http/static_files.ts";
import type { Peer } from "../../server/match/clients/peer.ts";
import type { Link } from "../../shared/netcode/link.ts";

export interface EchoServer extends AsyncDisposable {
  readonly url: string;
  readonly port: number;
  readonly datagramOffer: HttpServer["datagramOffer"];
  /** Every admitted link, in order. */
  readonly links: Link[];
  /** Every line of the log. */
  readonly lines: string[];
  /** Calls that metrics would count, as "refused rate" and "closed 4000 server". */
  readonly counted: string[];
  /** Ends the start of a server that is starting. */
  answer(): void;
  close(): Promise<void>;
}

export interface EchoOptions {
  /** Replaces the echo. */
  readonly admit?: (link: Link, peer: Peer) => void;
  readonly activeLinks?: HttpServerOptions["activeLinks"];
  /** Contents by file name. */
  readonly files?: Readonly<Record<string, string>>;
  readonly ok?: boolean;
  /** JSON texts by game id. */
  readonly gameSchemas?: ReadonlyMap<string, string>;
  readonly limits?: Partial<Limits>;
  /** Networks of trusted proxies. */
  readonly proxies?: readonly string[];
  readonly matches?: HttpAnswers["matches"];
  /** With them it has datagrams, too. */
  readonly datagrams?: HttpServerOptions["datagrams"];
  readonly admission?: HttpAnswers["admission"];
  readonly matchmaker?: HttpAnswers["matchmaker"];
  readonly collectsHashes?: boolean;
  /** Whether it goes on starting until `answer` is called. */
  readonly isStarting?: boolean;
}

/** Opens the server on a free port of this machine. */
export async function openEchoServer(
  options: EchoOptions = {},
): Promise<EchoServer> {
  const {
    admit = echo,
    files = {},
    ok = true,
    gameSchemas = new Map(),
    limits = {},
    proxies = [],
  } = options;
  const { matches, datagrams, admission, matchmaker, activeLinks, isStarting = false } = options;
  const links: Link[] = [];
  const lines: string[] = [];
  const counted: string[] = [];
  const log: Log = logTo((line) => lines.push(line));
  const staticFiles = await staticFilesOf(files);
  const server = await HttpServer.open({
    host: "127.0.0.1",
    port: 0,
    proxies: new ProxyTrust(proxies),
    site: new SiteRules({ origins: [], hosts: [], host: "127.0.0.1", isPublic: false }),
    datagrams,
    activeLinks,
    onRefused: (cause) => counted.push(`refused ${cause}`),
    onClosed: (code, { by }) => counted.push(`closed ${code} ${by}`),
    limits: { ...DEFAULT_LIMITS, ...limits },
    admit(link, peer) {
      links.push(link);
      admit(link, peer);
    },
    log,
  });
  const answer = () =>
    server.answerWith({
      staticFiles: () => staticFiles,
      readiness: () => ({ ready: ok, reason: ok ? "" : "ticks are missing" }),
      health: () => ({
        ok,
        tickShare: 1,
        accepts: true,
        rooms: 1,
        clients: links.length,
        ticks: 3,
        uptimeSeconds: 4,
      }),
      metrics: () => "links 1\n",
      rooms: () => [{ code: "ECHO", players: links.length }],
      gameSchemas,
      matches,
      matchmaker,
      collectsHashes: options.collectsHashes ?? false,
      ...admission && { admission },
    });
  if (!isStarting) answer();
  let closed: Promise<void> | undefined;
  const close = () => closed ??= server.close(1001, "the server stops");
  return {
    url: server.url,
    port: Number(new URL(server.url).port),
    datagramOffer: server.datagramOffer,
    links,
    lines,
    counted,
    answer,
    close,
    [Symbol.asyncDispose]: close,
  };
}

export function echo(link: Link): void {
  link.onMessage((message, reliably) => reliably ? link.sendReliably(message) : link.send(message));
}

async function staticFilesOf(files: Readonly<Record<string, string>>) {
  const folder = await Deno.makeTempDir();
  try {
    for (const [name, content] of Object.entries(files)) {
      await Deno.writeTextFile(`${folder}/${name}`, content);
      // As the build does.
      await Deno.writeFile(`${folder}/${name}.gz`, gzipSync(content));
      await Deno.writeFile(`${folder}/${name}.br`, brotliCompressSync(content));
    }
    return await loadStaticFiles(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

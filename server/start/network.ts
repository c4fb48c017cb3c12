/** The settings of the network, as the HTTP server takes them. */
import { UsageError } from "../../shared/flags.ts";
import { hasQuic } from "../datagrams/quic.ts";
import { ProxyTrust } from "../http/client_address.ts";
import type { HttpServerOptions } from "../http/server.ts";
import { SiteRules } from "../http/site_rules.ts";
import { messageOf } from "../log.ts";
import type { Settings } from "../settings/settings.ts";

type NetworkOptions = Pick<HttpServerOptions, "host" | "port" | "datagrams" | "tls" | "proxies" | "site">;

/** Other machines that share the matches. */
interface OtherNodes {
  /** The origins of those that live. */
  readonly origins: () => readonly string[];
  readonly connectSources: () => readonly string[];
}

/**
 * Where the server listens, and whom it believes.
 * @throws UsageError for a certificate that cannot be read, or a Deno without QUIC
 */
export function networkOf(settings: Settings, nodes?: Pick<OtherNodes, "origins">): NetworkOptions {
  const { host, port, "tls-cert": cert, "tls-key": key } = settings;
  const read = (flag: string, path: string) => {
    try {
      return Deno.readTextFileSync(path);
    } catch (error) {
      throw new UsageError(`--${flag} ${path} cannot be read: ${messageOf(error)}`);
    }
  };
  return {
    host,
    port,
    datagrams: datagramsOf(settings),
    tls: cert === undefined || key === undefined
      ? undefined
      : { cert: read("tls-cert", cert), key: read("tls-key", key) },
    proxies: new ProxyTrust(settings["trust-proxy"]),
    site: new SiteRules({
      origins: settings.origin,
      hosts: settings["allow-host"],
      host,
      isPublic: settings.public,
      nodeOrigins: nodes?.origins,
    }),
  };
}

/** Where UDP listens; undefined for a server without datagrams. @throws UsageError for a Deno without QUIC */
export function datagramsOf(
  { datagrams: mode, "datagrams-host": host, "datagrams-port": port }: Settings,
): HttpServerOptions["datagrams"] {
  if (mode === "on" && !hasQuic()) throw new UsageError("--datagrams on needs Deno's own flag --unstable-net");
  return mode === "off" ? undefined : { mode, host, port };
}

/** Where pages may go on: at all nodes that live, and at those that the operator names, also if one starts later. */
export function sourcesOf(
  { connectSources }: Pick<OtherNodes, "connectSources">,
  origins: readonly string[],
): string[] {
  return [...new Set([...connectSources(), ...origins.flatMap((origin) => [origin, origin.replace("http", "ws")])])];
}

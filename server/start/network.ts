/** Turns the network settings into the HTTP server's options. */
import { UsageError } from "../../shared/flags.ts";
import type { IntroductionsOffer } from "../../shared/introductions.ts";
import { hasQuic } from "../datagrams/quic.ts";
import { ProxyTrust } from "../addresses/client_address.ts";
import type { HttpServerOptions } from "../http/server.ts";
import { SiteRules } from "../http/site_rules.ts";
import type { PlaceSources } from "../http/static_files.ts";
import { messageOf } from "../ground/log.ts";
import type { Settings } from "../settings/settings.ts";

type NetworkOptions = Pick<
  HttpServerOptions,
  "host" | "port" | "datagrams" | "tls" | "proxies" | "site" | "introductions"
>;

/** Other machines that share the matches. */
interface OtherNodes {
  /** The living ones' origins. */
  readonly origins: () => readonly string[];
  /** Where pages find each of them, the nearest first. */
  readonly connectSources: () => PlaceSources;
}

/**
 * Where the server listens, and which proxies, origins and hosts it trusts.
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
    introductions: settings.signalling
      ? { iceServers: settings.ice.map(iceServerOf), relayOnly: settings["ice-relay-only"] }
      : undefined,
    site: new SiteRules({
      origins: settings.origin,
      hosts: settings["allow-host"],
      embedIn: settings["embed-in"],
      host,
      isPublic: settings.public,
      nodeOrigins: nodes?.origins,
    }),
  };
}

/** Reads an address of `--ice`, in which a TURN server's name and password stand first. */
function iceServerOf(text: string): IntroductionsOffer["iceServers"][number] {
  const [, scheme, username, credential, place] = /^(turns?):([^:]+):([^@]+)@(.+)$/i.exec(text) ??
    [];
  return place === undefined
    ? { urls: text }
    : { urls: `${scheme}:${place}`, username: username!, credential: credential! };
}

/**
 * Where UDP listens; undefined for a server without datagrams.
 * @throws UsageError for a Deno without QUIC
 */
export function datagramsOf(
  { datagrams: mode, "datagrams-host": host, "datagrams-port": port }: Settings,
): HttpServerOptions["datagrams"] {
  if (mode === "on" && !hasQuic()) {
    throw new UsageError("--datagrams on needs Deno's own flag --unstable-net");
  }
  return mode === "off" ? undefined : { mode, host, port };
}

/**
 * Where pages may connect: the origins that the operator names, even if a node starts later, and
 * all living nodes. Nodes with names below an origin's share one source,
 * `https://*.play.example.org`. Listed by name, 64 of them would make a policy of 5 kB, which would
 * still lack those that start later.
 */
export function sourcesOf(
  { connectSources }: Pick<OtherNodes, "connectSources">,
  origins: readonly string[],
): PlaceSources {
  const parents = origins.map((origin) => new URL(origin).hostname);
  return [
    ...origins.map((origin) => [origin, origin.replace("http", "ws")]),
    ...connectSources().map((place) => place.map((source) => sharedSource(source, parents))),
  ];
}

/**
 * A source's scheme, host and port. Each page asks for all sources, and `URL` takes ten times as
 * long.
 */
const SOURCE = /^(\w+:\/\/)(.+?)(:\d+)?$/;

/**
 * Returns a source for all names below one of the parents if the source is below it; otherwise the
 * source itself.
 */
function sharedSource(source: string, parents: readonly string[]): string {
  const [, scheme = "", host = "", port = ""] = SOURCE.exec(source) ?? [];
  const parent = parents.find((each) => host.endsWith(`.${each}`));
  return parent === undefined ? source : `${scheme}*.${parent}${port}`;
}

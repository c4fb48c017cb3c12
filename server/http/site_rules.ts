/**
 * Decides which names this server answers to, and which pages may play here. A page of another site
 * must not exploit a visitor's network, neither through its own origin nor through a name of its
 * own that it points at this server (DNS rebinding).
 */
import { isLoopback } from "../settings/network.ts";

export interface SiteOptions {
  /** Origins of pages that may play; if empty, only pages from this server's own origin may. */
  readonly origins: readonly string[];
  /** This server's host names besides those of the origins. */
  readonly hosts: readonly string[];
  /** Sites that may frame the pages, as sources of a content policy. */
  readonly embedIn?: readonly string[];
  /** Where the server listens. */
  readonly host: string;
  /** Whether the server is on a public address; then a host must be one of the given names. */
  readonly isPublic: boolean;
  /** Origins of machines that share the matches, or did: their pages may play here too. */
  readonly nodeOrigins?: (() => readonly string[]) | undefined;
  /** The page's port, if it differs from the server's. */
  readonly pagePort?: number;
}

/** What the rules need of a request. */
interface SiteRequest {
  readonly origin: string | undefined;
  readonly host: string | undefined;
}

export class SiteRules {
  readonly #options: SiteOptions;
  readonly #hosts: ReadonlySet<string>;

  constructor(options: SiteOptions) {
    this.#options = options;
    const ofOrigins = options.origins.map((origin) => new URL(origin).hostname);
    this.#hosts = new Set([...options.hosts.map((host) => host.toLowerCase()), ...ofOrigins]);
  }

  /** Sites that may frame the pages, as sources of a content policy; often none. */
  get embedders(): readonly string[] {
    return this.#options.embedIn ?? [];
  }

  /** Whether a request used one of this server's names. @param host the request's header */
  allowsHost(host: string | undefined): boolean {
    const name = hostNameOf(host);
    if (name === undefined) return false;
    if (this.#hosts.has(name)) return true;
    return !this.#options.isPublic &&
      (isLoopback(name) || name === this.#options.host.toLowerCase());
  }

  /**
   * Whether a page of this origin may play here. A browser always sends the origin; a request
   * without one comes from a bot, which does not act with a visitor's rights.
   */
  allowsOrigin({ origin, host }: SiteRequest): boolean {
    if (origin === undefined) return true;
    const { origins, nodeOrigins } = this.#options;
    if (nodeOrigins?.().includes(origin)) return true;
    if (origins.length > 0) return origins.includes(origin);
    if (!URL.canParse(origin)) return false;
    const page = new URL(origin);
    return page.host === host?.toLowerCase() || this.#isPage(page, host);
  }

  /** Whether a page has this server's name and the page's port. */
  #isPage({ hostname, port, protocol }: URL, host: string | undefined): boolean {
    const { pagePort } = this.#options;
    const own = port === "" ? DEFAULT_PORTS[protocol] : Number(port);
    return own === pagePort && hostname.replace(/^\[(.*)\]$/, "$1") === hostNameOf(host);
  }
}

/** Ports that an origin leaves out. */
const DEFAULT_PORTS: Readonly<Record<string, number>> = { "http:": 80, "https:": 443 };

/**
 * The name in a `Host` header, in lower case and without brackets; undefined if the header is
 * invalid.
 */
function hostNameOf(host: string | undefined): string | undefined {
  if (host === undefined || !URL.canParse(`http://${host}`)) return undefined;
  return hostOf(host).replace(/^\[(.*)\]$/, "$1");
}

/** The name in a `Host` header that `allowsHost` accepted, in lower case and without its port. */
export function hostOf(host: string): string {
  return new URL(`http://${host}`).hostname;
}

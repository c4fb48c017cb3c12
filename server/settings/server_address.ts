/**
 * Addresses of the log's servers. They may contain credentials: nats://user:password@host, or
 * nats://token@host. These are secrets, so messages and log lines leave them out.
 */

/** How a node reaches its servers: plain TCP, TCP with TLS, a WebSocket, or one with TLS. */
const SCHEMES = ["nats", "tls", "ws", "wss"] as const;

type ServerScheme = typeof SCHEMES[number];

/** What a client shows to each server; empty if the servers need no credentials. */
export type ServerCredentials =
  | { readonly user: string; readonly pass: string }
  | { readonly token: string }
  | Readonly<Record<never, never>>;

/** The scheme of an address that the settings accepted. */
export function schemeOf(url: string): ServerScheme {
  return SCHEMES.find((scheme) => url.startsWith(`${scheme}://`))!;
}

/** An address as messages and log lines show it. */
export function withoutCredentials(url: string): string {
  return url.replace(/^(\w+:\/\/)[^@]*@/, "$1");
}

/**
 * The credentials for all servers, which share one account. An address without credentials uses the
 * others'.
 * @returns undefined if two addresses carry different ones, or if one is badly encoded
 */
export function credentialsOf(urls: readonly string[]): ServerCredentials | undefined {
  const found = new Map<string, ServerCredentials>();
  for (const url of urls) {
    const { username, password } = new URL(url);
    if (username === "") continue;
    try {
      const user = decodeURIComponent(username);
      const pass = decodeURIComponent(password);
      found.set(`${username}:${password}`, password === "" ? { token: user } : { user, pass });
    } catch {
      return undefined;
    }
  }
  return found.size > 1 ? undefined : found.values().next().value ?? {};
}

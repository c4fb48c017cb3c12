/**
 * The request with which a client opens a WebTransport session: CONNECT with a protocol (RFC 9220).
 */
import { Http3Code, Http3Error } from "./http3_error.ts";
import { decodeFields } from "./qpack.ts";

/** The protocol's name, in drafts up to 13 and since then. */
const PROTOCOLS: ReadonlySet<string | undefined> = new Set(["webtransport", "webtransport-h3"]);

/** What the request's headers say. */
export interface SessionRequest {
  /** The server's name as the client knows it, with the port. */
  readonly authority: string;
  /** The path with its query. */
  readonly path: string;
  /** The page's origin; undefined for a client that is not a page. */
  readonly origin: string | undefined;
}

/**
 * @param section the payload of the headers frame
 * @throws Http3Error if it does not ask for a session
 */
export function decodeSessionRequest(section: Uint8Array): SessionRequest {
  const byName = new Map<string, string>();
  for (const [name, value] of decodeFields(section)) {
    if (byName.has(name) && (name.startsWith(":") || name === "origin")) fail(`${name} twice`);
    byName.set(name, value);
  }

  const authority = byName.get(":authority");
  const path = byName.get(":path");
  if (byName.get(":method") !== "CONNECT" || !PROTOCOLS.has(byName.get(":protocol"))) {
    fail("no request for a session");
  }
  if (byName.get(":scheme") !== "https" || authority === undefined || path === undefined) {
    fail("an incomplete request");
  }
  if (!path.startsWith("/")) fail("a path that does not begin at the root");
  return { authority, path, origin: byName.get("origin") };
}

function fail(message: string): never {
  throw new Http3Error(Http3Code.message, message);
}

/** Answers HTTP requests, including their headers. No answer here needs a request's body. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { SERVER_MARK } from "../../shared/netcode/link.ts";
import { GOING_AWAY } from "../../shared/netcode/wire/stop_reasons.ts";
import { METRICS_TYPE } from "../metrics/metric_text.ts";
import type { Refusal } from "./admission.ts";
import { encodingFor, type StaticFile } from "./static_files.ts";
import { ifNoneMatch } from "./std_http.ts";

/** A value, or a promise of it if another process must be asked. */
export type Eventually<Value> = Value | Promise<Value>;

/** Probes by operators and their machines, which come often and from one address. */
export const PROBE_PATHS: ReadonlySet<string> = new Set(["/healthz", "/readyz"]);

/** The path as it was sent. It is only compared with known paths, so it needs no decoding. */
export function pathOf(request: IncomingMessage): string {
  return (request.url ?? "/").split("?", 1)[0]!;
}

/** The query with its question mark; empty if there is none. */
export function queryOf({ url = "/" }: IncomingMessage): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at);
}

/**
 * Lets a page of another origin read the answer, and how long it took. Call it only for an origin
 * that may play here.
 */
export function allowOrigin(response: ServerResponse, origin: string): void {
  response.setHeader("Access-Control-Allow-Origin", origin);
  response.setHeader("Access-Control-Expose-Headers", SERVER_MARK);
  response.setHeader("Timing-Allow-Origin", origin);
  response.setHeader("Vary", "Origin");
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0;
}

/** What a program reads at a path where nothing is. */
export const NO_SUCH_PAGE = "There is no such page.";

/** Answers with a short text and closes the connection. Our own pages send no such request. */
export function respondText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "Content-Type": "text/plain; charset=utf-8",
    "Connection": "close",
  });
  response.end(`${text}\n`);
}

/** The start takes a fraction of a second once the port is open. */
export const STARTING_RETRY_SECONDS = 1;
export const STARTING_TEXT = "The server is starting. Try again in a second.";

/**
 * Answers any request that comes while the server starts. Probes and programs get JSON with the
 * fields of `/readyz` and of a refused ticket. Its code is the one that means "going away", so that
 * a client comes again at once.
 */
export function respondStarting(response: ServerResponse): void {
  const path = pathOf(response.req);
  const isForPeople = !path.startsWith("/api/") && !PROBE_PATHS.has(path);
  response.setHeader("Retry-After", STARTING_RETRY_SECONDS);
  if (isForPeople) return respondText(response, 503, STARTING_TEXT);
  response.setHeader("Connection", "close");
  respondJson(response, 503, {
    ready: false,
    reason: "starting",
    code: GOING_AWAY,
    error: STARTING_TEXT,
    retryAfterSeconds: STARTING_RETRY_SECONDS,
  });
}

export function respondRedirect(response: ServerResponse, location: string): void {
  response.writeHead(308, { "Location": location, "Content-Length": 0 }).end();
}

export function respondJson(response: ServerResponse, status: number, value: unknown): void {
  respondJsonText(response, status, JSON.stringify(value));
}

export function respondJsonText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store" });
  response.end(text);
}

/** How many bytes a connection is given before its client has read some. */
const PIECE_BYTES = 65_536;

/**
 * Answers with bytes that compression cannot shorten. They leave piece by
 * piece, as fast as the client reads, so that a slow client does not cost a second copy of them.
 * @param options.isGrowing whether there will be more, so that no cache may keep these; otherwise
 *   they never change
 * @param options.onRead called when the client has read a piece
 * @returns when the answer has left, or its connection has ended; it never rejects
 */
export async function respondBytesSlowly(
  response: ServerResponse,
  bytes: Uint8Array,
  { isGrowing, onRead }: { readonly isGrowing: boolean; readonly onRead: () => void },
): Promise<void> {
  const closed = new Promise<void>((resolve) => response.once("close", resolve));
  response.writeHead(200, {
    "Content-Type": "application/octet-stream",
    "Content-Length": bytes.length,
    "Cache-Control": isGrowing ? "no-store" : "public, max-age=31536000, immutable",
  });

  // One piece, and the next as soon as the connection has room for it
  const isBodyWanted = response.req.method !== "HEAD";
  for (
    let from = 0;
    isBodyWanted && from < bytes.length && !response.destroyed;
    from += PIECE_BYTES
  ) {
    if (response.write(bytes.subarray(from, from + PIECE_BYTES))) continue;
    await Promise.race([new Promise<void>((resolve) => response.once("drain", resolve)), closed]);
    onRead();
  }

  response.end();
  await closed;
}

export function respondMetrics(response: ServerResponse, text: string): void {
  response.writeHead(200, { "Content-Type": METRICS_TYPE, "Cache-Control": "no-store" });
  response.end(text);
}

/**
 * Answers with a file, compressed if the client accepts it, or with 304 if the client has it
 * already. Browsers obey the policy in either answer.
 * @param policy the text of `contentPolicy`
 */
export function respondFile(response: ServerResponse, file: StaticFile, policy: string): void {
  const { "if-none-match": known, "accept-encoding": accepted } = response.req.headers;
  for (const [name, value] of Object.entries(file.headers)) response.setHeader(name, value);
  response.setHeader("Content-Security-Policy", policy);
  response.setHeader("ETag", file.etag);
  if (known !== undefined && !ifNoneMatch(known, file.etag)) {
    return void response.writeHead(304).end();
  }

  const encoding = encodingFor(file, accepted);
  if (encoding !== undefined) response.setHeader("Content-Encoding", encoding);
  const body = encoding === undefined ? file.body : file.encodings.get(encoding)!;
  response.writeHead(200, { "Content-Length": body.length });
  response.end(body); // node:http omits the body when it answers HEAD
}

const REASON_PHRASES: Readonly<Record<Refusal["status"], string>> = {
  403: "Forbidden",
  404: "Not Found",
  421: "Misdirected Request",
  429: "Too Many Requests",
  503: "Service Unavailable",
};

/** Sends an HTTP answer on a socket that will not be upgraded. */
export function refuse(socket: Duplex, { status, reason, retryAfterSeconds }: Refusal): void {
  const text = `${reason}\n`;
  const head = [
    `HTTP/1.1 ${status} ${REASON_PHRASES[status]}`,
    "Connection: close",
    "Content-Type: text/plain; charset=utf-8",
    ...retryAfterSeconds === undefined ? [] : [`Retry-After: ${retryAfterSeconds}`],
    `Content-Length: ${text.length}`,
  ];
  socket.once("finish", () => socket.destroy());
  socket.end(`${head.join("\r\n")}\r\n\r\n${text}`);
}

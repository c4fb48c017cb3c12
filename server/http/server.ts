/**
 * The HTTP server: pages, health, metrics, rooms, games and the path of the WebSockets, all on one port. It answers
 * every request from memory and reads no request body. An error in one answer ends only that request.
 *
 * It is node:http with `ws`, because Deno's own WebSocket upgrade limits neither messages nor fragments (DESIGN 12.4).
 */
import type { Buffer } from "node:buffer";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { AddressInfo } from "node:net";
import { type Link, SOCKET_PATH } from "../../shared/netcode/link.ts";
import { AdmissionControl, type Refusal, type RefusalCause } from "./admission.ts";
import type { Limits } from "../settings/limits.ts";
import type { Peer } from "./peer.ts";
import { type Log, messageOf } from "../log.ts";
import { type CloseInitiator, METRICS_TYPE } from "../metrics.ts";
import { encodingFor, type StaticFile, type StaticFiles } from "./static_files.ts";
import { WebSockets } from "./websocket.ts";
import { clock } from "../ticker.ts";
import type { Rate } from "../../shared/flags.ts";
import { TokenBucket } from "./token_bucket.ts";

/** A browser sends its header in one packet. A client that takes longer holds a connection open on purpose. */
const HEADERS_TIMEOUT_MS = 3_000;
/** Header and body together. No body is accepted, so this is hardly more than the header's limit. */
const REQUEST_TIMEOUT_MS = 5_000;
/** Interval at which node:http checks both timeouts; they can fire this much too late. */
const TIMEOUTS_CHECKED_EVERY_MS = 500;
/** Long enough for a page and its files over one connection. */
const KEEP_ALIVE_MS = 5_000;

/**
 * Limit on log lines about refusals, so that a flood of them does not fill the disk. The next line has the number of
 * refusals that were not logged.
 */
const REFUSALS_LOGGED: Rate = { burst: 20, perSecond: 1 };

/** The list of games. The path of each game's schema is below it. */
const GAMES_PATH = "/api/games";
const NO_SUCH_GAME = `There is no such game. ${GAMES_PATH} lists the games.`;

/** The answer to `GET /healthz`. */
export interface Health {
  /** Whether ticks run on time. */
  readonly ok: boolean;
  readonly rooms: number;
  readonly clients: number;
  /** Ticks run since the start. */
  readonly ticks: number;
  readonly uptimeSeconds: number;
}

export interface HttpServerOptions {
  /** A name or address of this machine. */
  readonly host: string;
  /** 0 … 65535; 0 takes any free one. */
  readonly port: number;
  /** Read for each request, so that a server for development can replace the files. */
  readonly staticFiles: () => StaticFiles;
  readonly health: () => Health;
  /** The answer to `GET /metrics`, in Prometheus' text format. */
  readonly metrics: () => string;
  /**
   * The rooms in the answer to `GET /api/rooms`, JSON-serializable.
   * @param game the game's name in `?game=NAME`, if there is one
   * @returns undefined if no game has the name
   */
  readonly rooms: (game: string | undefined) => unknown;
  /** The answer to `GET /dev` as JSON: problems of the sources. Only a server for development has it. */
  readonly problems?: () => string;
  /** JSON texts by game id: the answers to `GET /api/games/ID`. */
  readonly gameSchemas: ReadonlyMap<string, string>;
  /** Called with the link of each admitted socket. */
  readonly admit: (link: Link, peer: Peer) => void;
  /** Called for each refused socket. */
  readonly onRefused?: (cause: RefusalCause) => void;
  /** Called when a link has ended. @param by the end that chose the code */
  readonly onClosed?: (code: number, by: CloseInitiator) => void;
  readonly limits: Limits;
  /** Answers pages of developers. @returns a JSON-serializable value; undefined if there is none at this path */
  readonly developerApi?: { answer(path: string): unknown };
  readonly log: Log;
}

/** The host and port cannot be listened on. The message names the flag and the reason. */
export class ListenError extends Error {
  override readonly name = "ListenError";
}

export class HttpServer {
  readonly #options: HttpServerOptions;
  readonly #admission: AdmissionControl;
  readonly #webSockets: WebSockets;
  readonly #server: Server;
  readonly #gamesAnswers: ReadonlyMap<string, string>;
  readonly #refusalsLogged = new TokenBucket(REFUSALS_LOGGED, clock.now());
  #refusalsUnlogged = 0;

  private constructor(options: HttpServerOptions) {
    this.#options = options;
    this.#admission = new AdmissionControl(options.limits);
    this.#webSockets = new WebSockets({ ...options, messagesPerLink: options.limits.messagesPerLink });
    this.#gamesAnswers = gamesAnswersOf(options.gameSchemas);
    this.#server = createServer({
      headersTimeout: HEADERS_TIMEOUT_MS,
      requestTimeout: REQUEST_TIMEOUT_MS,
      connectionsCheckingInterval: TIMEOUTS_CHECKED_EVERY_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
    });
    this.#server.maxConnections = options.limits.connections;
    this.#server.on("request", (request, response) => this.#onRequest(request, response));
    this.#server.on("upgrade", (request, socket, head) => this.#onUpgrade(request, socket, head));
  }

  /** Opens the server. @throws ListenError if the port is in use or the host is not an address of this machine */
  static async open(options: HttpServerOptions): Promise<HttpServer> {
    const server = new HttpServer(options);
    try {
      await server.#listen();
      return server;
    } catch (error) {
      await server.close(1001, "the server did not start");
      throw error;
    }
  }

  /** The address of the page, with the real port. */
  get url(): string {
    const { address, family, port } = this.#server.address() as AddressInfo;
    return `http://${family === "IPv6" ? `[${address}]` : address}:${port}/`;
  }

  /** Open sockets. */
  get socketCount(): number {
    return this.#webSockets.count;
  }

  /** Bytes of all sockets that the operating system has not taken yet. */
  get unsentBytes(): number {
    return this.#webSockets.unsentBytes;
  }

  /** Closes every socket with this code, then the port. @returns when all are closed, after 2 s at most */
  async close(code: number, reason: string): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()));
    await this.#webSockets.close(code, reason);
    this.#server.closeAllConnections();
    await closed;
  }

  #listen(): Promise<void> {
    const { host, port, log } = this.#options;
    return new Promise((resolve, reject) => {
      this.#server.once("error", (error) => reject(new ListenError(describeListenError(error, { host, port }))));
      this.#server.listen({ host, port }, () => {
        this.#server.removeAllListeners("error");
        this.#server.on("error", (error) => log("server_failed", { error: messageOf(error) }));
        resolve();
      });
    });
  }

  #onRequest(request: IncomingMessage, response: ServerResponse): void {
    try {
      this.#respond(request, response);
    } catch (error) {
      this.#options.log("request_failed", { error: messageOf(error) });
      response.destroy();
    }
  }

  #respond(request: IncomingMessage, response: ServerResponse): void {
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Referrer-Policy", "no-referrer");
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD");
      return respondText(response, 405, "Only GET and HEAD are answered here.");
    }
    if (hasBody(request)) return respondText(response, 400, "No body is read here.");
    const path = pathOf(request);
    if (path === "/healthz") return respondHealth(response, this.#options.health());
    if (path === "/api/rooms") return this.#respondRooms(request, response);
    const gamesAnswer = this.#gamesAnswers.get(path);
    if (gamesAnswer !== undefined) return respondJsonText(response, 200, gamesAnswer);
    if (path.startsWith(`${GAMES_PATH}/`)) return respondText(response, 404, NO_SUCH_GAME);
    const { problems, developerApi } = this.#options, contractAnswer = developerApi?.answer(path);
    if (contractAnswer !== undefined) return respondJson(response, 200, contractAnswer);
    if (path === "/dev" && problems !== undefined) return respondJsonText(response, 200, problems());
    if (path === "/metrics") return respondMetrics(response, this.#options.metrics());
    if (path === SOCKET_PATH) return respondText(response, 426, "This is the way to a WebSocket.");
    const files = this.#options.staticFiles(), file = files.get(path);
    if (file !== undefined) return respondFile(response, file);
    if (files.has(`${path}/`)) return respondRedirect(response, `${path}/${queryOf(request)}`);
    respondText(response, 404, "There is no such page.");
  }

  #respondRooms(request: IncomingMessage, response: ServerResponse): void {
    const game = new URLSearchParams(queryOf(request)).get("game") ?? undefined, rooms = this.#options.rooms(game);
    if (rooms === undefined) respondText(response, 404, "There is no such game.");
    else respondJson(response, 200, { rooms });
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    // Without a listener a peer's reset would be an uncaught error. The "close" event reports the end of the socket.
    socket.on("error", () => {});
    const address = request.socket.remoteAddress;
    if (socket.destroyed || address === undefined) return void socket.destroy();
    const { origin, host } = request.headers;
    const refusal = this.#admission.acquire({ path: pathOf(request), origin, host, address });
    if (refusal !== undefined) return this.#refuse(socket, refusal, address);
    socket.once("close", () => this.#admission.release(address));
    try {
      this.#webSockets.handleUpgrade(request, socket, head);
    } catch (error) {
      this.#options.log("upgrade_failed", { error: messageOf(error) });
      socket.destroy();
    }
  }

  #refuse(socket: Duplex, refusal: Refusal, address: string): void {
    refuse(socket, refusal);
    const { log, onRefused } = this.#options;
    onRefused?.(refusal.cause);
    if (!this.#refusalsLogged.take(clock.now())) return void this.#refusalsUnlogged++;
    log("refused", { cause: refusal.cause, status: refusal.status, address, unlogged: this.#refusalsUnlogged });
    this.#refusalsUnlogged = 0;
  }
}

/** The path as the request has it. It is only compared with known paths, so it needs no decoding. */
function pathOf(request: IncomingMessage): string {
  return (request.url ?? "/").split("?", 1)[0]!;
}

/** The query with its question mark; empty if there is none. */
function queryOf({ url = "/" }: IncomingMessage): string {
  const at = url.indexOf("?");
  return at < 0 ? "" : url.slice(at);
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers["transfer-encoding"] !== undefined || Number(headers["content-length"] ?? 0) !== 0;
}

/** Answers with a short text and closes the connection. No page of ours sends such a request. */
function respondText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "text/plain; charset=utf-8", "Connection": "close" });
  response.end(`${text}\n`);
}

function respondRedirect(response: ServerResponse, location: string): void {
  response.writeHead(308, { "Location": location, "Content-Length": 0 }).end();
}

function respondHealth(response: ServerResponse, health: Health): void {
  respondJson(response, health.ok ? 200 : 503, health);
}

function respondJson(response: ServerResponse, status: number, value: unknown): void {
  respondJsonText(response, status, JSON.stringify(value));
}

function respondJsonText(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, { "Content-Type": "application/json", "Cache-Control": "no-store" });
  response.end(text);
}

/** The answers about games, by path: their list, and each game's schema. They stay the same, so they are texts. */
function gamesAnswersOf(gameSchemas: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const answers = new Map([[GAMES_PATH, JSON.stringify({ games: [...gameSchemas.keys()] })]]);
  for (const [id, schema] of gameSchemas) answers.set(`${GAMES_PATH}/${encodeURIComponent(id)}`, schema);
  return answers;
}

function respondMetrics(response: ServerResponse, text: string): void {
  response.writeHead(200, { "Content-Type": METRICS_TYPE, "Cache-Control": "no-store" });
  response.end(text);
}

function respondFile(response: ServerResponse, file: StaticFile): void {
  const { headers } = response.req;
  for (const [name, value] of Object.entries(file.headers)) response.setHeader(name, value);
  response.setHeader("ETag", file.etag);
  if (headers["if-none-match"] === file.etag) return void response.writeHead(304).end();
  const encoding = encodingFor(file, String(headers["accept-encoding"] ?? ""));
  if (encoding !== undefined) response.setHeader("Content-Encoding", encoding);
  const body = encoding === undefined ? file.body : file.encodings.get(encoding)!;
  response.writeHead(200, { "Content-Length": body.length });
  response.end(body); // node:http omits the body when it answers HEAD
}

const REASON_PHRASES: Readonly<Record<Refusal["status"], string>> = {
  403: "Forbidden",
  404: "Not Found",
  429: "Too Many Requests",
  503: "Service Unavailable",
};

/** Sends an HTTP answer on a socket that is not upgraded. */
function refuse(socket: Duplex, { status, reason }: Refusal): void {
  const text = `${reason}\n`;
  socket.once("finish", () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${REASON_PHRASES[status]}\r\nConnection: close\r\nContent-Type: text/plain; charset=utf-8\r\n` +
      `Content-Length: ${text.length}\r\n\r\n${text}`,
  );
}

/** Explains the operating system's error in terms of the server's flags. */
function describeListenError(error: Error, { host, port }: { host: string; port: number }): string {
  const code = (error as Error & { code?: string }).code;
  if (code === "EADDRINUSE") return `--port ${port} is in use on ${host}; choose another, or 0 for any free one`;
  if (code === "EACCES") return `--port ${port} may not be used by this user; choose one above 1023`;
  return `--host ${host} cannot be listened on: ${error.message}`;
}

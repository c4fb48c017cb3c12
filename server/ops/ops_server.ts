/**
 * The operators' port: the page `/ops`, the API below `/api/ops/` and `/metrics`, all behind a
 * token. It differs from the players' port, so that a firewall can keep strangers away from it.
 *
 *     GET  /ops                             the page           POST /ops/session, /ops/kick …     its forms
 *     GET  /api/ops/rooms                   rooms and clients  POST /api/ops/kick, ban, unban, close, watch, announce,
 *                                                                                 cordon, uncordon, handover
 *     GET  /metrics                         for Prometheus, of this machine
 *     GET  /metrics/all                     the same of all nodes, where machines share the matches
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type Eventually,
  pathOf,
  respondJson,
  respondMetrics,
  respondText,
} from "../http/answers.ts";
import { addressBlockOf } from "../addresses/client_address.ts";
import { bodyOf, jsonOf } from "../http/request_body.ts";
import { Listener, type ListenerOptions } from "../http/listener.ts";
import { SiteRules } from "../http/site_rules.ts";
import { type OperatorToken, showsBearer, type TokenReading } from "./operator_token.ts";
import type { Operations } from "./operations.ts";
import { OPS_STYLE, opsPage, type OpsView, signInPage } from "./ops_page.ts";

/** The longest body: a form, or an object with two short fields. */
const BODY_BYTES_MAX = 1_024;

/** How soon an address may try another token, s. */
const RETRY_AFTER_SECONDS = "5";

export interface OpsServerOptions
  extends Pick<ListenerOptions, "host" | "port" | "limits" | "proxies" | "log"> {
  readonly token: OperatorToken;
  readonly operations: Operations;
  readonly metrics: () => Eventually<string>;
  /** Those of all nodes; undefined for a machine by itself. */
  readonly allMetrics: (() => Promise<string>) | undefined;
  /** What the page and `GET /api/ops/rooms` show. */
  readonly view: () => Promise<Omit<OpsView, "answer" | "link">>;
}

export class OpsServer {
  readonly #options: OpsServerOptions;
  readonly #site: SiteRules;
  #listener: Listener | undefined;

  private constructor(options: OpsServerOptions) {
    this.#options = options;
    this.#site = new SiteRules({ origins: [], hosts: [], host: options.host, isPublic: false });
  }

  /**
   * Opens the port.
   * @throws ListenError if the port is in use, or the host is not an address of this machine
   */
  static async open(options: OpsServerOptions): Promise<OpsServer> {
    const server = new OpsServer(options);
    server.#listener = await Listener.open({
      ...options,
      setting: "ops-",
      onRequest: (request, response) => void server.#respond(request, response),
    });
    return server;
  }

  /** The page's URL. */
  get url(): string {
    return `${this.#listener!.url}ops`;
  }

  async close(): Promise<void> {
    const closed = this.#listener!.stopAccepting();
    this.#listener!.closeConnections();
    await closed;
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      setHeaders(response);
      const { host, origin } = request.headers;
      // A stranger's page, under a name that points at this port, must not use an operator's
      // browser. But unlike a cookie, browsers do not add a bearer token by themselves. So a
      // request with one may use any name, as scrapers' requests do.
      if (!this.#site.allowsHost(host) && !showsBearer(request)) {
        return respondText(response, 421, "This server has another name.");
      }
      if (!this.#site.allowsOrigin({ host, origin })) {
        return respondText(response, 403, "This is another site.");
      }
      if (request.method === "POST") return await this.#onPost(request, response);
      if (request.method !== "GET" && request.method !== "HEAD") {
        return respondText(response, 405, "GET and POST only.");
      }
      await this.#onGet(request, response);
    } catch (error) {
      this.#options.log("request_failed", { error: String(error) });
      response.destroy();
    }
  }

  async #onGet(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { token, metrics, allMetrics, view } = this.#options;
    const path = pathOf(request);

    // Paths that need no token
    if (path === "/ops.css") return respond(response, 200, "text/css; charset=utf-8", OPS_STYLE);
    if (path === "/") {
      return void response.writeHead(308, { "Location": "/ops", "Content-Length": 0 }).end();
    }

    // Paths that need the operators' token
    const reading = token.read(request);
    if (reading !== "right") return this.#refuse(path, response, reading);
    if (path === "/metrics") return respondMetrics(response, await metrics());
    if (path === "/metrics/all" && allMetrics !== undefined) {
      return respondMetrics(response, await allMetrics());
    }
    if (path === "/api/ops/rooms") return respondJson(response, 200, await view());
    if (path === "/ops") {
      return respondPage(response, 200, opsPage({ ...await view(), answer: "" }));
    }
    respondText(response, 404, "There is no such page.");
  }

  async #onPost(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { token, operations, view } = this.#options;
    const path = pathOf(request);

    // The sign-in form carries the token in its body. All others must show it before their body is
    // read.
    const isSignIn = path === "/ops/session";
    const reading = isSignIn ? "right" : token.read(request);
    if (reading !== "right") return this.#refuse(path, response, reading);

    const body = await bodyOf(request, BODY_BYTES_MAX);
    if (body === undefined) {
      return respondText(response, 413, `A body has at most ${BODY_BYTES_MAX} bytes.`);
    }
    if (isSignIn) {
      return this.#signIn(new URLSearchParams(body).get("token") ?? "", request, response);
    }

    // A form of the page
    const form = /^\/ops\/(\w+)$/.exec(path)?.[1];
    if (form !== undefined) {
      const { status, text, link } = await operations.act(
        form,
        Object.fromEntries(new URLSearchParams(body)),
      );
      return respondPage(response, status, opsPage({ ...await view(), answer: text, link }));
    }

    // The API
    const name = /^\/api\/ops\/(\w+)$/.exec(path)?.[1];
    if (name === undefined) return respondText(response, 404, "There is no such action.");
    const { status, text, link } = await operations.act(name, jsonOf(body));
    respondJson(response, status, status === 200 ? { done: text, link } : { error: text });
  }

  #signIn(text: string, request: IncomingMessage, response: ServerResponse): void {
    const { token, log } = this.#options;
    const reading = token.readText(text, addressBlockOf(request.socket.remoteAddress ?? ""));
    if (reading === "guess") return respondGuess(response);
    if (reading !== "right") {
      log("operator_refused");
      return respondPage(response, 401, signInPage("That is not the token."));
    }
    response.setHeader("Set-Cookie", token.cookie);
    response.writeHead(303, { "Location": "/ops", "Content-Length": 0 }).end();
  }

  #refuse(path: string, response: ServerResponse, reading: TokenReading): void {
    if (reading === "guess") return respondGuess(response);
    if (path.startsWith("/ops")) return respondPage(response, 401, signInPage(""));
    response.setHeader("WWW-Authenticate", "Bearer");
    respondText(response, 401, "This needs the operators' token.");
  }
}

function respondGuess(response: ServerResponse): void {
  response.setHeader("Retry-After", RETRY_AFTER_SECONDS);
  respondText(response, 429, "Too many wrong tokens. The right one is taken at any time.");
}

function setHeaders(response: ServerResponse): void {
  response.setHeader("X-Content-Type-Options", "nosniff");
  // With "no-referrer" this page's forms would seem to come from nowhere, and be refused.
  response.setHeader("Referrer-Policy", "same-origin");
  response.setHeader("Cache-Control", "no-store");
  response.setHeader(
    "Content-Security-Policy",
    "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'",
  );
}

function respondPage(response: ServerResponse, status: number, html: string): void {
  respond(response, status, "text/html; charset=utf-8", html);
}

function respond(response: ServerResponse, status: number, type: string, text: string): void {
  response.writeHead(status, { "Content-Type": type });
  response.end(text);
}

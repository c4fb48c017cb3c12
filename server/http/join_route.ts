/**
 * Answers `POST /api/rooms/CODE/join`, and `/api/play` if several machines share the matches. Beside
 * the reports of `hashes_route.ts`, these are the only requests by strangers with a body that is read.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { CloseCode } from "../../shared/netcode/wire/messages.ts";
import { GOING_AWAY } from "../../shared/netcode/wire/stop_reasons.ts";
import { type Log, messageOf } from "../ground/log.ts";
import {
  type Admission,
  type Applicant,
  JOIN_BYTES_MAX,
  type JoinAnswer,
} from "../tickets/admission.ts";
import type { HelloRefusal } from "../capacity/capacity_check.ts";
import { allowOrigin, pathOf, queryOf, respondJson, respondText } from "./answers.ts";
import { bodyOf, jsonOf } from "./request_body.ts";
import type { SiteRules } from "./site_rules.ts";

/** The answer to "Play now". */
export type PlayAnswer =
  | {
    readonly room: string;
    /** The origin that gives tickets for the room. */
    readonly server: string;
  }
  | {
    /** Ask again after this time, ms. */
    readonly waitMs: number;
  }
  | HelloRefusal;

const JOIN_PATH = /^\/api\/rooms\/([^/]*)\/join$/;
/**
 * `GET` names the places to which a page measures its round trips, and `POST` answers "Play now".
 */
const PLAY_PATH = "/api/play";

/** When a client comes again to a full server, s. */
const RETRY_AFTER_SECONDS = 10;

/** How long a browser remembers that a page may ask here, s. */
const PREFLIGHT_SECONDS = 600;

/** The statuses of refusals other than "Forbidden". */
const STATUSES: Readonly<Record<number, number>> = {
  [CloseCode.protocol]: 400,
  [CloseCode.game]: 404,
  [CloseCode.noRoom]: 404,
  [CloseCode.roomTaken]: 409,
  [CloseCode.addressFull]: 429,
  [CloseCode.busy]: 503,
  [GOING_AWAY]: 503,
};

/** What a client with a banned address is answered, in the words that admission would use. */
const BANNED: JoinAnswer = {
  code: CloseCode.unauthorised,
  reason: "An operator has banned your address for a while.",
};

/** "Play now" over several machines. */
export interface SeatFinder {
  /** The nodes to which a page measures its round trips, JSON-serializable. */
  regions(): unknown;
  /**
   * @param body the request's JSON value; undefined if it is not JSON
   * @param asked.name the game's name in the URL, or empty
   */
  play(body: unknown, asked: { name: string; addressBlock: string }): Promise<PlayAnswer>;
}

export interface JoinRouteOptions {
  readonly admission: Pick<Admission, "join">;
  /** Undefined for a machine on its own, which does not offer this path. */
  readonly matchmaker?: SeatFinder | undefined;
  readonly site: SiteRules;
  /** @returns whether an operator has banned the address */
  readonly isBanned?: ((addressBlock: string) => boolean) | undefined;
  readonly log: Log;
}

export class JoinRoute {
  readonly #options: JoinRouteOptions;

  constructor(options: JoinRouteOptions) {
    this.#options = options;
  }

  has(request: IncomingMessage): boolean {
    return JOIN_PATH.test(pathOf(request)) || this.#isPlay(request);
  }

  #isPlay(request: IncomingMessage): boolean {
    return this.#options.matchmaker !== undefined && pathOf(request) === PLAY_PATH;
  }

  async respond(
    request: IncomingMessage,
    response: ServerResponse,
    client: Pick<Applicant, "address" | "addressBlock">,
  ): Promise<void> {
    try {
      await this.#respond(request, response, client);
    } catch (error) {
      // A client that cuts its own request off leaves no line in the log.
      if (request.complete) this.#options.log("request_failed", { error: messageOf(error) });
      response.destroy();
    }
  }

  async #respond(
    request: IncomingMessage,
    response: ServerResponse,
    client: Pick<Applicant, "address" | "addressBlock">,
  ): Promise<void> {
    const { admission, site, isBanned } = this.#options;
    const { host, origin, authorization = "", cookie = "" } = request.headers;

    // From a page that may play here
    response.setHeader("X-Content-Type-Options", "nosniff");
    if (!site.allowsHost(host)) return respondText(response, 421, "This server has another name.");
    if (!site.allowsOrigin({ host, origin })) {
      return respondText(response, 403, "A page of another site may not play.");
    }

    // When a page's own machine is gone, the page asks another machine of the cluster.
    if (origin !== undefined) allowOrigin(response, origin);

    // By method
    if (request.method === "OPTIONS") return respondPreflight(response);
    if (request.method === "GET" && this.#isPlay(request)) {
      return respondJson(response, 200, { regions: this.#options.matchmaker!.regions() });
    }
    if (request.method !== "POST") {
      response.setHeader("Allow", "POST");
      return respondText(response, 405, "Only POST is answered here.");
    }
    if (isBanned?.(client.addressBlock)) return respondAnswer(response, BANNED);

    // What the client wants, and the answer
    const body = await bodyOf(request, JOIN_BYTES_MAX);
    if (body === undefined) {
      return respondText(response, 413, `A body has at most ${JOIN_BYTES_MAX} bytes.`);
    }
    const applicant = { ...client, host, headers: { authorization, cookie } };
    const value = jsonOf(body);
    const [, room] = JOIN_PATH.exec(pathOf(request)) ?? [];
    const name = new URLSearchParams(queryOf(request)).get("game") ?? "";
    const answer = room === undefined
      ? await this.#play(value, { name, applicant })
      : await admission.join(room, value, applicant);
    if (!response.destroyed) respondAnswer(response, answer);
  }

  /**
   * If the body is also a whole request for a ticket, issues one, so that the answer holds both the
   * room and its owner's address.
   */
  async #play(
    body: unknown,
    { name, applicant }: { name: string; applicant: Applicant },
  ): Promise<JoinAnswer | PlayAnswer> {
    const { matchmaker, admission } = this.#options;
    const { addressBlock } = applicant;
    const place = await matchmaker!.play(body, { name, addressBlock });
    if (!("room" in place) || !Object.hasOwn(body as object, "protocol")) return place;
    return { room: place.room, ...await admission.join(place.room, body, applicant) };
  }
}

/** Answers the browser's question whether a page of another allowed origin may ask for a ticket. */
function respondPreflight(response: ServerResponse): void {
  response.setHeader("Access-Control-Allow-Methods", "POST");
  response.setHeader("Access-Control-Allow-Headers", "Content-Type");
  response.setHeader("Access-Control-Max-Age", PREFLIGHT_SECONDS);
  response.writeHead(204).end();
}

function respondAnswer(response: ServerResponse, answer: JoinAnswer | PlayAnswer): void {
  // The client opens its socket next, and the number of connections from its address is limited.
  response.setHeader("Connection", "close");
  if (!("code" in answer)) return respondJson(response, 200, answer);
  const { code, reason: error } = answer;
  const retry = code === CloseCode.busy;
  if (retry) response.setHeader("Retry-After", RETRY_AFTER_SECONDS);
  respondJson(response, STATUSES[code] ?? 403, {
    code,
    error,
    ...retry && { retryAfterSeconds: RETRY_AFTER_SECONDS },
  });
}

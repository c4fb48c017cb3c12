/**
 * Every path of the server, and the answer to it. Answers come from memory, except match logs,
 * which wait in a queue of their own (`Downloads`). No request here has its body read.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import { builtRulesOf } from "../../shared/netcode/built_rules.ts";
import { INTRODUCTIONS_API, type IntroductionsOffer } from "../../shared/introductions.ts";
import { SOCKET_PATH } from "../../shared/netcode/link.ts";
import { respondAbsent } from "./absent_page.ts";
import {
  allowOrigin,
  type Eventually,
  hasBody,
  NO_SUCH_PAGE,
  pathOf,
  queryOf,
  respondFile,
  respondJson,
  respondJsonText,
  respondMetrics,
  respondRedirect,
  respondText,
} from "./answers.ts";
import { Downloads } from "./downloads.ts";
import type { Peer } from "../match/clients/peer.ts";
import type { MatchArchive } from "../match_log/match_archive.ts";
import type { Health, Readiness } from "../metrics/health.ts";
import { RESULTS_PATH, type ResultsAnswer } from "../results/results_api.ts";
import { hostOf, type SiteRules } from "./site_rules.ts";
import { contentPolicy, type PlaceSources, type StaticFiles } from "./static_files.ts";

/** The list of games. Each game's schema has a path below it. */
const GAMES_PATH = "/api/games";
/** The list of finished matches. Each match's log has a path below it. */
const MATCHES_PATH = "/api/matches";
const MATCH_LOG = /^\/api\/matches\/([\w-]{1,64})\/log$/;
const NO_SUCH_GAME = `There is no such game. ${GAMES_PATH} lists the games.`;

export interface RoutesOptions {
  /** Read for each request, so that a development server can replace the files. */
  readonly staticFiles: () => StaticFiles;
  readonly health: () => Health;
  readonly readiness: () => Readiness;
  /**
   * The answer to `GET /metrics`, in Prometheus' text format; undefined if only operators may read
   * it.
   */
  readonly metrics: (() => Eventually<string>) | undefined;
  /**
   * The rooms in the answer to `GET /api/rooms`, JSON-serializable, or a promise of them.
   * @param game the game's name in `?game=NAME`, if there is one
   * @returns undefined if no game has the name
   */
  readonly rooms: (game: string | undefined) => unknown;
  /**
   * The answer to `GET /dev` as JSON: the sources' problems. Only a development server offers it.
   */
  readonly problems?: () => string;
  /** The answers to `GET /api/results` and the paths below it; without it there are none. */
  readonly results?: (wanted: { path: string; query: string }) => ResultsAnswer | undefined;
  /** The finished matches; undefined for a server that keeps no logs. */
  readonly matches?: Pick<MatchArchive, "list" | "log"> | undefined;
  /** JSON texts by game id: the answers to `GET /api/games/ID`. */
  readonly gameSchemas: ReadonlyMap<string, string>;
  /**
   * Answers developers' pages.
   * @returns a JSON-serializable value; undefined if nothing is at this path
   */
  readonly developerApi?: { answer(path: string): unknown };
  readonly site: SiteRules;
  /**
   * The further places to which pages may open sockets and sessions, the most important first; by
   * default none.
   * @param host the `Host` header, which names this server
   */
  readonly connectSources?: ((host: string) => PlaceSources) | undefined;
  /** How pages connect that host rooms themselves; undefined for a server that introduces none. */
  readonly introductions?: IntroductionsOffer | undefined;
  /** The UDP port for datagrams; undefined without them. */
  readonly datagramPort?: () => number | undefined;
}

export class Routes {
  readonly #options: RoutesOptions;
  readonly #gamesAnswers: ReadonlyMap<string, string>;
  /** Places that did not fit into the newest page's policy. */
  policyLeftOut = 0;
  readonly #downloads = new Downloads();

  constructor(options: RoutesOptions) {
    this.#options = options;
    this.#gamesAnswers = gamesAnswersOf(options.gameSchemas);
  }

  /** Answers a request. @param client who sent it */
  respond(
    request: IncomingMessage,
    response: ServerResponse,
    client: Pick<Peer, "addressBlock">,
  ): void {
    response.setHeader("X-Content-Type-Options", "nosniff");
    response.setHeader("Referrer-Policy", "no-referrer");

    // Methods and bodies that no path takes
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.setHeader("Allow", "GET, HEAD");
      return respondText(response, 405, "Only GET and HEAD are answered here.");
    }
    if (hasBody(request)) return respondText(response, 400, "No body is read here.");

    // Probes may use any of this machine's names, everything else only the site's names.
    const path = pathOf(request);
    if (path === "/healthz") return respondProbe(response, this.#options.health());
    if (path === "/readyz") return respondProbe(response, this.#options.readiness());
    if (!this.#options.site.allowsHost(request.headers.host)) {
      return respondText(response, 421, "This server has another name.");
    }

    // A page that lies on another site reads the lists, too.
    const { origin, host } = request.headers;
    const isList = path.startsWith("/api/");
    if (isList && origin !== undefined && this.#options.site.allowsOrigin({ origin, host })) {
      allowOrigin(response, origin);
    }

    // Rooms, results and matches
    if (path === "/api/rooms") {
      return void this.#respondRooms(request, response).catch(() => {
        respondText(response, 500, "The rooms cannot be read.");
      });
    }
    if (path.startsWith(RESULTS_PATH)) return this.#respondResults(request, response);
    if (path === MATCHES_PATH || path.startsWith(`${MATCHES_PATH}/`)) {
      return void this.#respondMatches(path, response, client).catch(() => {
        respondText(response, 500, "The matches cannot be read.");
      });
    }

    // Rooms that pages host
    if (path === INTRODUCTIONS_API) {
      return respondJson(response, 200, this.#options.introductions ?? {});
    }

    // Games
    const gamesAnswer = this.#gamesAnswers.get(path);
    if (gamesAnswer !== undefined) return respondJsonText(response, 200, gamesAnswer);
    if (path.startsWith(`${GAMES_PATH}/`)) return respondText(response, 404, NO_SUCH_GAME);

    // What developers and operators read
    const { problems, developerApi, metrics } = this.#options;
    const contractAnswer = developerApi?.answer(path);
    if (contractAnswer !== undefined) return respondJson(response, 200, contractAnswer);
    if (path === "/dev" && problems !== undefined) {
      return respondJsonText(response, 200, problems());
    }
    if (path === "/metrics" && metrics !== undefined) {
      return this.#respondMetrics(response, metrics());
    }

    // Pages and their files
    if (path === SOCKET_PATH) return respondText(response, 426, "This is the way to a WebSocket.");
    const files = this.#options.staticFiles();
    const file = files.get(path);
    if (file !== undefined) return respondFile(response, file, this.#policyFor(request));
    if (files.has(`${path}/`)) return respondRedirect(response, `${path}/${queryOf(request)}`);
    respondAbsent(request, response, files);
  }

  #respondMetrics(response: ServerResponse, text: Eventually<string>): void {
    if (typeof text === "string") return respondMetrics(response, text);
    void text.then((text) => respondMetrics(response, text)).catch(() => response.destroy());
  }

  /** The policy for a page that was asked for under one of this server's names. */
  #policyFor({ headers: { host = "" } }: IncomingMessage): string {
    const { connectSources, datagramPort, site } = this.#options;
    const port = datagramPort?.();
    const own = port === undefined ? [] : [[`https://${hostOf(host)}:${port}`]];
    const { text, leftOut } = contentPolicy(
      [...own, ...connectSources?.(host) ?? []],
      site.embedders,
    );
    this.policyLeftOut = leftOut;
    return text;
  }

  #respondResults(request: IncomingMessage, response: ServerResponse): void {
    const path = pathOf(request).slice(RESULTS_PATH.length);
    const query = queryOf(request);
    const answer = this.#options.results?.({ path, query });
    if (answer === undefined) respondText(response, 404, NO_SUCH_PAGE);
    else if ("text" in answer) respondText(response, answer.status, answer.text);
    else respondJson(response, 200, answer.value);
  }

  async #respondMatches(
    path: string,
    response: ServerResponse,
    { addressBlock }: Pick<Peer, "addressBlock">,
  ): Promise<void> {
    const { matches } = this.#options;
    if (matches === undefined) return respondText(response, 404, "This server keeps no matches.");

    // Their list
    if (path === MATCHES_PATH) {
      const list = await matches.list(
        new URLSearchParams(queryOf(response.req)).get("game") ?? undefined,
      );
      if (list.status !== 200) return respondText(response, list.status, list.reason);
      return respondJson(response, 200, { matches: list.matches });
    }

    // The log of one
    const [, id] = MATCH_LOG.exec(path) ?? [];
    if (id === undefined) return respondText(response, 404, "There is no such match.");
    this.#downloads.serve(response, addressBlock, () => matches.log(id));
  }

  async #respondRooms(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const game = new URLSearchParams(queryOf(request)).get("game") ?? undefined;
    const rooms = await this.#options.rooms(game);
    if (rooms === undefined) respondText(response, 404, "There is no such game.");
    else respondJson(response, 200, { rooms });
  }
}

function respondProbe(response: ServerResponse, state: Health | Readiness): void {
  const isWell = "ok" in state ? state.ok : state.ready;
  respondJson(response, isWell ? 200 : 503, state);
}

/**
 * The answers about games, by path: the list of games, and each game's schema. They never change,
 * so they are kept as texts.
 */
function gamesAnswersOf(gameSchemas: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  const games = [...gameSchemas.keys()];
  const rules = games.flatMap((id) => {
    const fingerprint = builtRulesOf(id);
    return fingerprint === undefined ? [] : [[id, fingerprint]];
  });
  const listed = { games, ...rules.length > 0 && { rules: Object.fromEntries(rules) } };
  const answers = new Map([[GAMES_PATH, JSON.stringify(listed)]]);
  for (const [id, schema] of gameSchemas) {
    answers.set(`${GAMES_PATH}/${encodeURIComponent(id)}`, schema);
  }
  return answers;
}

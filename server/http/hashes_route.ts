/**
 * Answers `/same-bits/results`: the hashes that visitors' devices reported, with `--collect-hashes`.
 * Without it the answer says that none are collected, so that the page asks no further.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type Collection,
  hashReportOf,
  REPORTS_NAME,
  SAME_BITS_PATH,
} from "../../shared/hash_reports.ts";
import { type Log, messageOf } from "../ground/log.ts";
import { pathOf, respondJson, respondText } from "./answers.ts";
import type { CollectedHashes } from "./collected_hashes.ts";
import { bodyOf, jsonOf } from "./request_body.ts";
import type { SiteRules } from "./site_rules.ts";

const PATH = SAME_BITS_PATH + REPORTS_NAME;
/** A report has about 80. */
const REPORT_BYTES_MAX = 512;

export interface HashesRouteOptions {
  /** Undefined for a server that collects none. */
  readonly hashes: CollectedHashes | undefined;
  readonly site: SiteRules;
  readonly log: Log;
}

export class HashesRoute {
  readonly #options: HashesRouteOptions;

  constructor(options: HashesRouteOptions) {
    this.#options = options;
  }

  has(request: IncomingMessage): boolean {
    return pathOf(request) === PATH;
  }

  async respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      await this.#respond(request, response);
    } catch (error) {
      // A client that cuts its own request off leaves no line in the log.
      if (request.complete) this.#options.log("request_failed", { error: messageOf(error) });
      response.destroy();
    }
  }

  async #respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { hashes, site } = this.#options;
    const { host, origin } = request.headers;
    response.setHeader("X-Content-Type-Options", "nosniff");
    if (!site.allowsHost(host)) return respondText(response, 421, "This server has another name.");
    if (request.method === "GET") return respondJson(response, 200, collectionOf(hashes));

    // A report, from this server's own page alone
    if (request.method !== "POST") {
      response.setHeader("Allow", "GET, POST");
      return respondText(response, 405, "Only GET and POST are answered here.");
    }
    if (hashes === undefined) return respondText(response, 404, "This server collects no hashes.");
    if (!site.allowsOrigin({ host, origin })) {
      return respondText(response, 403, "A page of another site may not report.");
    }

    const body = await bodyOf(request, REPORT_BYTES_MAX);
    if (body === undefined) {
      return respondText(response, 413, `A body has at most ${REPORT_BYTES_MAX} bytes.`);
    }
    const report = hashReportOf(jsonOf(body));
    if (typeof report === "string") return respondText(response, 400, report);
    hashes.add(report);
    if (!response.destroyed) respondJson(response, 200, collectionOf(hashes));
  }
}

function collectionOf(hashes: CollectedHashes | undefined): Collection {
  return { collects: hashes !== undefined, rows: hashes?.rows() ?? [] };
}

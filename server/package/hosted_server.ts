/** What `host` takes and gives. */
import type { Authorise } from "../tickets/authorise.ts";
import type { ServerSettings } from "./host_settings.ts";

/** What `host` takes beside the games: the server's settings, and what only a program can give. */
export interface HostSettings extends ServerSettings {
  /**
   * The folder with the pages that `wyvern build` has built [.wyvern/pages]. A game that has none
   * there is hosted for pages on other sites.
   */
  readonly pages?: string;
  /** Decides who may come in, under which name, and in which role; by default everyone may. */
  readonly authorise?: Authorise;
}

/** A server that listens. */
export interface HostedServer {
  /** Where players find it, http://…/ or https://…/. */
  readonly url: string;
  /** Where operators find it; undefined without the setting `ops-port`. */
  readonly opsUrl: string | undefined;
  /**
   * Lets the rounds end, for as long as `grace` says, then closes everything. Called a second time
   * it ends them at once.
   * @returns when everything is closed, as `stopped`
   */
  stop(): Promise<void>;
  /** Resolves when everything is closed, after `stop` or after SIGTERM or SIGINT. */
  readonly stopped: Promise<void>;
}

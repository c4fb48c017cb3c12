/**
 * Calls the operator's hook. Whatever the hook does, the server goes on: if it throws, never
 * answers, or answers nonsense, the client is refused in words and the log records the reason.
 */
import { pathToFileURL } from "node:url";
import * as z from "zod";
import { type Rate, UsageError } from "../../shared/flags.ts";
import { PLAYER_SEATS } from "../../shared/netcode/game.ts";
import { CloseCode, NAME_BYTES_MAX } from "../../shared/netcode/wire/messages.ts";
import type { HelloRefusal } from "../capacity/capacity_check.ts";
import { NetworkCounts } from "../fairness/network_counts.ts";
import { abortable } from "../ground/std_web.ts";
import { TokenBucket } from "../addresses/token_bucket.ts";
import { type Log, messageOf } from "../ground/log.ts";
import { clock } from "../ground/ticker.ts";
import type { Authorise, AuthoriseRequest, Grant } from "./authorise.ts";

/**
 * How long a hook may take, ms: it asks another server over the network. A page waits twice as long
 * for its ticket.
 */
const AUTHORISE_MS_MAX = 4_000;

/** How many calls may be under way. Each waits for the network and costs some kilobytes. */
const CALLS_MAX = 512;
/** The same for one address: a lecture hall that comes back all at once is through in a second. */
const CALLS_PER_ADDRESS_MAX = 128;
/** The same for an IPv6 /56 or /48. */
const CALLS_PER_NETWORK_MAX = 256;

/** The longest refusal: a sentence or two on the page. */
const REFUSAL_CHARACTERS_MAX = 120;

/** Limits the failures in the log, because a broken hook fails for every client. */
const FAILURES_LOGGED: Rate = { burst: 20, perSecond: 1 };

const GRANT = z.strictObject({
  name: z.string().max(NAME_BYTES_MAX),
  role: z.enum(["player", "watcher", "operator"]),
  seat: z.int().min(0).max(PLAYER_SEATS - 1).optional(),
});
const DECISION = z.union([GRANT, z.strictObject({ refusal: z.string().min(1) })]);

/** What the hook is asked about a client. */
type HookQuery = Omit<AuthoriseRequest, "signal">;

export class AuthoriseHook {
  readonly #authorise: Authorise;
  readonly #log: Log;
  readonly #timeoutMs: number;
  readonly #callsByNetwork = new NetworkCounts({
    perAddressMax: CALLS_PER_ADDRESS_MAX,
    perNetworkMax: CALLS_PER_NETWORK_MAX,
  });
  #calls = 0;
  readonly #logged = new TokenBucket(FAILURES_LOGGED, clock.now());

  /** @param options.timeoutMs for tests */
  constructor(
    authorise: Authorise,
    { log, timeoutMs = AUTHORISE_MS_MAX }: { log: Log; timeoutMs?: number },
  ) {
    this.#authorise = authorise;
    this.#log = log;
    this.#timeoutMs = timeoutMs;
  }

  /** Calls under way. */
  get calls(): number {
    return this.#calls;
  }

  /**
   * @param addressBlock the customer behind the address
   * @returns what the client may do, or why it may do nothing
   */
  async ask(query: HookQuery, addressBlock: string): Promise<Grant | HelloRefusal> {
    if (this.#calls >= CALLS_MAX || !this.#callsByNetwork.acquire(addressBlock)) {
      return {
        code: CloseCode.busy,
        reason: "too many want to come in at once; try again in 10 s",
      };
    }

    this.#calls++;
    try {
      return await this.#decisionOn(query);
    } catch (error) {
      this.#logFailure(query, error);
      return {
        code: CloseCode.unauthorised,
        reason: "It cannot be checked at the moment whether you may come in. Try again later.",
      };
    } finally {
      this.#calls--;
      this.#callsByNetwork.release(addressBlock);
    }
  }

  /**
   * @throws what the hook throws, an error after `timeoutMs`, or a ZodError for an invalid answer
   */
  async #decisionOn(query: HookQuery): Promise<Grant | HelloRefusal> {
    const signal = AbortSignal.timeout(this.#timeoutMs);
    // Wrapped, because a hook need not be an async function, and may throw at once.
    const answer = (async () => await this.#authorise({ ...query, signal }))();
    const decision = DECISION.parse(await abortable(answer, signal));
    if (!("refusal" in decision)) return decision;
    const reason = [...decision.refusal].slice(0, REFUSAL_CHARACTERS_MAX).join("");
    return { code: CloseCode.unauthorised, reason };
  }

  #logFailure({ room, address }: HookQuery, error: unknown): void {
    if (!this.#logged.take(clock.now())) return;
    const reason = error instanceof z.ZodError
      ? `the answer is none: ${z.prettifyError(error)}`
      : messageOf(error);
    this.#log("authorise_failed", { room, address, reason });
  }
}

/**
 * Loads the hook from a file.
 * @param path relative to the process's folder
 * @throws UsageError for a file that cannot be loaded, or that does not export a function
 * `authorise`
 */
export async function loadAuthorise(path: string): Promise<Authorise> {
  let exported: Record<string, unknown>;
  try {
    exported = await import(pathToFileURL(path).href);
  } catch (error) {
    throw new UsageError(
      `--authorise ${path} cannot be used: ${messageOf(error).split("\n", 1)[0]}`,
    );
  }
  if (typeof exported["authorise"] === "function") return exported["authorise"] as Authorise;
  throw new UsageError(`--authorise ${path} cannot be used: it exports no function authorise`);
}

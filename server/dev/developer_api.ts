/**
 * HTTP routes that exist only under `serve --check-twin`, for the pages of `deno task dev`. All
 * requests are GET without a body; if a page's state differs, the page puts the first differing
 * words into the path. All paths are below the game's page: on a server with several games, /NAME
 * stands before them.
 *
 *     /dev/ROOM/faults                         the faults that the twin has found
 *     /dev/ROOM/states/TICK                    the words of the definitive S(TICK)
 *     /dev/ROOM/differences/TICK/WORD:BITS,…   names the field, logs both values, and answers with a sentence
 */
import { DIFFERING_WORDS_MAX } from "../../shared/netcode/state_difference.ts";
import type { Log } from "../ground/log.ts";
import type { ContractWatch, PageWord } from "../match/contract_watch.ts";
import type { Rate } from "../../shared/flags.ts";
import { TokenBucket } from "../addresses/token_bucket.ts";

const PATH = /^(?:\/([a-z][a-z0-9_]{0,15}))?\/dev\/([A-Z]{4})\/(.+)$/;
const STATE = /^states\/(\d{1,9})$/;
/** `BITS` is unsigned, or "-" for a word beyond the end of the page's state. */
const DIFFERENCE = /^differences\/(\d{1,9})\/((?:\d{1,6}:(?:\d{1,10}|-),?){1,8})$/;

/** Limits the log lines about desyncs, however many a page sends. */
const DESYNCS_LOGGED: Rate = { burst: 20, perSecond: 1 };

/** What pages ask a `ContractWatch` for. */
type AskedWatch = Pick<ContractWatch<unknown>, "faults" | "stateAt" | "compare">;

export interface DeveloperApiOptions {
  /**
   * Finds a room's watch; undefined for an unknown room.
   * @param game undefined for a game that is hosted alone
   */
  readonly watchOf: (game: string | undefined, room: string) => AskedWatch | undefined;
  readonly log: Log;
  /** Real time, ms. */
  readonly now: () => number;
}

/** Answers pages about the contract. */
export class DeveloperApi {
  readonly #options: DeveloperApiOptions;
  readonly #logged: TokenBucket;

  constructor(options: DeveloperApiOptions) {
    this.#options = options;
    this.#logged = new TokenBucket(DESYNCS_LOGGED, options.now());
  }

  /** @returns the answer's JSON value; undefined for an unknown path, room or tick */
  answer(path: string): unknown {
    const [, game, room = "", request = ""] = PATH.exec(path) ?? [];
    const watch = this.#options.watchOf(game, room);
    if (watch === undefined) return undefined;
    if (request === "faults") return { faults: watch.faults };

    const state = STATE.exec(request);
    if (state !== null) {
      const snapshot = watch.stateAt(Number(state[1]));
      return snapshot && { words: [...snapshot.words.subarray(0, snapshot.length)] };
    }

    const difference = DIFFERENCE.exec(request);
    if (difference === null) return undefined;
    const tick = Number(difference[1]);
    const found = watch.compare(tick, pageWordsOf(difference[2]!));
    if (found === undefined) return undefined;

    const { field, server, page } = found;
    const { log, now } = this.#options;
    if (this.#logged.take(now())) {
      log("desync", { ...game && { game }, room, tick, field, server, page });
    }
    return { text: `tick ${tick}: ${field} is ${server} on the server, but ${page} on this page` };
  }
}

function pageWordsOf(list: string): PageWord[] {
  return list.split(",").slice(0, DIFFERING_WORDS_MAX).filter((item) => item !== "").map((item) => {
    const [word, bits] = item.split(":");
    return { word: Number(word), bits: bits === "-" ? undefined : Number(bits) >>> 0 };
  });
}

/**
 * The part of HTTP that only `serve --check-twin` has, for the pages of `deno task dev`. All requests are GET and have no
 * body; a page whose state differs names the first differing words in the path.
 *
 *     /api/dev/GAME/ROOM/faults                         the faults that the twin has found
 *     /api/dev/GAME/ROOM/states/TICK                    the words of the definitive S(TICK)
 *     /api/dev/GAME/ROOM/differences/TICK/WORD:BITS,…   names the field, logs both values, and answers with a sentence
 */
import { DIFFERING_WORDS_MAX } from "../shared/netcode/state_difference.ts";
import type { Log } from "./log.ts";
import type { ContractWatch, PageWord } from "./match/contract_watch.ts";
import { type RateLimit, TokenBucket } from "./http/token_bucket.ts";

const FAULTS = /^\/api\/dev\/([\w-]{1,32})\/([A-Z]{4})\/faults$/;
const STATE = /^\/api\/dev\/([\w-]{1,32})\/([A-Z]{4})\/states\/(\d{1,9})$/;
/** `BITS` is unsigned, or "-" for a word beyond the end of the page's state. */
const DIFFERENCE =
  /^\/api\/dev\/([\w-]{1,32})\/([A-Z]{4})\/differences\/(\d{1,9})\/((?:\d{1,6}:(?:\d{1,10}|-),?){1,8})$/;

/** Limit on log lines about desyncs, whatever a page sends. */
const DESYNCS_LOGGED: RateLimit = { burst: 20, perSecond: 1 };

export interface DeveloperApiOptions {
  /** The watch of a room; undefined for an unknown game or code. */
  readonly watchOf: (
    gameId: string,
    room: string,
  ) => Pick<ContractWatch<unknown>, "faults" | "stateAt" | "compare"> | undefined;
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

  /** @returns the answer's JSON value; undefined for an unknown path, game, room or tick */
  answer(path: string): unknown {
    const { watchOf } = this.#options;
    const faults = FAULTS.exec(path), state = STATE.exec(path), difference = DIFFERENCE.exec(path);
    if (faults !== null) {
      const watch = watchOf(faults[1]!, faults[2]!);
      return watch && { faults: watch.faults };
    }
    if (state !== null) {
      const snapshot = watchOf(state[1]!, state[2]!)?.stateAt(Number(state[3]));
      return snapshot && { words: [...snapshot.words.subarray(0, snapshot.length)] };
    }
    if (difference === null) return undefined;
    const [, gameId, room, tick, list] = difference;
    return this.#compare([gameId!, room!], Number(tick), pageWordsOf(list!));
  }

  #compare([gameId, room]: readonly [gameId: string, room: string], tick: number, words: readonly PageWord[]): unknown {
    const { watchOf, log, now } = this.#options;
    const found = watchOf(gameId, room)?.compare(tick, words);
    if (found === undefined) return undefined;
    const { field, server, page } = found;
    if (this.#logged.take(now())) log("desync", { room, tick, field, server, page });
    return { text: `tick ${tick}: ${field} is ${server} on the server, but ${page} on this page` };
  }
}

function pageWordsOf(list: string): PageWord[] {
  return list.split(",").slice(0, DIFFERING_WORDS_MAX).filter((item) => item !== "").map((item) => {
    const [word, bits] = item.split(":");
    return { word: Number(word), bits: bits === "-" ? undefined : Number(bits) >>> 0 };
  });
}

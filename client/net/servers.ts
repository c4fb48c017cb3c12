/**
 * The addresses that a client may ask for its match. If several machines share the matches, each
 * answer names others, so that the end of one machine leaves somebody to ask.
 */

import { FOREIGN_ANSWER, JoinRefusal } from "./join_refusal.ts";

/**
 * Other machines that are remembered: those of the newest answer first, then those of the ones
 * before.
 */
const OTHERS_MAX = 8;
/**
 * When the first one has not answered for so long, ms, the next one is asked, too: a machine that
 * vanished refuses nothing.
 */
const NEXT_AFTER_MS = 1_500;

export class Servers {
  readonly #home: string;
  #others: readonly string[] = [];

  /** @param home http://… or https://…, without a path: the page's own server */
  constructor(home: string) {
    this.#home = home;
  }

  /**
   * Takes what an answer says, and forgets no machine that an earlier one has named. A machine that
   * is busy or cut off may see no other one for a moment. If only its answer
   * counted, no machine would be left to ask when it ends.
   */
  learn(server: string, others: readonly string[] = []): void {
    const named = [...server.startsWith("http") ? [server] : [], ...others, ...this.#others];
    this.#others = [...new Set(named)].filter((each) => each !== this.#home).slice(0, OTHERS_MAX);
  }

  /**
   * The first answer of any of them: the next one is asked when one fails, or is silent.
   * @throws the error of the last one
   */
  ask<Result>(ask: (server: string) => Promise<Result>): Promise<Result> {
    const servers = [this.#home, ...this.#others];
    const answered = Promise.withResolvers<Result>();
    let next = 0;
    let open = 0;
    const askNext = (): void => {
      const server = servers[next++];
      if (server === undefined) return;
      open++;
      const timer = setTimeout(askNext, NEXT_AFTER_MS);
      ask(server).then(answered.resolve, (error) => {
        open--;
        if (isSilence(error)) askNext();
        if (!isSilence(error) || open === 0) answered.reject(error);
      }).finally(() => clearTimeout(timer));
    };
    askNext();
    return answered.promise;
  }
}

/**
 * Whether a server did not answer, as opposed to one that refused: fetch has a TypeError, an end of
 * the request a DOMException. What another one says in its place is no answer either.
 */
function isSilence(error: unknown): boolean {
  return error instanceof TypeError || error instanceof DOMException ||
    error instanceof JoinRefusal && error.code === FOREIGN_ANSWER;
}

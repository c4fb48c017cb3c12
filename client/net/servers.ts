/**
 * The addresses at which a client may ask for its match. If several machines share the matches,
 * each answer names others, so that when one machine ends the client knows whom to ask.
 */

import { FOREIGN_ANSWER, JoinRefusal } from "./join_refusal.ts";

/**
 * How many other machines to remember: those from the newest answer first, then those from earlier
 * ones.
 */
const OTHERS_MAX = 8;
/**
 * If a machine has not answered after this time, ms, the client asks the next one, too, because a
 * machine that vanished does not refuse.
 */
const NEXT_AFTER_MS = 1_500;

export class Servers {
  readonly #home: string;
  #others: readonly string[] = [];
  /** Whether the newest answer said that matches are logged, so that they outlive their server. */
  keepsMatches = false;

  /** @param home http://… or https://…, without a path: the page's own server */
  constructor(home: string) {
    this.#home = home;
  }

  /**
   * Takes the machines that an answer names, and keeps those from earlier answers. A machine that
   * is busy or partitioned may see no other one for a moment; if only its answer counted, the
   * client could not ask any other machine when it ends.
   */
  learn(server: string, others: readonly string[] = []): void {
    const named = [...server.startsWith("http") ? [server] : [], ...others, ...this.#others];
    this.#others = [...new Set(named)].filter((each) => each !== this.#home).slice(0, OTHERS_MAX);
  }

  /**
   * Returns the first answer from any machine. It asks the next one when one fails or is silent.
   * @throws the last one's error
   */
  ask<Result>(ask: (server: string) => Promise<Result>): Promise<Result> {
    const servers = [this.#home, ...this.#others];
    let next = 0;
    let open = 0;
    // `Promise.withResolvers` would be shorter, but Node 20 lacks it.
    return new Promise((resolve, reject) => {
      const askNext = (): void => {
        const server = servers[next++];
        if (server === undefined) return;
        open++;
        const timer = setTimeout(askNext, NEXT_AFTER_MS);
        ask(server).then(resolve, (error) => {
          open--;
          if (isSilence(error)) askNext();
          if (!isSilence(error) || open === 0) reject(error);
        }).finally(() => clearTimeout(timer));
      };
      askNext();
    });
  }
}

/**
 * Whether a server did not answer, as opposed to refusing: then fetch throws a TypeError, and an
 * aborted request a DOMException. What something else says in its place does not count as an answer
 * either.
 */
function isSilence(error: unknown): boolean {
  return error instanceof TypeError || error instanceof DOMException ||
    error instanceof JoinRefusal && error.code === FOREIGN_ANSWER;
}

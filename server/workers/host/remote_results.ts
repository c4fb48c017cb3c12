/**
 * A match process's results. The front process holds the file, so each round goes to it as a
 * message.
 */
import type { RoundOver } from "../../match/round_watch.ts";
import type { ResultMatch, ServerResults } from "../../results/result_sink.ts";
import type { FrontLink } from "./front_link.ts";

export class RemoteResults implements ServerResults {
  readonly #front: Pick<FrontLink, "send">;

  constructor(front: Pick<FrontLink, "send">) {
    this.#front = front;
  }

  addRound(
    match: ResultMatch & { readonly game: string },
    { round, tick, scores }: RoundOver,
  ): void {
    this.#front.send({ type: "round", match, round: { round, tick, scores: [...scores] } });
  }

  endMatch(id: string, reason: string): void {
    this.#front.send({ type: "matchOver", id, reason });
  }

  /** Does nothing: the front process does this, because it knows the matches of all processes. */
  endOthers(): void {}
}

/**
 * A match process's results. The gateway holds the file, so each round goes to it as a
 * message.
 */
import type { RoundOver } from "../match/round_watch.ts";
import type { ResultMatch, ServerResults } from "../match/result_sink.ts";
import type { Bus } from "../bus/bus.ts";
import { tellGateway } from "../bus/pipe_messages.ts";

export class RemoteResults implements ServerResults {
  readonly #gateway: Pick<Bus, "publish">;

  /** @param gateway the pipe to it */
  constructor(gateway: Pick<Bus, "publish">) {
    this.#gateway = gateway;
  }

  addRound(
    match: ResultMatch & { readonly game: string },
    { round, tick, scores }: RoundOver,
  ): void {
    tellGateway(this.#gateway, "round", { match, round: { round, tick, scores: [...scores] } });
  }

  endMatch(id: string, reason: string): void {
    tellGateway(this.#gateway, "matchOver", { id, reason });
  }

  /** Does nothing: the gateway does this, because it knows the matches of all processes. */
  endOthers(): void {}
}

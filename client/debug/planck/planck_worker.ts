/**
 * The worker with planck: it judges the stage in front of the developer (`serve --check-planck`).
 * planck is in this script alone. A build makes it only if it is asked to.
 */
import type { Game } from "../../../shared/netcode/game.ts";
import { PlanckCheck } from "./planck_check.ts";
import type { PlanckRequest } from "./planck_messages.ts";

/** The part of a worker's global scope that is used here: the compiler has only the page's. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<PlanckRequest>) => void) | null;
  postMessage(message: unknown): void;
}

/** Answers the page's entries with reports. An entry of the build calls it with its game. */
export function runPlanckWorker<Command>(game: Game<Command>): void {
  const scope = globalThis as unknown as WorkerScope;
  let check: PlanckCheck<Command> | undefined;
  scope.onmessage = ({ data }) => {
    if (data.type === "begin") check = new PlanckCheck(game, data);
    else {
      const report = check?.add(data.entries);
      if (report !== undefined) scope.postMessage(report);
    }
  };
}

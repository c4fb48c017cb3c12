/** Runs the replay in a worker, so that it does not take time from frames. */
import type { Game } from "../../../shared/netcode/game.ts";
import { type ReplayRequest, ReplayService } from "./replay_messages.ts";

/** What is used here from a worker's global scope, because the compiler knows only the page's. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<ReplayRequest>) => void) | null;
  postMessage(message: unknown): void;
}

/** Answers the page's requests. A build entry calls it with its game. */
export function runReplayWorker<Command>(game: Game<Command>): void {
  const scope = globalThis as unknown as WorkerScope;
  const service = new ReplayService(game);
  scope.onmessage = ({ data }) => {
    const response = service.answer(data);
    if (response !== undefined) scope.postMessage(response);
  };
}

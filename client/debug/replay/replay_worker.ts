/** Runs the replay in a worker, so that it takes no time from frames. */
import type { Game } from "../../../shared/netcode/game.ts";
import { type ReplayRequest, ReplayService } from "./replay_messages.ts";

/** The part of a worker's global scope that is used here: the compiler has only the page's. */
interface WorkerScope {
  onmessage: ((event: MessageEvent<ReplayRequest>) => void) | null;
  postMessage(message: unknown): void;
}

/** Answers the page's requests. An entry of the build calls it with its game. */
export function runReplayWorker<Command>(game: Game<Command>): void {
  const scope = globalThis as unknown as WorkerScope;
  const service = new ReplayService(game);
  scope.onmessage = ({ data }) => {
    const response = service.answer(data);
    if (response !== undefined) scope.postMessage(response);
  };
}

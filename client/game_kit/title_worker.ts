/**
 * Runs the title match in a worker: a rule that never ends must not hang the lobby. The worker runs
 * the page's own script, which the browser has already, so it costs a visitor no further bytes.
 *
 *     page → a message for each tick that it wants      worker → each of them, or what the rules threw
 */
import type { LooseGame } from "./loose_types.ts";
import { TitlePlay, type TitleTick } from "./title_play.ts";

/** What the rules threw, with the stack that leads to the author's line. */
export interface TitleFault {
  readonly message: string;
  readonly stack: string;
}

/** The worker's answer to one message. */
export type TitleAnswer = { readonly tick: TitleTick } | { readonly fault: TitleFault };

/** The worker's global scope, because the compiler knows only the page's. */
interface WorkerScope {
  onmessage: (() => void) | null;
  postMessage(message: TitleAnswer, transferred: readonly ArrayBuffer[]): void;
}

/** Plays the game that the page shows. A build entry calls it in each worker of a page's script. */
export function runTitleWorker(game: object): void {
  const scope = globalThis as unknown as WorkerScope;
  let play: TitlePlay | undefined;
  scope.onmessage = () => {
    try {
      play ??= new TitlePlay(game as LooseGame);
      const tick = play.next();
      scope.postMessage({ tick }, [tick.state.buffer]);
    } catch (error) {
      const { message, stack = "" } = error instanceof Error ? error : new Error(String(error));
      scope.postMessage({ fault: { message, stack } }, []);
    }
  };
}

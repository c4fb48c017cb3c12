/**
 * The replay behind the overlay without a worker: in the page itself, between two frames. It answers
 * as a worker does, so the overlay does not know the difference.
 */
import type { Game } from "../../shared/netcode/game.ts";
import type { ReplayPort } from "../debug/flight_log.ts";
import {
  type ReplayRequest,
  type ReplayResponse,
  ReplayService,
} from "../debug/replay/replay_messages.ts";

export class PageReplay<Command> implements ReplayPort {
  readonly #service: ReplayService<Command>;
  #isEnded = false;
  onmessage: ((event: MessageEvent<ReplayResponse>) => void) | null = null;
  onerror: ((event: ErrorEvent) => void) | null = null;

  constructor(game: Game<Command>) {
    this.#service = new ReplayService(game);
  }

  postMessage(request: ReplayRequest): void {
    // The recording goes on to write into what it recorded, and a worker would get a copy, too.
    const copy = structuredClone(request);
    setTimeout(() => {
      if (!this.#isEnded) this.#answer(copy);
    });
  }

  terminate(): void {
    this.#isEnded = true;
  }

  /** What a rule throws ends the replay, as it ends a worker's script. */
  #answer(request: ReplayRequest): void {
    try {
      const data = this.#service.answer(request);
      if (data !== undefined) this.onmessage?.(new MessageEvent("message", { data }));
    } catch (error) {
      this.#isEnded = true;
      this.onerror?.(new ErrorEvent("error", { error }));
      reportError(error);
    }
  }
}

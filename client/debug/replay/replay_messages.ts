/** The messages between the page and the worker that replays its recording. */
import type { Game, Tick } from "../../../shared/netcode/game.ts";
import type { FlightEntry } from "../../presentation/flight_recording.ts";
import { FlightReplay, type ReplayNews, type ReplayOptions } from "./flight_replay.ts";
import type { PosesAt } from "./pose_history.ts";

export type ReplayRequest =
  /** A connection began; the worker forgets everything before. */
  | { readonly type: "begin" } & ReplayOptions
  /** The entries that follow the last request's. */
  | { readonly type: "entries"; readonly entries: readonly FlightEntry[] }
  /** Requests the bodies' places at a tick. */
  | { readonly type: "poses"; readonly tick: Tick };

export type ReplayResponse =
  | {
    readonly type: "news";
    readonly news: ReplayNews;
    /** The states up to `newest` that may have changed, from `SeatLanes.copyFrom`. */
    readonly lanes: Uint8Array<ArrayBuffer>;
    readonly newest: Tick;
    /** Up to when the recording is replayed, ms on the page's clock. */
    readonly untilMs: number;
  }
  | { readonly type: "poses"; readonly poses: PosesAt | undefined };

/** The worker's logic without its thread: answers one request after the other. */
export class ReplayService<Command> {
  readonly #game: Game<Command>;
  #replay: FlightReplay<Command> | undefined;
  /** The newest tick with final lane states that were sent. */
  #finalTick: Tick = -1;

  constructor(game: Game<Command>) {
    this.#game = game;
  }

  /** @returns undefined if the request needs no answer */
  answer(request: ReplayRequest): ReplayResponse | undefined {
    switch (request.type) {
      case "begin":
        this.#replay = new FlightReplay(this.#game, request);
        this.#finalTick = -1;
        return undefined;
      case "entries":
        return this.#replay && this.#newsOf(this.#replay, request.entries);
      case "poses":
        return { type: "poses", poses: this.#replay?.poses.at(request.tick) };
    }
  }

  #newsOf(replay: FlightReplay<Command>, entries: readonly FlightEntry[]): ReplayResponse {
    const news = replay.add(entries);
    const lanes = replay.lanes.copyFrom(this.#finalTick + 1);
    const { newest } = replay.lanes;
    const { atMs: untilMs, definitive } = entries.at(-1) ?? { atMs: -Infinity, definitive: -1 };
    this.#finalTick = Math.max(this.#finalTick, definitive);
    return { type: "news", news, lanes, newest, untilMs };
  }
}

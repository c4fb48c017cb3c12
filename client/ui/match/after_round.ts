/**
 * What a page loads when a round is over: the moment that decided it once more, and the round's
 * replay.
 */
import type { SeatId, Simulation, Tick } from "../../../shared/netcode/game.ts";
import { mediaQuery } from "../../input/optional.ts";
import type { FlightEntry } from "../../presentation/flight_recording.ts";
import { AFTER_TICKS, SlowMotion } from "../../presentation/slow_motion.ts";
import type { Caption, Score, View } from "../../presentation/view.ts";
import type { RoundMoments } from "./round_moments.ts";
import { roundReplayUrl } from "./round_replay.ts";

/** A round's replay begins so many ticks before the moment that decided it. */
const REPLAYED_TICKS = 60;
/** How often a page asks for the replay, and how many ticks lie between two times. */
const REPLAY_ASKS = 4;
const REPLAY_ASK_TICKS = 15;

/** The part of a session that a moment is shown again from. */
interface PlayedMatch<Sim> {
  readonly definitiveTick: Tick;
  readonly seat: SeatId;
  readonly names: ReadonlyMap<SeatId, string>;
  newSimulation(): Sim;
}

export interface AfterRoundOptions<Command, Sim extends Simulation<Command>, Frame> {
  readonly view: View<Command, Sim, Frame>;
  readonly session: PlayedMatch<Sim>;
  readonly tickHz: number;
  /** The round's final scores, and what was done in it. */
  readonly scores: readonly Score[];
  readonly moments: RoundMoments;
  readonly round: number;
  /** The room whose server may have a replay; undefined for a match that no server logs. */
  readonly room: string | undefined;
  /** What the page has recorded by now. */
  readonly recorded: () => readonly FlightEntry[];
  /** Called when the moment begins to show, and with undefined when it is over. */
  readonly onMoment: (caption: Caption | undefined) => void;
  /** Called with the address of the round's replay, if there is one. */
  readonly onReplay: (url: string) => void;
}

export class AfterRound<Command, Sim extends Simulation<Command>, Frame> {
  readonly #options: AfterRoundOptions<Command, Sim, Frame>;
  /** Where the replay begins. */
  readonly #replayTick: Tick;
  /** The moment to show as soon as its end is there; undefined for none. */
  #awaited: { readonly tick: Tick; readonly caption: Caption } | undefined;
  #slowMotion: SlowMotion<Command, Sim, Frame> | undefined;
  #asksLeft: number;
  #askTick: Tick;
  #isEnded = false;

  constructor(options: AfterRoundOptions<Command, Sim, Frame>) {
    this.#options = options;
    const { moments, scores, room, session } = options;
    const moment = moments.decidingOf(scores);
    const { definitiveTick } = session;

    const isCalm = mediaQuery("(prefers-reduced-motion: reduce)").matches;
    this.#awaited = isCalm ? undefined : moment;
    this.#replayTick = (moment?.tick ?? definitiveTick) - REPLAYED_TICKS;
    this.#asksLeft = room === undefined ? 0 : REPLAY_ASKS;
    this.#askTick = definitiveTick + REPLAY_ASK_TICKS;
  }

  /** The frame of the moment that is shown again; undefined while none is. @param nowMs the match's clock */
  frame(nowMs: number): Frame | undefined {
    void this.#lookForReplay();
    this.#begin(nowMs);
    const frame = this.#slowMotion?.frame(nowMs);
    if (frame === undefined) this.#endMoment();
    return frame;
  }

  /** Ends it, because another round has begun, or the match is left. */
  end(): void {
    this.#isEnded = true;
    this.#awaited = undefined;
    this.#endMoment();
  }

  #begin(nowMs: number): void {
    const { view, session, tickHz, recorded, onMoment } = this.#options;
    const moment = this.#awaited;
    if (moment === undefined || session.definitiveTick < moment.tick + AFTER_TICKS) return;
    this.#awaited = undefined;
    this.#slowMotion = SlowMotion.open({
      view,
      tickHz,
      entries: recorded(),
      simulation: session.newSimulation(),
      names: session.names,
      ownSeat: session.seat,
      tick: moment.tick,
      nowMs,
    });
    if (this.#slowMotion !== undefined) onMoment(moment.caption);
  }

  #endMoment(): void {
    if (this.#slowMotion === undefined) return;
    this.#slowMotion = undefined;
    this.#options.onMoment(undefined);
  }

  /** Looks a few times for the round's replay, because it takes a moment until it is stored. */
  async #lookForReplay(): Promise<void> {
    const { session: { definitiveTick }, room, round, onReplay } = this.#options;
    if (room === undefined || this.#asksLeft === 0 || definitiveTick < this.#askTick) return;
    this.#askTick = definitiveTick + REPLAY_ASK_TICKS;
    this.#asksLeft--;
    const url = await roundReplayUrl({ room, round, tick: this.#replayTick });
    if (url === undefined || this.#isEnded) return;
    this.#asksLeft = 0;
    onReplay(url);
  }
}

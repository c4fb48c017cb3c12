/**
 * Tries a match that another process began, before this process continues it. The log is played up
 * to its end. Then the match runs for a while as it will run here, with the commands that the
 * server assumes for players who are away.
 *
 *     log → load, step, compare each hash → 40 ticks more        seen by no client: only that they end in time counts
 *
 * None of this runs where other matches tick (`trial_threads.ts`).
 */
import type { Game, Tick } from "../../shared/netcode/game.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import { rulesOf } from "../../shared/netcode/own_npcs.ts";
import type { Within } from "../../shared/netcode/match_log/replayed_log.ts";
import { Match } from "../match/match.ts";
import { type ResumedMatch, resumedMatchOf } from "../match_log/resume_match.ts";
import { DeadlineError, withDeadline } from "./deadline.ts";

/**
 * How many ticks are run beyond the log: two seconds of most games, which show what the state leads
 * to.
 */
export const TRIED_TICKS = 40;
/**
 * How long one tick may take, ms. An honest tick takes 0.5, and the first one 50, while it is
 * compiled.
 */
export const STEP_MS_MAX = 1_000;
/** How much memory a trial's ticks may leave behind, bytes: an honest match leaves some MB. */
const TRIAL_BYTES_MAX = 256 * 2 ** 20;
/**
 * How long a whole trial may take, ms. An honest trial steps through at most ten seconds of play,
 * and takes 0.2 s.
 */
export const TRIAL_MS_MAX = 10_000;

/** Why a match cannot be tried any further. */
export interface TrialFailure {
  /** For the log, with the tick. */
  readonly error: string;
  /**
   * Whether time or memory ran out. Another attempt may have more of it; any other failure would
   * recur each time.
   */
  readonly isSlow: boolean;
  /** The tick at which it failed; undefined if unknown. */
  readonly tick?: Tick | undefined;
}

export type TrialOutcome = { readonly match: ResumedMatch<unknown> } | {
  readonly failure: TrialFailure;
};

export interface TriedMatchOptions<Command> {
  readonly gameOf: (id: string) => Game<Command> | undefined;
  readonly clock: Clock;
  /** Runs one tick's work; by default within the limits above. Virtual time needs no limits. */
  readonly within?: Within;
  /** Called when each tick's work begins. */
  readonly onStep?: ((tick: Tick) => void) | undefined;
}

/**
 * Tries a match.
 * @returns the match as it stood at its log's end
 * @throws LogError for a log that is damaged, or that this program contradicts; DeadlineError for
 * one that takes too much time or memory; and anything that the game throws
 */
export function triedMatchOf<Command>(
  log: Uint8Array,
  options: TriedMatchOptions<Command>,
): ResumedMatch<Command> {
  const { gameOf, clock } = options;
  const within = options.within ?? new TrialLimits(options).within;

  // Its log, to the end
  const match = resumedMatchOf(log, gameOf, within);
  const { header, state } = match;

  // The match as it would go on. It changes the lists in the state that it is given, so it is given
  // copies.
  const game = rulesOf(gameOf(header.gameId)!, header);
  const { npcs, seed, choices } = header;
  const from = { ...state, presence: [...state.presence], announcements: [...state.announcements] };
  const next = within(() =>
    new Match(game, {
      npcs,
      seed,
      choices,
      from,
      stream: "state",
      clock: STOPPED,
      dueMs: 0,
      newToken: () => "",
      nameForms: (name) => [name],
    }), state.tick + 1);

  // Some ticks of it, which must not take longer than they last
  const tickMs = 1000 / game.tickHz;
  const beganMs = clock.now();
  for (let i = 1; i <= TRIED_TICKS; i++) {
    within(() => {
      next.run(i * tickMs);
      next.record();
      next.broadcast();
    }, state.tick + i);
  }

  const tookMs = clock.now() - beganMs;
  if (tookMs > TRIED_TICKS * tickMs) {
    const took = `${TRIED_TICKS} ticks took ${Math.round(tookMs)} ms`;
    const words = `${took}, which is longer than they last`;
    throw new DeadlineError(state.tick, `after tick ${state.tick}, ${words}`);
  }

  return match;
}

/**
 * Turns the result into an outcome, whatever the game throws.
 * @param work returns a match that was tried
 */
export function outcomeOf(work: () => ResumedMatch<unknown>): TrialOutcome {
  try {
    return { match: work() };
  } catch (error) {
    const text = error instanceof Error ? error.message || error.name : String(error);
    const slow = error instanceof DeadlineError ? error : undefined;
    return { failure: { error: text, isSlow: slow !== undefined, tick: slow?.tick } };
  }
}

/** Stands still, because no client is connected and so nothing is measured. */
const STOPPED: Clock = { now: () => 0 };

/** Limits the time and memory of one trial. */
class TrialLimits {
  readonly #clock: Clock;
  readonly #onStep: (tick: Tick) => void;
  readonly #endMs: number;
  readonly #bytesBefore = memoryBytes();

  constructor({ clock, onStep = () => {} }: Pick<TriedMatchOptions<unknown>, "clock" | "onStep">) {
    this.#clock = clock;
    this.#onStep = onStep;
    this.#endMs = clock.now() + TRIAL_MS_MAX;
  }

  readonly within: Within = (work, tick) => {
    this.#onStep(tick);
    const leftMs = this.#endMs - this.#clock.now();
    const words = leftMs < STEP_MS_MAX
      ? `tick ${tick} was not over when the trial had taken ${TRIAL_MS_MAX} ms`
      : `tick ${tick} takes longer than ${STEP_MS_MAX} ms`;
    const result = withDeadline(
      Math.min(STEP_MS_MAX, leftMs),
      work,
      () => new DeadlineError(tick, words),
    );
    if (memoryBytes() - this.#bytesBefore > TRIAL_BYTES_MAX) {
      throw new DeadlineError(
        tick,
        `tick ${tick} takes the trial's memory beyond ${TRIAL_BYTES_MAX / 2 ** 20} MiB`,
      );
    }
    return result;
  };
}

/** This thread's memory, including what waits for the garbage collector. */
function memoryBytes(): number {
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}

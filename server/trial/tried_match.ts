/**
 * Tries a match that another process has begun, before this process goes on with it. The log is
 * played up to its end. Then the match runs for a while as it will run here, with the commands that
 * the server assumes for players who are away.
 *
 *     log → load, step, compare each hash → 40 ticks more        nobody sees those: only that they end in time counts
 *
 * Nothing of this runs where other matches tick (`trial_threads.ts`).
 */
import type { Game, Tick } from "../../shared/netcode/game.ts";
import type { Clock } from "../../shared/netcode/link.ts";
import type { Within } from "../../shared/netcode/match_log/replayed_log.ts";
import { Match } from "../match/match.ts";
import { type ResumedMatch, resumedMatchOf } from "../match_log/resume_match.ts";
import { DeadlineError, withDeadline } from "./deadline.ts";

/**
 * The ticks beyond the log: two seconds of most games, in which the first of them shows what the
 * state leads to.
 */
export const TRIED_TICKS = 40;
/**
 * One tick may take so long, ms. An honest one takes 0.5, and its first one 50, while it is
 * compiled.
 */
export const STEP_MS_MAX = 1_000;
/** The ticks of a trial may leave so much memory behind, bytes: an honest match has some MB. */
const TRIAL_BYTES_MAX = 256 * 2 ** 20;
/**
 * A whole trial may take so long, ms. An honest one has at most ten seconds of play to step, and
 * takes 0.2 s.
 */
export const TRIAL_MS_MAX = 10_000;

/** Why a match cannot be tried any further. */
export interface TrialFailure {
  /** For the log, with the tick. */
  readonly error: string;
  /**
   * Whether time or memory has run out. Another attempt may have more; any other failure comes
   * again each time.
   */
  readonly isSlow: boolean;
  /** The tick at which that was; undefined if it is not known. */
  readonly tick?: Tick | undefined;
}

export type TrialOutcome = { readonly match: ResumedMatch<unknown> } | {
  readonly failure: TrialFailure;
};

export interface TriedMatchOptions<Command> {
  readonly gameOf: (id: string) => Game<Command> | undefined;
  readonly clock: Clock;
  /**
   * Runs the work of one tick; by default within the limits above. A test in virtual time has none.
   */
  readonly within?: Within;
  /** Called at the begin of each tick's work. */
  readonly onStep?: ((tick: Tick) => void) | undefined;
}

/**
 * @returns the match as its log ends
 * @throws LogError for a log that is damaged, or that this program contradicts; DeadlineError for
 * one that takes too much time or memory; and anything that the game throws
 */
export function triedMatchOf<Command>(
  log: Uint8Array,
  options: TriedMatchOptions<Command>,
): ResumedMatch<Command> {
  const { gameOf, clock } = options;
  const within = options.within ?? new TrialLimits(options).within;
  const match = resumedMatchOf(log, gameOf, within);
  const { header, state } = match;
  const game = gameOf(header.gameId)!;
  const tickMs = 1000 / game.tickHz;
  const { npcs, seed, choices } = header;

  // A match goes on with the lists of the state that it gets.
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

  const beganMs = clock.now();

  for (let i = 1; i <= TRIED_TICKS; i++) {
    within(() => {
      next.run(i * tickMs);
      next.record();
      next.broadcast();
    }, state.tick + i);
  }

  const tookMs = clock.now() - beganMs;
  const lastsMs = TRIED_TICKS * tickMs;

  if (tookMs > lastsMs) {
    const words = `${TRIED_TICKS} ticks took ${
      Math.round(tookMs)
    } ms, which is longer than they last`;
    throw new DeadlineError(state.tick, `after tick ${state.tick}, ${words}`);
  }

  return match;
}

/**
 * The same as an outcome, whatever the game throws.
 * @param work ends with a match that was tried
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

/** Nobody is connected, so nothing is measured. */
const STOPPED: Clock = { now: () => 0 };

/** The limits of time and memory of one trial. */
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

/** What this thread has, with what waits for the garbage collector. */
function memoryBytes(): number {
  const { heapUsed, external } = Deno.memoryUsage();
  return heapUsed + external;
}

/**
 * The way from the first signal to the end of the process: no new player comes in, rounds end, and
 * players read what happens to their match.
 *
 *     signal → not ready, notices → every match is between two rounds, or the grace is over → links close → end
 *
 * A match that is between two rounds stands still, so that no round begins that would be cut. With
 * a log the next process goes on with it.
 */
import type { Clock } from "../shared/netcode/link.ts";
import { GOING_AWAY, StopReason } from "../shared/netcode/wire/stop_reasons.ts";
import type { Log } from "./log.ts";
import type { StopSignals } from "./process.ts";

/** How often the matches are looked at, ms: a tick of most games. */
const CHECK_MS = 50;
/** How often players read how much time is left, ms. A page shows a notice for 15 s. */
const NOTICE_EVERY_MS = 10_000;

/** A match as far as its end matters. */
export interface DrainedMatch {
  readonly clientCount: number;
  /** Whether a log has all of it. */
  readonly isLogged: boolean;
  /** Whether its round is over and the next one has not begun; undefined without rounds. */
  readonly isBetweenRounds: boolean | undefined;
  announce(text: string): number;
  close(code: number, reason: string): void;
}

export interface DrainOptions {
  readonly matches: () => readonly DrainedMatch[];
  readonly signals: StopSignals;
  readonly graceMs: number;
  readonly clock: Clock;
  readonly wait: (ms: number) => Promise<void>;
  readonly log: Log;
  /** Gives matches to other machines first, where there are any. */
  readonly handOver?: (() => Promise<void>) | undefined;
}

/** Why the server waits no longer. */
type DrainEnd =
  | "nobody is connected"
  | "every round is over"
  | "the grace is over"
  | "a second signal";

export class Drain {
  #isStopping = false;
  /** By match: the notice that its players have read last, without the time, and when. */
  readonly #notices = new Map<DrainedMatch, { readonly isHeld: boolean; readonly atMs: number }>();

  /** Whether a signal has come: the server takes no new room and no new player. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /**
   * Whether a match runs no further tick. One without rounds goes on in the next process as it is,
   * and plays on here if there is none.
   */
  holds(match: Pick<DrainedMatch, "isBetweenRounds" | "isLogged">): boolean {
    return this.#isStopping && (isBetweenRounds(match) ?? match.isLogged);
  }

  /** Waits for the first signal, then for the matches, and closes every link in a match. */
  async run(options: DrainOptions): Promise<void> {
    const { signals, graceMs, clock, matches, log } = options;
    const signal = await signals.first;

    // No match begins any more. Those that are played may end their rounds.
    this.#isStopping = true;
    const beganMs = clock.now();
    log("stopping", { signal, graceSeconds: graceMs / 1000, matches: played(matches()).length });
    await options.handOver?.();
    const why = await this.#wait(options, beganMs + graceMs);

    // What is still played ends here.
    const ended = played(matches());
    log("drained", {
      why,
      seconds: Math.round(clock.now() - beganMs) / 1000,
      kept: ended.filter(({ isLogged }) => isLogged).length,
      lost: ended.filter(({ isLogged }) => !isLogged).length,
      cut: ended.filter((match) => !this.holds(match)).length,
    });
    for (const match of ended) {
      match.close(GOING_AWAY, match.isLogged ? StopReason.kept : StopReason.over);
    }
  }

  async #wait({ matches, signals, clock, wait }: DrainOptions, endMs: number): Promise<DrainEnd> {
    let hasSecond = false;
    const second = signals.second.then(() => void (hasSecond = true));
    for (;;) {
      const left = played(matches());
      const nowMs = clock.now();
      if (left.length === 0) return "nobody is connected";
      if (hasSecond) return "a second signal";
      if (left.every((match) => this.holds(match))) return "every round is over";
      if (nowMs >= endMs) return "the grace is over";
      for (const match of left) this.#announce(match, { nowMs, endMs });
      await Promise.race([wait(Math.min(CHECK_MS, endMs - nowMs)), second]);
    }
  }

  #announce(match: DrainedMatch, { nowMs, endMs }: { nowMs: number; endMs: number }): void {
    const last = this.#notices.get(match);
    const isHeld = this.holds(match);
    if (last?.isHeld === isHeld && nowMs - last.atMs < NOTICE_EVERY_MS) return;
    this.#notices.set(match, { isHeld, atMs: nowMs });
    match.announce(stopNotice(match, { isHeld, seconds: Math.ceil((endMs - nowMs) / 1000) }));
  }
}

/**
 * The words for players who play on, or wait for others.
 * @param options.seconds until the links close at most
 */
export function stopNotice(
  match: Pick<DrainedMatch, "isBetweenRounds" | "isLogged">,
  { isHeld, seconds }: { isHeld: boolean; seconds: number },
): string {
  const after = match.isLogged ? "The match goes on when it is back." : "This match ends with it.";
  if (isBetweenRounds(match) === undefined) return `The server stops in ${seconds} s. ${after}`;
  if (isHeld) return `This round is over. The server stops in ${seconds} s at most. ${after}`;
  return `The server stops when this round is over, in ${seconds} s at most. ${after}`;
}

/**
 * As `DrainedMatch` has it. A match that throws at this counts as between two rounds, so that it
 * delays no other.
 */
function isBetweenRounds(match: Pick<DrainedMatch, "isBetweenRounds">): boolean | undefined {
  try {
    return match.isBetweenRounds;
  } catch {
    return true;
  }
}

/** The matches that are played or watched. */
function played(matches: readonly DrainedMatch[]): readonly DrainedMatch[] {
  return matches.filter(({ clientCount }) => clientCount > 0);
}

/**
 * What happens between the first signal and the end of the process: the server admits no new
 * player, running rounds may end, and players read what becomes of their match.
 *
 *     signal → not ready, notices → every match is between two rounds, or the grace is over → links close → end
 *
 * A match between two rounds stands still, so that no round begins only to be cut off. If the match
 * is logged, the next process continues it.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import { GOING_AWAY, StopReason } from "../../shared/netcode/wire/stop_reasons.ts";
import type { Log } from "../ground/log.ts";
import type { StopSignals } from "../ground/process.ts";

/** How often the drain checks whether the matches may end, ms: about once a tick. */
const CHECK_MS = 50;
/** How often players are told the time left, ms. A page shows a notice for 15 s. */
const NOTICE_EVERY_MS = 10_000;

/** What the drain needs to know of a match. */
export interface DrainedMatch {
  readonly clientCount: number;
  /** Whether its log holds the whole match. */
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
  /** First hands matches over to other machines, if there are any. */
  readonly handOver?: (() => Promise<void>) | undefined;
}

/** Why the server stops waiting. */
type DrainEnd =
  | "nobody is connected"
  | "every round is over"
  | "the grace is over"
  | "a second signal";

export class Drain {
  #isStopping = false;
  /**
   * By match: the notice that its players read last, and when. The seconds left are not compared.
   */
  readonly #notices = new Map<DrainedMatch, { readonly isHeld: boolean; readonly atMs: number }>();

  /**
   * Whether an operator has closed this process to newcomers. Its matches go on, and players with a
   * seat come back to it.
   */
  isCordoned = false;

  /** Whether a signal has come, after which the server takes no new room and no new player. */
  get isStopping(): boolean {
    return this.#isStopping;
  }

  /**
   * Whether a match runs no further tick. A match without rounds stands still if a log keeps it for
   * the next process; otherwise it plays on here.
   */
  holds(match: Pick<DrainedMatch, "isBetweenRounds" | "isLogged">): boolean {
    return this.#isStopping && (isBetweenRounds(match) ?? match.isLogged);
  }

  /** Waits for the first signal, then for the matches, and closes every link in a match. */
  async run(options: DrainOptions): Promise<void> {
    const { signals, graceMs, clock, matches, log } = options;
    const signal = await signals.first;

    // No new match begins from here on. Those being played may finish their rounds.
    this.#isStopping = true;
    const beganMs = clock.now();
    log("stopping", { signal, graceSeconds: graceMs / 1000, matches: played(matches()).length });
    await options.handOver?.();
    const why = await this.#wait(options, beganMs + graceMs);

    // Close whatever is still being played.
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
 * Words the notice for players who play on, or wait for others to finish.
 * @param options.seconds at most until the links close
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
 * Reads `DrainedMatch.isBetweenRounds`. If a match throws here, it counts as between two rounds, so
 * that it cannot delay the others.
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

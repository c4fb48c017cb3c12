/**
 * Reopens the rooms of matches that were not over when their process ended. Each match is first
 * tried apart (`trial/`), so a match that throws, hangs or is too slow costs the others nothing:
 *
 *     tried → goes on
 *           → its log is wrong, or throws → set aside, because it does so each time
 *           → it took too long → again after a while → set aside
 */
import type { Game } from "../../shared/netcode/game.ts";
import { headerOf } from "../../shared/netcode/match_log/replayed_log.ts";
import type { GameRooms } from "./game_rooms.ts";
import { type Log, messageOf } from "../ground/log.ts";
import type { Trials } from "../trial/trials.ts";
import type { TrialFailure, TrialOutcome } from "../trial/tried_match.ts";
import { BACK_OFF_MS, failedAgain, hopelessnessOf } from "../match_log/attempts.ts";
import type { Fault } from "../supervision/faults.ts";
import type { MatchLogs, UnfinishedLog } from "../match_log/match_logs.ts";

/**
 * A server listens after at most this time, ms, even if matches are still being tried; their rooms
 * await them.
 */
const RESUME_MS_MAX = 20_000;

/** A match that never goes on. */
export interface LostMatch {
  /** Its log's name. */
  readonly id: string;
  /** `Game.id`; empty if the log does not name it. */
  readonly gameId: string;
  /** Its room's code; empty if the log does not name it. */
  readonly room: string;
}

/** The rooms of all hosted games. */
export interface ResumedRooms {
  readonly byGame: ReadonlyMap<string, GameRooms<unknown>>;
  /** Counts a match that was set aside, and refuses its players when they come back. */
  setAside(match: LostMatch): void;
}

export interface ResumeOptions {
  readonly rooms: ResumedRooms;
  readonly logs: MatchLogs;
  readonly trials: Trials;
  /** Matches that stopped the previous process; by default none. */
  readonly faults?: readonly Fault[] | undefined;
  readonly wait: (ms: number) => Promise<void>;
  readonly log: Log;
}

/** A match that may go on. */
interface Candidate extends LostMatch {
  readonly unfinished: UnfinishedLog;
  readonly rooms: GameRooms<unknown>;
}

/**
 * Continues every unfinished match. Matches that have failed before, and those that need a second
 * attempt, wait until all others go on.
 * @returns a promise of when the server may listen; `all` resolves when no more matches are being
 * tried
 */
export async function resumeMatches(
  options: ResumeOptions,
): Promise<{ readonly all: Promise<void> }> {
  const { logs, trials, wait } = options;
  const candidates = logs.unfinished().flatMap((each) => candidateOf(each, options));
  for (const candidate of candidates) blame(candidate, options);

  // Matches that have failed before come second, with those that fail now and may try again.
  const first = candidates.filter(({ unfinished }) => unfinished.attempts.failures === 0);
  const later = candidates.filter((candidate) => !first.includes(candidate));
  const attempt = async (candidate: Candidate) => {
    if (await tryOnce(candidate, options) === "again") later.push(candidate);
  };
  const whenFirst = inLanes(trials.lanes, first, attempt);
  const all = whenFirst.then(async () => {
    const second = later.splice(0);
    if (second.length > 0) await wait(BACK_OFF_MS);
    await inLanes(trials.lanes, second, attempt);
  });

  await Promise.race([whenFirst, wait(RESUME_MS_MAX)]);
  return { all };
}

/** @returns a log's match, with a room that waits for it from now on; empty if there is none */
function candidateOf(unfinished: UnfinishedLog, options: ResumeOptions): Candidate[] {
  const { id } = unfinished;
  try {
    const { gameId, room } = headerOf(unfinished.read());
    const rooms = roomsOf(options.rooms, gameId);
    if (rooms === undefined) {
      options.log("match_not_hosted", { id });
      return [];
    }
    rooms.absent.await(room);
    return [{ id, gameId, room, unfinished, rooms }];
  } catch (error) {
    setAside(unfinished, { match: { id, gameId: "", room: "" }, why: textOf(error), ...options });
    return [];
  }
}

/** Counts what the previous process reported about a match. */
function blame(
  { id, unfinished, rooms: { game } }: Candidate,
  { faults = [], log }: ResumeOptions,
): void {
  for (const { tick, phase } of faults.filter(({ matchId }) => matchId === id)) {
    unfinished.note(failedAgain(unfinished.attempts, { tick, tickHz: game.tickHz }));
    log("match_blamed", { id, tick, phase });
  }
}

async function tryOnce(candidate: Candidate, options: ResumeOptions): Promise<"done" | "again"> {
  const { unfinished, rooms, room } = candidate;
  const before = unfinished.attempts;
  const hopeless = hopelessnessOf(before);
  if (hopeless !== undefined) {
    setAside(unfinished, { match: candidate, why: hopeless, ...options });
    return "done";
  }

  // Noted before it begins, because the process may not survive it
  unfinished.note({ ...before, begun: before.begun + 1 });
  let outcome: TrialOutcome;
  try {
    outcome = await options.trials.try(unfinished.read());
  } catch (error) {
    outcome = { failure: { error: textOf(error), isSlow: false } };
  }

  const failure = "failure" in outcome ? outcome.failure : resume(unfinished, outcome, options);
  if (failure === undefined) {
    unfinished.note({ ...before, begun: 0 });
    rooms.absent.free(room);
    return "done";
  }

  // One more failure, and perhaps another attempt
  const attempts = failedAgain(before, {
    tick: failure.tick ?? before.tick,
    tickHz: rooms.game.tickHz,
  });
  unfinished.note(attempts);
  if (!failure.isSlow || hopelessnessOf(attempts) !== undefined) {
    setAside(unfinished, { match: candidate, why: failure.error, ...options });
    return "done";
  }
  options.log("match_trial_failed", { id: candidate.id, room, error: failure.error });
  return "again";
}

/** Continues a match that was tried. @returns why that failed; undefined if it did not */
export function resume(
  unfinished: Pick<UnfinishedLog, "id" | "takeOver">,
  { match }: Extract<TrialOutcome, { match: unknown }>,
  { rooms, log }: Pick<ResumeOptions, "rooms" | "log">,
): TrialFailure | undefined {
  const { id } = unfinished;
  const { header: { gameId, room }, state: { tick, players }, bytes, epoch, steppedTicks } = match;
  try {
    roomsOf(rooms, gameId)!.restore(match, unfinished.takeOver({ bytes, epoch: epoch + 1 }));
  } catch (error) {
    return { error: textOf(error), isSlow: false };
  }
  log("match_resumed", { id, room, tick, players: players.length, steppedTicks });
  return undefined;
}

/** Keeps a match for people to look at, and logs why. */
export function setAside(
  unfinished: Pick<UnfinishedLog, "setAside">,
  { match, why, rooms, log }: Pick<ResumeOptions, "rooms" | "log"> & {
    match: LostMatch;
    why: string;
  },
): void {
  const { id, gameId: game, room } = match;
  const named = room === "" ? { id } : { id, room, game };
  try {
    unfinished.setAside();
  } catch (error) {
    // If the disk is full it cannot be kept, and is over all the same.
    log("match_not_kept", { id, error: messageOf(error) });
  }
  rooms.setAside(match);
  log("match_set_aside", { ...named, error: why });
}

function roomsOf({ byGame }: ResumedRooms, gameId: string): GameRooms<unknown> | undefined {
  return [...byGame.values()].find(({ game }: { game: Game<unknown> }) => game.id === gameId);
}

/** A `LogError`'s message is a sentence by itself. Other errors say more with their names. */
function textOf(error: unknown): string {
  return error instanceof Error && error.name === "LogError" ? error.message : messageOf(error);
}

/** Works on items side by side. @param lanes how many at a time */
async function inLanes<Item>(
  lanes: number,
  items: readonly Item[],
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items];
  await Promise.all(Array.from({ length: lanes }, async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  }));
}

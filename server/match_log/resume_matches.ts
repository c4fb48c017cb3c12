/**
 * Opens the rooms again for matches that were not over when their process ended. Each is tried
 * apart first (`trial/`), so a match that throws, hangs or is too slow costs the others nothing:
 *
 *     tried → goes on
 *           → its log is wrong, or throws → set aside, because it does so each time
 *           → it took too long → again after a while → set aside
 */
import type { Game } from "../../shared/netcode/game.ts";
import { headerOf } from "../../shared/netcode/match_log/replayed_log.ts";
import type { GameRooms } from "../game_rooms.ts";
import { type Log, messageOf } from "../log.ts";
import type { Trials } from "../trial/trials.ts";
import type { TrialFailure, TrialOutcome } from "../trial/tried_match.ts";
import { BACK_OFF_MS, failedAgain, hopelessnessOf, type MatchFault } from "./attempts.ts";
import type { MatchLogs, UnfinishedLog } from "./match_logs.ts";

/** A server listens after so long, ms, even if matches are still tried: their rooms await them. */
const RESUME_MS_MAX = 20_000;

/** A match that never goes on. */
export interface LostMatch {
  /** The name of its log. */
  readonly id: string;
  /** `Game.id`; empty if its log does not say. */
  readonly gameId: string;
  /** Its room's code; empty as above. */
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
  /** Matches that stopped the process before this one; by default none did. */
  readonly faults?: readonly MatchFault[] | undefined;
  readonly wait: (ms: number) => Promise<void>;
  readonly log: Log;
}

/** A match that may go on. */
interface Candidate extends LostMatch {
  readonly unfinished: UnfinishedLog;
  readonly rooms: GameRooms<unknown>;
}

/**
 * Goes on with every match that is not over. Matches that have failed before, and those that need a
 * second attempt, wait until all others go on.
 * @returns when the server may listen, and when no match is tried any more
 */
export async function resumeMatches(
  options: ResumeOptions,
): Promise<{ readonly all: Promise<void> }> {
  const { logs, trials, wait } = options;
  const candidates = logs.unfinished().flatMap((each) => candidateOf(each, options));
  for (const candidate of candidates) blame(candidate, options);

  // Second come those that have failed before, and those that fail now and may try again.
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

/** @returns the match of a log, whose room then waits for it; nothing if there is none */
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

/** Counts what the process before this one says of a match. */
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

/** Goes on with a match that was tried. @returns why it cannot */
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

/** Keeps a match for people, with a line that says why. */
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
    // Without space on the disk it cannot be kept. It is over all the same.
    log("match_not_kept", { id, error: messageOf(error) });
  }
  rooms.setAside(match);
  log("match_set_aside", { ...named, error: why });
}

function roomsOf({ byGame }: ResumedRooms, gameId: string): GameRooms<unknown> | undefined {
  return [...byGame.values()].find(({ game }: { game: Game<unknown> }) => game.id === gameId);
}

/** The message of a log's error is a sentence. Other errors say more with their names. */
function textOf(error: unknown): string {
  return error instanceof Error && error.name === "LogError" ? error.message : messageOf(error);
}

/** Works on some items side by side. @param lanes how many at a time */
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

/**
 * Takes over the matches of nodes that are gone. First this node fences a match: after its record,
 * no earlier owner can append any more. Only then does it read the log, so nothing can follow what
 * it has read.
 *
 *     silent for T → newest record of each match → r · 100 ms → fence → read from the newest state → try apart → go on
 *
 * r is the node's rank in an order that differs from match to match, so nodes seldom try for the
 * same one. If a match takes too long in its trial, it is tried again after a while, here or, if
 * this node is gone by then, at another. The record counts these failures, so that the second one
 * sets the match aside before it stops one node after another.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import type { Log } from "../ground/log.ts";
import type { FileLogs } from "../match_log/file_logs.ts";
import { BACK_OFF_MS, FAILURES_MAX, hopelessnessOf } from "../match_log/attempts.ts";
import {
  encodeLogMessage,
  type LogMessage,
  type MessageKind,
  type TakeAttempts,
} from "../match_log/nats/log_message.ts";
import {
  matchOfSubject,
  type RecordStore,
  type StoredMessage,
  subjectOf,
} from "../match_log/nats/record_store.ts";
import { resume, type ResumedRooms, setAside } from "../rooms/resume_matches.ts";
import type { Trials } from "../trial/trials.ts";
import type { TrialFailure } from "../trial/tried_match.ts";
import { type AssembledLog, assembledLog } from "../match_log/nats/assembled_log.ts";
import type { ClusterLogs } from "./cluster_logs.ts";
import type { EndedMatch } from "../results/shared/ended_matches.ts";
import type { KnownFaults } from "./known_faults.ts";
import type { Nodes } from "./nodes.ts";
import { rankDelayMs } from "./rendezvous.ts";
import { HEARTBEAT_MS, SILENCE_MS } from "../bus/missed_heartbeats.ts";

/**
 * How often all matches are searched for those of nodes that were never heard, ms, as after a
 * restart of all nodes.
 */
const SEARCH_EVERY_MS = 10_000;
/**
 * How soon the search is repeated, ms, after one that missed something, or after a match that could
 * not be read.
 */
const SEARCH_AGAIN_MS = 200;
/** A replica may lag behind: how often it is asked again, and the pause between, ms. */
const READ_TRIES = 20;
const READ_AGAIN_MS = 50;

export interface TakeOversOptions {
  readonly node: string;
  readonly store: RecordStore;
  readonly nodes: Nodes;
  readonly logs: ClusterLogs;
  readonly files: Pick<FileLogs, "keepBad">;
  readonly rooms: ResumedRooms;
  readonly trials: Trials;
  readonly faults: KnownFaults;
  readonly isStopping: () => boolean;
  /** Called when a match is over because its node is gone, or because no node can continue it. */
  readonly onEnded: (ended: EndedMatch) => void;
  readonly clock: Clock;
  readonly wait: (ms: number) => Promise<void>;
  readonly log: Log;
}

/** A match that this node has fenced. */
interface MatchPlace {
  readonly gameId: string;
  readonly room: string;
  readonly epoch: number;
  /** The fence's sequence. */
  readonly sequence: number;
  readonly stateAt: number;
  readonly sentMs: number;
}

export class TakeOvers {
  readonly #options: TakeOversOptions;
  /** Matches that this node is taking over, by subject. */
  readonly #taking = new Map<string, Promise<boolean>>();
  /** Silent nodes with matches that were already searched for. */
  readonly #handled = new Set<string>();
  /** Serialises resumed matches, so that ticks of others run in between. */
  #turn: Promise<unknown> = Promise.resolve();
  #searchAtMs = Infinity;
  #isSearching = false;
  /** `Nodes.hearsSinceMs` at the last look. */
  #hearsSinceMs: number | undefined;
  /** Matches that failed a trial here, by subject: when they may be tried again, ms. */
  readonly #againAtMs = new Map<string, number>();

  constructor(options: TakeOversOptions) {
    this.#options = options;
  }

  /** Looks for nodes that are gone. Call it often. */
  advance(): void {
    const { nodes, clock, isStopping } = this.#options;
    if (!nodes.hears || isStopping()) return;

    // This node has begun to hear heartbeats, perhaps again.
    if (this.#hearsSinceMs !== nodes.hearsSinceMs) {
      this.#hearsSinceMs = nodes.hearsSinceMs!;
      // By then every living node has been heard.
      this.#searchAtMs = this.#hearsSinceMs + SILENCE_MS + HEARTBEAT_MS;
    }

    // Another node has gone.
    const gone = nodes.gone();
    const isNews = gone.some((node) => !this.#handled.has(node));
    for (const node of this.#handled) if (!gone.includes(node)) this.#handled.delete(node);
    for (const node of gone) this.#handled.add(node);

    if (!isNews && clock.now() < this.#searchAtMs) return;
    this.#searchAtMs = clock.now() + SEARCH_EVERY_MS;
    void this.#search();
  }

  /** @returns whether a match is being taken by this node */
  isTaking(subject: string): boolean {
    return this.#taking.has(subject);
  }

  /**
   * Takes a match over, if its newest record is still the one that was seen.
   * @returns whether the match goes on here
   */
  take(found: StoredMessage): Promise<boolean> {
    const under = this.#taking.get(found.subject);
    if (under !== undefined) return under;
    const taking = this.#take(found).finally(() => this.#taking.delete(found.subject));
    this.#taking.set(found.subject, taking);
    return taking;
  }

  async #search(): Promise<void> {
    // Another node may have gone since the search under way began.
    if (this.#isSearching) return this.#searchSoon();

    this.#isSearching = true;
    const { store, nodes, node } = this.#options;
    const { messages, isWhole } = await store.lastOfAll();
    this.#isSearching = false;
    if (!isWhole) this.#searchSoon();

    for (const found of messages) {
      const { subject, message } = found;
      const { gameId, room } = matchOfSubject(subject);
      const isLeft = message.node === node
        ? this.#isLeftHere(message.kind, { gameId, room })
        : nodes.silentMs(message.node) >= SILENCE_MS;
      // A match that takes long does not hold up the others.
      if (isLeft) void this.#tryFor(found);
    }
  }

  #searchSoon(): void {
    this.#searchAtMs = Math.min(this.#searchAtMs, this.#options.clock.now() + SEARCH_AGAIN_MS);
  }

  /**
   * Whether a match belongs to this node and yet does not run here: it was fenced but could not be
   * read, or the servers were away. A finished match is still listed if too many were waiting, or
   * if the servers did not hear that they may forget it.
   */
  #isLeftHere(kind: MessageKind, { gameId, room }: { gameId: string; room: string }): boolean {
    if (kind === "end") return true;
    const isBegun = kind === "records" || kind === "take";
    return isBegun && !this.#options.logs.has(gameId, room) &&
      !this.isTaking(subjectOf(gameId, room));
  }

  async #tryFor(found: StoredMessage): Promise<void> {
    const { nodes, node, wait, store, clock } = this.#options;
    const { subject, sequence, message } = found;
    if (clock.now() < (this.#againAtMs.get(subject) ?? 0)) return;

    // Nodes that come before this one in the match's order try first. After the wait, the owner may
    // be back.
    const rank = nodes.rankedFor(subject).findIndex((each) => each.node === node);
    if (rank < 0) return;
    await wait(rankDelayMs(rank));
    const { gameId, room } = matchOfSubject(subject);
    if (
      message.node === node
        ? !this.#isLeftHere(message.kind, { gameId, room })
        : nodes.silentMs(message.node) < SILENCE_MS
    ) return;

    if (message.kind === "end") return this.#options.onEnded({ subject, sequence });

    // A claim without a match leaves nothing to continue.
    if (message.begin === undefined && message.stateAt === 0) {
      return await store.purge(subject, sequence);
    }
    await this.take(found);
  }

  async #take(found: StoredMessage): Promise<boolean> {
    const { logs, clock, log, rooms, node } = this.#options;
    const { subject, sequence: seen, message } = found;
    const { gameId, room } = matchOfSubject(subject);
    const game = [...rooms.byGame.values()].find(({ game }) => game.id === gameId)?.game;
    if (game === undefined) return false;
    this.#againAtMs.delete(subject);

    // Fence the match. If this node's last take could not be read, that was no attempt, and does
    // not count again.
    const begunMs = clock.now();
    const epoch = message.epoch + 1;
    const stateAt = message.begin === undefined ? message.stateAt : seen;
    const before = message.attempts ?? { failures: 0, begun: 0 };
    const isOwn = message.kind === "take" && message.node === node;
    const attempted = { ...before, begun: isOwn ? before.begun : before.begun + 1 };
    const sequence = await this.#append({
      kind: "take",
      subject,
      epoch,
      stateAt,
      attempts: attempted,
      expected: seen,
    });
    if (sequence === undefined) return false;

    // An earlier log of the match may still be open here, if nobody has played in it since another
    // node took it. With it this node would count as playing the match, and never try it again.
    logs.leave(gameId, room);

    // Read it.
    const fencedMs = clock.now() - begunMs;
    const messages = await this.#read(subject, { from: stateAt, to: sequence });

    if (messages === "gone") {
      // Only the fence remains of a match that is over. Without it the room is free.
      log("match_was_over", { room, game: gameId });
      await this.#options.store.purge(subject, sequence);
      return false;
    }

    const assembled = messages && assembledLog(messages);
    if (assembled === undefined) {
      log("match_not_read", { room, game: gameId });
      this.#searchSoon();
      return false;
    }

    // Try it, and continue it.
    const readMs = clock.now() - begunMs - fencedMs;
    const place = { gameId, room, epoch, sequence, stateAt, sentMs: begunMs };
    const known = this.#options.faults.failuresOf(assembled.id, game.tickHz);
    const attempts = { failures: Math.max(before.failures, known), begun: before.begun };
    const failure = await this.#play(assembled, { ...place, attempts });
    if (failure !== undefined) {
      await this.#giveUp({ ...place, subject, assembled, failure, before, tickHz: game.tickHz });
      return false;
    }

    logs.counts.takeOvers++;
    log("match_taken", {
      id: assembled.id,
      room,
      from: message.node,
      epoch,
      fenceMs: Math.round(fencedMs),
      readMs: Math.round(readMs),
      stepMs: Math.round(clock.now() - begunMs - fencedMs - readMs),
    });
    return true;
  }

  /** Tries a match apart and continues it. @returns why it does not go on; undefined if it does */
  async #play(
    assembled: AssembledLog,
    { attempts, ...place }: MatchPlace & { attempts: TakeAttempts },
  ): Promise<TrialFailure | undefined> {
    const { logs, log, rooms, trials } = this.#options;
    const { gameId, room } = place;
    const { id, bytes } = assembled;

    const error = hopelessnessOf({ ...attempts, tick: 0 });
    if (error !== undefined) return { error, isSlow: false };
    const outcome = await trials.try(bytes);
    if ("failure" in outcome) return outcome.failure;

    return await this.#inTurn(() => {
      const failure = resume({ id, takeOver: () => logs.adopt({ ...place, assembled }) }, outcome, {
        rooms,
        log,
      });
      if (failure !== undefined) logs.leave(gameId, room);
      return failure;
    });
  }

  /** Sets a match aside, or lets it wait for another attempt. */
  async #giveUp(
    { gameId, room, epoch, stateAt, subject, sequence, assembled, failure, before, tickHz }:
      & MatchPlace
      & {
        subject: string;
        assembled: AssembledLog;
        failure: TrialFailure;
        /** The record's attempts: all since the match was last played. */
        before: TakeAttempts;
        tickHz: number;
      },
  ): Promise<void> {
    const { rooms, files, log, faults, clock, wait } = this.#options;
    const { id, bytes } = assembled;
    const { error, isSlow, tick = 0 } = failure;
    faults.failed({ matchId: id, tick });

    // What was heard may be more than a minute of play old, and then no longer counts.
    const failures = Math.max(before.failures + 1, faults.failuresOf(id, tickHz));

    // Set it aside. If another node has fenced the match during the trial, that node decides.
    if (!isSlow || failures >= FAILURES_MAX) {
      const end = await this.#append({ kind: "end", subject, epoch, stateAt, expected: sequence });
      if (end === undefined) return;
      const match = { id, gameId, room };
      const kept = { setAside: () => files.keepBad(id, bytes) };
      setAside(kept, { match, why: error, rooms, log });
      faults.setAside(match);
      // The match's bytes stay here as a file for people; the room is free again.
      return this.#options.onEnded({ subject, sequence: end, reason: "set aside" });
    }

    // Another attempt, here or at another node
    log("match_trial_failed", { id, room, error });
    const againAtMs = clock.now() + BACK_OFF_MS;
    this.#againAtMs.set(subject, againAtMs);
    void wait(BACK_OFF_MS).then(() => {
      // Another attempt may have been scheduled meanwhile.
      if (this.#againAtMs.get(subject) === againAtMs) this.#againAtMs.delete(subject);
      this.#searchSoon();
    });

    // The other nodes learn of the failure from this record. If it is not acknowledged, only this
    // node knows.
    await this.#append({
      kind: "take",
      subject,
      epoch: epoch + 1,
      stateAt,
      attempts: { failures, begun: 0 },
      expected: sequence,
    });
  }

  /**
   * Writes a record without ticks, which says that this node has the match, or that the match is
   * over.
   * @param record.expected the sequence of the record that it follows
   * @returns its sequence; undefined if another record came first, or the servers took none
   */
  async #append(
    { kind, subject, epoch, stateAt, attempts, expected }:
      & Pick<LogMessage, "epoch" | "stateAt" | "attempts">
      & {
        readonly kind: "take" | "end";
        readonly subject: string;
        readonly expected: number;
      },
  ): Promise<number | undefined> {
    const { node, store, logs } = this.#options;
    const nonce = logs.newNonce();
    const bytes = encodeLogMessage({
      kind,
      epoch,
      node,
      nonce,
      stateAt,
      previous: expected,
      begin: undefined,
      records: new Uint8Array(),
      ...attempts && { attempts },
    });
    const outcome = await store.appendOnce({ subject, bytes, expected });
    if (typeof outcome === "object") return outcome.sequence;

    // The newest record tells what became of this one.
    const last = await store.lastOnce(subject);
    const isNewer = typeof last === "object" && last.sequence > expected;
    if (isNewer && last.message.nonce === nonce) return last.sequence;

    // The servers took nothing, or could not say, perhaps because they have no leader.
    if (!isNewer) this.#searchSoon();
    return undefined;
  }

  async #read(
    subject: string,
    range: { from: number; to: number },
  ): Promise<StoredMessage[] | "gone" | undefined> {
    const { store, wait } = this.#options;
    for (let tries = 0; tries < READ_TRIES; tries++) {
      const messages = await store.readFrom(subject, range);
      if (messages !== undefined) return messages;
      await wait(READ_AGAIN_MS);
    }
    return undefined;
  }

  #inTurn<Result>(work: () => Result): Promise<Result> {
    const done = this.#turn.then(() => this.#options.wait(0)).then(work);
    this.#turn = done.catch(() => {});
    return done;
  }
}

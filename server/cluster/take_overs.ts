/**
 * Takes the matches of nodes that are gone. First this node fences the match: after its record, no
 * earlier owner can append any more. Only then does it read the log, so nothing can follow what it
 * has read.
 *
 *     silent for T → newest record of each match → r · 100 ms → fence → read from the newest state → try apart → go on
 *
 * r is the node's place in an order that each match has for itself, so nodes seldom try for the
 * same one. A match that takes too long in its trial is tried again after a while, here or, if this
 * node is gone by then, at another one. The record says how often that was, so that the second
 * failure sets the match aside before it stops one node after another.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import type { Log } from "../log.ts";
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
import { resume, type ResumedRooms, setAside } from "../match_log/resume_matches.ts";
import type { Trials } from "../trial/trials.ts";
import type { TrialFailure } from "../trial/tried_match.ts";
import { type AssembledLog, assembledLog } from "./assembled_log.ts";
import type { ClusterLogs } from "./cluster_logs.ts";
import type { EndedMatch } from "./results/ended_matches.ts";
import type { KnownFaults } from "./known_faults.ts";
import type { Nodes } from "./nodes.ts";
import { rankDelayMs } from "./rendezvous.ts";
import { HEARTBEAT_MS, SILENCE_MS } from "./missed_heartbeats.ts";

/**
 * How often all matches are looked through for those of nodes that were never heard, ms: after a
 * restart of all nodes.
 */
const SEARCH_EVERY_MS = 10_000;
/**
 * The wait before another search, ms, after one that missed something, or a match that could not be
 * read.
 */
const SEARCH_AGAIN_MS = 200;
/** A replica may be behind: how often it is asked again, and the wait, ms. */
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
  /** A match is over because its node is gone, or because no node can go on with it. */
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
  /** That of the fence. */
  readonly sequence: number;
  readonly stateAt: number;
  readonly sentMs: number;
}

export class TakeOvers {
  readonly #options: TakeOversOptions;
  /** Matches that this node is taking, by subject. */
  readonly #taking = new Map<string, Promise<boolean>>();
  /** Nodes whose matches were looked for since they went silent. */
  readonly #handled = new Set<string>();
  /** Matches go on one after another, with ticks of others between. */
  #turn: Promise<unknown> = Promise.resolve();
  #searchAtMs = Infinity;
  #isSearching = false;
  /** When the node had begun to hear heartbeats at the last look, ms. */
  #hearsSinceMs: number | undefined;
  /** Matches whose trial has failed here, by subject: when they may have another one, ms. */
  readonly #againAtMs = new Map<string, number>();

  constructor(options: TakeOversOptions) {
    this.#options = options;
  }

  /** Looks for nodes that are gone. Call it often. */
  advance(): void {
    const { nodes, clock, isStopping } = this.#options;
    if (!nodes.hears || isStopping()) return;

    // This node has begun to hear heartbeats, perhaps anew.
    if (this.#hearsSinceMs !== nodes.hearsSinceMs) {
      this.#hearsSinceMs = nodes.hearsSinceMs!;
      // By then those that live have been heard.
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
   * Takes a match, if its newest record is still the one that was seen.
   * @returns whether it goes on here
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
      // One that takes long holds no other up.
      if (isLeft) void this.#tryFor(found);
    }
  }

  #searchSoon(): void {
    this.#searchAtMs = Math.min(this.#searchAtMs, this.#options.clock.now() + SEARCH_AGAIN_MS);
  }

  /**
   * Whether a match is this node's, and yet not here: it was fenced and could not be read, or the
   * servers were away. One that is over is still there if too many were, or if the servers did not
   * hear that they may forget it.
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

    // Nodes before this one in the match's order try first. After the wait it may be back.
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

    // A claim without a match is nothing to go on with.
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

    // Fence the match. A node that could not read it has not tried it, and comes again.
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

    // Read it.
    const fencedMs = clock.now() - begunMs;
    const messages = await this.#read(subject, { from: stateAt, to: sequence });

    if (messages === "gone") {
      // Only the fence is left of a match that is over. Without it the room is free.
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

    // Try it, and go on with it.
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

  /** Tries a match apart, and goes on with it. @returns why it does not */
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
      // The room may still stand here, if it was not played since another node took its match.
      logs.leave(gameId, room);
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
        /** Those of the record, all of them since the match was last played. */
        before: TakeAttempts;
        tickHz: number;
      },
  ): Promise<void> {
    const { rooms, files, log, faults, clock, wait } = this.#options;
    const { id, bytes } = assembled;
    const { error, isSlow, tick = 0 } = failure;
    faults.failed({ matchId: id, tick });

    // What was heard may be more than a minute of play old, and then it counts no more.
    const failures = Math.max(before.failures + 1, faults.failuresOf(id, tickHz));

    // Set it aside. If another node has fenced the match during the trial, that one decides.
    if (!isSlow || failures >= FAILURES_MAX) {
      const end = await this.#append({ kind: "end", subject, epoch, stateAt, expected: sequence });
      if (end === undefined) return;
      const match = { id, gameId, room };
      const kept = { setAside: () => files.keepBad(id, bytes) };
      setAside(kept, { match, why: error, rooms, log });
      faults.setAside(match);
      // Its bytes are a file here, for people; the room is free again.
      return this.#options.onEnded({ subject, sequence: end, reason: "set aside" });
    }

    // Another attempt, here or at another node
    log("match_trial_failed", { id, room, error });
    const againAtMs = clock.now() + BACK_OFF_MS;
    this.#againAtMs.set(subject, againAtMs);
    void wait(BACK_OFF_MS).then(() => {
      // Another node may have taken it meanwhile.
      if (this.#againAtMs.get(subject) === againAtMs) this.#againAtMs.delete(subject);
      this.#searchSoon();
    });

    // The other nodes learn of the failure by this record; without an answer only this one knows.
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
   * Writes a record without ticks: that this node has the match, or that it is over.
   * @param record.expected the sequence of the record that it follows
   * @returns its sequence; undefined if another one was first, or none was taken
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

    // The newest record says what became of it.
    const last = await store.lastOnce(subject);
    const isNewer = typeof last === "object" && last.sequence > expected;
    if (isNewer && last.message.nonce === nonce) return last.sequence;

    // The servers took nothing, or could not say: they may have no leader.
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

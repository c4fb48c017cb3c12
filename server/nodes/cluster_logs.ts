/**
 * The logs of this node's matches, on servers that several machines share. Before a room's first
 * client gets a ticket, the room is claimed, which only one of several nodes can do.
 */
import type { Clock } from "../../shared/netcode/link.ts";
import type { Log } from "../ground/log.ts";
import type { MatchLog } from "../match/match_recorder.ts";
import type { MatchLogs } from "../match_log/match_logs.ts";
import { ClusterLog, type OwnFile } from "../match_log/nats/cluster_log.ts";
import { encodeLogMessage } from "../match_log/nats/log_message.ts";
import { type LastOutcome, type RecordStore, subjectOf } from "../match_log/nats/record_store.ts";
import { randomHex } from "../ground/server_secret.ts";
import type { Scheduler } from "../ground/ticker.ts";
import type { AssembledLog } from "../match_log/nats/assembled_log.ts";
import type { EndedMatch } from "../results/shared/ended_matches.ts";

/** How long a claim waits for a client, ms: 45 s for a ticket, and the rest for the hello. */
const CLAIM_MS = 60_000;
/**
 * How many claims without a match there may be. `--rooms` bounds them already, and tickets are used
 * at once.
 */
const CLAIMS_MAX = 20_000;

/** What logs need of this node's rooms to move them. */
export interface MovedRooms {
  /** Closes a room because another node has its match: its clients go there. */
  forget(gameId: string, room: string): void;
}

interface Claim {
  readonly sequence: number;
  readonly epoch: number;
  readonly sentMs: number;
}

/** The files of this node's matches. */
export interface OwnFiles {
  /** Begins a match's file. */
  begin(room: string, epoch: number): OwnFile;
  /**
   * Continues the file of a match that another node ran.
   * @param options.bytes the match's log, or its part from the newest state on
   */
  adopt(id: string, options: { epoch: number; bytes: Uint8Array }): OwnFile;
}

/** A log that this node writes. */
export interface OwnedLog {
  readonly gameId: string;
  readonly room: string;
  readonly log: ClusterLog;
}

export interface ClusterLogsOptions {
  /** This process's name: 16 hexadecimal digits. */
  readonly node: string;
  readonly store: RecordStore;
  readonly files: OwnFiles;
  readonly scheduler: Scheduler;
  readonly clock: Clock;
  readonly log: Log;
  /**
   * Called when a match of this node is over, or when this node has claimed the room of another
   * node's finished match.
   */
  readonly onEnded: (ended: EndedMatch) => void;
}

/** Figures since the start, for the metrics. */
interface ClusterCounts {
  fenced: number;
  takeOvers: number;
  /** How often a match let ticks out before they were acknowledged. */
  late: number;
}

export class ClusterLogs implements MatchLogs {
  readonly #options: ClusterLogsOptions;
  readonly #claims = new Map<string, Claim>();
  /**
   * Claims for arriving players that the servers have not answered yet. Each is settled within two
   * requests' time.
   */
  readonly #entering = new Map<string, Promise<boolean>>();
  readonly #owned = new Map<string, OwnedLog>();
  #nonce = BigInt(`0x${randomHex(8)}`);
  #rooms: MovedRooms = { forget: () => {} };
  readonly counts: ClusterCounts = { fenced: 0, takeOvers: 0, late: 0 };

  constructor(options: ClusterLogsOptions) {
    this.#options = options;
  }

  /** Connects the rooms, which are made after their logs. */
  attach(rooms: MovedRooms): void {
    this.#rooms = rooms;
  }

  /** The logs that this node writes. */
  get owned(): readonly OwnedLog[] {
    return [...this.#owned.values()];
  }

  /** Lets ticks out when their acknowledgement is late. Call it every 20 ms. */
  advance(): void {
    for (const { log } of this.#owned.values()) log.advance();
  }

  /**
   * Whether this node writes the log of a room's match, or may begin one. That includes a match
   * that is over, until its end is acknowledged.
   */
  readonly has = (gameId: string, room: string): boolean => {
    const subject = subjectOf(gameId, room);
    return this.#owned.has(subject) || this.#claims.has(subject);
  };

  /** Whether players may enter a room here, because its match goes on here or may begin here. */
  readonly mayEnter = (gameId: string, room: string): boolean =>
    this.plays(gameId, room) || this.#claims.has(subjectOf(gameId, room));

  /**
   * Whether a room's match goes on here, as far as this node knows. A claim is no match: another node
   * may have the room by now, and nothing is written that would tell.
   */
  plays(gameId: string, room: string): boolean {
    return this.#owned.get(subjectOf(gameId, room))?.log.isOpen === true;
  }

  readonly newNonce = (): bigint => this.#nonce = BigInt.asUintN(64, this.#nonce + 1n);

  /**
   * Makes a room this node's for a player who is coming in. If several players come at the same
   * time, they share one claim, because a second one would take the room from the match that the
   * first player begins.
   * @param last the room's newest record
   * @returns whether the room is this node's
   */
  enter(gameId: string, room: string, last: LastOutcome): Promise<boolean> {
    const subject = subjectOf(gameId, room);
    const entering = this.#entering.get(subject);
    if (entering !== undefined) return entering;
    if (this.mayEnter(gameId, room)) return Promise.resolve(true);
    const claimed = this.claim(gameId, room, last).finally(() => this.#entering.delete(subject));
    this.#entering.set(subject, claimed);
    return claimed;
  }

  /**
   * Makes a room this node's, if it has no owner.
   * @param last the room's newest record
   * @returns whether the room is this node's
   */
  async claim(gameId: string, room: string, last: LastOutcome): Promise<boolean> {
    if (typeof last === "string" && last !== "none") return false;
    if (this.#claims.size >= CLAIMS_MAX) return false;

    // A claim is a record, so only one node can append it after the newest one.
    const { node, store, clock } = this.#options;
    const subject = subjectOf(gameId, room);
    const nonce = this.newNonce();
    const previous = last === "none" ? 0 : last.sequence;
    const epoch = last === "none" ? 1 : last.message.epoch + 1;
    const sentMs = clock.now();
    const bytes = encodeLogMessage({
      kind: "claim",
      epoch,
      node,
      nonce,
      stateAt: 0,
      previous,
      begin: undefined,
      records: new Uint8Array(),
    });
    const outcome = await store.appendOnce({ subject, bytes, expected: previous });
    const sequence = typeof outcome === "object"
      ? outcome.sequence
      : await this.#resolvedClaim(subject, nonce);
    if (sequence === undefined) return false;

    // The previous match's node may have died before it finished what a match's end requires.
    if (last !== "none" && last.message.kind === "end") {
      this.#options.onEnded({ subject, sequence: last.sequence });
    }

    this.#claims.set(subject, { sequence, epoch, sentMs });
    this.#options.scheduler.after(CLAIM_MS, () => this.#dropClaim(subject, sequence));
    return true;
  }

  /** Begins the log of a claimed room. @throws Error for a room that was not claimed */
  create(room: string, gameId: string): MatchLog {
    const subject = subjectOf(gameId, room);
    const claim = this.#claims.get(subject);
    if (claim === undefined) throw new Error(`room ${room} is not this node's`);
    this.#claims.delete(subject);
    const file = this.#options.files.begin(room, claim.epoch);
    return this.#open({ gameId, room, file, header: undefined, ...claim, stateAt: 0 });
  }

  /** Continues the log of another node's match, which this node has fenced. */
  adopt(
    { gameId, room, assembled, epoch, ...place }: {
      gameId: string;
      room: string;
      assembled: AssembledLog;
      epoch: number;
      sequence: number;
      stateAt: number;
      sentMs: number;
    },
  ): MatchLog {
    const { id, bytes, header } = assembled;
    const file = this.#options.files.adopt(id, { epoch, bytes });
    return this.#open({ gameId, room, file, header, ...place });
  }

  /** Always empty: a match of another machine is taken over from the servers, not from a file. */
  unfinished(): readonly [] {
    return [];
  }

  /** Lets go of a match that another node runs now, and of a claim from before that match. */
  leave(gameId: string, room: string): void {
    const subject = subjectOf(gameId, room);
    this.#claims.delete(subject);
    const owned = this.#owned.get(subject);
    this.#owned.delete(subject);
    owned?.log.leave();
    this.#rooms.forget(gameId, room);
  }

  #open(
    { gameId, room, file, header, ...place }:
      & { gameId: string; room: string; file: OwnFile; header: Uint8Array | undefined }
      & { sequence: number; stateAt: number; sentMs: number },
  ): MatchLog {
    const { node, store, scheduler, log: write, onEnded } = this.#options;
    const subject = subjectOf(gameId, room);

    // The room's next match may begin before this match's end is acknowledged.
    const isOwned = () => this.#owned.get(subject)?.log === log;
    const log: ClusterLog = new ClusterLog({
      ...place,
      header,
      subject,
      file,
      node,
      appender: store,
      scheduler,
      newNonce: this.newNonce,
      onFenced: () => {
        this.counts.fenced++;
        write("match_fenced", { id: log.id, room });
        if (isOwned()) this.leave(gameId, room);
      },
      onEnded: (sequence) => {
        if (isOwned()) this.#owned.delete(subject);
        onEnded({ subject, sequence, file: { id: log.id, isWhole: header === undefined } });
      },
      onLate: (isLate, sequence) => {
        if (isLate) this.counts.late++;
        write(isLate ? "log_late" : "log_in_time", { id: log.id, room, acknowledged: sequence });
      },
    });
    this.#owned.set(subject, { gameId, room, log });
    return log;
  }

  /** @returns a claim's sequence after its answer was lost; undefined if the claim is not there */
  async #resolvedClaim(subject: string, nonce: bigint): Promise<number | undefined> {
    const last = await this.#options.store.lastOnce(subject);
    return typeof last === "object" && last.message.nonce === nonce ? last.sequence : undefined;
  }

  /** Frees a room because its client did not come. */
  #dropClaim(subject: string, sequence: number): void {
    if (this.#claims.get(subject)?.sequence !== sequence) return;
    this.#claims.delete(subject);
    void this.#options.store.purge(subject, sequence);
  }
}

/**
 * Logs on a disk that fails: it is slow, it is full, or it holds half a record when the server
 * dies. The server can die at any point between two records and two messages; from then on none of
 * its bytes reaches a disk or a client.
 */
import type { MatchLog } from "../../../server/match/match_recorder.ts";
import type { MatchLogs, UnfinishedLog } from "../../../server/match_log/match_logs.ts";
import { type RecordType, recordTypeOf } from "../../../shared/netcode/match_log/record_coder.ts";
import { MemoryLog } from "../../support/logs/memory_logs.ts";
import type { Witness } from "./witness.ts";

/** Bytes before a frame's payload. */
const FRAME_HEAD_BYTES = 8;

/**
 * Where a server dies: at its next record of a type, either before that is on the disk, in the
 * middle of it, or later.
 */
export interface DeathPlan {
  readonly at: RecordType;
  /** "sent": after `sends` more messages to clients. */
  readonly point: "before" | "torn" | "after" | "sent";
  /** How much of a torn record is on the disk, 0 … 1. */
  readonly share: number;
  readonly sends: number;
}

interface HuntedLog<Command> {
  readonly disk: MemoryLog;
  readonly witness: Witness<Command>;
}

export interface HuntedLogsOptions<Command> {
  readonly newWitness: (room: string) => Witness<Command>;
  /** Called with a witness's error. */
  readonly onBroken: (error: unknown) => void;
  /** Called when the server dies at a planned point. */
  readonly onDeath: () => void;
}

export class HuntedLogs<Command> implements MatchLogs {
  readonly #options: HuntedLogsOptions<Command>;
  readonly all: HuntedLog<Command>[] = [];
  /** Grows with each server, because a dead one writes nothing more. */
  #server = 0;
  #sendsLeft = Infinity;
  deathPlan: DeathPlan | undefined;
  /** Whether the newest log's next record finds the disk full. */
  isFull = false;
  /** How long each write takes, ms; 0 if none. */
  slowMs = 0;
  #writing: { atMs: number; done: () => void }[] = [];
  nowMs = 0;

  constructor(options: HuntedLogsOptions<Command>) {
    this.#options = options;
  }

  /** Makes everything that the present server writes from now on vanish. */
  endServer(): void {
    this.#server++;
    this.deathPlan = undefined;
    this.#sendsLeft = Infinity;
    this.#writing = [];
    for (const { witness } of this.all) witness.unwrittenFrom = Infinity;
  }

  /** Notes that the server has sent a message. */
  sent(): void {
    if (--this.#sendsLeft < 0) this.#die();
  }

  /** A room's newest log. */
  of(room: string): HuntedLog<Command> | undefined {
    return this.all.findLast(({ disk }) => disk.room === room);
  }

  /**
   * Changes a bit in an open log's newest record.
   * @param draw which bit
   * @returns whether there is such a log
   */
  changeNewest(room: string, draw: number): boolean {
    const disk = this.of(room)?.disk;
    if (disk === undefined || disk.state !== "open") return false;
    const { bytes } = disk;
    const newest = newestFrameOf(bytes);
    const bit = draw % (8 * (bytes.length - newest));
    bytes[newest + (bit >> 3)]! ^= 1 << (bit & 7);
    return true;
  }

  create(room: string): MatchLog {
    const log = { disk: new MemoryLog(room), witness: this.#options.newWitness(room) };
    this.all.push(log);
    return this.#writerOf(log, 1);
  }

  unfinished(): readonly UnfinishedLog[] {
    return this.all.filter(({ disk }) => disk.state === "open").map((log) => ({
      id: this.#idOf(log),
      get attempts() {
        return log.disk.attempts;
      },
      note: (attempts) => log.disk.attempts = attempts,
      read: () => log.disk.bytes.slice(),
      takeOver: ({ bytes, epoch }) => {
        log.disk.truncate(bytes);
        return this.#writerOf(log, epoch);
      },
      setAside: () => log.disk.state = "set aside",
    }));
  }

  get isWriting(): boolean {
    return this.#writing.length > 0;
  }

  /** Completes the writes that are due. */
  async completeWrites(): Promise<void> {
    const due = this.#writing.filter(({ atMs }) => atMs <= this.nowMs);
    if (due.length === 0) return;
    this.#writing = this.#writing.filter(({ atMs }) => atMs > this.nowMs);
    for (const { done } of due) done();
    // Code that waited for a write runs before the lab's clock advances.
    await Promise.resolve();
    await Promise.resolve();
  }

  #idOf(log: HuntedLog<Command>): string {
    return `${log.disk.room}-${this.all.indexOf(log)}`;
  }

  #writerOf(log: HuntedLog<Command>, epoch: number): MatchLog {
    const server = this.#server;
    const isOpen = () => server === this.#server && log.disk.state === "open";
    return {
      epoch,
      id: this.#idOf(log),
      get isOpen() {
        return isOpen();
      },
      append: (frame) => server === this.#server ? this.#append(log, frame) : undefined,
      end: (frame) => {
        if (server !== this.#server) return;
        this.#append(log, frame);
        if (log.disk.state === "open") log.disk.state = "over";
      },
    };
  }

  #append(log: HuntedLog<Command>, frame: Uint8Array): Promise<void> | undefined {
    const { deathPlan: plan } = this;
    const type = recordTypeOf(frame.subarray(FRAME_HEAD_BYTES));
    const isMeant = plan !== undefined && type === plan.at && log === this.of(log.disk.room);

    if (isMeant && (plan.point === "before" || plan.point === "torn")) {
      const bytes = plan.point === "before" ? 0 : Math.floor(plan.share * frame.length);
      log.disk.append(frame.subarray(0, bytes));
      this.#die();
      return undefined;
    }

    if (this.isFull && log.disk.state === "open") log.disk.state = "set aside";
    if (log.disk.state === "open") log.disk.append(frame);
    try {
      log.witness.see(frame);
    } catch (error) {
      this.#options.onBroken(error);
    }

    if (isMeant && plan.point === "after") this.#die();
    if (isMeant && plan.point === "sent") this.#sendsLeft = plan.sends;
    if (this.slowMs === 0 || log.disk.state !== "open") return undefined;

    // The system holds the bytes, which survive the process, but they do not count yet.
    const { witness } = log;
    if (type === "tick") witness.unwrittenFrom = witness.newestTick;
    return new Promise((resolve) => {
      const done = () => {
        if (type === "tick") witness.unwrittenFrom = Infinity;
        resolve();
      };
      this.#writing.push({ atMs: this.nowMs + this.slowMs, done });
    });
  }

  #die(): void {
    this.endServer();
    this.#options.onDeath();
  }
}

/** The offset of the newest complete frame. */
function newestFrameOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let newest = 0;
  for (let at = 0; at + 8 <= bytes.length;) {
    newest = at;
    at += 8 + (view.getUint32(at, true) & 0xffffff);
  }
  return newest;
}

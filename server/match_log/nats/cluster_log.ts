/**
 * One match's log on several machines. Records go into this node's own file first, then to the
 * servers: one message at a time, and what is written meanwhile goes with the next one. Each
 * message names the previous one's sequence, so the servers refuse a node that has lost the match.
 *
 *     file → pending → in flight → acknowledged
 *                         ↑  ↓
 *                    no answer: again · a conflict: the newest record decides
 *
 * An unanswered message is sent again; if it was stored after all, that is a conflict. Then the
 * newest record is this node's, or the old one, or another node's, which is now the owner. Only in
 * this way does a node learn that it no longer owns the match.
 */
import { recordTypeOf } from "../../../shared/netcode/match_log/record_coder.ts";
import type { MatchLog } from "../../match/match_recorder.ts";
import type { Scheduler } from "../../ground/ticker.ts";
import { encodeLogMessage, type MessageBegin, type MessageKind } from "./log_message.ts";
import type { Appender, LastOutcome } from "./record_store.ts";
import { SendRule } from "./send_rule.ts";
import type { AppendOutcome } from "./stream_requests.ts";

/** The wait before a message is sent again, ms. */
const AGAIN_MS = 50;
/** The longest message, bytes: the servers take a MiB. */
const MESSAGE_BYTES_MAX = 768 * 1024;
/** Bytes before a frame's payload. */
const FRAME_HEAD_BYTES = 8;

/** A match's file on this node. */
export interface OwnFile extends MatchLog {
  /** Closes it, because another node runs the match. */
  leave(): void;
}

/** Where this node continues the servers' log. */
export interface LogPlace {
  readonly subject: string;
  /** The sequence of the match's newest record, which this node wrote. */
  readonly sequence: number;
  /** The newest state's sequence; 0 if there is none. */
  readonly stateAt: number;
  /** When the newest record was sent, ms on the scheduler's clock. */
  readonly sentMs: number;
}

export interface ClusterLogOptions extends LogPlace {
  readonly file: OwnFile;
  /** The frame of the log's header record; undefined for a match that begins. */
  readonly header: Uint8Array | undefined;
  readonly node: string;
  readonly appender: Appender;
  readonly scheduler: Scheduler;
  /** @returns a number that no other message carries */
  readonly newNonce: () => bigint;
  /** Reports that another node runs the match. Called once; afterwards the log does nothing. */
  readonly onFenced: () => void;
  /** Reports that the last record is on the servers. @param sequence its own */
  readonly onEnded: (sequence: number) => void;
  /** Called for each acknowledged message. @param ms since it was first sent */
  readonly onAcknowledged?: (ms: number) => void;
  /**
   * Called when a first tick is sent before its acknowledgement, and again when every tick that was
   * sent is acknowledged.
   * @param sequence the newest acknowledged message's
   */
  readonly onLate?: (isLate: boolean, sequence: number) => void;
}

interface Message {
  readonly bytes: Uint8Array;
  readonly nonce: bigint;
  readonly kind: MessageKind;
  readonly hasState: boolean;
  /** How many records the log holds up to the message's last one. */
  readonly upTo: number;
  readonly sentMs: number;
}

interface Waiter {
  readonly record: number;
  readonly sinceMs: number;
  readonly resolve: () => void;
}

export class ClusterLog implements MatchLog {
  readonly #options: ClusterLogOptions;
  readonly #rule = new SendRule();
  #state: "open" | "ending" | "ended" | "left" = "open";
  #sequence: number;
  #stateAt: number;
  #header: Uint8Array | undefined;
  /** Frames that are not in a message yet. */
  #pending: Uint8Array[] = [];
  #pendingBytes = 0;
  #isScheduled = false;
  #inFlight: Message | undefined;
  /** Records so far, and how many of them the servers hold. */
  #records = 0;
  #acknowledged = 0;
  #waiters: Waiter[] = [];
  readonly #whenDurable: Omit<Waiter, "sinceMs">[] = [];
  /**
   * The newest record with a tick that was sent before its acknowledgement, as a count of records;
   * 0 if there is none.
   */
  #sentNotDurable = 0;

  constructor(options: ClusterLogOptions) {
    this.#options = options;
    this.#sequence = options.sequence;
    this.#stateAt = options.stateAt;
    this.#header = options.header;
    this.#rule.acknowledged(options.sentMs);
  }

  get id(): string {
    return this.#options.file.id;
  }

  get epoch(): number {
    return this.#options.file.epoch;
  }

  /**
   * Whether this node runs the match. A file that cannot be written does not end it, because the
   * servers hold the records.
   */
  get isOpen(): boolean {
    return this.#state === "open";
  }

  /** Whether nothing more goes to the servers. */
  get #isOver(): boolean {
    return this.#state === "ended" || this.#state === "left";
  }

  append(frame: Uint8Array): Promise<void> | undefined {
    if (!this.isOpen) return new Promise(() => {});
    const written = this.#options.file.append(frame);
    this.#push(frame);

    // While the log is late, each tick goes out at once, because clients already waited for the
    // first one.
    const nowMs = this.#options.scheduler.now();
    const isLate = this.#inFlight !== undefined && this.#rule.allows(this.#inFlight.sentMs, nowMs);
    if (isLate) this.#onSentNotDurable(this.#records);
    const sendable = isLate ? undefined : this.#wait(nowMs);
    return written === undefined ? sendable : Promise.all([written, sendable]).then(() => {});
  }

  end(frame: Uint8Array): void {
    if (!this.isOpen) return;
    this.#push(frame);
    this.#state = "ending";
    this.#options.file.end(frame);
  }

  /**
   * @returns when the servers hold every record so far, which never happens if another node runs
   * the match; undefined if they already do
   */
  durable(): Promise<void> | undefined {
    if (this.#state !== "left" && this.#acknowledged === this.#records) return undefined;
    return new Promise((resolve) => this.#whenDurable.push({ record: this.#records, resolve }));
  }

  /**
   * Stops at once, because another node runs the match, or is about to. From now on the log does
   * nothing.
   */
  leave(): void {
    if (this.#isOver) return;
    this.#state = "left";
    this.#waiters = [];
    this.#pending = [];
    this.#options.file.leave();
  }

  #push(frame: Uint8Array): void {
    this.#pending.push(frame.slice());
    this.#pendingBytes += frame.length;
    this.#records++;
    this.#header ??= this.#pending[0];
    if (this.#isScheduled || this.#inFlight !== undefined) return;

    // All records of one turn go together: a tick and its state, or the header and the first state.
    this.#isScheduled = true;
    queueMicrotask(() => {
      this.#isScheduled = false;
      this.#sendPending();
    });
  }

  #wait(nowMs: number): Promise<void> {
    const record = this.#records;
    return new Promise((resolve) => void this.#waiters.push({ record, sinceMs: nowMs, resolve }));
  }

  /**
   * Lets out late ticks that may go; the others wait on. Call it often, because one timer for all
   * logs costs less than one for each.
   */
  advance(): void {
    if (this.#waiters.length === 0) return;
    const nowMs = this.#options.scheduler.now();
    while (this.#waiters[0] !== undefined && this.#rule.allows(this.#waiters[0].sinceMs, nowMs)) {
      const { record, resolve } = this.#waiters.shift()!;
      this.#onSentNotDurable(record);
      resolve();
    }
  }

  #sendPending(): void {
    if (this.#isOver || this.#inFlight !== undefined || this.#pending.length === 0) return;

    const frames = this.#takePending();
    const upTo = this.#records - this.#pending.length;
    const isLast = this.#state === "ending" && this.#pending.length === 0;
    const kind = isLast ? "end" : "records";

    // Readers may begin at a message with a state, so such a message also names the match.
    const { id, epoch } = this;
    const stateOffset = offsetOfState(frames);
    const hasState = stateOffset !== undefined;
    const begin: MessageBegin | undefined = stateOffset === undefined
      ? undefined
      : { id, header: this.#header!, stateOffset };

    const { node, newNonce, scheduler } = this.#options;
    const nonce = newNonce();
    const bytes = encodeLogMessage({
      kind,
      epoch,
      node,
      nonce,
      begin,
      records: joined(frames),
      previous: this.#sequence,
      stateAt: hasState ? 0 : this.#stateAt,
    });
    this.#inFlight = { bytes, nonce, kind, hasState, upTo, sentMs: scheduler.now() };
    this.#send(this.#inFlight);
  }

  /** Takes as many frames as fit into one message, at least one. */
  #takePending(): Uint8Array[] {
    if (this.#pendingBytes <= MESSAGE_BYTES_MAX) {
      const all = this.#pending;
      this.#pending = [];
      this.#pendingBytes = 0;
      return all;
    }

    let bytes = 0;
    let count = 0;
    while (
      count < this.#pending.length &&
      (count === 0 || bytes + this.#pending[count]!.length <= MESSAGE_BYTES_MAX)
    ) {
      bytes += this.#pending[count++]!.length;
    }
    this.#pendingBytes -= bytes;
    return this.#pending.splice(0, count);
  }

  #send(message: Message): void {
    const { appender, subject } = this.#options;
    appender.append({ subject, bytes: message.bytes, expected: this.#sequence }, (outcome) => {
      if (message === this.#inFlight) this.#onOutcome(message, outcome);
    });
  }

  #onOutcome(message: Message, outcome: AppendOutcome): void {
    if (this.#isOver) return;
    if (typeof outcome === "object") return this.#onAcknowledged(message, outcome.sequence);
    if (outcome === "conflict") return this.#resolve(message);
    if (outcome === "no leader") this.#onNoLeader();
    this.#again(message);
  }

  /** Sends a message again. If the servers already stored it, they report a conflict. */
  #again(message: Message): void {
    this.#options.scheduler.after(
      AGAIN_MS,
      () => message === this.#inFlight && this.#send(message),
    );
  }

  /** Asks for the newest record, which tells what became of a message. */
  #resolve(message: Message): void {
    const { appender, subject } = this.#options;
    appender.last(subject, (last) => {
      if (message === this.#inFlight && !this.#isOver) this.#onLast(message, last);
    });
  }

  #onLast(message: Message, last: LastOutcome): void {
    if (last === "no leader" || last === "silence") return this.#again(message);
    if (last !== "none" && last.message.nonce === message.nonce) {
      return this.#onAcknowledged(message, last.sequence);
    }
    if (last !== "none" && last.sequence <= this.#sequence) return this.#again(message);
    this.#onFenced();
  }

  /** Lets waiting ticks out, because without a leader no other node can take the match over. */
  #onNoLeader(): void {
    this.#rule.noLeader(this.#options.scheduler.now());
    this.advance();
  }

  #onAcknowledged({ upTo, hasState, sentMs, kind }: Message, sequence: number): void {
    const { scheduler, onAcknowledged, onEnded } = this.#options;
    this.#inFlight = undefined;
    this.#sequence = sequence;
    if (hasState) this.#stateAt = sequence;
    this.#acknowledged = upTo;
    this.#rule.acknowledged(sentMs);
    onAcknowledged?.(scheduler.now() - sentMs);

    // Ticks that have waited for it
    while (this.#waiters[0] !== undefined && this.#waiters[0].record <= upTo) {
      this.#waiters.shift()!.resolve();
    }

    // Ticks that went out before it
    if (this.#sentNotDurable > 0 && this.#sentNotDurable <= upTo) {
      this.#sentNotDurable = 0;
      this.#options.onLate?.(false, sequence);
    }

    // Callers who asked to hear when it is there
    while (this.#whenDurable[0] !== undefined && this.#whenDurable[0].record <= upTo) {
      this.#whenDurable.shift()!.resolve();
    }

    if (kind !== "end") return this.#sendPending();
    this.#state = "ended";
    onEnded(sequence);
  }

  /** @param record the number of records up to the one with the tick that goes out */
  #onSentNotDurable(record: number): void {
    if (this.#sentNotDurable === 0) this.#options.onLate?.(true, this.#sequence);
    this.#sentNotDurable = Math.max(this.#sentNotDurable, record);
  }

  #onFenced(): void {
    this.leave();
    this.#options.onFenced();
  }
}

/** Finds the offset of the newest state among frames; undefined if there is none. */
function offsetOfState(frames: readonly Uint8Array[]): number | undefined {
  let offset = 0;
  let found: number | undefined;
  for (const frame of frames) {
    if (recordTypeOf(frame.subarray(FRAME_HEAD_BYTES)) === "state") found = offset;
    offset += frame.length;
  }
  return found;
}

function joined(frames: readonly Uint8Array[]): Uint8Array {
  if (frames.length === 1) return frames[0]!;
  const bytes = new Uint8Array(frames.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const frame of frames) {
    bytes.set(frame, at);
    at += frame.length;
  }
  return bytes;
}

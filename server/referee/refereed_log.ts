/**
 * A match's log where the server only orders commands. Each record goes to the log that there is, and
 * is kept for the referee from the newest state on:
 *
 *     header · state · ticks that the referee has · ticks that it has not
 */
import { recordTypeOf } from "../../shared/netcode/match_log/record_coder.ts";
import type { MatchLog } from "../match/match_recorder.ts";
import type { MatchReferee, Verdict } from "../match/order/match_referee.ts";
import type { Referee } from "./referee.ts";

/** Bytes before a frame's payload. */
const FRAME_HEAD_BYTES = 8;
/**
 * How many ticks may follow a state before the referee is asked for a newer one, ten minutes at
 * 20 Hz, and fewer if they take longer to replay than this, ms: who comes late, and a server that
 * goes on with the match, wait for them. How long they take shows in the first ten seconds of play.
 */
const TICKS_MAX = 12_000;
const REPLAY_MS_MAX = 2_000;
const FIRST_TICKS = 200;
/** The same for the bytes of their records. */
const BYTES_MAX = 4 * 2 ** 20;
/** How many bytes are kept at most. A match with more has no verdict any more. */
const KEPT_BYTES_MAX = 4 * BYTES_MAX;

export interface RefereedLogOptions {
  readonly referee: Referee;
  readonly judgesAll: boolean;
  readonly judgesEnd: boolean;
  /** The log that outlives this process; undefined if there is none. */
  readonly log: MatchLog | undefined;
}

export class RefereedLog<Command> implements MatchLog, MatchReferee<Command> {
  readonly judgesAll: boolean;
  readonly judgesEnd: boolean;
  readonly #referee: Referee;
  readonly #log: MatchLog | undefined;
  readonly #caseId: number;
  /** The header's frame. */
  #header = new Uint8Array(0);
  /** Records from a state on. */
  #records = new Uint8Array(4096);
  #length = 0;
  /** Where the newest state begins among them. */
  #stateAt = 0;
  /** How many of their bytes the referee has. */
  #sent = 0;
  /** Ticks since that state, and how many there may be. */
  #ticks = 0;
  #ticksMax = FIRST_TICKS;
  /** The referee that has this match; 0 for none. */
  #generation = 0;
  #isOver = false;

  constructor({ referee, judgesAll, judgesEnd, log }: RefereedLogOptions) {
    this.#referee = referee;
    this.judgesAll = judgesAll;
    this.judgesEnd = judgesEnd;
    this.#log = log;
    this.#caseId = referee.newCase();
    const { durable, beginAgain } = log ?? {};
    if (durable !== undefined) this.durable = () => durable.call(log);
    if (beginAgain !== undefined) this.beginAgain = () => beginAgain.call(log);
  }

  durable?: () => Promise<void> | undefined;
  beginAgain?: () => boolean;

  get epoch(): number {
    return this.#log?.epoch ?? 1;
  }

  /** Empty without a log. */
  get id(): string {
    return this.#log?.id ?? "";
  }

  get isOpen(): boolean {
    return this.#log?.isOpen ?? false;
  }

  /** Takes the header of a match that goes on here, whose log has one already. */
  keepHeader(header: Uint8Array): void {
    this.#header = header.slice();
  }

  append(frame: Uint8Array): Promise<void> | undefined {
    this.#keep(frame);
    return this.#log?.append(frame);
  }

  end(frame: Uint8Array): void {
    this.#log?.end(frame);
  }

  get isFull(): boolean {
    return this.#ticks >= this.#ticksMax || this.#length >= BYTES_MAX;
  }

  ask(answer: (verdict: Verdict<Command> | undefined) => void): void {
    if (this.#isOver) return this.#referee.answerLater(() => answer(undefined));

    // All that follows what it has, or everything from the newest state on
    const generation = this.#referee.begin();
    const isAnew = generation !== this.#generation;
    const unsent = this.#records.subarray(isAnew ? this.#stateAt : this.#sent, this.#length);
    const frames = new Uint8Array((isAnew ? this.#header.length : 0) + unsent.length);
    if (isAnew) frames.set(this.#header);
    frames.set(unsent, frames.length - unsent.length);
    this.#generation = generation;
    this.#sent = this.#length;
    this.#dropBeforeState();

    this.#referee.ask(this.#caseId, { frames, isAnew }, (verdict) => {
      if (verdict === undefined) this.#generation = 0;
      else this.#ticksMax = ticksWithin(verdict.msPerTick);
      // Its commands are those of this match's game, whose codec read them.
      answer(verdict as Verdict<Command> | undefined);
    });
  }

  stopJudging(): void {
    this.#isOver = true;
    this.#referee.endCase(this.#caseId);
    this.#records = new Uint8Array(0);
    this.#length = this.#sent = this.#stateAt = 0;
  }

  #keep(frame: Uint8Array): void {
    if (this.#isOver) return;
    const type = recordTypeOf(frame.subarray(FRAME_HEAD_BYTES));
    if (type === "header") {
      this.#header = frame.slice();
      return;
    }
    if (type === "state") {
      this.#stateAt = this.#length;
      this.#ticks = 0;
      this.#dropBeforeState();
    }
    if (type === "tick") this.#ticks++;
    if (this.#length + frame.length > KEPT_BYTES_MAX) return this.stopJudging();
    this.#add(frame);
  }

  #add(frame: Uint8Array): void {
    const length = this.#length + frame.length;
    if (length > this.#records.length) {
      const grown = new Uint8Array(Math.max(length, 2 * this.#records.length));
      grown.set(this.#records.subarray(0, this.#length));
      this.#records = grown;
    }
    this.#records.set(frame, this.#length);
    this.#length = length;
  }

  /** Drops what precedes the newest state, unless the referee of this match still needs it. */
  #dropBeforeState(): void {
    if (this.#generation !== 0 && this.#sent < this.#stateAt) return;
    this.#records.copyWithin(0, this.#stateAt, this.#length);
    this.#length -= this.#stateAt;
    this.#sent = Math.max(0, this.#sent - this.#stateAt);
    this.#stateAt = 0;
  }
}

/** How many ticks can be replayed in time, if each takes so long, ms. */
function ticksWithin(msPerTick: number): number {
  const ticks = Math.floor(REPLAY_MS_MAX / Math.max(msPerTick, Number.MIN_VALUE));
  return Math.max(FIRST_TICKS, Math.min(TICKS_MAX, ticks));
}

/**
 * Knows which definitive ticks one client has, and therefore its next message's baselines. The
 * broadcaster owns this state and records each message in it; all others report events. The mode
 * decides the next message:
 *
 *     delta   the ticks that the client does not have
 *     full    a full state; for a body-stream client the start of a new stream
 *     probe   a full state beside the body stream, which continues: the client compares hashes with it
 *
 *     event               | in full | in delta | in probe
 *     --------------------|---------|----------|---------
 *     restartDelta        | full    | full     | full
 *     desync reported     | full    | full *   | probe
 *     requestFullState    | full    | full *   | probe
 *     state requested     | full    | probe *  | probe
 *     recordState         | delta   | delta    | delta
 *     path left           | full    | full ‡   | full
 *     any other           | full    | delta    | probe
 *
 *     * if the resync budget allows it, and if the client sent the event after it had the last state
 *     ‡ on the body stream; otherwise the ticks that the client misses follow (`resumeAfter`)
 */
import { type Advice, NO_ADVICE } from "../../../shared/netcode/wire/advice_codec.ts";
import type { BodyStreamRequest, Hello } from "../../../shared/netcode/wire/messages.ts";
import type { BodyBaselines } from "../../../shared/netcode/wire/quantized_body.ts";
import type { Tick } from "../../../shared/netcode/game.ts";
import type { TickEnd } from "../../../shared/netcode/wire/tick_codec.ts";
import { BodyBaselineHistory } from "./body_baseline_history.ts";

/**
 * How many resyncs a client may get at once, and how many ticks earn it one more: two a second at
 * 20 Hz (SPEC 4.3).
 */
const RESYNCS_AT_ONCE = 3;
const TICKS_PER_RESYNC = 10;

/**
 * A resync has failed if its client desyncs again within this many ticks. After this many failures
 * in a row the client cannot agree (SPEC 12.4).
 */
const FAILED_RESYNC_TICKS = 40;
const FAILED_RESYNCS_MAX = 3;

export type DeltaMode = "full" | "delta" | "probe";

/**
 * When a client uses the body stream: never, if it cannot agree, from the start until it leaves, or
 * for good.
 */
export type BodyStreamMode = Hello["bodyStreamMode"] | "always";

/** A client's report about its own state. */
export interface SyncStatus {
  /** The newest definitive tick that the client has. */
  readonly received: Tick;
  readonly isDesynced: boolean;
  /** Undefined if the client is not on the body stream, or leaves it. */
  readonly bodyStreamRequest: BodyStreamRequest | undefined;
  /** On a datagram link: the newest tick with bodies that the client has. */
  readonly bodiesAck: Tick | undefined;
}

/** One client's delta state. */
export class DeltaState {
  readonly #bodyStreamMode: BodyStreamMode;
  #mode: DeltaMode = "full";
  #stateTick: Tick = -1;
  /** On a datagram link: the newest tick up to which the client reported that it has everything. */
  #acknowledgedTick: Tick = -1;
  /** Whether the client cannot use ticks until a state has arrived. */
  #awaitingState = true;
  #resumeAfter: Tick | undefined;
  #lastAdvice: Advice = NO_ADVICE;
  #hadBodies = false;
  /** Undefined while the client is not on the body stream. */
  #sentBodies: BodyBaselineHistory | undefined;
  /** How many resyncs it may get now; fractions grow with time. */
  #resyncBudget = RESYNCS_AT_ONCE;
  /** Resyncs in a row after which the client soon desynced again. */
  #failedResyncs = 0;

  constructor({ bodyStreamMode }: { bodyStreamMode: BodyStreamMode }) {
    this.#bodyStreamMode = bodyStreamMode;
    if (bodyStreamMode === "always" || bodyStreamMode === "chosen") {
      this.#sentBodies = new BodyBaselineHistory();
    }
  }

  get mode(): DeltaMode {
    return this.#mode;
  }

  /** The newest tick that was sent as a state; -1 before the first. */
  get stateTick(): Tick {
    return this.#stateTick;
  }

  /** The advice in the newest message on a reliable link. */
  get lastAdvice(): Advice {
    return this.#lastAdvice;
  }

  /**
   * The newest tick of a client that has just left its datagram path, which gets the later ticks on
   * the reliable channel; undefined otherwise.
   */
  get resumeAfter(): Tick | undefined {
    return this.#resumeAfter;
  }

  /** Whether the newest tick message on a reliable link carried bodies. */
  get hadBodies(): boolean {
    return this.#hadBodies;
  }

  get isOnBodyStream(): boolean {
    return this.#sentBodies !== undefined;
  }

  /** The newest tick with bodies that the client certainly has; -1 if there is none. */
  get bodiesTick(): Tick {
    return this.#sentBodies?.baseTick ?? -1;
  }

  /**
   * The bodies of `bodiesTick`; undefined if a message of `tick` cannot be delta-coded against
   * them.
   */
  bodyBaselinesFor(tick: Tick): BodyBaselines | undefined {
    return this.#sentBodies?.baselinesFor(tick);
  }

  /**
   * The tick after which a datagram begins. A state that was sent will arrive, so a client that
   * waits for it needs only the ticks after it. A client that can continue without it gets the
   * ticks that it misses.
   * @param oldest the oldest tick that can still be sent
   */
  datagramBaseTick(oldest: Tick): Tick {
    const isContinuous = !this.#awaitingState && this.#acknowledgedTick + 1 >= oldest;
    return isContinuous
      ? this.#acknowledgedTick
      : Math.max(this.#acknowledgedTick, this.#stateTick);
  }

  /**
   * Takes a client's report about how its state compares with the definitive one.
   * @returns whether this is a new desync, which is answered with a state
   */
  onSyncStatus({ received, isDesynced, bodyStreamRequest, bodiesAck }: SyncStatus): boolean {
    if (isDesynced) return this.#onDesync(received);
    if (received < this.#stateTick) return false; // sent before it had the state
    if (bodyStreamRequest === undefined && this.#bodyStreamMode !== "always") {
      this.#sentBodies = undefined;
    }
    if (bodiesAck !== undefined) this.#sentBodies?.acknowledge(bodiesAck);
    if (bodyStreamRequest === "state") this.#grantState("probe", received);
    return false;
  }

  #onDesync(received: Tick): boolean {
    const isSoon = this.#stateTick >= 0 && received - this.#stateTick <= FAILED_RESYNC_TICKS;
    if (!this.#grantState("full", received)) return false;

    // A client that cannot agree moves to the body stream, if it supports that.
    this.#failedResyncs = isSoon ? this.#failedResyncs + 1 : 0;
    if (
      this.#bodyStreamMode === "no" || this.isOnBodyStream ||
      this.#failedResyncs < FAILED_RESYNCS_MAX
    ) return true;
    this.#sentBodies = new BodyBaselineHistory();
    this.#failedResyncs = 0;
    return true;
  }

  /** Notes that the client has everything up to `received`. Datagrams report this in any order. */
  acknowledge({ received, isDesynced }: Pick<SyncStatus, "received" | "isDesynced">): void {
    if (received > this.#acknowledgedTick) this.#awaitingState = isDesynced;
    else if (received === this.#acknowledgedTick && isDesynced) this.#awaitingState = true;
    this.#acknowledgedTick = Math.max(this.#acknowledgedTick, received);
  }

  /** Asks for a full state, because a datagram cannot hold everything that the client misses. */
  requestFullState(): void {
    this.#grantState("full", this.#acknowledgedTick);
  }

  /** Notes that the client was not sent everything, so its next message must be self-contained. */
  restartDelta(): void {
    this.#mode = "full";
  }

  /**
   * Notes that the client has left its datagram path. A body stream starts again, because the two
   * channels have different baselines.
   * @param received the newest tick that the client has
   */
  leavePath(received: Tick): void {
    this.acknowledge({ received, isDesynced: this.#awaitingState });
    if (this.isOnBodyStream) this.restartDelta();
    else this.#resumeAfter = received;
  }

  /** Notes that the client has everything up to `received` and gets what follows at once. */
  resumeFrom(received: Tick): void {
    this.#resumeAfter = received;
  }

  /**
   * Notes that the missed ticks were sent on the reliable channel, with all that the next tick
   * needs.
   */
  recordResume(advice: Advice): void {
    this.#resumeAfter = undefined;
    this.#lastAdvice = advice;
  }

  /** Notes that a tick has passed. */
  endTick(): void {
    this.#resyncBudget = Math.min(RESYNCS_AT_ONCE, this.#resyncBudget + 1 / TICKS_PER_RESYNC);
  }

  /**
   * Notes that the state of `tick` was sent.
   * @param end with bodies if it starts the body stream
   */
  recordState(tick: Tick, { advice, bodies }: Omit<TickEnd, "pong">): void {
    this.#mode = "delta";
    this.#stateTick = tick;
    this.#resumeAfter = undefined;
    this.#lastAdvice = advice;
    if (bodies === undefined) return;
    this.#hadBodies = true;
    this.#recordDelivered(tick, bodies);
  }

  /** Notes that `tick` was sent on a reliable link. */
  recordTick(tick: Tick, { advice, bodies }: TickEnd): void {
    this.#lastAdvice = advice;
    this.#hadBodies = bodies !== undefined;
    if (bodies !== undefined) this.#recordDelivered(tick, bodies);
  }

  /** Notes that the bodies of `tick` were sent by datagram, which may be lost. */
  recordBodies(tick: Tick, bodies: BodyBaselines): void {
    this.#sentBodies!.record(tick, bodies);
  }

  #recordDelivered(tick: Tick, bodies: BodyBaselines): void {
    this.#sentBodies!.record(tick, bodies);
    this.#sentBodies!.acknowledge(tick);
  }

  /** @returns whether the client gets a state that it would not have got otherwise */
  #grantState(mode: "full" | "probe", received: Tick): boolean {
    // An event sent before the last state concerns the time before it. A second event adds nothing
    // to the first.
    if (this.#mode !== "delta" || received < this.#stateTick || this.#resyncBudget < 1) {
      return false;
    }
    this.#resyncBudget--;
    this.#mode = mode;
    return true;
  }
}
